// SPDX-License-Identifier: MIT
// Prints the sections of g6info: the library, the backends with their devices, the settings in
// force, and the result of the test force.
#include "info.h"

#include <g6lib.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <set>
#include <string>

namespace g6info {
namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;

std::string variable(const std::string &key)
{
    std::string name = "G6_" + key;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return name;
}

// Spreads text over lines of width characters; every line but the first starts with indent blanks.
std::string wrapped(const std::string &text, size_t width, size_t indent)
{
    std::string out;
    size_t column = 0, from = 0;
    while (from < text.size()) {
        const size_t blank = std::min(text.find(' ', from), text.size());
        const std::string word = text.substr(from, blank - from);
        if (column > 0 && column + 1 + word.size() > width) {
            out += "\n" + std::string(indent, ' ');
            column = 0;
        }
        out += (column ? " " : "") + word;
        column += (column ? 1 : 0) + word.size();
        from = blank + 1;
    }
    return out;
}

std::string library_file()
{
    Dl_info where{};
    if (!dladdr(reinterpret_cast<void *>(&g6_version), &where) || !where.dli_fname)
        return "unknown";
    char *real = realpath(where.dli_fname, nullptr);
    const std::string file = real ? real : where.dli_fname;
    std::free(real);
    return file;
}

void print_device(int backend, int number)
{
    g6_device_info d{};
    d.size = sizeof d;
    if (g6_get_device_info(backend, number, &d) != G6_OK) {
        std::printf("    %d  does not answer: %s\n", number, g6_last_error());
        return;
    }
    std::printf("    %d  %s\n", number, d.name);
    std::printf("       %d compute units, %.1f GiB of memory (%.1f free), double precision: %s\n",
                d.compute_units, d.memory_bytes / kGiB, d.memory_free_bytes / kGiB,
                d.has_double ? "yes" : "no");
    if (*d.notes) std::printf("       %s\n", wrapped(d.notes, 84, 7).c_str());
}

}  // namespace

void print_library()
{
    std::printf("libg6gpu %s\n", g6_version());
    std::printf("  file     %s\n", library_file().c_str());
    std::printf("  npipes   %d\n", g6_npipes());
}

void print_backends()
{
    std::printf("\nBackends found\n");
    g6_backend_info b{};
    b.size = sizeof b;
    std::set<std::string> absent = {"cuda", "opencl"};
    for (int n = 0; g6_get_backend_info(n, &b) == G6_OK; n++) {
        absent.erase(b.name);
        if (*b.reason) {
            std::printf("  %-8s not usable: %s\n", b.name, wrapped(b.reason, 76, 23).c_str());
            std::printf("           (%s)\n", b.path);
            continue;
        }
        std::printf("  %-8s %d device%s (%s)\n", b.name, b.ndevices, b.ndevices == 1 ? "" : "s",
                    b.path);
        for (int d = 0; d < b.ndevices; d++) print_device(n, d);
    }
    for (const std::string &name : absent)
        std::printf("  %-8s not there: it was not built, or not installed (no file g6_%s.so)\n",
                    name.c_str(), name.c_str());
}

void print_settings()
{
    std::printf("\nSettings in force\n");
    const char *key = nullptr, *values = nullptr, *help = nullptr;
    for (int row = 0; g6_option_row(row, &key, &values, &help) == G6_OK; row++) {
        char value[512] = "";
        if (g6_get_option(0, key, value, sizeof value) != G6_OK)
            std::snprintf(value, sizeof value, "?");
        std::printf("  %-18s = %-10s", variable(key).c_str(), *value ? value : "(empty)");
        std::printf("  (%s)\n      %s\n", values, wrapped(help, 88, 6).c_str());
    }
}

void print_check(const Check &check)
{
    if (!check.messages.empty()) std::printf("\nMessages\n");
    for (const std::string &m : check.messages) std::printf("  %s\n", wrapped(m, 92, 4).c_str());
    if (check.good)
        std::printf("\nIn use: %s; a test force is right.\n", check.backend.c_str());
    else
        std::printf("\nNothing can compute here: %s\n", check.problem.c_str());
}

}  // namespace g6info
