// SPDX-License-Identifier: MIT
// A client of workers under the malloc of tests/faults/shortage.  In each session the system
// refuses another of the client's requests for memory: that one alone, or all from it on until the
// blocks have ended.  A block must give right results, or a status and outputs of zero.  Once there
// is memory it must give right results.
// usage: shortage once|on STEP      refuses each STEP-th request
#include "../faults/shortage/shortage.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <g6lib.h>
#include <initializer_list>

namespace {

constexpr int kBodies = 300, kMost = 240;
constexpr double kEps2 = 1e-3, kH2 = 0.15;
double x[kBodies][3], zero[3];
double xi[kMost][3], vi[kMost][3], h2[kMost], acc[kMost][3], jerk[kMost][3], pot[kMost];
int index_of[kMost], list[kBodies];
struct Sum {
    double acc[3], pot;
    int neighbours;
} sums[kBodies];

// The sums over all bodies, and how many of them lie within the radius.
void find_sums()
{
    for (int k = 0; k < kBodies; k++) {
        long double a[3] = {0, 0, 0}, p = 0;
        for (int j = 0; j < kBodies; j++) {
            long double d[3], r2 = 0;
            for (int c = 0; c < 3; c++) d[c] = static_cast<long double>(x[j][c]) - x[k][c];
            for (long double u : d) r2 += u * u;
            sums[k].neighbours += j != k && r2 + kEps2 < kH2;
            const long double s = 1 / std::sqrt(r2 + kEps2), m = j != k ? 1.0L / kBodies : 0;
            for (int c = 0; c < 3; c++) a[c] += m * s * s * s * d[c];
            p -= m * s;
        }
        for (int c = 0; c < 3; c++) sums[k].acc[c] = static_cast<double>(a[c]);
        sums[k].pot = static_cast<double>(p);
    }
}

// Whether all results are those of the first ni bodies.
bool are_right(int ni)
{
    for (int k = 0; k < ni; k++) {
        const Sum &s = sums[k];
        if (!(std::fabs(pot[k] - s.pot) < 1e-6 * std::fabs(s.pot))) return false;
        for (int c = 0; c < 3; c++)
            if (!(std::fabs(acc[k][c] - s.acc[c]) < 1e-5 * std::fabs(s.pot))) return false;
    }
    return true;
}

bool are_zero(int ni)
{
    for (int k = 0; k < ni; k++)
        if (pot[k] != 0 || acc[k][0] != 0 || acc[k][1] != 0 || acc[k][2] != 0) return false;
    return true;
}

// A block with its lists.  Returns what is wrong, or null.
const char *block(int id, int ni, bool has_memory)
{
    g6_set_ti(id, 0);
    g6calc_firsthalf(id, kBodies, ni, index_of, xi, vi, acc, jerk, pot, kEps2, h2);
    const int status =
        g6calc_lasthalf(id, kBodies, ni, index_of, xi, vi, kEps2, h2, acc, jerk, pot);
    if (status != 0) return has_memory ? "a status" : are_zero(ni) ? nullptr : "not zero";
    if (!are_right(ni)) return "wrong sums";
    if (g6_read_neighbour_list(id) != 0) return has_memory ? "no lists" : nullptr;
    for (int k = 0; k < ni; k++) {
        int n = 0;
        if (g6_get_neighbour_list(id, k, kBodies, &n, list) != 0 && has_memory) return "no list";
        if (has_memory && n != sums[k].neighbours) return "a wrong list";
    }
    return nullptr;
}

const char *session(int id, g6test::Refusal refusal, long k, bool trace)
{
    if (g6_open(id) != 0) return "not open";
    for (int j = 0; j < kBodies; j++)
        g6_set_j_particle(id, j, j, 0, 1, 1.0 / kBodies, zero, zero, zero, zero, x[j]);
    const char *wrong = block(id, 10, true);
    g6test::refuse(refusal, k, trace);
    for (int ni : {70, kMost, 3, kMost})
        if (!wrong) wrong = block(id, ni, false);
    g6test::refuse_no_more();
    for (int ni : {5, kMost})
        if (!wrong) wrong = block(id, ni, true);
    g6_close(id);
    return wrong;
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    const bool once = !std::strcmp(argv[1], "once");
    const long step = std::atol(argv[2]), only = argc > 3 ? std::atol(argv[3]) : 0;
    const auto refusal = once ? g6test::Refusal::kOnce : g6test::Refusal::kFromThenOn;
    srand48(1);
    for (auto &body : x)
        for (double &u : body) u = drand48();
    for (int k = 0; k < kMost; k++) {
        index_of[k] = k;
        std::memcpy(xi[k], x[k], sizeof xi[k]);
        h2[k] = kH2;
    }
    find_sums();
    long tried = 0, bad = 0;
    int id = 0;
    for (long k = only ? only : step;; k += step, tried++) {
        if (const char *wrong = session(id++, refusal, k, only != 0)) {
            std::printf("request %ld refused: %s\n", k, wrong);
            bad++;
        }
        std::fflush(stdout);
        if (only || !g6test::refused()) break;
    }
    std::printf("%ld requests refused, %ld bad\n", tried, bad);
    return bad != 0;
}
