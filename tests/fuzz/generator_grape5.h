// SPDX-License-Identifier: MIT
// The g5 calls of a tree code, of a code that sets and runs in steps, and any other between them.
#pragma once

#include "model_grape5.h"
#include "scene.h"

#include <deque>
#include <memory>

namespace g6fuzz {

class Grape5Client {
public:
    Grape5Client(Random &random, const Features &features, const Grape5Model &model, double twins);
    void next(Call &call);

private:
    enum class Step { kClose, kSlots, kSomeSlots, kN, kCalculate, kTargets, kEps, kRun, kGet };

    void plan();
    void make(Step step);
    void stray();
    void name(Op op);
    void slots(int adr, int nj);
    void targets(Op op);
    void put(Array<double> &to, double value);
    int device();

    Random &random_;
    const Grape5Model &model_;
    Features features_;
    std::unique_ptr<Scene> scene_;
    std::vector<int> devices_;
    std::deque<Step> steps_;
    std::vector<JParticle> bodies_;  // sent last, for targets among them
    Call call_;
    double twins_, stray_, same_;
    int device_ = 0, nj_ = 0;
    bool soft_ = false;  // the plan has a softening of each mass
};

}  // namespace g6fuzz
