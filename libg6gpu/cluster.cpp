// SPDX-License-Identifier: MIT
#include "cluster.h"

#include "host_threads.h"
#include "predictor.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace g6 {
namespace {

// NaN and infinities make the product NaN; no branch per value.
bool finite3(const double *u)
{
    return (u[0] + u[1] + u[2]) * 0.0 == 0.0;
}
bool all_finite3(const double *a, const double *b, const double *c, const double *d)
{
    const double sum =
        (a[0] + a[1] + a[2]) + (b[0] + b[1] + b[2]) + (c[0] + c[1] + c[2]) + (d[0] + d[1] + d[2]);
    return sum * 0.0 == 0.0;
}

bool any(const double *u)
{
    return u[0] != 0 || u[1] != 0 || u[2] != 0;
}

void copy3(double *to, const double *from)
{
    std::copy(from, from + 3, to);
}

void check_address(int address)
{
    if (address < 0)
        throw Error(G6_ERR_ARGUMENT, "address %d is negative; slots are numbered from 0", address);
}

[[noreturn]] void not_finite(int address)
{
    throw Error(G6_ERR_ARGUMENT,
                "j-particle at address %d: a value is NaN or infinite; the slot keeps what it had",
                address);
}

// A backend that is known but refused is allowed: the cpu steps in.
void check_backend(const std::string &name)
{
    if (name == "auto" || name == "cuda" || name == "opencl" || find_backend(name)) return;
    std::string names = "auto";
    for (const LoadedBackend *b : backends()) names += ", " + b->name;
    throw Error(G6_ERR_OPTION, "backend cannot be \"%s\"; there are: %s", name.c_str(),
                names.c_str());
}

class Timer {
public:
    explicit Timer(double &seconds) : seconds_(seconds) {}
    ~Timer() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }

private:
    using Clock = std::chrono::steady_clock;
    double &seconds_;
    Clock::time_point start_ = Clock::now();
};

}  // namespace

Cluster::Cluster(int id) : id_(id)
{
    std::string problems;
    config_ = config_from_environment(&problems);
    config_.npipes = process_config().npipes;  // constant for the process
    if (!problems.empty()) report("g6_open", G6_ERR_OPTION, problems.c_str());
}

// ---- lifecycle --------------------------------------------------------------------------------

void Cluster::open()
{
    if (open_ && !devices_stale_) return;
    open_devices();
    open_ = true;
}

void Cluster::open_devices()
{
    if (!devices_stale_ && !devices_.empty()) return;
    devices_.open(config_, id_);
    devices_stale_ = false;
    state_ = BlockState::kNone;
    store_.mark_all_dirty();
}

void Cluster::close()
{
    if (!open_) return;
    if (config_.stats) std::fprintf(stderr, "g6gpu %s\n", describe().c_str());
    open_ = false;
    state_ = BlockState::kNone;
    lists_ready_ = false;
    lists_.clear(0);
    ti_ = 0;
    pipes_ = Pipes{};
    store_.clear();
    try {
        devices_.clear();
    } catch (const DeviceFailure &f) {
        log(kLogWarn, "%s failed at close (%s)", devices_.describe().c_str(), f.text.c_str());
        devices_stale_ = true;
    }
}

void Cluster::choose_devices(const std::string &devices)
{
    if (config_.devices == devices) return;
    config_.devices = devices;
    devices_stale_ = true;
}

void Cluster::set_option(const std::string &key, const std::string &value)
{
    const Config before = config_;
    g6::set_option(config_, key, value);
    try {
        if (config_.backend != before.backend) check_backend(config_.backend);
    } catch (...) {
        config_ = before;
        throw;
    }
    devices_stale_ = devices_stale_ || config_.backend != before.backend ||
                     config_.devices != before.devices || config_.precision != before.precision ||
                     config_.threads != before.threads || config_.snap != before.snap ||
                     config_.isa != before.isa;
}

std::string Cluster::backend()
{
    if (devices_stale_ || devices_.empty()) open_devices();
    return devices_.backend();
}

void Cluster::reset(bool search)
{
    held_status_ = 0;
    if (state_ == BlockState::kFailed) state_ = BlockState::kNone;
    if (search || devices_.empty()) devices_stale_ = true;
    if (open_) open_devices();
}

// ---- j-particles ------------------------------------------------------------------------------

void Cluster::set_ti(double ti)
{
    if (!std::isfinite(ti))
        throw Error(G6_ERR_ARGUMENT, "time is NaN or infinite; the time stays %g", ti_);
    ti_ = ti;
}

void Cluster::set_j(int address, int index, double t, double mass, const double k18[3],
                    const double j6[3], const double a2[3], const double v[3], const double x[3])
{
    check_address(address);
    if (!all_finite3(a2, j6, k18, v) || !finite3(x) || (t + mass) * 0.0 != 0.0) not_finite(address);
    stats_.j_writes++;
    G6JRecord &r = store_.write(address, false);
    copy3(r.x, x);
    copy3(r.v, v);
    copy3(r.a2, a2);
    copy3(r.j6, j6);
    copy3(r.k18, k18);
    r.mass = mass;
    r.t = t;
    r.index = index;
    store_.note_motion(any(k18)                       ? Motion::kQuartic
                       : any(v) || any(a2) || any(j6) ? Motion::kCubic
                                                      : Motion::kAtRest);
}

void Cluster::set_j_point(int address, int index, double mass, const double x[3])
{
    check_address(address);
    if (!finite3(x) || mass * 0.0 != 0.0) not_finite(address);
    stats_.j_writes++;
    G6JRecord &r = store_.write(address, true);
    const int flags = r.slot;
    r = G6JRecord{};
    copy3(r.x, x);
    r.mass = mass;
    r.index = index;
    r.slot = flags;
}

void Cluster::reserve(int nj)
{
    if (nj < 0) throw Error(G6_ERR_ARGUMENT, "nj = %d is negative", nj);
    store_.reserve(nj);
}

void Cluster::predict(int nj, double (*x)[3], double (*v)[3]) const
{
    if (nj < 0) throw Error(G6_ERR_ARGUMENT, "nj = %d is negative", nj);
    for (int a = 0; a < nj; a++) {
        double xp[3] = {0, 0, 0}, vp[3] = {0, 0, 0};
        if (store_.written(a)) g6::predict(store_.record(a), ti_, config_.snap, xp, vp);
        if (x) copy3(x[a], xp);
        if (v) copy3(v[a], vp);
    }
}

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
    r.pad = 0;
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
    pack(args);
    const int nj = std::min(args.nj, store_.high_water());
    request_ = {ti_,
                nj,
                &block_,
                0,
                config_.own_in_lists(),
                store_.motion(),
                store_.scale(nj, config_.precision != Precision::kDouble)};
    block_revision_ = store_.revision();
    stats_.blocks++;
    stats_.i_particles += args.ni;
    stats_.interactions += static_cast<double>(args.ni) * args.nj;
    if (nj == 0 || args.ni == 0) {
        sums_.assign(block_.size(), G6Sums{{}, {}, 0, 0, -1, 0});
        state_ = BlockState::kFinished;
        return;
    }
    launch();
}

void Cluster::launch()
{
    unsigned want = guess_ & kWantNearest;
    if (wants_jerk_) want |= kWantJerk;
    if (has_radius_) want |= guess_ & kWantLists;
    if (config_.mode == Mode::kTreeOnly) want = 0;
    try {
        stats_.j_sent += devices_.upload(store_);
        start(want);
        store_.commit();  // while the devices compute
    } catch (const DeviceFailure &f) {
        store_.commit();
        recover(f);
        request_.want = want;
        collect(want);
    }
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
}

// Each failure takes one device out of the set; Error when none is left.
void Cluster::recover(DeviceFailure failure)
{
    stats_.recoveries++;
    state_ = BlockState::kFailed;
    store_.rewind();
    try {
        for (;;) {
            devices_.replace(failure);
            try {
                stats_.j_sent += devices_.upload(store_);
                break;
            } catch (const DeviceFailure &next) {
                failure = next;
            }
        }
    } catch (...) {
        store_.commit();
        store_.replay();
        throw;
    }
    store_.commit();
    store_.replay();
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

void Cluster::fail(const BlockOutputs &out, int ni)
{
    sums_.assign(static_cast<size_t>(std::max(ni, 0)), G6Sums{{}, {}, 0, 0, -1, 0});
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
