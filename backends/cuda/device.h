// SPDX-License-Identifier: MIT
// One CUDA device behind the contract of backend.h.
//
// Invariants
//  * One stream, in order: receive dirty records and i -> predict -> force -> reduce -> results.
//    Records, i-block and small results lie in pinned host memory that the kernels read and write
//    in place: a block step of few particles has no driver copy at all and waits by watching a word
//    of that memory.
//  * Pinned staging memory is rewritten only when no kernel may still read it (settle()).
//  * Every buffer lives as long as the device object: a step allocates nothing once sizes have been
//    seen.
//  * Every entry leaves the calling thread the CUDA context that it had (context.h).
#pragma once

#include "context.h"
#include "device_tree.h"
#include "kernels.h"
#include "memory.h"

#include "../../libg6gpu/settings/debug.h"

#include <cstdio>
#include <string>
#include <vector>

namespace g6::cuda {

class CudaDevice : public Device {
public:
    // Throws CudaError.
    CudaDevice(int number, const DeviceOptions &options);
    ~CudaDevice() override;
    // Whether this build has code for the device.  Throws CudaError.
    bool usable(const char **why);

    const char *error() const override { return error_; }
    DeviceStatus reserve(int nj) override;
    G6JRecord *stage(int n) override;
    G6JPoint *stage_points(int n) override;
    DeviceStatus start(const Block &block) override;
    DeviceStatus finish(G6Sums *sums) override;
    DeviceStatus neighbours(NeighbourView *view) override;
    DeviceStatus clear() override;
    DeviceCounters counters() const override { return counters_; }

private:
    template <class F> DeviceStatus attempt(const char *phase, F &&f);
    void settle();
    void receive(const Request *r);
    void grow(int nj);
    void hold_motion(Motion motion);
    void hold_motion_of_staged();
    void send_early(int staged, int n);
    void reserve_predicted();
    JMemory j_memory() const;
    bool take_i(const Block &block);
    Request plan(const Block &block);
    void choose_launch(Request &r) const;
    int resident(const Request &r) const;
    int room(const Request &r) const;
    int best_shape(Request r) const;
    void predict(const Request &r);
    void launch(const Request &r, const Block &block);
    void launch_few(const Request &r);
    void launch_many(const Request &r);
    void launch_walk(const Request &r, const Block &block);
    void walk_tree(const Request &r);
    void finish_walk(const Request &r);
    void send_results(const Request &r);
    void receive_i(const Request &r);
    void prepare(const Request &r);
    void sort_lists(int ni);
    void wait();
    bool sort_hits(const Request &r);
    void list_neighbours(const Request &r);
    void fail_on_purpose(FaultKind kind);
    int threads_to_copy(int n) const
    {
        return host_threads(n, options_.threads, options_.pool_threads);
    }

    Context context_;  // the first member: left after all others have released what they own
    const DeviceOptions options_;
    cudaDeviceProp properties_;
    char error_[512] = "";
    DeviceCounters counters_;
    Stream stream_;
    bool busy_ = false;  // kernels may still read the staging memory

    MappedArray<G6JRecord> records_;
    MappedArray<G6JPoint> points_;
    int nrecords_ = 0, npoints_ = 0;

    int capacity_ = 0;               // slots
    DeviceArray<double> rest_;       // x, mass, t
    DeviceArray<double> motion_;     // v, a2, j6: when some particle was sent with one
    DeviceArray<double> snap_;       // k18, likewise
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

    MappedArray<G6IRecord> i_records_;
    DeviceArray<double> i_values_;
    DeviceArray<int> i_index_;
    DeviceArray<float> i_aold_;
    IMemory i_{};

    DeviceArray<double> partial_sums_;
    DeviceArray<float> partial_keys_;
    DeviceArray<int> partial_tiles_;
    DeviceArray<G6Sums> device_sums_;
    MappedArray<G6Sums> sums_;
    MappedArray<unsigned> flag_;  // and the number of hits
    DeviceArray<Hit> hits_;
    MappedArray<Hit> host_hits_;
    DeviceArray<unsigned> ticket_;  // and the number of hits
    unsigned sequence_ = 0;
    Request request_{};
    mutable int resident_[3][2][2][kMaxShapes] = {};
    bool own_in_lists_ = false;
    bool lists_ = false;   // hits come with the sums of few i-particles
    bool direct_ = false;  // results come by the flag
    int few_limit_ = 0;    // up to so many i-particles are served in one launch
    bool few_ = false;     // the last block was: i_ and predicted_ know nothing of it

    DeviceTree tree_{options_.debug};
    bool walked_ = false;    // the last block was a walk,
    bool searches_ = false;  // that looked for nearest neighbours too
    TreeRequest tree_request_{};

    DeviceArray<int> list_count_;
    DeviceArray<long long> list_offset_;
    DeviceArray<char> scan_space_;
    DeviceArray<int> list_index_, list_slot_;
    MappedArray<int> host_index_, host_slot_;
    std::vector<std::int64_t> host_offset_;

    Fault fault_;  // that a test asks for
    // What a developer wants in place of the launch table's choice; -1 and 0: nothing.
    const int shape_wanted_ = debug_number(options_.debug, "cuda_shape", -1);
    const int slices_wanted_ = debug_number(options_.debug, "slices", 0);
};

// Runs f on this device and makes a status of what went wrong.
// What went wrong is said without memory.
template <class F> DeviceStatus CudaDevice::attempt(const char *phase, F &&f)
{
    try {
        const Inside inside(context_);
        fail_on_purpose(fault_.due(phase));
        f();
        return kDeviceOk;
    } catch (const CudaError &e) {
        std::snprintf(error_, sizeof error_, "%s (%s)", e.text.c_str(), properties_.name);
        cudaGetLastError();  // an error that is not sticky is gone with this
        return e.code == cudaErrorMemoryAllocation ? kDeviceOutOfMemory : kDeviceLost;
    } catch (const std::exception &e) {
        std::snprintf(error_, sizeof error_, "cuda: %s", e.what());
        return kDeviceOutOfMemory;
    }
}

}  // namespace g6::cuda
