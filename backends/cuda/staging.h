// SPDX-License-Identifier: MIT
// Particles that the host writes and kernels read: an array in pinned memory and, of a large array,
// a copy in device memory.
//
// Kernels read a small array in pinned memory.  Of a large array send() copies pieces to the device
// while the host writes the next ones.  Then kernels of this device read the copy, and kernels of a
// linked device read the copy over the link, so that neither reads host memory.
//
// Invariants
//  * Pinned memory always has the whole array, so that there need not be a copy.
//  * Where the copy would take more than a fourth of the free memory, send() does nothing.
#pragma once

#include "memory.h"

#include <cstddef>

namespace g6::cuda {

class Staging {
public:
    // Reserves n elements in pinned memory.  The first `kept` elements stay.
    void need(size_t n, size_t kept = 0) { pinned_.need(n, kept); }
    bool fits(size_t n) const { return n <= pinned_.capacity(); }
    double *host() const { return pinned_.host(); }
    // The host will write the array anew.
    void restart() { sent_ = 0; }
    // Queues the copying of elements up to number `end`, which the host has written.
    void send(Stream &stream, size_t end)
    {
        if (copy_.capacity() < pinned_.capacity() && !make_copy()) return;
        if (end <= sent_) return;
        check(cudaMemcpyAsync(copy_.get() + sent_, pinned_.host() + sent_,
                              (end - sent_) * sizeof(double), cudaMemcpyHostToDevice, stream),
              "sending");
        stream.mark_busy();
        sent_ = end;
    }
    // Whether a part of the array has been sent.  Then the rest should be sent, too.
    bool is_sending() const { return sent_ > 0; }
    // Where kernels of this device, and of a linked one, read n elements.
    const double *device(size_t n) const
    {
        return sent_ > 0 && sent_ >= n ? copy_.get() : mapped();
    }
    // The host's array, as kernels address it.
    const double *mapped() const { return pinned_.device(); }

private:
    // Reserves as many elements as pinned memory has.  What was sent to a smaller copy must
    // be sent again.
    bool make_copy()
    {
        sent_ = 0;
        if (pinned_.capacity() * sizeof(double) > free_bytes() / 4) return false;
        copy_.fit(pinned_.capacity());
        return true;
    }

    MappedArray<double> pinned_;
    DeviceArray<double> copy_;
    size_t sent_ = 0;
};

}  // namespace g6::cuda
