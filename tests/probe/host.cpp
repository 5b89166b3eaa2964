// SPDX-License-Identifier: MIT
// Computes a block in a child of fork(), in several situations, compares the results with
// long-double sums and prints a line.
#include "host.h"

#include "../blocks.h"
#include "../child.h"

#include <atomic>
#include <cstdio>
#include <fcntl.h>
#include <omp.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace g6test;

constexpr int kBodies = 20000, kTargets = 40;
std::vector<Body> bodies;
IBlock block;
std::vector<Expected> expected;

void make_system()
{
    bodies = resting_bodies(kBodies, 1);
    block = block_of(bodies, 0, kTargets, 0, 1e-4, 0);
    Memory memory;
    for (int k = 0; k < kBodies; k++) memory[k] = bodies[k];
    for (int i = 0; i < kTargets; i++)
        expected.push_back(evaluate(memory, kBodies, 0, block.particle(i)));
}

void open(bool tree)
{
    g6_set_option(0, "backend", "cpu");
    g6_set_option(0, "threads", "2");
    g6_set_option(0, "direct", "0");
    g6_set_mode(0, tree ? "treewalk" : "hermite");
    g6_open(0);
    for (int k = 0; k < kBodies; k++) send(0, k, bodies[k]);
}

// Whether the block has the right results; errors of the tree at theta 0.6 are below 1e-2.
bool is_right(bool tree)
{
    first_half(0, kBodies, block);
    const Output out = last_half(0, kBodies, block, Half::kLast);
    for (int i = 0; i < kTargets; i++)
        if (!wrong_part(expected[i], out, i, Parts::kPull, tree ? 1e-2 : 0).empty()) return false;
    return out.status == 0;
}

bool opens_in_a_child(bool tree)
{
    return good_in_a_child([&] {
        open(tree);
        return is_right(tree);
    });
}

}  // namespace

void run_forked(bool tree, bool own_pool)
{
    make_system();
    bool before = true, child = false;
    int threads = 0;
    if (own_pool) {
#pragma omp parallel num_threads(2) reduction(+ : threads)
        threads++;
        child = opens_in_a_child(tree);
        open(tree);
    } else {
        open(tree);
        before = is_right(tree);
        child = good_in_a_child([&] { return is_right(tree); });
    }
    std::printf("before=%d child=%d after=%d\n", before, child, is_right(tree));
}

// Forks while another thread is in g6_open() and waits there to write to a full stderr.
void run_forked_while_opening(bool tree)
{
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
    const bool child = good_in_a_child([&] {
        dup2(nowhere, 2);
        open(tree);
        return is_right(tree);
    });
    dup2(own, 2);
    const bool read_all = read(ends[0], full, sizeof full) > 0;
    opener.join();
    open(tree);
    std::printf("before=%d child=%d after=%d\n", read_all, child, is_right(tree));
}

// Forks every few milliseconds while another thread makes the first call of the library, which
// reads a long file of settings.
void run_forked_while_reading()
{
    std::atomic<bool> done{false};
    std::thread reader([&] {
        g6_npipes();
        done = true;
    });
    std::vector<pid_t> children;
    while (!done) {
        usleep(3000);
        const pid_t child = fork();
        if (child == 0) {
            alarm(60);
            _exit(g6_npipes() == 48 ? 0 : 1);
        }
        children.push_back(child);
    }
    reader.join();
    int good = 0;
    for (const pid_t child : children) {
        int status = -1;
        waitpid(child, &status, 0);
        good += status == 0;
    }
    std::printf("all=%d children=%zu\n", good > 0 && good == static_cast<int>(children.size()),
                children.size());
}
