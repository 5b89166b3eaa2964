// SPDX-License-Identifier: MIT
// One OpenCL device behind the contract of backend.h.
//
// Invariants
//  * One in-order queue takes a direct sum: a transfer of staged rows and i-particles, packed in
//    pinned memory, the kernels receive, predict, force and reduce, and a transfer of the sums.  A
//    tiny block needs neither the first transfer nor receive: predict gets its particles as an
//    argument (few.h).
//  * Pinned memory is rewritten only when no transfer may still use it (synchronize()).
//  * Buffers grow and never shrink, so that a block like an earlier one allocates nothing.
//  * On a device without doubles (fp64_ is false) j-particles live in host_, and a change of one
//    sends all of them.  The host predicts and searches for neighbours; the device only sums.
#pragma once

#include "../../libg6gpu/backend.h"
#include "../../libg6gpu/settings/debug.h"
#include "device_walk.h"
#include "engine.h"
#include "few.h"
#include "host_particles.h"
#include "neighbour_lists.h"
#include "../gpu/request.h"
#include "shapes.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace g6::opencl {

struct Request : gpu::Request {
    size_t shape;  // row of shapes_
    int tiles() const { return gpu::tiles_of(nj); }
};

class OpenClDevice : public Device {
public:
    // Throws ClError.
    OpenClDevice(int number, const DeviceOptions &options);
    ~OpenClDevice() override;

    const char *error() const override { return error_; }
    DeviceStatus reserve(int nj) override;
    double *stage(int n, int words) override;
    DeviceStatus start(const Block &block) override;
    DeviceStatus finish(G6Sums *sums) override;
    SumsMemory sums_memory() override;
    DeviceStatus neighbours(NeighbourView *view) override;
    DeviceStatus clear() override;
    DeviceCounters counters() const override { return queue_.counters; }

private:
    // Runs f and returns its exception as a status.  The conversion allocates no memory.
    template <class F> DeviceStatus attempt(const char *phase, F &&f) noexcept
    {
        try {
            fail_on_purpose(fault_.due(phase));
            f();
            return kDeviceOk;
        } catch (const ClError &e) {
            return failed(e);
        } catch (const std::exception &e) {
            std::snprintf(error_, sizeof error_, "opencl: %s", e.what());
            return kDeviceOutOfMemory;
        }
    }
    DeviceStatus failed(const ClError &e);
    void fail_on_purpose(FaultKind kind);
    void synchronize();
    void grow(int slots);
    void need_predicted();
    int slots_for(int nj) const;
    char *append(size_t bytes);
    const G6JRecord &staged_row(int k) const
    {
        return row_at(reinterpret_cast<const double *>(arena_.host()), row_words_,
                      static_cast<size_t>(k));
    }
    void forget_staged();
    void receive(const Request *r);
    void receive_on_host();
    void send_from_host(const Request &r);
    bool is_predicted(const Request &r) const { return predicted_for_ == r.prediction(); }
    Request plan(const Block &block) const;
    void start_walk(const Block &block);
    void predict(const Request &r, const G6FewParticles &few, int records, int ni);
    bool fits_into_arguments(const Request &r) const;
    void predict_few(const Request &r);
    void need_memory(const Request &r);
    void launch(const Request &r);
    void force(const Request &r);
    void reduce(const Request &r);
    void collect_from_host(G6Sums *sums);
    DeviceLists &lists();
    ListSearch list_search(const Request &r) const;

    Kernel &support(Kernel &kernel, const char *name);
    Kernel &forcer(const Request &r);
    static std::string layout_options(const Request &r);
    // Positions in double.  A device without doubles has none: its kernels do not read the
    // argument, for which planes_ stands in.
    const Memory &positions() const { return fp64_ ? exact_.get() : planes_.get(); }

    const int number_;
    const DeviceOptions options_;
    const bool fp64_;
    KernelMaker maker_;
    const Hardware &hardware_;
    std::vector<Shape> shapes_;
    char error_[512] = "";
    Queue queue_;
    bool busy_ = false;  // a transfer may still use pinned memory

    PinnedBuffer arena_;
    size_t arena_bytes_ = 0;
    int staged_ = 0, row_words_ = kRestWords;  // rows, at the beginning of the arena
    HostParticles host_;

    int capacity_ = 0;  // slots
    DeviceBuffer staging_, fields_, ids_, planes_, exact_, range_;
    // Time, units and layout of the predicted particles in planes_; empty when a slot has changed.
    std::optional<gpu::PredictionKey> predicted_for_;

    DeviceBuffer i_values_, i_index_, partial_sums_, partial_keys_, partial_tiles_, sums_;
    PinnedBuffer results_;
    Request request_{};     // of the last block
    bool is_empty_ = true;  // of the last block: no j-particle acts, so that no sum was queued

    std::unique_ptr<DeviceLists> lists_;  // of direct sums
    Event summed_;
    std::vector<std::int64_t> no_lists_;  // offsets, of a block on which no j-particle acts

    Kernel receive_, reduce_;
    Kernel predict_[3][2];                // arithmetic, jerk
    std::vector<Kernel> force_[3][2][2];  // arithmetic, jerk, near; shape
    std::unique_ptr<DeviceWalk> walk_;

    Fault fault_;  // the failure that G6_DEBUG=fault asks for
    // The number of j-slices that G6_DEBUG asks for; 0: the number that fills the device best.
    const int slices_wanted_ = debug_number(options_.debug, "slices", 0);
};

}  // namespace g6::opencl
