// SPDX-License-Identifier: MIT
// An open device of a worker.  The client names it by a number.
//
// Invariants
//  * Whatever fails, the messages of a block are received to the end and answered by one result.
//  * The arrays of a result stay as they are until they have been sent.
//  * Each device leads its own block: it gets the i-particles that it computes, and no others.
#pragma once

#include "link.h"

#include "../../libg6gpu/base/host_memory.h"

#include <memory>
#include <vector>

namespace g6::mpi {

class ServedDevice {
public:
    ServedDevice(int object, Device *device) : object_(object), device_(device) {}

    Device &device() { return *device_; }
    // Receives the particles of a block.  same: another object that has kept the same j-particles
    // from this message, or null.  keeps: keeps the j-particles for such other objects.
    void receive_block(const BlockMessage &m, const ServedDevice *same, bool keeps);
    void start();
    void finish();
    // The result of the block.
    ResultMessage make_result();
    // Neighbour lists of the last block.
    ResultMessage neighbours(std::uint32_t serial);
    // Calls f(data, bytes) for each array of the last result.
    template <class F> void for_arrays(const ResultMessage &m, F &&f) const;
    // Messages with the arrays of the last result that MPI has not sent yet.
    std::vector<MPI_Request> &on_their_way() { return requests_; }

private:
    void receive_staged(const HostBuffer<double> *same, bool keeps);
    void receive_targets();
    void fail(DeviceStatus status, const char *text);
    void check(DeviceStatus status);
    ResultMessage result(std::uint32_t serial);
    void collect_lists(ResultMessage &m);

    const int object_;
    std::unique_ptr<Device> device_;
    BlockMessage block_{};
    HostBuffer<double> kept_;
    HostBuffer<G6IRecord> i_;
    const G6IRecord *targets_ = nullptr;  // the i-particles; null: they are staged on the device
    int targets_words_ = 0;               // Block::i_words
    HostBuffer<G6Sums> sums_memory_;
    const G6Sums *sums_ = nullptr;  // of the block, in sums_memory_ or in memory of the device
    DeviceCounters counted_;        // the device's counters as earlier results have reported them
    ResultMessage walk_{};          // of the last walk
    NeighbourView lists_{};
    DeviceStatus status_ = kDeviceOk;
    char text_[256] = "";
    std::vector<MPI_Request> requests_;
};

template <class F> void ServedDevice::for_arrays(const ResultMessage &m, F &&f) const
{
    const void *const array[] = {sums_, lists_.offset, lists_.index, lists_.slot};
    const auto bytes = payload_parts(m);
    for (std::size_t k = 0; k < bytes.size(); k++)
        if (bytes[k] > 0) f(array[k], bytes[k]);
}

}  // namespace g6::mpi
