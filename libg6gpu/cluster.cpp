// SPDX-License-Identifier: MIT
#include "cluster.h"

#include "predictor.h"
#include "vec3.h"

#include <cmath>
#include <cstdio>

namespace g6 {
namespace {

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
    devices_stale_ = devices_behind_ = false;
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
    tree_.forget();
    devices_behind_ = false;
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
                     config_.isa != before.isa ||
                     (!devices_.empty() && !devices_.serves(config_.mode));
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
    if (store_.motion() == Motion::kQuartic) return;  // for this cluster for good
    store_.note_motion(any(k18)                     ? Motion::kQuartic
                       : any(v) | any(a2) | any(j6) ? Motion::kCubic
                                                    : Motion::kAtRest);
}

void Cluster::set_j_point(int address, int index, double mass, const double x[3])
{
    check_address(address);
    if (!finite3(x) || mass * 0.0 != 0.0) not_finite(address);
    stats_.j_writes++;
    G6JRecord &r = store_.write(address, true);
    copy3(r.x, x);
    for (double *u : {r.v, r.a2, r.j6, r.k18}) u[0] = u[1] = u[2] = 0;
    r.mass = mass;
    r.t = 0;
    r.index = index;
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

}  // namespace g6
