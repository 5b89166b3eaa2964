// SPDX-License-Identifier: MIT
// The Barnes-Hut sum: brings the device's tree to the time of the block, searches it for nearest
// neighbours where the block wants them, and walks it.  A walk of a tree that lacks cells or levels
// of keys gives no sums; finish() then builds the tree and walks again.
// The sums of a walk that several devices share leave the device by CudaDevice::deliver().
//
// Invariants
//  * The structure is built anew when live slots, units, arithmetic or the leaf size have changed,
//    and when its age costs more than building (libg6gpu/tree/rebuild.h).  Costs are counted, not
//    timed, so that runs repeat bit for bit.
//  * After update() every body, box, moment and radius is that of the block's time.
//  * A block allocates nothing when an earlier one was as large, and the host then waits for
//    results only.
//  * Only known_ says what the arrays hold; forget() resets it.
#pragma once

#include "step.h"
#include "tree.h"

#include "../../libg6gpu/settings/debug.h"
#include "../../libg6gpu/tree/rebuild.h"

namespace g6::cuda {

class WalkStep : public Step {
public:
    explicit WalkStep(const SharedParts &parts) : parts_(parts) {}

    void start(const Request &r) override;
    void finish() override;
    void list_neighbours() override;
    // The i-particles of the last walk, with the range for which this device has walked.
    const WalkTargets &targets() const { return targets_; }
    // The work of the last walk, over all devices that shared it.
    void note_work(double interactions, double tests, int ni);
    // Called when all particles are gone.
    void forget() { known_ = Known{}; }

private:
    bool shape_holds() const;
    bool values_hold() const;
    void reserve(bool moving);
    void find_capacity();
    void update();
    void walk();
    bool take_report();
    // Whether this device alone computes.  A device that only brings its tree up to date has
    // part >= parts.
    bool has_all() const { return request_.part == 0 && request_.parts == 1; }

    const SharedParts parts_;
    Request request_{};

    struct Known {
        bool structure = false;  // there is a structure, made for `request`
        Request request{};       // of the last update()
        RebuildPolicy policy;
        int cells = 0;         // of the last structure that has been walked
        int levels = kLevels;  // of the keys of the next structure
    };
    Known known_;
    // Most i-particles that walk together, as G6_DEBUG asks; 0: as walk_group_size() says.
    const int group_wanted_ = debug_number(parts_.options.debug, "cuda_group", 0);
    int members_ = kMostMembers;  // the size of the groups of the last walk
    Tree tree_{};
    WalkTargets targets_{};
    int cell_capacity_ = 0;

    DeviceArray<TreeState> state_;
    DeviceArray<double> partial_;
    DeviceArray<Vec4<double>> at_, v_full_;
    DeviceArray<Vec4<float>> v_;
    DeviceArray<int> slot_, place_;
    DeviceArray<unsigned long long> sample_;
    DeviceArray<char> space_;
    DeviceArray<Cell> cell_;
    DeviceArray<CellBox> box_;
    DeviceArray<float4> velocity_;
    DeviceArray<float2> quadrupole_;
    DeviceArray<int> divided_, arrived_;
    DeviceArray<int> order_, spare_order_, alike_;
    DeviceArray<int2> own_, group_;
    DeviceArray<unsigned long long> i_key_, spare_i_key_, table_;
    DeviceArray<NearestBody> nearest_;
    MappedArray<TreeReport> report_;
};

}  // namespace g6::cuda
