// SPDX-License-Identifier: MIT
// Chooses the next call: a step of the client's plan, or a random one (a stray) between two steps;
// and draws the arguments of particles and blocks.
#include "generator.h"

#include <algorithm>
#include <climits>
#include <limits>

namespace g6fuzz {
namespace {

constexpr int kIds[] = {0, 0, 1, 2, 3, -1, 7, INT_MIN, -2147483647, INT_MAX, 841610929, -123456};
constexpr int kHugeNumber = INT_MAX;

}  // namespace

Generator::Generator(std::uint64_t seed, const Model &model, const Features &features)
    : random_(seed), model_(model), features_(features)
{
    stray_ = random_.chance(0.2) ? 0 : random_.pick({0.05, 0.15, 0.3});
    wrong_ = random_.pick({0.0, 0.003, 0.02});
    settings_ = random_.pick({0.02, 0.1, 0.3});
    twins_ = random_.pick({0.0, 0.2, 0.5});
    const bool traps = random_.chance(0.3);
    walks_ = random_.chance(0.4);
    const int n = 1 + random_.weighted({60, 25, 15});
    for (int k = 0; k < n; k++) {
        Target t;
        t.key =
            random_.chance(0.1) ? kAllKey : kIds[random_.below(int(sizeof kIds / sizeof *kIds))];
        const bool same = k > 0 && !(features.speed && random_.chance(0.1));
        t.scene =
            std::make_unique<Scene>(random_, features, same ? targets_[0].scene.get() : nullptr);
        t.points = random_.weighted({70, 15, 15}) * 0.5;
        if (k == 0 && traps) add(t, Step::kTraps);
        plan_start(t);
        targets_.push_back(std::move(t));
    }
    choose_softenings(seed);
}

// Once in a process: what is refused may leave less memory behind.
bool Generator::may_be_huge(double chance)
{
    return features_.memory && random_.chance(chance) && !model_.memory_was_asked_for();
}

const Cluster *Generator::cluster(const Target &t) const
{
    Call c;
    if (t.key == kAllKey)
        c.form = Form::kAllPlain;
    else
        c.id = static_cast<int>(t.key);
    return model_.reached(c);
}

void Generator::add(Target &t, Step step, int times)
{
    t.steps.insert(t.steps.end(), static_cast<size_t>(times), step);
}

// Settings go by id, which the clusters without one do not have.
void Generator::plan_start(Target &t)
{
    add(t, Step::kOpen);
    if (t.key != kAllKey) add(t, Step::kOption, random_.below(6));
    if (walks_ && t.key != kAllKey) add(t, Step::kOption, 4);
    const int n = t.scene->slots();
    if (n > 100 || random_.chance(0.15))
        add(t, Step::kBulk, n < kManyForThreads ? 1 + n / 200 : 2);
    else
        add(t, Step::kWrite, n);
}

void Generator::plan(Target &t)
{
    switch (random_.weighted({80, 8, 2, 2, 3, 4})) {
    case 0: {  // one block step
        add(t, Step::kWrite, random_.below(random_.chance(0.2) ? 12 : 4));
        if (random_.chance(0.6)) add(t, Step::kTime);
        add(t, Step::kFirst);
        if (random_.chance(0.1)) add(t, Step::kRead);
        if (random_.chance(0.3)) add(t, Step::kWrite, random_.below(3));
        if (random_.chance(0.9)) add(t, Step::kLast);
        if (random_.chance(0.1)) add(t, Step::kLastAgain);
        if (random_.chance(0.5)) {
            if (random_.chance(0.9)) add(t, Step::kRead);
            add(t, Step::kGet, random_.from(1, 4));
        }
        break;
    }
    case 1:  // K&F's low-level group
        t.pipes = random_.below(6), t.pipe = 0;
        add(t, Step::kNip);
        add(t, Step::kNjp);
        add(t, Step::kSetI, t.pipes);
        add(t, Step::kForce, random_.from(1, 2));
        add(t, Step::kGet, random_.below(3));
        break;
    case 2:  // a new life
        add(t, Step::kClose);
        if (random_.chance(0.3))
            t.scene = std::make_unique<Scene>(random_, features_,
                                              features_.speed ? nullptr : t.scene.get());
        t.written = 0;
        plan_start(t);
        break;
    case 3: add(t, Step::kReset); break;
    case 4: add(t, Step::kQuery, 3); break;
    default:  // many particles anew: a restart without a close, or a snapshot of another run
        if (random_.chance(0.4))
            t.scene = std::make_unique<Scene>(random_, features_, t.scene.get());
        if (random_.chance(0.5)) t.written = 0;
        t.grows = random_.chance(0.7);
        add(t, Step::kBulk, t.scene->slots() < kManyForThreads ? random_.from(1, 2) : 1);
        add(t, Step::kWrite, random_.below(4));
    }
}

Generator::Step Generator::stray()
{
    static const Step steps[] = {
        Step::kQuery, Step::kOption,  Step::kWrite, Step::kPoint, Step::kTime,     Step::kRead,
        Step::kGet,   Step::kPredict, Step::kOpen,  Step::kReset, Step::kSortMode, Step::kFirst,
        Step::kLast,  Step::kSetI,    Step::kForce, Step::kClose, Step::kFault};
    return steps[random_.weighted({20, 40 * settings_, 15, 3, 5, 5, 10, 6, 5, 3, 2, 1, 2, 2, 1, 0.2,
                                   model_.world().faults ? 1.0 : 0.0})];
}

const Call &Generator::next()
{
    Target &t = targets_[static_cast<size_t>(random_.below(static_cast<int>(targets_.size())))];
    if (softening_share_ > 0 && random_.chance(softening_share_)) {
        soften(t);
    } else if (random_.chance(stray_)) {
        make(t, stray());
    } else {
        while (t.steps.empty()) plan(t);
        const Step step = t.steps.front();
        t.steps.pop_front();
        make(t, step);
    }
    if (random_.chance(wrong_)) spoil();
    return call_;
}

// The call's name and the way to the cluster.
void Generator::address_to(const Target &t, Op op)
{
    call_.op = op;
    call_.null_id = false;
    call_.id = t.key == kAllKey ? 5 : static_cast<int>(t.key);
    int form = t.key == kAllKey && traits_of(op) & kAll ? 3 : 0;
    if (random_.chance(twins_)) form += random_.from(1, 2);
    if (traits_of(op) & kNoPlain) form = random_.from(1, 2);
    call_.form = static_cast<Form>(form);
    if (!has_form(op, call_.form)) call_.form = Form::kPlain;
    const bool alone = model_.open_keys().size() == 1;
    if (alone && op != Op::open && op != Op::close && op != Op::set_option && op != Op::set_mode &&
        op != Op::get_option && random_.chance(0.1))
        call_.id = kIds[random_.below(int(sizeof kIds / sizeof *kIds))];
    if (call_.id == 0 && is_twin(call_.form)) call_.null_id = random_.chance(0.2);
    for (auto &a : call_.ia) a.null = false, a.v.clear();
    for (auto &a : call_.da) a.null = false, a.v.clear();
    call_.i = {}, call_.d = {};
}

void Generator::put(Array<double> &to, const double *from, int n)
{
    to.null = false;
    to.v.assign(from, from + n);
}

void Generator::make(Target &t, Step step)
{
    switch (step) {
    case Step::kTraps:
        address_to(t, Op::traps);
        call_.i[0] = 1;
        break;
    case Step::kOpen: address_to(t, Op::open); break;
    case Step::kClose: address_to(t, Op::close); break;
    case Step::kReset:
        address_to(t, random_.pick({Op::reset, Op::reset_fofpga, Op::reinitialize}));
        break;
    case Step::kOption: option(t); break;
    case Step::kWrite: random_.chance(t.points) ? point(t) : write(t); break;
    case Step::kPoint: point(t); break;
    case Step::kBulk: bulk(t); break;
    case Step::kTime:
        address_to(t, Op::set_ti);
        call_.d[0] = t.scene->time();
        break;
    case Step::kFirst: first(t); break;
    case Step::kLast: last(t, false); break;
    case Step::kLastAgain: last(t, true); break;
    case Step::kRead:
        address_to(t, random_.chance(0.8) ? Op::read_neighbour_list : Op::read_neighbour_list_old);
        break;
    case Step::kGet: get_list(t); break;
    case Step::kPredict:
        address_to(t, random_.chance(0.5) ? Op::predict : Op::get_predicted);
        call_.i[0] = std::min(nj(t), 5000);
        call_.i[1] = random_.chance(0.1) ? random_.below(4) : 0;
        break;
    case Step::kNip:
    case Step::kNjp:
    case Step::kSetI:
    case Step::kForce: low_level(t, step); break;
    case Step::kSortMode:
        address_to(t, Op::set_neighbour_list_sort_mode);
        call_.i[0] = random_.pick({0, 0, 1, 1, 2, -1});
        break;
    case Step::kQuery: query(t); break;
    case Step::kFault:
        address_to(t, Op::fault);
        call_.i = {random_.below(4), random_.below(8), random_.from(1, 3), 0};
        break;
    }
}

int Generator::address(Target &t)
{
    if (t.written < t.scene->slots()) return t.written++;
    if (may_be_huge(0.0003)) return random_.pick({kHugeNumber, kHugeNumber - 1, 1 << 30});
    if (random_.chance(0.02)) return random_.below(random_.chance(0.1) ? 5000 : 300);
    return random_.below(std::max(1, t.scene->slots()) + (random_.chance(0.1) ? 5 : 0));
}

void Generator::write(Target &t)
{
    address_to(t, Op::set_j_particle);
    const Cluster *k = cluster(t);
    const bool grows = t.grows && k && !k->particles().empty();
    t.grows = false;
    const int next = grows ? k->particles().back().address + 1 : 0;
    const JParticle j = t.scene->body(grows && next < 100000 ? next : address(t));
    call_.i = {j.address, j.index, 0, 0};
    call_.d = {j.t, random_.chance(0.1) ? std::numeric_limits<double>::quiet_NaN() : 0.125, j.mass,
               0};
    put(call_.da[0], j.k18), put(call_.da[1], j.j6), put(call_.da[2], j.a2);
    put(call_.da[3], j.v), put(call_.da[4], j.x);
}

void Generator::point(Target &t)
{
    const bool fast = random_.chance(0.2);
    address_to(t, fast ? Op::multisend_mxfast : Op::set_j_particle_mxonly);
    const JParticle j = t.scene->body(address(t));
    const int at = fast ? 1 : 0;
    call_.i[0] = 1;
    call_.i[at] = j.address, call_.i[at + 1] = j.index;
    call_.d[0] = j.mass;
    put(call_.da[0], j.x);
}

void Generator::bulk(Target &t)
{
    address_to(t, Op::set_j_particles);
    // So many that several threads write them, most of them in the order of the addresses.
    const bool all = t.scene->slots() >= kManyForThreads && random_.chance(0.8);
    const int most = all                   ? t.scene->slots()
                     : random_.chance(0.1) ? 0
                                           : random_.from(1, 300),
              n = std::min(most, t.scene->slots());
    const bool moving = random_.chance(0.8);
    call_.i[0] = n;
    call_.ia[0].null = random_.chance(0.1), call_.ia[1].null = random_.chance(0.2);
    call_.da[0].null = random_.chance(0.3);
    for (size_t k = 2; k < 6; k++) call_.da[k].null = !moving || random_.chance(0.2);
    for (int k = 0; k < n; k++) {
        const bool in_order = all && !random_.chance(1.0 / n);
        const JParticle j = t.scene->body(in_order ? k : address(t));
        if (!call_.ia[0].null) call_.ia[0].v.push_back(j.address);
        if (!call_.ia[1].null) call_.ia[1].v.push_back(j.index);
        if (!call_.da[0].null) call_.da[0].v.push_back(j.t);
        call_.da[1].v.push_back(j.mass);
        const double *from[] = {j.k18, j.j6, j.a2, j.v, j.x};
        for (size_t d = 0; d < 5; d++) {
            Array<double> &to = call_.da[d + 2];
            if (!to.null) to.v.insert(to.v.end(), from[d], from[d] + 3);
        }
    }
}

// Half of the runs have softenings.  A random number of its own chooses these runs, so that the
// others have the sequences that they would have without softenings.
void Generator::choose_softenings(std::uint64_t seed)
{
    softening_share_ = Random(seed ^ 0x736f6674).pick({0.0, 0.0, 0.01, 0.05});
    if (softening_share_ == 0) return;
    Scene &scene = *targets_[0].scene;
    for (int types = random_.pick({1, 2, 2, 3, 5, 17}); types > 0; types--) {
        const double eps = random_.power(-4, 0.5) * scene.length();
        softenings_.push_back(random_.chance(0.5) ? scene.eps2() : eps * eps);
    }
}

// As a client does at its start, all slots by their types, or some slots, or one value for all.
void Generator::soften(Target &t)
{
    address_to(t, Op::set_j_softening);
    const bool all = random_.chance(0.4), same = random_.chance(0.2);
    const int types = static_cast<int>(softenings_.size()),
              n = all ? t.scene->slots() : random_.below(6), type = random_.below(types);
    call_.i[0] = n;
    call_.ia[0].null = all;
    for (int k = 0; k < n; k++) {
        const int a = all                     ? k
                      : random_.chance(0.995) ? random_.below(t.scene->slots() + 5)
                                              : random_.pick({-1, INT_MIN, INT_MAX});
        if (!all) call_.ia[0].v.push_back(a);
        const bool other = !all && random_.chance(0.05);
        const int its = same ? type : all ? k % types : random_.below(types);
        call_.da[0].v.push_back(other ? t.scene->eps2() : softenings_[static_cast<size_t>(its)]);
    }
}

// One argument that must be refused, or need not be.
void Generator::spoil()
{
    const double bad = random_.pick({std::numeric_limits<double>::quiet_NaN(),
                                     std::numeric_limits<double>::infinity(),
                                     -std::numeric_limits<double>::infinity(), -0.001});
    const bool block = is_firsthalf(call_.op) || is_lasthalf(call_.op);
    const int what = random_.below(4);
    if (what == 0 && is_call(call_.op)) {
        // Sizes of arrays stay: only negative ones need none.
        const int n = random_.below(block ? 2 : 1);
        if (call_.op != Op::open_special && call_.op != Op::open_special2)
            call_.i[static_cast<size_t>(n)] = random_.pick({-1, INT_MIN, -7});
    } else if (what == 1) {
        call_.d[static_cast<size_t>(random_.below(3))] = bad;
    } else if (what == 2) {
        Array<double> &a = call_.da[static_cast<size_t>(random_.below(7))];
        if (!a.v.empty())
            a.v[static_cast<size_t>(random_.below(static_cast<int>(a.v.size())))] = bad;
    } else {
        if (random_.chance(0.2) && call_.op != Op::set_option)
            call_.ia[0].null = true;
        else
            call_.da[static_cast<size_t>(random_.below(7))].null = true;
    }
}

}  // namespace g6fuzz
