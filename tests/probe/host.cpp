// SPDX-License-Identifier: MIT
// Computes one block after fork(), in several situations, compares the potentials with long-double
// sums and prints one line.
#include "host.h"

#include "g6lib.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <omp.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

constexpr int kBodies = 20000, kTargets = 40;
constexpr double kEps2 = 1e-4;
double x[kBodies][3], zero[3], xi[kTargets][3], vi[kTargets][3];
double acc[kTargets][3], jerk[kTargets][3], pot[kTargets], expected[kTargets];
int index_of[kTargets];

void make_system()
{
    unsigned long long state = 1;  // Knuth's MMIX generator
    for (auto &body : x)
        for (double &c : body) {
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            c = double(state >> 11) / 9007199254740992.0;
        }
    for (int i = 0; i < kTargets; i++) {
        index_of[i] = i;
        long double sum = 0;
        for (int c = 0; c < 3; c++) xi[i][c] = x[i][c];
        for (int k = 0; k < kBodies; k++) {
            long double r2 = kEps2;
            for (int c = 0; c < 3; c++) {
                const long double d = static_cast<long double>(x[k][c]) - xi[i][c];
                r2 += d * d;
            }
            if (k != i) sum -= 1 / (kBodies * std::sqrt(r2));
        }
        expected[i] = static_cast<double>(sum);
    }
}

void open(bool tree)
{
    g6_set_option(0, "backend", "cpu");
    g6_set_option(0, "threads", "2");
    g6_set_option(0, "direct", "0");
    g6_set_mode(0, tree ? "treewalk" : "hermite");
    g6_open(0);
    for (int k = 0; k < kBodies; k++)
        g6_set_j_particle(0, k, k, 0, 0, 1.0 / kBodies, zero, zero, zero, zero, x[k]);
}

int block()
{
    g6calc_firsthalf(0, kBodies, kTargets, index_of, xi, vi, nullptr, nullptr, nullptr, kEps2,
                     nullptr);
    return g6calc_lasthalf(0, kBodies, kTargets, index_of, xi, vi, kEps2, nullptr, acc, jerk, pot);
}

// Errors of mixed sums are below 1e-6, of the tree's potential at theta 0.6 below 1e-2.
bool is_right(bool tree)
{
    for (int i = 0; i < kTargets; i++)
        if (!(std::fabs(pot[i] / expected[i] - 1) < (tree ? 1e-2 : 1e-6))) return false;
    return true;
}

}  // namespace

void run_forked(bool tree, bool own_pool)
{
    constexpr unsigned kPatience = 60;
    make_system();
    bool before = true;
    int threads = 0;
    if (own_pool) {
#pragma omp parallel num_threads(2) reduction(+ : threads)
        threads++;
    } else {
        open(tree);
        before = block() == 0 && is_right(tree);
    }
    const pid_t child = fork();
    if (child == 0) {
        alarm(kPatience);
        if (own_pool) open(tree);
        _exit(block() == 0 && is_right(tree) ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    if (own_pool) open(tree);
    const bool after = block() == 0 && is_right(tree);
    std::printf("before=%d child=%d after=%d\n", before, status, after);
}

// Forks while another thread is in g6_open() and waits there to write to a full stderr.
void run_forked_while_opening(bool tree)
{
    constexpr unsigned kPatience = 60;
    make_system();
    int ends[2];
    if (pipe(ends) != 0) return;
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    static char full[1 << 20];
    while (write(ends[1], full, 1) == 1) continue;
    fcntl(ends[1], F_SETFL, 0);
    const int own = dup(2), nowhere = ::open("/dev/null", O_WRONLY);
    dup2(ends[1], 2);
    std::thread opener([] { g6_open(5); });
    usleep(200000);  // a fork before the thread waits shows nothing
    const pid_t child = fork();
    if (child == 0) {
        alarm(kPatience);
        dup2(nowhere, 2);
        open(tree);
        _exit(block() == 0 && is_right(tree) ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    dup2(own, 2);
    const bool read_all = read(ends[0], full, sizeof full) > 0;
    opener.join();
    open(tree);
    const bool after = block() == 0 && is_right(tree);
    std::printf("before=%d child=%d after=%d\n", read_all, status, after);
}
