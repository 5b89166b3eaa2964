// SPDX-License-Identifier: MIT
// Makes random sequences of calls: the steps of a block-step code on one to three clusters, with
// any other call between any two of them.
#pragma once

#include "model.h"
#include "scene.h"

#include <deque>
#include <memory>

namespace g6fuzz {

class Generator {
public:
    Generator(std::uint64_t seed, const Model &model, const Features &features);
    const Call &next();

private:
    // Steps that a client takes; each becomes one call.
    // clang-format off
    enum class Step {
        kTraps, kOpen, kOption, kWrite, kPoint, kBulk, kTime, kFirst, kLast, kLastAgain, kRead, kGet,
        kPredict, kNip, kNjp, kSetI, kForce, kClose, kReset, kSortMode, kQuery, kFault
    };
    // clang-format on
    struct Target {
        long long key;
        std::unique_ptr<Scene> scene;
        std::deque<Step> steps;
        int written = 0;     // addresses given so far, for the first filling
        double points = 0;   // share of mass-and-position-only writes
        bool grows = false;  // the next write is to the first slot beyond all others
        int pipes = 0, pipe = 0;
        Call first;  // the last firsthalf
        bool has_first = false;
    };

    void plan(Target &t);
    void plan_start(Target &t);
    void add(Target &t, Step step, int times = 1);
    Step stray();
    void make(Target &t, Step step);
    void address_to(const Target &t, Op op);
    void spoil();

    void write(Target &t);
    void point(Target &t);
    void bulk(Target &t);
    void choose_softenings(std::uint64_t seed);
    void soften(Target &t);
    void first(Target &t);
    void last(Target &t, bool again);
    void get_list(Target &t);
    void low_level(Target &t, Step step);
    void option(Target &t);
    void query(Target &t);
    Op asked();
    void special();
    int nj(const Target &t);
    int address(Target &t);
    const Cluster *cluster(const Target &t) const;
    void put(Array<double> &to, const double *from, int n = 3);
    bool may_be_huge(double chance);

    Random random_;
    const Model &model_;
    const Features &features_;
    std::vector<Target> targets_;
    Call call_;
    double stray_, wrong_, settings_, twins_;
    std::vector<double> softenings_;  // squared, of the types of j-particles
    double softening_share_ = 0;      // of the calls
    bool walks_;
    int queries_ = 0;
};

}  // namespace g6fuzz
