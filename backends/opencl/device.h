// SPDX-License-Identifier: MIT
// One OpenCL device behind the contract of backend.h.
//
// Invariants
//  * One queue, in order: one transfer up (rows and i, packed in pinned memory) ->
//    receive -> predict -> force -> reduce -> one transfer down.  The particles of a tiny block are
//    arguments of the kernel that predicts (few.h), without transfer and receive.
//  * Pinned memory is rewritten only when no transfer may still use it (synchronize()).
//  * Every buffer lives as long as the device object.  So a block allocates nothing when an earlier
//    block was as large.
//  * Without doubles (fp64_ false) j-particles live in host_, and a change sends all of them.  The
//    device then does nothing but sums; the host predicts, and searches for neighbours.
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
    // Runs f and makes a status of what went wrong, which takes no memory.
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
    // Positions in double, where the device has any.
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
    // What the planes were predicted for; empty when they do not agree with the slots.
    std::optional<gpu::PredictionKey> predicted_for_;

    DeviceBuffer i_values_, i_index_, partial_sums_, partial_keys_, partial_tiles_, sums_;
    PinnedBuffer results_;
    Request request_{};     // of the last block
    bool is_empty_ = true;  // no j-particle acts on it, and start() has queued nothing

    std::unique_ptr<DeviceLists> lists_;  // of direct sums
    Event summed_;
    std::vector<std::int64_t> no_lists_;  // offsets, of a block on which no j-particle acts

    Kernel receive_, reduce_;
    Kernel predict_[3][2];                // arithmetic, jerk
    std::vector<Kernel> force_[3][2][2];  // arithmetic, jerk, near; shape
    std::unique_ptr<DeviceWalk> walk_;

    Fault fault_;  // that a test asks for
    // The number of j-slices that G6_DEBUG asks for; 0: the number that fills the device best.
    const int slices_wanted_ = debug_number(options_.debug, "slices", 0);
};

}  // namespace g6::opencl
