// SPDX-License-Identifier: MIT
// The g5 calls as the contract describes them (include/gp5util.h, docs/grape5.md).  They have no
// status: what was refused shows in the forces.
#pragma once

#include "library.h"
#include "truth.h"

#include <map>

namespace g6fuzz {

struct World;

class Grape5Model {
public:
    explicit Grape5Model(const World &world) : world_(world) {}

    // "" or what the library did wrong.
    std::string check(const Call &call, const Answer &answer);
    // Whether any call has changed what g5_close() and a softening of 0 restore.
    bool used() const { return used_; }
    // Whether all forces are refused, because there is no cutoff.
    bool cutoff() const { return cutoff_; }
    // Of a device; 0 for one that is not there.
    int slots(int device) const;
    int targets(int device) const;

private:
    struct Slot {
        double x[3] = {}, mass = 0, eps2 = 0;
        bool placed = true;  // false: the contract does not say where it is
    };
    struct Target {
        double x[3], eps2;
    };
    // What one run or calculation sums; no task where it was refused, and forces are 0.
    struct Sums {
        bool done = false, known = true;
        Task task;
        std::vector<double> epsj2;  // of the slots, where they soften, too
    };
    struct Device {
        std::vector<Slot> slot;
        int n = 0;
        std::vector<Target> target;
        bool has_run = false;
        Sums sums;
    };

    Device *device(const Call &c);
    void set_slots(Device &d, const Call &c);
    void set_targets(Device &d, const Call &c);
    void set_eps(Device &d, const Call &c);
    bool targets_of(const Call &c, std::vector<Target> &to) const;
    Sums sums(const Device &d, const std::vector<Target> &targets, bool softened) const;
    std::string judge(const Sums &s, int ni, const Answer &a);
    std::string judge_target(const Sums &s, const Truth &truth, int i, const Answer &a);
    Precision precision() const;

    const World &world_;
    std::map<int, Device> devices_;
    double eps2_ = 0;
    bool cutoff_ = false;  // g5_set_eta() asked for one
    bool used_ = false, refused_ = false;
};

}  // namespace g6fuzz
