// SPDX-License-Identifier: MIT
// A client of workers under the malloc of tests/faults/shortage.  In each session the system
// refuses another of the requests for memory that the client makes in a block: that one alone, or
// all from it on until the block has ended.  Such a block must give right results, or a status and
// outputs of zero.  Once there is memory it must give right results.
// usage: shortage once|on STEP      refuses each STEP-th request
#include "../faults/shortage/shortage.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <g6lib.h>

namespace {

constexpr int kBodies = 300, kMost = 240;
constexpr double kEps2 = 1e-3, kH2 = 0.15;
double x[kBodies][3], zero[3];
double xi[kMost][3], vi[kMost][3], h2[kMost], acc[kMost][3], jerk[kMost][3], pot[kMost];
int index_of[kMost], list[kBodies];
int side = 1;  // -1: the bodies are mirrored at the origin
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
            if (!(std::fabs(acc[k][c] - side * s.acc[c]) < 1e-5 * std::fabs(s.pot))) return false;
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

// Mirrors all bodies, sends them, and computes a block, in which the k-th request is refused; 0:
// none is.  Whether one was refused goes to *refused.
const char *mirrored_block(int id, int ni, g6test::Refusal refusal, long k, bool *refused)
{
    side = -side;
    for (int j = 0; j < kBodies; j++) {
        double to[3];
        for (int c = 0; c < 3; c++) to[c] = side * x[j][c];
        g6_set_j_particle(id, j, j, 0, 1, 1.0 / kBodies, zero, zero, zero, zero, to);
        if (j < kMost) std::memcpy(xi[j], to, sizeof to);
    }
    if (k > 0) g6test::refuse(refusal, k, false);
    const char *wrong = block(id, ni, k == 0);
    if (k > 0) *refused = *refused || g6test::refused();
    g6test::refuse_no_more();
    return wrong;
}

const char *session(int id, g6test::Refusal refusal, long k, bool *refused)
{
    if (g6_open(id) != 0) return "not open";
    const struct {
        int ni;
        bool has_memory;
    } blocks[] = {{70, false},    {kMost, false}, {3, false},
                  {kMost, false}, {5, true},      {kMost, true}};
    const char *wrong = nullptr;
    for (const auto &b : blocks)
        if (!wrong) wrong = mirrored_block(id, b.ni, refusal, b.has_memory ? 0 : k, refused);
    g6_close(id);
    return wrong;
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    const bool once = !std::strcmp(argv[1], "once");
    const long step = std::atol(argv[2]);
    const auto refusal = once ? g6test::Refusal::kOnce : g6test::Refusal::kFromThenOn;
    srand48(1);
    for (auto &body : x)
        for (double &u : body) u = drand48();
    for (int k = 0; k < kMost; k++) {
        index_of[k] = k;
        h2[k] = kH2;
    }
    find_sums();
    long tried = 0, bad = 0;
    int id = 0;
    for (long k = step;; k += step, tried++) {
        bool refused = false;
        if (const char *wrong = session(id++, refusal, k, &refused)) {
            std::printf("request %ld refused: %s\n", k, wrong);
            bad++;
        }
        std::fflush(stdout);
        if (!refused) break;
    }
    std::printf("%ld requests refused, %ld bad\n", tried, bad);
    return bad != 0;
}
