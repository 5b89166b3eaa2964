// SPDX-License-Identifier: MIT
// One block of a cluster: packing, starting, collecting, recovery, results and neighbour lists.
#include "cluster.h"

#include "host_threads.h"
#include "vec3.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace g6 {
namespace {

class Timer {
public:
    explicit Timer(double &seconds) : seconds_(seconds) {}
    ~Timer() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }

private:
    using Clock = std::chrono::steady_clock;
    double &seconds_;
    Clock::time_point start_ = Clock::now();
};

// |u| as a float, 0 when that is not finite.
float known_size(const double *u)
{
    const double size = std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    return size < std::numeric_limits<float>::max() ? static_cast<float>(size) : 0;
}

}  // namespace

// ---- one block --------------------------------------------------------------------------------

bool Cluster::tree_only() const
{
    return config_.mode == Mode::kTreeOnly || (config_.mode == Mode::kAuto && store_.all_points());
}

// Copies one i-particle; returns whether its values can be computed with.
bool Cluster::pack_one(const BlockArgs &a, int i)
{
    G6IRecord &r = block_[static_cast<size_t>(i)];
    copy3(r.x, a.x[i]);
    copy3(r.v, a.v[i]);
    r.eps2 = a.eps2[i * a.eps2_stride];
    r.h2 = a.h2 && a.h2[i] > 0 ? a.h2[i] : 0.0;  // NaN, from a caller without lists, counts as 0
    r.index = a.index[i];
    r.aold = a.aold ? known_size(a.aold[i]) : 0;
    return finite3(r.x) && r.eps2 >= 0 && std::isfinite(r.eps2);
}

void Cluster::pack(const BlockArgs &a)
{
    block_.resize(static_cast<size_t>(a.ni));
    bool moving = false, radius = false, good = true;
#pragma omp parallel for schedule(static) num_threads(host_threads(a.ni)) \
    reduction(|| : moving, radius) reduction(&& : good) if (host_threads(a.ni) > 1)
    for (int i = 0; i < a.ni; i++) {
        good = pack_one(a, i) && good;
        moving = moving || any(block_[static_cast<size_t>(i)].v);
        radius = radius || block_[static_cast<size_t>(i)].h2 > 0;
    }
    for (int i = 0; !good && i < a.ni; i++) {
        const G6IRecord &r = block_[static_cast<size_t>(i)];
        if (!finite3(r.x))
            throw Error(G6_ERR_ARGUMENT, "position of i-particle %d is NaN or infinite", i);
        if (!(r.eps2 >= 0) || !std::isfinite(r.eps2))
            throw Error(G6_ERR_ARGUMENT, "eps2 = %g of i-particle %d; it is a length squared, >= 0",
                        r.eps2, i);
    }
    has_radius_ = radius;
    wants_jerk_ = !tree_only() && (moving || store_.motion() != Motion::kAtRest);
}

void Cluster::firsthalf(const BlockArgs &args)
{
    Timer timer(stats_.seconds_send);
    state_ = BlockState::kFailed;  // until all of it is right
    held_status_ = 0;
    collected_ = false;
    given_nj_ = args.nj;
    guess_ = (guess_ & ~kWantLists) | (lists_were_read_ ? kWantLists : 0u);
    lists_were_read_ = lists_ready_ = false;
    if (args.nj < 0 || args.ni < 0)
        throw Error(G6_ERR_ARGUMENT, "nj = %d, ni = %d; a count cannot be negative", args.nj,
                    args.ni);
    if (args.ni > 0 && (!args.index || !args.x || !args.v || !args.eps2))
        throw Error(G6_ERR_ARGUMENT, "index, xi, vi or eps2 is NULL with ni = %d", args.ni);
    open();
    BlockArgs known = args;
    if (!walking() || config_.walk.mac != Mac::kAcceleration) known.aold = nullptr;
    pack(known);
    const int nj = std::min(args.nj, store_.high_water());
    const bool walks = walking() && !direct_is_cheaper(args.ni, nj);
    request_ = {ti_,
                nj,
                &block_,
                0,
                config_.own_in_lists(),
                store_.motion(),
                store_.scale(nj, config_.precision != Precision::kDouble),
                walks ? &walk_ : nullptr,
                nullptr};
    walk_ = config_.walk;
    block_revision_ = store_.revision();
    stats_.blocks++;
    stats_.i_particles += args.ni;
    if (!walks) stats_.interactions += static_cast<double>(args.ni) * args.nj;
    if (nj == 0 || args.ni == 0) {
        nothing(block_.size());
        state_ = BlockState::kFinished;
        return;
    }
    launch();
}

// In pair interactions: a refresh of the tree costs some for each of its bodies (more where the
// host does it for a GPU), a walk some for each i-particle, more on the cpu when few of the bodies
// are i-particles and each list serves few of them, and on a GPU the launches of a walk cost a
// fixed time (g6bench --mode treewalk with G6_DIRECT=0 and a large number).  Blocks that follow each
// other with the same j-particles share a refresh: it comes once their direct sums have cost as
// much.  Counted, not timed: runs repeat bit for bit.
bool Cluster::direct_is_cheaper(int ni, int nj)
{
    if (config_.direct_below >= 0) return ni < config_.direct_below;
    const bool own = devices_.tree() == TreeSupport::kOwnTree, host = devices_.on_host();
    const double refresh = own ? 128 : host ? 80 : 1024;
    const double sparse = std::min(8.0, std::cbrt(static_cast<double>(nj) / std::max(ni, 1)));
    const double walk = host && !own ? 2500 * sparse * ni : 3000.0 * ni + (own ? 5e7 : 0);
    const bool moved = since_.t != ti_ && store_.motion() != Motion::kAtRest;
    if (since_.revision != store_.revision() || moved) since_ = {store_.revision(), ti_, 0, false};
    since_.i_particles += ni;
    const bool direct = static_cast<double>(ni) * nj <= walk ||
                        (!since_.walked && since_.i_particles * nj <= walk + refresh * nj);
    since_.walked = since_.walked || !direct;
    return direct;
}

void Cluster::launch()
{
    unsigned want = guess_ & kWantNearest;
    if (wants_jerk_) want |= kWantJerk;
    if (has_radius_) want |= guess_ & kWantLists;
    if (config_.mode == Mode::kTreeOnly) want = 0;
    try {
        send_particles();
        start(want);
        store_.commit();  // while the devices compute
    } catch (const DeviceFailure &f) {
        store_.commit();
        recover(f);
        request_.want = want;
        collect(want);
    }
}

// A tree of the particles as the store has them, hidden writes left out.
void Cluster::make_tree()
{
    tree_.update(store_, {walk_, request_.t, request_.nj, request_.scale, request_.motion,
                          config_.snap, config_.precision != Precision::kDouble, config_.threads});
    request_.tree = &tree_.view();
}

void Cluster::send_particles()
{
    if (request_.walk && devices_.tree() == TreeSupport::kHostTree) {
        if (!request_.tree) make_tree();
        leave_unsent();
        return;
    }
    tree_.note_writes(store_);
    request_.tree = nullptr;
    const bool whole = walking() && devices_.tree() == TreeSupport::kOwnTree;
    if (devices_behind_ || !devices_.holds(whole)) {
        devices_.clear();
        store_.mark_all_dirty();
        devices_behind_ = false;
    } else {
        store_.mark_dirty(unsent_);
    }
    unsent_.clear();
    stats_.j_sent += devices_.upload(store_, whole);
}

// The devices do without these writes for now.
void Cluster::leave_unsent()
{
    if (devices_behind_) return;
    unsent_.insert(unsent_.end(), store_.dirty().begin(), store_.dirty().end());
    if (unsent_.size() < static_cast<size_t>(store_.high_water()) / 2) return;
    devices_behind_ = true;
    unsent_.clear();
}

void Cluster::start(unsigned want)
{
    request_.want = want;
    state_ = BlockState::kFailed;
    devices_.start(request_);
    state_ = BlockState::kStarted;
}

void Cluster::finish()
{
    Timer timer(stats_.seconds_wait);
    devices_.finish(sums_);
    state_ = BlockState::kFinished;
    if (request_.tree) note_walk();
}

void Cluster::note_walk()
{
    const DeviceCounters c = devices_.counters();
    const double now[2] = {static_cast<double>(c.interactions), static_cast<double>(c.tests)};
    tree_.note_walk(now[0] - walk_counts_[0], now[1] - walk_counts_[1],
                    static_cast<int>(block_.size()));
    std::copy(now, now + 2, walk_counts_);
}

// Each failure takes one device out of the set; Error when none is left.
void Cluster::recover(DeviceFailure failure)
{
    stats_.recoveries++;
    state_ = BlockState::kFailed;
    store_.rewind();
    unsent_.clear();  // all of it is sent to the devices that are left
    devices_behind_ = false;
    try {
        for (;;) {
            devices_.replace(failure);
            try {
                if (request_.walk && !request_.tree) tree_.forget();
                send_particles();
                break;
            } catch (const DeviceFailure &next) {
                failure = next;
            }
        }
    } catch (...) {
        store_.commit();
        store_.replay();
        tree_.forget();  // it knows nothing of what was written since
        throw;
    }
    store_.commit();
    store_.replay();
    tree_.forget();
}

void Cluster::collect(unsigned want)
{
    if (request_.nj == 0 || block_.empty()) return;
    if (config_.mode == Mode::kTreeOnly) want = 0;
    want |= request_.want;
    for (;;) {
        try {
            if (want != request_.want || state_ == BlockState::kFailed) {
                if (state_ != BlockState::kFailed) stats_.repeats++;
                start(want);
            }
            if (state_ == BlockState::kStarted) finish();
            return;
        } catch (const DeviceFailure &f) {
            recover(f);
        }
    }
}

// ---- results ----------------------------------------------------------------------------------

void Cluster::hold_error(int status, const char *text)
{
    state_ = BlockState::kFailed;
    held_status_ = status;
    held_text_ = text;
}

// Whether args ask for the block of the last firsthalf: for the first time, or again with nothing
// changed since.
bool Cluster::collectable(const BlockArgs &a) const
{
    if (state_ != BlockState::kStarted && state_ != BlockState::kFinished) return false;
    if (a.ni != static_cast<int>(block_.size()) || a.nj != given_nj_) return false;
    if (!collected_) return true;
    if (block_revision_ != store_.revision() || request_.t != ti_) return false;
    if (!a.index || !a.x || !a.v || !a.eps2) return true;  // nothing to compare with
    for (int i = 0; i < a.ni; i++) {
        const G6IRecord &r = block_[static_cast<size_t>(i)];
        if (r.index != a.index[i] || !std::equal(r.x, r.x + 3, a.x[i]) ||
            !std::equal(r.v, r.v + 3, a.v[i]) || r.eps2 != a.eps2[i * a.eps2_stride] ||
            (a.h2 && r.h2 != (a.h2[i] > 0 ? a.h2[i] : 0.0)))
            return false;
    }
    return true;
}

void Cluster::nothing(size_t ni)
{
    sums_.resize(ni);
    std::fill_n(sums_.data(), ni, G6Sums{{}, {}, 0, 0, -1, 0});
}

void Cluster::fail(const BlockOutputs &out, int ni)
{
    nothing(static_cast<size_t>(std::max(ni, 0)));
    write_outputs(out);
}

void Cluster::lasthalf(const BlockArgs &args, const BlockOutputs &out)
{
    if (args.ni > 0 && (!out.acc || !out.jerk || !out.pot))
        throw Error(G6_ERR_ARGUMENT, "acc, jerk or pot is NULL with ni = %d", args.ni);
    if (held_status_) {
        const int status = held_status_;
        held_status_ = 0;
        fail(out, args.ni);
        state_ = BlockState::kNone;
        throw Error(status, "%s", held_text_.c_str());
    }
    try {
        if (!collectable(args)) firsthalf(args);
        unsigned want = wants_jerk_ ? kWantJerk : 0u;
        if (out.nearest || out.r_near) want |= kWantNearest;
        collect(want);
        guess_ = (guess_ & ~kWantNearest) | (want & kWantNearest);
    } catch (...) {
        fail(out, args.ni);
        throw;
    }
    collected_ = true;
    write_outputs(out);
}

void Cluster::write_outputs(const BlockOutputs &out) const
{
    const bool tree = config_.mode == Mode::kTreeOnly;
    const int ni = static_cast<int>(sums_.size());
#pragma omp parallel for schedule(static) num_threads(host_threads(ni)) if (host_threads(ni) > 1)
    for (int n = 0; n < ni; n++) {
        const size_t i = static_cast<size_t>(n);
        const G6Sums &s = sums_[i];
        // One buffer for both is allowed: acc is what such a caller reads.
        copy3(out.jerk[i], s.jerk);
        copy3(out.acc[i], s.acc);
        out.pot[i] = s.pot;
        const bool found = s.nn_slot >= 0 && !tree;
        if (out.nearest) out.nearest[i] = found ? s.nn_index : config_.nn_none;
        if (out.r_near)
            out.r_near[i] = found ? static_cast<float>(std::sqrt(s.nn_r2 + block_[i].eps2)) : 0.0f;
    }
}

// ---- neighbour lists --------------------------------------------------------------------------

void Cluster::read_neighbours(bool by_index)
{
    lists_were_read_ = true;
    if (lists_ready_) return;
    const int ni = static_cast<int>(block_.size());
    const bool none =
        state_ == BlockState::kNone || (state_ == BlockState::kFailed && held_status_);
    if (none || !has_radius_ || request_.nj == 0 || config_.mode == Mode::kTreeOnly) {
        lists_.clear(none ? 0 : ni);
        lists_ready_ = !none;
        return;
    }
    Timer timer(stats_.seconds_lists);
    for (;;) {
        collect(0);
        try {
            devices_.neighbours(lists_, by_index);
            break;
        } catch (const DeviceFailure &f) {
            recover(f);
        }
    }
    lists_ready_ = true;
}

int Cluster::get_neighbours(int i, int max_length, int *length, int *list, bool by_index)
{
    if (!length || (max_length > 0 && !list)) throw Error(G6_ERR_ARGUMENT, "nblen or nbl is NULL");
    if (max_length < 0) throw Error(G6_ERR_ARGUMENT, "maxlength = %d is negative", max_length);
    *length = 0;
    if (!lists_ready_) read_neighbours(by_index);
    if (i < 0 || i >= lists_.size())
        throw Error(G6_ERR_ARGUMENT, "pipe %d is not one of the block's %d i-particles", i,
                    lists_.size());
    const std::int64_t count = lists_.count(i);
    std::copy_n(lists_.list(i), std::min<std::int64_t>(count, max_length), list);
    *length = static_cast<int>(count);
    return count > max_length ? G6_LIST_OVERFLOW : G6_OK;
}

}  // namespace g6
