// SPDX-License-Identifier: MIT
// A GRAPE-6 client that keeps, beside the library, its own copy of the j-particles, so that every
// answer can be judged by long-double sums.
//
// So that a rule fails for its own reason only, the client
//  * calls g6_set_ti before each firsthalf, after the writes;
//  * gives lasthalf the same unchanged arrays as firsthalf;
//  * accepts jerk, or pot, with the opposite sign on all i-particles (signs are rules of their
//    own).
// In systems of neutral() the index of a j-particle is its address, and no i-particle has the index
// or the place of a j-particle.
#pragma once

#include "library.h"

#include "../common/reference.h"

#include <array>
#include <map>
#include <vector>

namespace g6check {

using Vec = std::array<double, 3>;
using g6tools::JParticle;

struct Block {
    std::vector<int> index;
    std::vector<Vec> x, v;
    std::vector<double> h2;
    double eps2 = 1.0 / 65536;

    int size() const { return static_cast<int>(index.size()); }
    void add(int i, const Vec &xi, const Vec &vi = {}, double radius2 = 0)
    {
        index.push_back(i), x.push_back(xi), v.push_back(vi), h2.push_back(radius2);
    }
};

// The outputs of a block; behind its entries lie kGuard more, which the library must not write.
struct Answer {
    static constexpr int kGuard = 8;
    static constexpr double kUnwritten = -12345.678;
    static constexpr int kNoIndex = -987654;
    int status = 0;
    std::vector<Vec> acc, jerk;
    std::vector<double> pot;
    std::vector<int> nearest;
    explicit Answer(int ni);
};

enum class Half { kLast, kLast2 };

class Client {
public:
    // Opens the cluster if open is true.
    explicit Client(const Library &library, int id = 0, bool open = true);

    void open();
    void close();  // forgets the j-particles
    int *id() { return &id_; }

    void set(int address, const JParticle &j, double dtj = 0);
    // Notes a j-particle whose other values are zero, as the calls with mass and position only do.
    void remember_point(int address, int index, double mass, const Vec &x);
    void set_all(const std::vector<JParticle> &all);
    // The time that g6_set_ti gets before each firsthalf.
    void at_time(double ti) { ti_ = ti; }
    // All slots that were written are among 0 ... nj()-1.
    int nj() const { return memory_.empty() ? 0 : memory_.rbegin()->first + 1; }

    // What first() does before it calls firsthalf, for rules that call firsthalf themselves.
    void prepare(const Block &block, int nj);
    void first(const Block &block, int nj, bool set_ti = true);
    Answer last(Half half = Half::kLast);
    Answer run(const Block &block, int nj, Half half = Half::kLast)
    {
        first(block, nj);
        return last(half);
    }
    Answer run(const Block &block, Half half = Half::kLast) { return run(block, nj(), half); }

    // Each throws Broken at the first i-particle whose value is farther from the long-double sum
    // than tolerance.h allows.  nj < 0 stands for the nj of the last block.
    void judge_acc(const Answer &a, int nj = -1) const;
    void judge_jerk(const Answer &a, int nj = -1) const;
    void judge_pot(const Answer &a, int nj = -1) const;
    void judge_nearest(const Answer &a) const;
    // run() and judge_acc() together.
    void run_and_judge(const Block &block) { judge_acc(run(block)); }

    // Call it after a block: it reads all lists and expects those of the reference.
    void judge_lists();
    std::vector<int> list(int pipe, int maxlength = 100000);
    std::vector<g6tools::ReferenceSums> reference(int nj = -1) const;
    const Block &block() const { return block_; }

private:
    std::vector<JParticle> present(int nj) const;

    const Library &lib_;
    int id_;
    double ti_ = 0;
    std::map<int, JParticle> memory_;
    Block block_;  // of the last firsthalf
    int nj_ = 0;
    std::vector<Vec> aold_, j6old_;
    std::vector<double> phiold_;
};

inline Rows rows(std::vector<Vec> &v)
{
    return reinterpret_cast<Rows>(v.data());
}

// Whether neighbour lists hold the i-particle's own index, and whether they use softened distances.
bool own_in_lists(const Library &library);
bool softened_lists(const Library &library);

// A j-particle at rest.
JParticle body(int index, double mass, const Vec &x);
// n bodies of a Plummer sphere with index = address, at time 0.  Those of neutral() are at rest;
// those of moving() have derivatives that change positions by some per cent within |s| <= 1/8.
std::vector<JParticle> neutral(int n);
std::vector<JParticle> moving(int n, bool snap);
// n i-particles of another sphere, with indices that no j-particle has.
Block probes(int n);
constexpr int kForeign = 1000000;  // the first index of probes()
// The index that the library should report where there is no neighbour: 0, or what it is set to.
int nobody(const Library &library);

}  // namespace g6check
