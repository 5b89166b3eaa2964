// SPDX-License-Identifier: MIT
// Plans the calls of g5 clients.  Some act like FDPS, which sends a list of masses and asks for
// forces at once, others like NEMO, which sets masses and targets, runs, and reads the forces.
// Random calls come between the planned ones.
#include "generator_grape5.h"

#include <algorithm>
#include <climits>
#include <cmath>

namespace g6fuzz {
namespace {

constexpr int kNoDevices[] = {-1, 128, 1000, INT_MIN, INT_MAX};

// The g5 calls get no magnitudes near the limits of float, for which the library computes in mixed
// where single is set: the g6 calls test these.
Features without_range(Features f)
{
    f.range = f.speed = false;
    return f;
}

}  // namespace

Grape5Client::Grape5Client(Random &random, const Features &features, const Grape5Model &model,
                           double twins)
    : random_(random), model_(model), features_(without_range(features)),
      scene_(std::make_unique<Scene>(random, features_, nullptr)), twins_(twins),
      stray_(random.pick({0.0, 0.1, 0.3})), same_(random.pick({0.2, 0.9}))
{
    for (int k = random_.from(1, 3); k > 0; k--)
        devices_.push_back(random_.pick({0, 0, 1, 5, 127}));
}

int Grape5Client::device()
{
    return devices_[static_cast<size_t>(random_.below(static_cast<int>(devices_.size())))];
}

// Plans the next steps.  Most numbers of masses are those of a tree code, some are about as small
// as a vector register, and a few are large.
void Grape5Client::plan()
{
    device_ = device();
    soft_ = random_.chance(0.2);
    if (random_.chance(0.05)) {  // units so different would reach the limits of range together
        scene_ = std::make_unique<Scene>(random_, features_, nullptr);
        steps_.push_back(Step::kClose);
    }
    nj_ = random_.chance(0.3) ? random_.from(1, 12) : random_.from(10, 150);
    if (random_.chance(0.05)) nj_ = random_.from(200, 2500);
    const auto add = [&](Step step) { steps_.push_back(step); };
    switch (random_.weighted({60, 30, 10})) {
    case 0:  // FDPS: a list, its length, its forces
        add(Step::kSlots);
        add(Step::kN);
        add(Step::kCalculate);
        if (random_.chance(0.2)) add(Step::kCalculate);
        break;
    case 1:  // NEMO
        add(Step::kSlots);
        for (int k = random_.below(3); k > 0; k--) add(Step::kSomeSlots);
        add(Step::kN);
        add(Step::kTargets);
        if (random_.chance(0.2)) add(Step::kEps);
        add(Step::kRun);
        add(Step::kGet);
        if (random_.chance(0.3)) add(Step::kGet);
        break;
    default:  // a change, and the forces of the list that is there
        add(random_.pick({Step::kSomeSlots, Step::kN}));
        add(random_.pick({Step::kCalculate, Step::kRun}));
        add(random_.pick({Step::kCalculate, Step::kGet}));
    }
}

void Grape5Client::next(Call &call)
{
    if (random_.chance(stray_)) {
        stray();
    } else {
        if (steps_.empty()) plan();
        const Step step = steps_.front();
        steps_.pop_front();
        make(step);
    }
    call = call_;
}

void Grape5Client::name(Op op)
{
    call_ = Call{};
    call_.op = op;
    call_.id = device_;
    if (random_.chance(0.01)) call_.id = kNoDevices[random_.below(int(std::size(kNoDevices)))];
    const bool alone = traits_of(op) & kAll && call_.id == 0 && random_.chance(0.5);
    int form = alone ? 3 : 0;
    if (random_.chance(twins_)) form += random_.from(1, 2);
    call_.form = static_cast<Form>(form);
    if (traits_of(op) & kId && call_.id == 0 && !alone && is_twin(call_.form))
        call_.null_id = random_.chance(0.2);
}

void Grape5Client::put(Array<double> &to, double value)
{
    to.v.push_back(value);
}

void Grape5Client::slots(int adr, int nj)
{
    const bool jp = call_.op == Op::g5_set_jp, mass_first = jp || call_.op == Op::g5_set_mj;
    call_.i[0] = adr, call_.i[1] = nj;
    if (adr == 0) bodies_.clear();
    for (int k = 0; k < nj; k++) {
        const JParticle b = scene_->body(adr + k);
        for (double x : b.x) put(call_.da[mass_first ? 1 : 0], x);
        put(call_.da[mass_first ? 0 : 1], b.mass);
        if (call_.op == Op::g5_set_xmj0) put(call_.da[2], scene_->eps2());
        if (bodies_.size() < 40) bodies_.push_back(b);
    }
    if (call_.op == Op::g5_set_mj || call_.op == Op::g5_set_xj) call_.da[1].v.clear();
}

void Grape5Client::targets(Op op)
{
    name(op);
    const bool length = op == Op::g5_set_ip;
    const bool each = length || (op != Op::g5_set_xi && op != Op::g5_calculate_on_x);
    const int ni = random_.chance(0.03) ? 0 : random_.from(1, random_.chance(0.5) ? 8 : 45);
    call_.i[0] = ni;
    const double common = scene_->eps2();
    for (int k = 0; k < ni; k++) {
        const IParticle i = scene_->target(bodies_, 0, false);
        for (double x : i.x) put(call_.da[0], x);
        const double eps2 = random_.chance(0.5) ? common : scene_->eps2();
        if (each) put(call_.da[1], length ? std::sqrt(eps2) : eps2);
        if (length) put(call_.da[2], eps2);
    }
    if (random_.chance(0.005))
        call_.i[1] = random_.pick<int>({kNullAcc, kNullPot, kNullAcc | kNullPot});
}

void Grape5Client::make(Step step)
{
    switch (step) {
    case Step::kClose: name(Op::g5_close); break;
    case Step::kSlots:
        name(soft_ ? Op::g5_set_xmj0 : random_.chance(0.8) ? Op::g5_set_xmj : Op::g5_set_jp);
        slots(0, nj_);
        break;
    case Step::kSomeSlots: {
        name(soft_ && random_.chance(0.5)
                 ? Op::g5_set_xmj0
                 : random_.pick({Op::g5_set_xmj, Op::g5_set_jp, Op::g5_set_mj, Op::g5_set_xj}));
        const int there = model_.slots(device_);
        const int adr = random_.below(there + 1) + (random_.chance(0.1) ? random_.below(50) : 0);
        slots(adr, random_.chance(0.05) ? 0 : random_.from(1, 20));
        if (random_.chance(0.01)) call_.i[0] = INT_MAX - random_.below(std::max(call_.i[1], 1));
        break;
    }
    case Step::kN: {
        name(Op::g5_set_n);
        const int there = model_.slots(device_);
        call_.i[0] = random_.chance(same_) ? nj_ : random_.below(there + 5);
        break;
    }
    case Step::kCalculate:
        targets(soft_ && random_.chance(0.8) ? Op::g5_calculate_on_x0
                : random_.chance(0.8)        ? Op::g5_calculate_on_x
                                             : Op::g5_calculate_on_xe);
        break;
    case Step::kTargets:
        targets(soft_
                    ? Op::g5_set_xi0
                    : random_.pick({Op::g5_set_xi, Op::g5_set_xi, Op::g5_set_xei, Op::g5_set_ip}));
        break;
    case Step::kEps: {
        name(Op::g5_set_eps);
        const int there = model_.targets(device_);
        call_.i[0] = random_.chance(0.1) ? random_.below(60) : random_.below(there + 1);
        for (int k = 0; k < call_.i[0]; k++) put(call_.da[0], std::sqrt(scene_->eps2()));
        break;
    }
    case Step::kRun: name(soft_ && random_.chance(0.8) ? Op::g5_run0 : Op::g5_run); break;
    case Step::kGet: {
        name(Op::g5_get_force);
        const int there = model_.targets(device_);
        call_.i[0] = random_.chance(0.7) ? there : random_.below(there + 3);
        break;
    }
    }
}

// Makes any call, whatever the plan.
void Grape5Client::stray()
{
    switch (random_.weighted({30, 25, 10, 15, 15, 4, 1, model_.cutoff() ? 30.0 : 2.0})) {
    case 0:
        name(Op::g5_set_eps_to_all);
        call_.d[0] = std::sqrt(scene_->eps2()) * random_.pick({1.0, 1.0, 1.0, -1.0});
        break;
    case 1:
        device_ = device();
        make(random_.pick({Step::kSlots, Step::kSomeSlots, Step::kN, Step::kCalculate,
                           Step::kTargets, Step::kEps, Step::kRun, Step::kGet}));
        break;
    case 2:
        name(Op::g5_set_eps2_to_all);
        call_.d[0] = scene_->eps2();
        break;
    case 3:
        name(random_.pick({Op::g5_pipelines, Op::g5_board_pipelines, Op::g5_boards,
                           Op::g5_firstcluster, Op::g5_jmemsize, Op::g5_real_pipelines}));
        break;
    case 4:
        name(Op::g5_set_range);
        for (size_t k = 0; k < 3; k++) call_.d[k] = random_.between(-10, 10);
        break;
    case 5:
        name(random_.chance(0.7) ? Op::g5_open : Op::g5_open_special);
        if (call_.op == Op::g5_open_special) {
            call_.i[0] = random_.pick({0, 1, -1});
            call_.ia[0].v = {0};
        }
        break;
    case 7:
        name(Op::g5_set_eta);
        call_.d[0] = model_.cutoff() ? 0 : random_.pick({0.0, 0.0, 1.0, -0.5});
        break;
    default: name(Op::g5_close);
    }
}

}  // namespace g6fuzz
