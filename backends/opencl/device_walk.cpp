// SPDX-License-Identifier: MIT
// One walk: sends the i-particles, and the tree if it has changed; launches the walk and the search
// for nearest neighbours; collects sums and counts.
#include "device_walk.h"

#include "../../libg6gpu/base/parallel.h"
#include "../../libg6gpu/formulas/units.h"
#include "device.h"

#include <climits>

namespace g6::opencl {

DeviceWalk::DeviceWalk(const KernelMaker &maker, Queue &queue, const DeviceOptions &options,
                       bool fp64)
    : maker_(maker), queue_(queue), options_(options), fp64_(fp64)
{
}

const Kernel &DeviceWalk::kernel(bool jerk, bool quadrupole)
{
    Kernel &k = kernel_[jerk][quadrupole];
    const auto arithmetic = plan_.full ? Arithmetic::kFull : Arithmetic::kSplit;
    if (!k)
        k = maker_.make(kWalkGroupText, "walk",
                        " -DG6_ARITHMETIC=" + std::to_string(static_cast<int>(arithmetic)) +
                            " -DG6_JERK=" + std::to_string(jerk) +
                            " -DG6_QUADRUPOLE=" + std::to_string(quadrupole));
    return k;
}

void DeviceWalk::start(const Block &block)
{
    block_ = block;
    plan_.full = options_.precision == Precision::kDouble;
    plan_.jerk = block.want & kWantJerk;
    plan_.quadrupole = block.tree->quadrupole != nullptr;
    plan_.fp64 = fp64_;
    plan_.search = wants_nearest() && fp64_;
    plan_.exact = plan_.search || (fp64_ && !plan_.full);
    plan_.together = gpu::walk_group_size(block.ni, block.tree->bodies, G6_ITEMS,
                                          8LL * maker_.engine->hardware().compute_units);
    plan_.threads = options_.threads;
    const Kernel &k = kernel(plan_.jerk, plan_.quadrupole);
    host_.set_block(block, plan_);
    send();
    launch(k);
}

// The i-particles lie right in front of the tree, so that one transfer takes both.
void DeviceWalk::send()
{
    const G6WalkLayout at = host_.layout(0);
    const std::size_t words = static_cast<std::size_t>(at.body);
    if (words > base_) {
        base_ = words + words / 2;
        holds_.valid = false;
    }
    const bool current = holds_.valid && holds_.revision == block_.tree->revision &&
                         holds_.jerk == plan_.jerk && holds_.exact == plan_.exact &&
                         holds_.search == plan_.search;
    const std::size_t tree = current ? 0 : static_cast<std::size_t>(at.end) - words;
    if (base_ + tree >= INT_MAX)
        throw ClError{
            CL_MEM_OBJECT_ALLOCATION_FAILURE,
            "opencl: a tree of " + std::to_string(block_.tree->bodies) +
                " particles is larger than kernels can number; larger leaves (G6_DEBUG=leaf=32) "
                "need less"};
    layout_ = host_.layout(base_ - words);
    arena_.need(queue_, (words + tree) * 16);
    host_.pack_i(arena_.host());
    if (!current) {
        holds_.valid = false;
        host_.pack_tree(arena_.host());
        memory_.need(queue_, (base_ + tree) * 16);
    }
    queue_.write(memory_, arena_.host(), (words + tree) * 16, (base_ - words) * 16);
    holds_ = {true, block_.tree->revision, plan_.jerk, plan_.exact, plan_.search};
}

void DeviceWalk::launch(const Kernel &k)
{
    const std::size_t ni = static_cast<std::size_t>(block_.ni),
                      bytes = 8 * nearest_at() + (plan_.search ? ni * sizeof(G6Nearest) : 0);
    sums_.need(queue_, bytes);
    results_.need(queue_, bytes);
    set_args(k.get(), block_.ni, block_.tree->cells, static_cast<cl_int>(block_.walk.mac), layout_,
             memory_.get(), sums_.get());
    queue_.run(k, static_cast<std::size_t>(host_.groups()), G6_ITEMS);
    if (plan_.search) search();
    arrived_ = queue_.read(results_.host(), sums_, bytes);
    queue_.flush();
}

void DeviceWalk::search()
{
    constexpr std::size_t kItems = 64;
    if (!nearest_) nearest_ = maker_.make(kNearestText, "nearest");
    set_args(nearest_.get(), block_.ni, block_.tree->cells, block_.tree->bodies, layout_,
             memory_.get(), sums_.get(), static_cast<cl_int>(nearest_at()));
    queue_.run(nearest_, (static_cast<std::size_t>(block_.ni) + kItems - 1) / kItems, kItems);
}

void DeviceWalk::finish(G6Sums *sums)
{
    if (wants_nearest() && !plan_.search) host_.find_nearest();  // while the device walks
    queue_.wait(arrived_);
    const char *const nearest = results_.host() + 8 * nearest_at();
    if (plan_.search) host_.take_nearest(reinterpret_cast<const G6Nearest *>(nearest));
    collect(sums);
    const auto *work = reinterpret_cast<const Counts *>(results_.host() + 8 * work_at());
    for (int g = 0; g < host_.groups(); g++) {
        queue_.counters.interactions +=
            std::uint64_t{work[g].sums} * static_cast<unsigned>(host_.group_size(g));
        queue_.counters.tests += work[g].tests;
    }
}

void DeviceWalk::collect(G6Sums *sums) const
{
    const G6Units units = units_of(block_.scale);
    const int workers = tree_threads(static_cast<std::size_t>(block_.ni), options_.threads);
    parallel_for(workers, block_.ni, [&](int n) {
        G6Sums &s = sums[host_.number(n)];
        s = sums_of(results_.host(), n, fp64_, units);
        if (wants_nearest()) host_.put_nearest(n, s);
    });
}

}  // namespace g6::opencl
