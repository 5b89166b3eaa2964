// SPDX-License-Identifier: MIT
// Calls of part 7 of g6lib.h for which this library has next to nothing to do, because only the
// hardware of 2002 needed them; and Phantom-GRAPE's files for debugging.
#include "calls.h"

#include "../settings/files.h"
#include "../base/status.h"

#include <atomic>
#include <cmath>
#include <fcntl.h>
#include <iomanip>
#include <locale>
#include <sstream>

namespace g6::calls {
namespace {

std::atomic<int> g_mccount{1};

// A stream that writes numbers with a point, whatever locale the program has set.
std::ostringstream plain_text()
{
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text << std::scientific;
    return text;
}

void write_file(const std::string &name, int flags, const std::string &text)
{
    // Without O_NONBLOCK the opening of a FIFO waits for a reader.
    Descriptor file(
        ::open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | flags, 0666));
    struct stat kind;
    if (!file || fstat(file.number(), &kind) != 0)
        throw Error(G6_ERR_ARGUMENT, "%s cannot be written: %s", name.c_str(),
                    std::strerror(errno));
    const std::string what = not_regular(kind);
    if (!what.empty())
        throw Error(G6_ERR_ARGUMENT, "%s cannot be written: %s", name.c_str(), what.c_str());
    if (!write_all(file.number(), text.data(), text.size()) || !file.close())
        throw Error(G6_ERR_ARGUMENT, "%s cannot be written: %s", name.c_str(),
                    std::strerror(errno));
}

int add_line(const char *where, const std::ostringstream &line)
{
    return guard(where, [&] { return write_file("dump.dat", O_APPEND, line.str()), G6_OK; });
}

}  // namespace

// A pipe changes when its sum overflows, and no sum overflows here.
int changed_index()
{
    return -1;
}

int mccount()
{
    return g_mccount;
}

int set_mccount(int count)
{
    g_mccount = count;
    return G6_OK;
}

void write_scales(int address, int acc_scale[], int jerk_scale[], int pot_scale[])
{
    if (address < 0) return;
    for (int *scale : {acc_scale, jerk_scale, pot_scale})
        if (scale) scale[address] = 0;
}

int test_flag(int flag)
{
    return flag ? 1 : 0;
}

int dump(double t, int n, const double mass[], const double x[][3], const double v[][3])
{
    return guard("g6_dump", [&] {
        if (n < 0) throw Error(G6_ERR_ARGUMENT, "n = %d is negative", n);
        if (!(std::fabs(t) < 1e9))
            throw Error(G6_ERR_ARGUMENT,
                        "t = %g cannot be part of a file's name; |t| must be below 1e9", t);
        if (n > 0 && (!mass || !x || !v)) throw Error(G6_ERR_ARGUMENT, "one of mass, x, v is NULL");
        std::ostringstream text = plain_text();
        text << std::showpos << std::setprecision(16);
        for (int k = 0; k < n; k++) {
            text << mass[k];
            for (const double *row : {x[k], v[k]})
                text << ' ' << row[0] << ' ' << row[1] << ' ' << row[2];
            text << '\n';
        }
        char name[32];
        std::snprintf(name, sizeof name, "dump.dat.%05d", static_cast<int>(t));
        return write_file(name, O_TRUNC, text.str()), G6_OK;
    });
}

int add_to_dump(int number)
{
    std::ostringstream line = plain_text();
    line << number << '\n';
    return add_line("g6_debugfunc", line);
}

int add_to_dump(double number)
{
    std::ostringstream line = plain_text();
    line << std::showpos << number << '\n';
    return add_line("g6_debugfunc_double", line);
}

}  // namespace g6::calls
