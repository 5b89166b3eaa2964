// SPDX-License-Identifier: MIT
// The library's side of the run: all calls of g6lib.h that move particles or compute forces.
// Every refused call becomes an Error with the library's own text.
#pragma once

#include "body.h"
#include "uninitialised.h"

#include "../common/clock.h"
#include "../common/library_log.h"
#include "../common/parallel.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace g6run {

using Vector = std::array<double, 3>;

// Arrays for one block of i-particles: what is sent, and what comes back.  index has the size of
// the block, the other arrays at least that, since blocks of all sizes follow each other.  Forces
// without jerk are the same whatever the velocities, and the library is faster where all are 0.
struct Block {
    Numbers<int> index;
    std::vector<Vector> x, v, old_acc;
    std::vector<Vector> acc, jerk;
    std::vector<double> pot;

    void resize(std::size_t n);
};

// A body that only attracts.
struct Source {
    int index;
    double mass;
    Vector x;
};

// The number of bodies that a thread takes at once in a loop over the n bodies of a block: 48 to
// 2048, chosen so that each of 16 threads gets the same number of such parts.  One body
// takes some 50 to 100 ns.  Up to some ten thousand bodies more than 16 threads are not faster
// (docs/measurements/host-threads.md).
inline std::size_t share(std::size_t n)
{
    constexpr std::size_t kThreads = 16, kLeast = 48, kMost = 2048;
    const std::size_t parts_of_thread = n / (kThreads * kMost) + 1;
    return std::max<std::size_t>(n / (kThreads * parts_of_thread) + 1, kLeast);
}

class Gravity {
public:
    // Opens the cluster.  Empty texts leave a setting to the library and its environment.
    // theta: opening angle of mode treewalk, as text.  needs_jerk: refuses a mode without a jerk.
    Gravity(const std::string &backend, const std::string &precision, const std::string &mode,
            double eps, const std::string &theta = "", bool needs_jerk = true);
    ~Gravity();
    Gravity(const Gravity &) = delete;
    Gravity &operator=(const Gravity &) = delete;

    // Softening length of the forces from here on.
    void soften(double eps) { eps2_ = eps * eps; }
    // Softening lengths of particles 0 ... n-1; a pair has eps^2 = (eps_i^2 + eps_j^2) / 2.  Empty:
    // the length of soften() holds.
    void soften_each(const std::vector<double> &eps);
    // The options of the library's tree.  Throw a usage error for a value that the library refuses.
    void use_multipole(const std::string &value) { choose("multipole", value); }
    void use_criterion(const std::string &value) { choose("mac", value); }
    // Builds the tree anew for every walk.  No force then depends on earlier walks, and a run that
    // goes on from a snapshot has the same bits.  Building costs some per cent of a walk of all
    // bodies, and a fresh tree saves a part of that.  Runs with block steps do not use this,
    // because building would take most of a small step.
    void build_each_tree();
    // Writes j-particles: bodies whose numbers, which are also address and identity, ascend.
    // of(k) returns the body numbers[k], for k = 0 ... n-1, and may change it first; it is called
    // once for each k, by several threads.  seconds: a sum to which the time of these calls and of
    // packing the bodies is added; null: none.
    template <class Of> void send(const Numbers<int> &numbers, double *seconds, Of &&of)
    {
        // A piece of 25 MB stays in the last cache on its way to the library.
        constexpr std::size_t kPiece = 1 << 18;
        for (std::size_t first = 0; first < numbers.size(); first += kPiece) {
            const std::size_t n = std::min(kPiece, numbers.size() - first);
            {
                const g6tools::Timed timed(seconds);
                j_.grow(n);
                g6tools::parallel_for(n, share(n), [&](std::size_t k) { pack(k, of(first + k)); });
            }
            send_packed(&numbers[first], n);
        }
    }
    void send(const Numbers<int> &numbers, const std::vector<Body> &bodies)
    {
        send(
            numbers, &sending_, [&](std::size_t k) -> auto & { return bodies[numbers[k]]; });
    }
    // Writes j-particles 0 ... n-1 by mass and position only; index: their identities.
    void send(const Numbers<int> &index, const std::vector<double> &mass,
              const std::vector<Vector> &x);
    void send(const std::vector<Source> &sources);
    // With a listener, compute() does direct sums over many particles in parts.  After each part
    // the listener gets the share of the whole that is done, and the seconds since the call began.
    using Listener = std::function<void(double done, double seconds)>;
    void tell(Listener listener) { listener_ = std::move(listener); }
    // Force of particles 0 ... nj-1, predicted to t, on the block; returns when it is there.
    void compute(double t, int nj, Block &block) { compute(t, nj, block, block.x); }
    // As above, with x in place of block.x.
    void compute(double t, int nj, Block &block, const std::vector<Vector> &x);
    // As compute(), in two halves.  Particles sent between them act from the next start on.
    void start(double t, int nj, Block &block) { start(t, nj, block, block.x, all_of(block)); }
    void finish(double t, int nj, Block &block) { finish(t, nj, block, block.x, all_of(block)); }

    // Spent so far in sending particles and starting forces, and in waiting for forces.
    double sending() const { return sending_; }
    double waiting() const { return waiting_; }
    double seconds() const { return sending_ + waiting_; }
    double interactions() const;  // that the library summed: pairs, and cells of a tree

    std::string backend() const;
    // What computes: numbers and names of GPUs, or the processor.
    std::string device() const;
    // Settings that are unknown or not possible, in the library's words.
    const std::vector<std::string> &refused_settings() const { return refused_; }
    // What the library has reported since the last call, for example that a device failed and
    // another one goes on.
    std::vector<std::string> new_errors();
    double noise() const;  // bound on the relative error of a direct sum
    bool needs_velocities() const { return needs_jerk_; }
    bool is_tree() const { return setting("mode") == "treewalk"; }
    // Whether the opening of cells depends on the accelerations of the step before.
    bool needs_old_accelerations() const { return is_tree() && setting("mac") == "acceleration"; }
    std::string setting(const char *key) const;  // value in force, "" when unknown

private:
    // Elements of a block.
    struct Range {
        std::size_t first, count;
    };
    void pack(std::size_t k, const Body &body);
    void send_packed(const int *numbers, std::size_t n);
    static Range all_of(const Block &block) { return {0, block.index.size()}; }
    void start(double t, int nj, Block &block, const std::vector<Vector> &x, Range range);
    void finish(double t, int nj, Block &block, const std::vector<Vector> &x, Range range);
    double *eps2_of(const Block &block, Range range);
    // Shows the library which outputs lasthalf will collect, by a block without i-particles.
    void tell_outputs();
    int one_eps2() const { return half_eps2_.empty(); }  // mode of g6calc_firsthalf0()
    void choose(const char *key, const std::string &value);
    void require(const std::string &backend) const;

    // Bodies as g6_set_j_particles() takes them; the arrays only grow.
    struct Arrays {
        std::vector<int> index;
        std::vector<double> t, mass;
        std::vector<Vector> x, v, a2, j6;

        void grow(std::size_t n);
    };

    double eps2_;
    std::vector<double> half_eps2_;   // eps_i^2 / 2 by particle; empty: eps2_ serves all
    std::vector<double> block_eps2_;  // those of a block's particles
    bool needs_jerk_;
    Arrays j_;
    double sending_ = 0, waiting_ = 0;
    Listener listener_;
    g6tools::LibraryLog log_;
    std::string computing_;  // the devices, as "cuda device 0,1"
    std::vector<std::string> refused_;
    std::size_t told_ = 0;  // errors of the log that new_errors() has returned
};

}  // namespace g6run
