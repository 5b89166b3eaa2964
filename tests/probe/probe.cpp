// SPDX-License-Identifier: MIT
// A small client of the shared library, which tests/process starts with G6_* variables, since the
// settings of a process are fixed at its start.  It prints one line of results, so anything else on
// stdout is from the library.
#include "g6lib.h"

#include "../info.h"
#include "../leaks.h"
#include "host.h"
#include "shortage.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

namespace {

double zero[3] = {0, 0, 0};

void send(int id, int address, int index, double x, double v = 0, double k18 = 0)
{
    double xj[3] = {x, 0, 0}, vj[3] = {v, 0, 0}, kj[3] = {k18, 0, 0};
    g6_set_j_particle(id, address, index, 0, 0, 1.0, kj, zero, zero, vj, xj);
}

// acc of a unit mass at distance 2: 0.25.
double force(int id, int nj, int index, double h2, int *nearest)
{
    double x[1][3] = {{0, 0, 0}}, v[1][3] = {{0, 0, 0}}, acc[1][3], jerk[1][3], pot[1];
    g6calc_firsthalf(id, nj, 1, &index, x, v, nullptr, nullptr, nullptr, 0, &h2);
    const int status = g6calc_lasthalf2(id, nj, 1, &index, x, v, 0, &h2, acc, jerk, pot, nearest);
    return status == 0 ? acc[0][0] : -1000 - status;
}

void run(bool close)
{
    const int id = 0;
    const int pipes_before = g6_npipes();
    const int opened = g6_open(id);
    send(id, 0, 7, 2), send(id, 1, 5, 0);
    int nearest = -99, alone = -99, length = -99, list[4] = {};
    const double acc = force(id, 2, 5, 1.0, &nearest);
    g6_read_neighbour_list(id);
    g6_get_neighbour_list(id, 0, 4, &length, list);
    force(id, 0, 5, 1.0, &alone);
    send(id, 0, 7, 2, 0, 1);  // snap moves it by 3/4 at ti = 1
    g6_set_ti(id, 1);
    double x[1][3] = {{0, 0, 0}};
    g6_predict(id, 1, x, nullptr);
    char precision[16] = "", mode[16] = "";
    g6_get_option(id, "precision", precision, sizeof precision);
    g6_get_option(id, "mode", mode, sizeof mode);
    std::printf("open=%d npipes=%d,%d acc=%.4f nearest=%d alone=%d self=%d x=%.2f backend=%s "
                "precision=%s mode=%s devices=%d\n",
                opened, pipes_before, g6_npipes(), acc, nearest, alone, length, x[0][0],
                g6_backend_name(id), precision, mode, get_device_count());
    if (close) g6_close(id);
}

// A code that sends values which are no numbers and looks at no status.
void refused(bool close)
{
    int nearest = 0;
    for (int k = 0; k < 1000; k++) send(0, k, k, std::strtod("nan", nullptr));
    double x[1][3] = {{std::strtod("nan", nullptr), 0, 0}}, v[1][3] = {{0, 0, 0}}, acc[1][3],
           jerk[1][3], pot[1];
    int index = 5;
    for (int k = 0; k < 10; k++) {
        g6calc_firsthalf(0, 2, 1, &index, x, v, nullptr, nullptr, nullptr, 0, nullptr);
        g6calc_lasthalf(0, 2, 1, &index, x, v, 0, nullptr, acc, jerk, pot);
    }
    send(0, 0, 7, 2);
    std::printf("acc=%.4f\n", force(0, 1, 5, 0, &nearest));
    if (close) g6_close(0);
}

// A code with settings that are misspelt: two keys, of which it sets one twice, and 40 angles.
void misspelt()
{
    int nearest = 0;
    send(0, 0, 7, 2);
    g6_set_option(0, "debug", "lief=3"), g6_set_option(0, "debug", "fualt=1");
    g6_set_option(0, "debug", "lief=3");
    for (int k = 11; k <= 50; k++) g6_set_option(0, "theta", std::to_string(k).c_str());
    send(0, 0, 7, std::strtod("nan", nullptr));
    std::printf("acc=%.4f\n", force(0, 1, 5, 0, &nearest));
}

// sapporo's way in: a list of devices, then cluster 0 is open.
void special()
{
    int list[1] = {0}, wrong[1] = {99}, nearest = 0;
    const int one = g6_open_special(1, list);
    send(0, 0, 7, 2);
    const double acc = force(0, 1, 5, 0, &nearest);
    g6_close(0);
    const int all = g6_open_special(0, nullptr), any = g6_open_special(-1, nullptr);
    const int reserved = g6_open_special2(1, list, 1000);
    send(0, 0, 7, 2);
    const double again = force(0, 1, 5, 0, &nearest);
    g6_open_special(1, wrong);  // whatever it returns, the library goes on
    g6_open_special(3, nullptr);
    send(0, 0, 7, 2);
    const double after = force(0, 1, 5, 0, &nearest);
    std::printf("special=%d,%d,%d,%d acc=%.4f,%.4f,%.4f npipes=%d \n", one, all, any, reserved, acc,
                again, after, g6_npipes());
}

// Every backend that was looked at: its name, then its devices or why it is refused.
void list()
{
    std::printf("backends:");
    for (const g6_backend_info &info : g6test::all_backends())
        std::printf(" [%s %d %s]", info.name, info.ndevices, info.reason);
    std::printf("\n");
}

}  // namespace

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "run";
    const bool tree = argc > 2 && !std::strcmp(argv[2], "treewalk");
    if (!std::strcmp(what, "special"))
        special();
    else if (!std::strcmp(what, "backends"))
        list();
    else if (!std::strncmp(what, "refused", 7))
        refused(!std::strcmp(what, "refused"));
    else if (!std::strcmp(what, "misspelt"))
        misspelt();
    else if (!std::strcmp(what, "forked-while-opening"))
        run_forked_while_opening(tree);
    else if (!std::strcmp(what, "forked-while-reading"))
        run_forked_while_reading();
    else if (!std::strncmp(what, "forked", 6))
        run_forked(tree, !std::strcmp(what, "forked-from-threads"));
    else if (argc > 2)  // "short-sum" or another, and MiB
        run_short(what + std::strlen("short-"), std::strtoul(argv[2], nullptr, 10) << 20);
    else
        run(std::strcmp(what, "leave") != 0);  // "leave": ends without g6_close, as kira and ph4 do
    return 0;
}
