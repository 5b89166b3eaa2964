// SPDX-License-Identifier: MIT
// The j-particles of a device, in three forms:
//   staged     written by the host into pinned memory, on their way to their slots; large numbers
//              are copied to device memory too (staging.h)
//   received   in their slots in device memory, as the client wrote them
//   predicted  in device memory, at the time of a block
//
// Invariants
//  * Staged rows reach their slots by the next receive(), or by the launch that gets them from
//    hand_over_few().
//  * Pinned memory is rewritten only after Stream::synchronize().
//  * There are fields for velocities and their derivatives only once some particle has one.
#pragma once

#include "i_particles.h"
#include "few.h"
#include "staging.h"

#include <optional>

namespace g6::cuda {

class JParticles {
public:
    explicit JParticles(Stream &stream) : stream_(stream) {}

    int capacity() const { return capacity_; }  // slots
    // Changes whenever a slot does.
    unsigned long long revision() const { return revision_; }
    // The new capacity where slots 0 ... nj-1 are needed, nj > capacity(): at least twice the
    // present one if free memory allows it, else just enough.  Throws where this does not fit.
    int slots_for(int nj) const;
    // Old slots keep their contents, new ones are empty.
    void grow(int slots) { resize(slots, fields_); }
    // Makes fields for the terms of the predictor that this motion has; zero until written.
    void need_fields_for(Motion motion) { need_fields(fields_of(motion)); }
    // Empties all slots and forgets what was staged.
    void clear();

    double *stage(int n, int words);
    // The host has written the first n rows of the last stage().  Queues their copy to device
    // memory, where receive() reads them.
    void send_staged(int n);
    // The rows staged on the other device become this device's staged rows, without a copy: the
    // next receive() reads them in the other device's memory.
    void stage_from(const JParticles &other);
    // The next receive() copies n slots from the other's device memory, once the other device has
    // received all that is staged on it at this moment.  slots null: slots 0 ... n-1.
    void copy_from(JParticles &other, const int *slots, int n);
    // Records the event after which other devices may copy from the slots.  Called in a block that
    // devices share, after the launch that writes to slots.
    void mark_received() { received_.record(stream_); }
    // Whether this device reads its staged particles in the memory of another device, the leader,
    // and a part of them is in device memory there.
    bool is_on_leader() const { return staged_at_ != this && staged_at_->staging_.is_sending(); }
    // Makes the stream of another device wait for the event of mark_received().
    void make_wait(cudaStream_t stream) const { received_.make_wait(stream); }
    // Launches the kernel that writes staged rows to their slots.
    void receive();
    // As receive(), and the kernel also writes the staged i-particles to device memory, which this
    // call reserves.
    void receive(DeviceIParticles &i, const Request &r);
    // The staged rows, for a kernel that writes them to their slots itself (few.cu).  Calls
    // receive() and returns none if more than kFewMostRows are staged, or if rows or slots come
    // from another device.
    struct FewRows {
        const double *host, *device;  // the same memory, pinned
        int n, words;
    };
    FewRows hand_over_few();

    JMemory memory() const;
    // Makes predicted() for the time of r, unless it is made.
    void predict(const Request &r);
    const Predicted &predicted() const { return predicted_; }

private:
    // Doubles of n rows.
    size_t doubles(int n) const { return static_cast<size_t>(n) * static_cast<size_t>(words_); }
    const double *source_for_kernels(bool linked);
    static int fields_of(Motion motion)
    {
        return motion == Motion::kAtRest  ? kMotionField
               : motion == Motion::kCubic ? kSnapField
                                          : kFields;
    }
    void need_fields(int fields)
    {
        if (fields > fields_) resize(capacity_, fields);
    }
    void resize(int slots, int fields);
    void reserve_predicted();
    void send_early();
    void note_change();
    void launch(Arrivals a, const Request &r, const IMemory &memory);
    void copy_slots();

    Stream &stream_;

    Staging staging_;
    int staged_ = 0;                      // rows
    int words_ = kRestWords;              // of a row
    int before_ = 0;                      // so many were staged before the last call of stage()
    const JParticles *staged_at_ = this;  // the object whose memory has the staged rows

    // The copy that copy_from() asked for.  copied_from_ null: none is to be made.
    JParticles *copied_from_ = nullptr;
    MappedArray<int> copied_slots_;
    int ncopied_ = 0;
    bool copies_first_ = false;  // of slots 0 ... ncopied_-1; otherwise of copied_slots_

    // The event of mark_received() in this device's stream: the slots have all staged rows.
    Event received_;

    int capacity_ = 0, fields_ = kMotionField;
    unsigned long long revision_ = 0;
    DeviceArray<double> values_;  // [fields_][capacity_]
    DeviceArray<int> index_;

    DeviceArray<float4> planes_;
    DeviceArray<double> exact_;
    DeviceArray<int2> range_;
    Predicted predicted_{};
    size_t predicted_capacity_ = 0;  // slots
    // Time, units and layout of predicted_; empty when a slot has changed.
    std::optional<gpu::PredictionKey> predicted_for_;
};

}  // namespace g6::cuda
