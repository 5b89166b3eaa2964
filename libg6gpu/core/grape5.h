// SPDX-License-Identifier: MIT
// The devices behind the g5 calls (include/gp5util.h): each holds point masses, the i-particles
// that were set last, and their forces.
//
// Who computes a call:
//  * The backend that the setting "backend" names, if it names one other than the cpu.
//  * Otherwise, for device 0 and at least kManyPairs pairs: a GPU, if "backend" is auto and there
//    is one; else the cpu with all threads, outside the program's OpenMP regions.  A code with one
//    thread and long lists thus has the whole machine.  The rule is for device 0 alone, so that the
//    threads of a parallel code do not compete for one GPU.  It does not depend on the number of
//    threads, because the GPU and the cpu may have different precisions.
//  * Otherwise the cpu, in the thread that calls, by PointSums.  The calls of a tree code are too
//    short for anything else: ten thousand pairs take 1 to 3 microseconds.
//  Sums with a softening of each j-particle are always the cpu's (softened_sums.h).
//  The precision is that of the setting "precision"; without it the cpu has single, and other
//  backends have mixed.  A backend computes in a cluster of its own, which no id of a g6 call
//  reaches, in mode treeonly.
//
// Invariants
//  * Different devices may be used by different threads at the same time.  Finding a device that
//    exists takes no lock.
//  * All code that reads or changes a device holds it as a DeviceInUse.  So calls of several
//    threads on one device do no harm: the first call goes on, and the others are refused.
//  * On the cpu a call allocates nothing once the arrays have grown to the longest list.
//  * A call that throws leaves masses and i-particles as they were, with one exception: the slots
//    of a call with a refused position, mass or softening (NaN, infinite, too large) have no mass.
#pragma once

#include "cluster.h"
#include "../base/busy_mark.h"
#include "../point_sums.h"

#include <atomic>
#include <climits>
#include <memory>
#include <vector>

namespace g6 {

// The softening of a pair: that of the i-particle, or the root of the sum of both squares.
enum class Softening { kOfTargets, kOfBoth };

class Grape5 {
public:
    static constexpr int kMostDevices = 128;

    // devices: those of a backend, as a text of the setting "devices"; "": that setting decides.
    Grape5(int number, const std::string &devices);

    // Slots adr ... adr+n-1; element [adr + k] of an array belongs to slot adr + k.  A null array
    // leaves its values in the slots as they are.
    void set_masses(int adr, int n, const double (*x)[3], const double *mass);
    // As set_masses(), with the softening squared of each slot.
    void set_softened(int adr, int n, const double (*x)[3], const double *mass, const double *eps2);
    // The slots that act: 0 ... n-1.
    void set_n(int n);
    // eps2_stride: 1, or 0 for one eps2.
    void set_targets(int n, const double (*x)[3], const double *eps2, int eps2_stride);
    // Replaces the softening lengths of the first n targets.
    void set_eps(int n, const double *eps);
    void run(Softening softening = Softening::kOfTargets);
    void get_force(int n, double (*acc)[3], double *pot) const;
    void calculate(const PointTargets &targets, double (*acc)[3], double *pot, Softening softening);

    // Fast versions of set_masses() and calculate(), for the lists of a tree code.  They never
    // throw.  False: the caller calls set_masses() or calculate(), which overwrites all results.
    bool set_masses_at_once(int adr, int n, const double (*x)[3], const double *mass)
    {
        return adr == 0 && n > 0 && x && mass && !cluster_ && sums_->set_at_once(n, x, mass);
    }
    bool calculate_at_once(const PointTargets &targets, double (*acc)[3], double *pot)
    {
        const bool alone = number_ != 0 || 1LL * n_ * targets.n < kManyPairs;
        return (only_cpu_ || any_backend_) && alone && n_ > 0 && targets.n > 0 && targets.x &&
               acc && pot && sums_->sum_at_once(n_, targets, acc, pot);
    }

private:
    static constexpr int kManyPairs = 1 << 20;

    void set_slots(int adr, int n, const double (*x)[3], const double *mass);
    bool goes_to_backend(double pairs);
    Cluster &cluster();
    void send_masses(int nj);
    void sum_on_backend(int nj, const PointTargets &targets, double (*acc)[3], double *pot);

    const int number_;
    const std::string devices_;
    Config config_;
    bool only_cpu_ = false, any_backend_ = false;  // the setting "backend" is cpu, or auto
    std::unique_ptr<PointSums> sums_;

    int n_ = 0;
    std::vector<double> slot_eps2_;  // up to the last slot that has a softening; beyond it 0
    // Slots of which the cluster may lack the masses that sums_ has: first ... end-1.
    struct Unsent {
        int first = INT_MAX, end = 0;
    } unsent_;

    std::vector<double> targets_, eps2_;  // [3 n], [n]
    std::vector<double> acc_, pot_;       // [3 n], [n]
    bool has_run_ = false;

    bool no_gpu_ = false;  // the setting "auto" found none
    std::unique_ptr<Cluster> cluster_;
    std::vector<int> own_index_;  // of i-particles: -1, which no j-particle has
    std::vector<double> at_rest_, no_jerk_;
};

namespace grape5 {

// A device's entry lives as long as the process.
struct DeviceEntry {
    BusyMark busy;
    Grape5 *device = nullptr;  // only for a call that holds busy; null: not made, or closed
};
extern DeviceEntry g_entries[Grape5::kMostDevices];

using DeviceInUse = InUse<Grape5>;
// Returns an empty DeviceInUse where another call uses the device, where the device has not been
// made, and for a number out of range.
inline DeviceInUse try_to_use(int number) noexcept
{
    if (number < 0 || number >= Grape5::kMostDevices) return {};
    BusyMark::Hold hold = g_entries[number].busy.take();
    return {hold ? g_entries[number].device : nullptr, std::move(hold)};
}

// The device of this number, made at its first use.  Throws for a number out of range, and where
// another call uses the device.
DeviceInUse use(int number);
// Forgets all devices, the cutoff and the choice of GPUs.  Throws, and forgets nothing, where
// another call uses a device.
void close();
// The GPUs of all devices that are made after this call, as a text of the setting "devices".
void choose_devices(const std::string &devices);

// Softening squared of i-particles that are set without one, on all devices.
inline std::atomic<double> g_eps2{0};
// Whether the client has asked for forces with a cutoff, which the library lacks: it refuses all
// sums.
inline std::atomic<bool> g_cutoff{false};
Error cutoff_error();

}  // namespace grape5

}  // namespace g6
