// SPDX-License-Identifier: MIT
// The j-particles of a device: as they are staged in pinned memory, as they were sent, in slots,
// and as they are at the time of a block.
//
// Invariants
//  * Staged records take effect with the next receive(), or as arguments of the launch that
//    take_few() serves.
//  * Pinned memory is rewritten only when the stream is settled.
//  * The device's tree is told of everything that reaches the slots.
//  * Arrays for velocities and their derivatives exist once some particle was sent with one.
#pragma once

#include "device_tree.h"
#include "i_particles.h"
#include "kernels.h"
#include "memory.h"

namespace g6::cuda {

class JParticles {
public:
    JParticles(Stream &stream, DeviceCounters &counters, const DeviceOptions &options,
               DeviceTree &tree)
        : stream_(stream), counters_(counters), options_(options), tree_(tree)
    {
    }

    int capacity() const { return capacity_; }  // slots
    // Room for slots 0 ... nj-1, nj > capacity(): old contents, and empty slots behind them.
    void grow(int nj);
    // Arrays for so much of the predictor's polynomial.
    void hold_motion(Motion motion);
    // Empties all slots and forgets what was staged.
    void clear();

    G6JRecord *stage(int n);
    G6JPoint *stage_points(int n);
    bool any_staged() const { return nrecords_ + npoints_ > 0; }
    // Sends staged records to their slots, alone or in one launch with staged i-particles, for
    // which it makes room.
    void receive();
    void receive(IParticles &i, const Request &r);
    // At most kFewMost staged records, for a launch that has them as arguments and writes them to
    // their slots.  They count as sent.  When more or other records are staged, all go to their
    // slots ahead of that launch and none is left.
    struct FewRecords {
        const G6JRecord *records;
        int n;
    };
    FewRecords take_few();

    JMemory memory() const;
    // Makes predicted() the j-particles at the time of r, unless they are that already.
    void predict(const Request &r);
    const Predicted &predicted() const { return predicted_; }

    // Tells the tree all indices and times of slots, which it needs before its first update.  Waits.
    void teach_tree();

private:
    void reserve_predicted();
    void send_early(int staged, int n);
    void hold_motion_of_staged();
    void note_staged();
    void launch(const G6IRecord *i, const Request &r, const IMemory &memory);

    Stream &stream_;
    DeviceCounters &counters_;
    const DeviceOptions &options_;
    DeviceTree &tree_;

    MappedArray<G6JRecord> records_;
    MappedArray<G6JPoint> points_;
    int nrecords_ = 0, npoints_ = 0;

    int capacity_ = 0;
    DeviceArray<double> rest_;       // x, mass, t
    DeviceArray<double> motion_;     // v, a2, j6
    DeviceArray<double> snap_;       // k18
    Motion held_ = Motion::kAtRest;  // what there are arrays for
    DeviceArray<int> index_;

    DeviceArray<float4> planes_;
    DeviceArray<double> exact_;
    DeviceArray<int2> range_;
    Predicted predicted_{};
    size_t predicted_room_ = 0;  // slots
    // What predicted_ holds.
    struct {
        bool valid = false;
        double t = 0;
        int nj = 0;
        Motion motion{};
        Scale scale;
        Arithmetic arithmetic{};
        bool jerk = false;
    } holds_;
};

}  // namespace g6::cuda
