// SPDX-License-Identifier: MIT
// An open device of a worker.  The client names it by a number.
//
// Invariants
//  * Whatever fails, the messages of a block are received to the end and answered by one result.
//  * The arrays of a result stay as they are until they have been sent.
#pragma once

#include "world.h"

#include "../../libg6gpu/base/host_memory.h"

#include <memory>
#include <vector>

namespace g6::mpi {

// The particles of a block as they come: in the command's own message or in messages that follow.
class Particles {
public:
    Particles(const std::vector<char> &message, std::size_t at, bool follows)
        : message_(message), at_(at), follows_(follows)
    {
    }
    // to == null: receives and forgets them.
    void take(void *to, std::size_t bytes);

private:
    const std::vector<char> &message_;
    std::size_t at_;
    bool follows_;
};

class ServedDevice {
public:
    ServedDevice(int object, Device *device) : object_(object), device_(device) {}

    Device &device() { return *device_; }
    // Receives the particles of a block.  same: another object that has kept the same j-particles
    // from this message, or null.  keeps: others will want them.
    void receive(const BlockMessage &m, Particles &particles, const ServedDevice *same, bool keeps);
    void start();
    // The result of the block that was started.
    ResultMessage finish();
    // Neighbour lists of the last block.
    ResultMessage neighbours(std::uint32_t serial);
    // Calls f(data, bytes) for each array of the last result.
    template <class F> void for_arrays(const ResultMessage &m, F &&f) const;
    // Messages with these arrays that are on their way.
    std::vector<MPI_Request> &on_their_way() { return requests_; }

private:
    template <class T>
    void take_staged(T *room, int n, Particles &particles, const HostBuffer<T> *same,
                     HostBuffer<T> *kept);
    void fail(DeviceStatus status, const char *text);
    ResultMessage result(std::uint32_t serial) const;
    void take_lists(ResultMessage &m);

    const int object_;
    std::unique_ptr<Device> device_;
    BlockMessage block_{};
    HostBuffer<G6JRecord> kept_records_;
    HostBuffer<G6JPoint> kept_points_;
    HostBuffer<G6IRecord> i_;
    HostBuffer<G6Sums> room_;
    SumsView sums_;
    NeighbourView lists_{};
    DeviceStatus status_ = kDeviceOk;
    char text_[256] = "";
    std::vector<MPI_Request> requests_;
};

template <class F> void ServedDevice::for_arrays(const ResultMessage &m, F &&f) const
{
    const std::size_t n = static_cast<std::size_t>(m.ni);
    if (m.form == Form::kSums) f(sums_.sums, n * sizeof(G6Sums));
    if (m.form == Form::kForces) f(sums_.forces, n * sizeof(G6Force));
    if (!m.lists) return;
    const std::size_t listed = static_cast<std::size_t>(m.listed);
    f(lists_.offset, (n + 1) * sizeof(std::int64_t));
    if (listed == 0) return;
    f(lists_.index, listed * sizeof(int));
    f(lists_.slot, listed * sizeof(int));
}

}  // namespace g6::mpi
