// SPDX-License-Identifier: MIT
// The work of each g5 call: checks its arguments, sets masses and i-particles of a device, and
// chooses between the cpu and a backend for the sums.  Also the table of devices.
#include "grape5.h"

#include "softened_sums.h"

#include "../base/fork.h"
#include "../base/thread_pool.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <mutex>
#include <utility>

namespace g6 {
namespace {

// The first id of the devices' clusters.  No g6 call reaches these ids; messages name them.
constexpr ClusterId kFirstId = kAllId + 1;

void check_count(const char *name, int n)
{
    if (n < 0) throw Error(G6_ERR_ARGUMENT, "%s = %d is negative", name, n);
}

void check_slots(int adr, int n)
{
    check_count("adr", adr);
    check_count("nj", n);
    if (n > INT_MAX - adr) throw Error(G6_ERR_ARGUMENT, "adr + nj = %d + %d overflows int", adr, n);
}

Error refused_targets()
{
    return {G6_ERR_ARGUMENT, "the position of an i-particle is NaN, infinite or above 1e301"};
}

bool all_usable(const PointTargets &targets)
{
    const double *const x = targets.x[0], *const end = x + 3 * static_cast<size_t>(targets.n);
    return std::all_of(x, end, [](double c) { return std::fabs(c) < PointSums::kTooLarge; });
}

double (*rows(std::vector<double> &v))[3]
{
    return reinterpret_cast<double(*)[3]>(v.data());
}

}  // namespace

Grape5::Grape5(int number, const std::string &devices) : number_(number), devices_(devices)
{
    Config defaults;
    defaults.precision = Precision::kSingle;
    std::string problems;
    config_ = config_from_environment(&problems, defaults);
    if (!problems.empty()) report_lines("g5_open", G6_ERR_OPTION, problems);
    only_cpu_ = config_.backend == "cpu";
    any_backend_ = config_.backend == "auto";
    sums_.reset(make_point_sums(config_.precision, config_.device_debug.c_str()));
    if (!sums_) throw std::bad_alloc();
}

// ---- masses ------------------------------------------------------------------------------------

void Grape5::set_masses(int adr, int n, const double (*x)[3], const double *mass)
{
    check_slots(adr, n);
    if (n > 0) set_slots(adr, n, x ? x + adr : nullptr, mass ? mass + adr : nullptr);
}

void Grape5::set_softened(int adr, int n, const double (*x)[3], const double *mass,
                          const double *eps2)
{
    check_slots(adr, n);
    if (n == 0) return;
    const auto first = static_cast<size_t>(adr), end = first + static_cast<size_t>(n);
    const auto usable = [](double e) { return e >= 0 && e < PointSums::kTooLarge; };
    if (!std::all_of(eps2 + first, eps2 + end, usable)) {
        const std::vector<double> none(end - first);
        set_slots(adr, n, nullptr, none.data());
        throw Error(G6_ERR_ARGUMENT,
                    "a softening of slots %d to %d is not between 0 and 1e301; the slots "
                    "have no mass",
                    adr, adr + n - 1);
    }
    if (slot_eps2_.size() < end) slot_eps2_.resize(end);
    set_slots(adr, n, x + adr, mass + adr);
    std::copy(eps2 + first, eps2 + end, slot_eps2_.begin() + adr);
}

// x[0] and mass[0] are for slot adr.
void Grape5::set_slots(int adr, int n, const double (*x)[3], const double *mass)
{
    // Slots between the last one and adr are made, too, without mass.
    unsent_ = {std::min({unsent_.first, adr, sums_->slots()}), std::max(unsent_.end, adr + n)};
    switch (sums_->set(adr, n, x, mass)) {
    case kDeviceOk: return;
    case kDeviceUnsupported:
        throw Error(G6_ERR_ARGUMENT,
                    "a position or mass of slots %d to %d is NaN, infinite or above 1e301; the "
                    "slots have no mass",
                    adr, adr + n - 1);
    default: throw std::bad_alloc();
    }
}

void Grape5::set_n(int n)
{
    check_count("n", n);
    n_ = n;
}

// ---- i-particles -------------------------------------------------------------------------------

void Grape5::set_targets(int n, const double (*x)[3], const double *eps2, int eps2_stride)
{
    check_count("ni", n);
    const auto count = static_cast<size_t>(n);
    targets_.reserve(3 * count);  // so that a call without memory changes nothing
    eps2_.reserve(count);
    has_run_ = false;
    targets_.assign(n > 0 ? x[0] : nullptr, n > 0 ? x[0] + 3 * count : nullptr);
    eps2_.resize(count);
    for (size_t k = 0; k < count; k++) eps2_[k] = eps2[eps2_stride ? k : 0];
}

void Grape5::set_eps(int n, const double *eps)
{
    check_count("ni", n);
    if (static_cast<size_t>(n) > eps2_.size())
        throw Error(G6_ERR_STATE, "ni = %d, but only %d were set; call g5_set_xi first", n,
                    static_cast<int>(eps2_.size()));
    for (int k = 0; k < n; k++) eps2_[static_cast<size_t>(k)] = eps[k] * eps[k];
    has_run_ = false;
}

void Grape5::run(Softening softening)
{
    const size_t n = eps2_.size();
    has_run_ = false;
    acc_.resize(3 * n);
    pot_.resize(n);
    calculate({rows(targets_), eps2_.data(), 1, static_cast<int>(n)}, rows(acc_), pot_.data(),
              softening);
    has_run_ = true;
}

void Grape5::get_force(int n, double (*acc)[3], double *pot) const
{
    check_count("ni", n);
    if (n == 0) return;
    if (!has_run_) throw Error(G6_ERR_STATE, "no g5_run since g5_set_xi");
    if (static_cast<size_t>(n) > pot_.size())
        throw Error(G6_ERR_ARGUMENT, "ni = %d, but g5_set_xi had %d i-particles", n,
                    static_cast<int>(pot_.size()));
    std::copy_n(acc_.data(), 3 * n, acc[0]);
    std::copy_n(pot_.data(), n, pot);
}

// ---- sums --------------------------------------------------------------------------------------

void Grape5::calculate(const PointTargets &targets, double (*acc)[3], double *pot,
                       Softening softening)
{
    check_count("ni", targets.n);
    if (targets.n == 0) return;
    if (grape5::g_cutoff) throw grape5::cutoff_error();
    for (int k = 0; k < (targets.eps2_stride ? targets.n : 1); k++)
        if (!(targets.eps2[k] >= 0) || std::isinf(targets.eps2[k]))
            throw Error(G6_ERR_ARGUMENT,
                        "the softening of i-particle %d must be finite and 0 or more", k);
    const int n = std::min(n_, sums_->slots());
    const double pairs = static_cast<double>(n) * targets.n;
    if (n == 0) {
        std::fill_n(acc[0], 3 * static_cast<size_t>(targets.n), 0.0);
        std::fill_n(pot, targets.n, 0.0);
        return;
    }
    const bool alone = number_ != 0 || pairs < kManyPairs;
    if (softening == Softening::kOfBoth) {
        if (!all_usable(targets)) throw refused_targets();
        slot_eps2_.resize(std::max(slot_eps2_.size(), static_cast<size_t>(n)));
        const SoftenedPoints points{sums_->x(), sums_->mass(), slot_eps2_.data(), n};
        return sum_softened(points, targets, alone ? 1 : pool_threads(config_.threads), acc, pot);
    }
    if (goes_to_backend(pairs)) return sum_on_backend(n, targets, acc, pot);
    switch (sums_->sum(n, targets, alone ? 1 : pool_threads(config_.threads), acc, pot)) {
    case kDeviceOk: return;
    case kDeviceUnsupported: throw refused_targets();
    default: throw std::bad_alloc();
    }
}

bool Grape5::goes_to_backend(double pairs)
{
    if (only_cpu_) return false;
    if (!any_backend_) return true;
    if (number_ != 0 || pairs < kManyPairs || no_gpu_) return false;
    no_gpu_ = cluster().backend() == "cpu";
    if (no_gpu_) cluster_.reset();
    return !no_gpu_;
}

Cluster &Grape5::cluster()
{
    if (!cluster_) {
        auto made = std::make_unique<Cluster>(kFirstId + number_);
        made->set_option("mode", "treeonly");
        if (!devices_.empty()) made->choose_devices(devices_);
        made->open();
        cluster_ = std::move(made);
        unsent_ = {0, sums_->slots()};
    }
    return *cluster_;
}

// Sends the cluster the masses of slots 0 ... nj-1 that it lacks.  Where a code sets short lists
// after a long one, slots beyond nj stay unsent, so that the long list is not sent for each.
void Grape5::send_masses(int nj)
{
    const int first = unsent_.first, end = std::min(nj, unsent_.end);
    if (first >= end) return;
    JArrays j{};
    j.first = first;
    j.mass = sums_->mass() + first;
    j.x = sums_->x() + first;
    Cluster::Refusal refusal;
    if (cluster().set_many(end - first, j, refusal) < end - first) throw std::bad_alloc();
    unsent_ = end < unsent_.end ? Unsent{end, unsent_.end} : Unsent{};
}

// A cluster leaves out pairs of equal index; the g5 calls leave out none.  So all i-particles get
// the index -1, which no j-particle has.
void Grape5::sum_on_backend(int nj, const PointTargets &targets, double (*acc)[3], double *pot)
{
    const auto n = static_cast<size_t>(targets.n);
    if (!all_usable(targets)) throw refused_targets();
    Cluster &c = cluster();
    send_masses(nj);
    if (no_jerk_.size() < 3 * n) {  // it grows last, so that the others are at least as long
        own_index_.resize(n, -1);
        at_rest_.resize(3 * n);
        no_jerk_.resize(3 * n);
    }
    const BlockArgs args{nj,
                         targets.n,
                         own_index_.data(),
                         targets.x,
                         rows(at_rest_),
                         targets.eps2,
                         targets.eps2_stride,
                         nullptr};
    c.firsthalf(args);
    c.lasthalf(args, {acc, rows(no_jerk_), pot, nullptr, nullptr});
    for (size_t k = 0; k < n; k++) pot[k] = 0 - pot[k];
}

// ---- all devices -------------------------------------------------------------------------------

namespace grape5 {
namespace {

std::mutex g_mutex;  // guards choice()
std::string &choice()
{
    static auto *const text = new std::string;  // no destructor ever runs
    return *text;
}
[[maybe_unused]] const bool g_renewed = (renew_in_children(g_mutex), true);

Error busy_error(int number)
{
    return Error(
        G6_ERR_STATE,
        "device %d is busy with a call of another thread; use a device for each thread, or "
        "hold one lock over all calls of a sum",
        number);
}

}  // namespace

DeviceEntry g_entries[Grape5::kMostDevices];

Error cutoff_error()
{
    return {G6_ERR_ARGUMENT, "g5_set_eta asks for a force with a cutoff, which this library lacks; "
                             "forces are refused until g5_set_eta(0) or g5_close()"};
}

DeviceInUse use(int number)
{
    if (number < 0 || number >= Grape5::kMostDevices)
        throw Error(G6_ERR_ARGUMENT, "device %d; there are devices 0 to %d", number,
                    Grape5::kMostDevices - 1);
    DeviceEntry &entry = g_entries[number];
    BusyMark::Hold hold = entry.busy.take();
    if (!hold) throw busy_error(number);
    std::lock_guard<std::mutex> lock(g_mutex);
    if (!entry.device) entry.device = new Grape5(number, choice());
    return {entry.device, std::move(hold)};
}

void close()
{
    std::array<BusyMark::Hold, Grape5::kMostDevices> holds;
    for (int number = 0; number < Grape5::kMostDevices; number++) {
        auto &hold = holds[static_cast<size_t>(number)];
        hold = g_entries[number].busy.take();
        if (!hold) throw busy_error(number);
    }
    for (DeviceEntry &entry : g_entries) delete std::exchange(entry.device, nullptr);
    std::lock_guard<std::mutex> lock(g_mutex);
    choice().clear();
    g_cutoff = false;
}

void choose_devices(const std::string &devices)
{
    std::lock_guard<std::mutex> lock(g_mutex);
    choice() = devices;
}

}  // namespace grape5

}  // namespace g6
