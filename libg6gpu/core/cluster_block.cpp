// SPDX-License-Identifier: MIT One block of a cluster, from firsthalf to its sums: packing of the
// i-particles, choice between tree and direct sum, start, wait, and recovery from devices that
// fail.
#include "cluster.h"

#include "../base/host_threads.h"
#include "../base/parallel.h"
#include "../base/timer.h"
#include "../base/vec3.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>

namespace g6 {
namespace {

// |u| as a float; 0, which stands for unknown, when that is not finite.
float known_size(const double *u)
{
    const double size = std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    return size < std::numeric_limits<float>::max() ? static_cast<float>(size) : 0;
}

bool treewalk(const Config &config)
{
    return config.mode == Mode::kTreeWalk;
}

}  // namespace

// ---- firsthalf --------------------------------------------------------------------------------

// The h2 for which r^2 < h2 gives the list of i, whatever the convention in force.  NaN, from a
// caller without lists, counts as 0, which gives an empty list.
double Cluster::list_radius2(const BlockArgs &a, int i) const
{
    if (!a.h2) return 0;
    const bool softened = life_.block.settings->softened_lists();
    const double h2 = softened ? a.h2[i] - a.eps2[i * a.eps2_stride] : a.h2[i];
    return h2 > 0 ? h2 : 0;
}

// Copies one i-particle.  Returns whether a force can be computed from its values.
bool Cluster::pack_one(const BlockArgs &a, int i)
{
    G6IRecord &r = i_[static_cast<size_t>(i)];
    copy3(r.x, a.x[i]);
    copy3(r.v, a.v[i]);
    r.eps2 = a.eps2[i * a.eps2_stride];
    r.h2 = list_radius2(a, i);
    r.index = a.index[i];
    r.aold = a.aold ? known_size(a.aold[i]) : 0;
    return finite3(r.x) && r.eps2 >= 0 && finite(r.eps2);
}

void Cluster::pack(const BlockArgs &a)
{
    i_.resize(static_cast<size_t>(a.ni));
    BlockInFlight &b = life_.block;
    std::atomic<bool> some_move{false}, some_radius{false}, all_good{true};
    std::mutex mutex;
    i_extremes_ = Extremes{};
    parallel_ranges(host_threads(a.ni, b.settings->threads), a.ni, [&](int first, int last) {
        bool moving = false, radius = false, good = true;
        Extremes extremes;
        for (int i = first; i < last; i++) {
            good = pack_one(a, i) && good;
            moving = moving || any(i_[static_cast<size_t>(i)].v);
            radius = radius || i_[static_cast<size_t>(i)].h2 > 0;
            extremes.add(i_[static_cast<size_t>(i)]);
        }
        const std::lock_guard<std::mutex> lock(mutex);
        i_extremes_.add(extremes);
        if (moving) some_move = true;
        if (radius) some_radius = true;
        if (!good) all_good = false;
    });
    const bool moving = some_move, good = all_good;
    for (int i = 0; !good && i < a.ni; i++) {
        const G6IRecord &r = i_[static_cast<size_t>(i)];
        if (!finite3(r.x))
            throw Error(G6_ERR_ARGUMENT, "the position of i-particle %d is NaN or infinite", i);
        if (!(r.eps2 >= 0) || !finite(r.eps2))
            throw Error(
                G6_ERR_ARGUMENT,
                "eps2 = %g of i-particle %d is no length squared: it must be finite and 0 or more",
                r.eps2, i);
    }
    const Mode mode = b.settings->mode;
    const bool no_jerk = b.treeonly || (mode == Mode::kAuto && store_.all_points());
    b.has_radius = some_radius;
    b.wants_jerk = !no_jerk && (moving || store_.motion() != Motion::kAtRest);
}

void Cluster::firsthalf(const BlockArgs &args)
{
    Timer timer(stats_.seconds_send);
    BlockInFlight &b = life_.block = BlockInFlight{};
    b.state = BlockState::kFailed;  // until all of it is right
    b.given_nj = args.nj;
    guess_ = (guess_ & ~kWantLists) | (lists_were_read_ ? kWantLists : 0u);
    lists_were_read_ = false;
    if (args.nj < 0 || args.ni < 0)
        throw Error(G6_ERR_ARGUMENT, "nj = %d, ni = %d; a count cannot be negative", args.nj,
                    args.ni);
    if (args.ni > 0 && (!args.index || !args.x || !args.v || !args.eps2))
        throw Error(G6_ERR_ARGUMENT, "index, xi, vi or eps2 is NULL with ni = %d", args.ni);
    open();
    b.settings = config_;
    store_.use_threads(config_->threads);
    b.treeonly = config_->mode == Mode::kTreeOnly;
    BlockArgs known = args;
    if (!treewalk(*config_) || config_->walk.mac != Mac::kAcceleration) known.aold = nullptr;
    pack(known);
    begin(args);
    if (b.request.nj == 0 || args.ni == 0) {
        forget_sums(i_.size());
        b.state = BlockState::kFinished;
        return;
    }
    unsigned want = guess_ & kWantNearest;
    if (b.wants_jerk) want |= kWantJerk;
    if (b.has_radius) want |= guess_ & kWantLists;
    launch(b.treeonly ? 0 : want);
}

// Fixes what the devices will be asked for: j-particles, settings and time of this moment.
void Cluster::begin(const BlockArgs &args)
{
    BlockInFlight &b = life_.block;
    const int nj = std::min(args.nj, store_.high_water());
    const bool walks = treewalk(*b.settings) && !direct_is_cheaper(args.ni, nj);
    b.request = {life_.ti,
                 nj,
                 &i_,
                 0,
                 b.settings->own_in_lists(),
                 store_.motion(),
                 scale_of(nj),
                 walks ? &b.settings->walk : nullptr,
                 nullptr};
    b.revision = store_.revision();
    if (!devices_.on_host() && b.settings->npipes <= kGrape6Pipes &&
        life_.full_blocks.note(args.ni, b.settings->npipes, life_.ti, b.revision))
        advise_more_pipes();
    stats_.blocks++;
    stats_.i_particles += args.ni;
    if (!walks) stats_.interactions += static_cast<double>(args.ni) * args.nj;
}

// The factor was measured on an H200 with 16384 and 65536 particles (docs/measurements/pipes.md).
void Cluster::advise_more_pipes()
{
    log(kLogInfo,
        "%d full blocks of %d i-particles followed another of the same time; with "
        "G6_PROFILE=gpu (2048 pipes) such a run is up to 6 times faster on a GPU, if the code "
        "sizes its arrays by g6_npipes()",
        FullBlocks::kMany, life_.block.settings->npipes);
}

// Whether a direct sum costs less than a tree walk.  Costs are counted in pair interactions and not
// timed, so that runs repeat bit for bit:
//  * A direct sum costs ni * nj.
//  * A refresh of the tree costs `refresh` for each body: more where the host does it for a GPU.
//  * A walk costs 2500 or 3000 for each i-particle.  On the cpu it costs up to `sparse` times as
//    much when few of the bodies are i-particles, because each list then serves few of them.  On a
//    GPU the launches of a walk cost a fixed time.
// The numbers come from g6bench --mode treewalk with G6_DIRECT=0 and with a large number.
// Blocks that follow each other with the same j-particles and time share one refresh.  So the tree
// is refreshed once their direct sums together have cost as much as walks and a refresh.
bool Cluster::direct_is_cheaper(int ni, int nj)
{
    const int direct_below = life_.block.settings->direct_below;
    if (direct_below >= 0) return ni < direct_below;
    const bool own = devices_.tree() == TreeSupport::kOwnTree, host = devices_.on_host();
    const double refresh = own ? 128 : host ? 80 : 1024;
    const double sparse = std::min(8.0, std::cbrt(static_cast<double>(nj) / std::max(ni, 1)));
    const double walk = host && !own ? 2500 * sparse * ni : 3000.0 * ni + (own ? 5e7 : 0);
    BlocksSinceChange &since = life_.since;
    const bool moved = since.t != life_.ti && store_.motion() != Motion::kAtRest;
    if (since.revision != store_.revision() || moved)
        since = {store_.revision(), life_.ti, 0, false};
    since.i_particles += ni;
    const bool direct = static_cast<double>(ni) * nj <= walk ||
                        (!since.walked && since.i_particles * nj <= walk + refresh * nj);
    since.walked = since.walked || !direct;
    return direct;
}

void Cluster::launch(unsigned want)
{
    try {
        send_particles();
        start(want);
        store_.commit();  // while the devices compute
    } catch (const DeviceFailure &failure) {
        store_.commit();
        recover(&failure);
        restart(want);
    } catch (...) {
        // Part of the particles may have arrived: the next block sends all of them.
        store_.commit();
        tree_.forget();
        life_.hold = DevicesHold{};
        throw;
    }
}

// ---- particles --------------------------------------------------------------------------------

// Makes the tree of the particles that the store shows, without writes that rewind() has hidden.
void Cluster::make_tree()
{
    BlockInFlight &b = life_.block;
    const Config &c = *b.settings;
    tree_.update(store_, {c.walk, b.request.t, b.request.nj, b.request.scale, b.request.motion,
                          c.snap, c.precision != Precision::kDouble, c.threads});
    b.request.tree = &tree_.view();
}

void Cluster::send_particles()
{
    BlockInFlight &b = life_.block;
    if (b.request.walk && devices_.tree() == TreeSupport::kHostTree) {
        if (!b.request.tree) make_tree();
        leave_unsent();
        return;
    }
    tree_.note_writes(store_);
    b.request.tree = nullptr;
    const bool whole = treewalk(*b.settings) && devices_.tree() == TreeSupport::kOwnTree;
    DevicesHold held;
    std::swap(held, life_.hold);  // nothing is known until all has arrived
    if (!held.known || !devices_.holds(whole)) {
        devices_.clear();
        store_.mark_all_dirty();
    } else {
        store_.mark_dirty(held.unsent);
    }
    stats_.j_sent += devices_.upload(store_, whole);
    life_.hold.known = true;
}

// The block walks the host's tree, so that the devices need no records: notes the dirty addresses
// for the next block that does.
void Cluster::leave_unsent()
{
    DevicesHold &hold = life_.hold;
    if (!hold.known) return;
    hold.unsent.insert(hold.unsent.end(), store_.dirty().begin(), store_.dirty().end());
    if (hold.unsent.size() >= static_cast<size_t>(store_.high_water()) / 2) hold = DevicesHold{};
}

// ---- the devices' work ------------------------------------------------------------------------

void Cluster::start(unsigned want)
{
    BlockInFlight &b = life_.block;
    b.state = BlockState::kFailed;
    b.request.want = want;
    if (b.request.tree) {
        const DeviceCounters c = devices_.counters();
        b.walk_counts[0] = static_cast<double>(c.interactions);
        b.walk_counts[1] = static_cast<double>(c.tests);
    }
    devices_.start(b.request);
    b.state = BlockState::kStarted;
}

// Starts the block, replacing devices that fail until it is started.
void Cluster::restart(unsigned want)
{
    for (;;) {
        try {
            return start(want);
        } catch (const DeviceFailure &failure) {
            recover(&failure);
        }
    }
}

void Cluster::finish()
{
    Timer timer(stats_.seconds_wait);
    devices_.finish(sums_);
    life_.block.state = BlockState::kFinished;
    if (life_.block.request.tree) note_walk();
}

void Cluster::note_walk()
{
    const DeviceCounters c = devices_.counters();
    const double *before = life_.block.walk_counts;
    tree_.note_walk(static_cast<double>(c.interactions) - before[0],
                    static_cast<double>(c.tests) - before[1], static_cast<int>(i_.size()));
}

// Waits for the sums of the block.  Has the block computed again when the caller wants outputs that
// the devices were not asked for.
void Cluster::collect(unsigned want)
{
    BlockInFlight &b = life_.block;
    if (b.request.nj == 0 || i_.empty()) return;
    want = b.treeonly ? 0 : want | b.request.want;
    for (;;) {
        try {
            if (b.state == BlockState::kLost) recover(nullptr);
            if (want != b.request.want || b.state == BlockState::kReady) {
                if (b.state != BlockState::kReady) stats_.repeats++;
                start(want);
            }
            if (b.state == BlockState::kStarted) finish();
            return;
        } catch (const DeviceFailure &failure) {
            recover(&failure);
        }
    }
}

// Takes the failed device out of the set and brings the block back to kReady on the others.  Throws
// Error when none is left.  failure null: the set is empty, as after such an Error, and devices are
// opened anew.  The devices get the particles of the block's moment; what was written since is
// hidden meanwhile.
void Cluster::recover(const DeviceFailure *failure)
{
    stats_.recoveries++;
    life_.block.state = BlockState::kLost;
    life_.hold = DevicesHold{};
    store_.rewind();
    try {
        reload(failure);
    } catch (...) {
        store_.replay();
        tree_.forget();
        throw;
    }
    store_.commit();
    store_.replay();
    tree_.forget();  // it has not seen what was written since
    life_.block.state = BlockState::kReady;
}

void Cluster::reload(const DeviceFailure *failure)
{
    const BlockRequest &request = life_.block.request;
    for (DeviceFailure last;;) {
        if (failure)
            devices_.replace(*failure);
        else
            devices_.open(*life_.block.settings, id_);
        try {
            if (request.walk && !request.tree) tree_.forget();
            return send_particles();
        } catch (const DeviceFailure &next) {
            last = next;
            failure = &last;
        }
    }
}

}  // namespace g6
