// SPDX-License-Identifier: MIT
// Decides whether a block needs a new tree, new moments or neither, reserves memory for the tree,
// launches the kernels of tree_*.cu that build, walk and search the tree, and reads their report.
#include "walk_step.h"

#include "../gpu/launch_plan.h"

#include <algorithm>

namespace g6::cuda {
namespace {

// Cells are then fewer than 2^31, and kernels may step through bodies with int.
constexpr int kMostBodies = 1 << 30;

// The time of an interaction in groups of so many i-particles, relative to groups of kMostMembers:
// small groups leave lanes without work.  The formula fits walks of M31 with 8388608 bodies on an
// H200, which make 1.0e11 to 1.3e11 interactions a second in groups of 2 and 4, 3.6e11 in groups of
// 16, and 9.6e11 in groups of 64.
double price_in_groups_of(int members)
{
    return 1 / (0.1 + 0.9 * members / kMostMembers);
}

// The number of key levels to sort by, where cells down to level `deepest` are divided.  A level
// has three bits, one more bit marks empty slots, and the sort takes eight bits in each pass.  Two
// levels more than `deepest` are needed, one of them in reserve; further levels fill up the last
// pass.
int levels_for(int deepest)
{
    const int passes = (3 * (deepest + 2) + 1 + 7) / 8;
    return std::min(kLevels, (8 * passes - 1) / 3);
}

}  // namespace

// ---- what changes -------------------------------------------------------------------------------

bool WalkStep::shape_holds() const
{
    const Request &r = request_, &was = known_.request;
    return known_.structure && was.nj == r.nj && was.live == r.live && was.scale == r.scale &&
           was.arithmetic == r.arithmetic && was.walk.leaf == r.walk.leaf &&
           !known_.policy.due(r.walk.rebuild, r.nj);
}

bool WalkStep::values_hold() const
{
    const Request &r = request_, &was = known_.request;
    return was.revision == r.revision && was.t == r.t && was.motion == r.motion &&
           was.walk.mac == r.walk.mac && was.walk.theta == r.walk.theta &&
           was.walk.multipole == r.walk.multipole && (was.jerk || !r.jerk);
}

// ---- memory -------------------------------------------------------------------------------------

// Reserves memory for a tree with cell_capacity_ cells.  Throws when it does not fit into free
// memory, before any array is released.  moving: bodies have velocities.
void WalkStep::reserve(bool moving)
{
    const Request &r = request_;
    const size_t n = static_cast<size_t>(r.nj), cells = static_cast<size_t>(cell_capacity_);
    const bool full = r.arithmetic == Arithmetic::kFull;
    const auto each = [&](auto &&f) {
        f(at_, n);
        f(v_, moving && !full ? n : 0);
        f(v_full_, moving && full ? n : 0);
        f(slot_, moving ? 0 : n);
        f(place_, n);
        f(sample_, n / kKeyStep + 1);
        f(space_, sort_bytes(r.nj));
        f(cell_, cells);
        f(box_, cells);
        f(divided_, cells / 2 + 1);
        f(arrived_, cells);
        f(velocity_, r.jerk ? cells : 0);
        f(quadrupole_, r.walk.multipole ? 3 * cells : 0);
    };
    reserve_together("a tree of " + std::to_string(r.nj) + " particles",
                     "larger leaves (G6_DEBUG=leaf=32) need less", each);
    report_.need(1);
    partial_.need(7 * kBoxBlocks);
    tree_.state = state_.get();
    tree_.body = {at_.get(), nullptr, nullptr, place_.get(), slot_.get(), 1, sample_.get()};
    if (moving && full) {
        tree_.body.v_full = v_full_.get();
        tree_.body.slot = reinterpret_cast<int *>(&v_full_.get()->w);
        tree_.body.slot_step = sizeof *v_full_.get() / sizeof(int);
    } else if (moving) {
        tree_.body.v = v_.get();
        tree_.body.slot = reinterpret_cast<int *>(&v_.get()->w);
        tree_.body.slot_step = sizeof *v_.get() / sizeof(int);
    }
    // The quadrupoles' planes lie one capacity apart, even where the arrays are larger.
    tree_.cells = {cell_.get(),
                   box_.get(),
                   r.jerk ? velocity_.get() : nullptr,
                   r.walk.multipole ? quadrupole_.get() : nullptr,
                   divided_.get(),
                   arrived_.get(),
                   cell_capacity_};
}

// The number of cells for n bodies depends on their distribution.  With leaves of 16:
//     Plummer sphere  0.23 to 0.24 n
//     uniform cube    0.13 to 0.36 n
//     clumps of 17    0.53 n
// So there is memory for n / 4 at first, and later for 1/24 more than the last structure had.
void WalkStep::find_capacity()
{
    constexpr int kMostCells = 15 << 24;  // with 1/24 more, below 2^28
    const int cells = known_.cells;
    if (cells > kMostCells)
        throw CudaError{
            cudaErrorMemoryAllocation,
            "cuda: " + std::to_string(cells) +
                " cells of a tree are too many; larger leaves (G6_DEBUG=leaf=32) need fewer"};
    const int wanted = cells > 0 ? cells + cells / 24 : std::min(request_.nj / 4, kMostCells);
    cell_capacity_ = std::max(cell_capacity_, wanted + 1024);
}

// ---- one block ----------------------------------------------------------------------------------

void WalkStep::start(const Request &r)
{
    request_ = r;
    request_.revision = parts_.j.revision();
    parts_.results.begin(r.ni, false, !r.jerk && !r.near);
    walk();
    if (has_all()) parts_.results.send();
}

void WalkStep::update()
{
    const Request &r = request_;
    Stream &s = parts_.stream;
    if (r.nj > kMostBodies)
        throw CudaError{cudaErrorMemoryAllocation, "cuda: a tree of " + std::to_string(r.nj) +
                                                       " slots is too large; one may have " +
                                                       std::to_string(kMostBodies)};
    tree_.j = parts_.j.memory();
    bool builds = !shape_holds();
    if (!builds && values_hold()) return;
    builds = builds || known_.policy.due_for(r.walk.rebuild, r.nj, r.whole_ni);
    // The last build may have stored the slots in the velocities (Bodies::slot).  A refresh leaves
    // the slots where they are, so that it keeps the velocities even when the block wants no jerk.
    const bool moving = r.jerk || (!builds && tree_.body.slot_step > 1);
    if (!state_.get()) need_zeros(state_, 1, s);
    if (builds) find_capacity();
    reserve(moving);
    if (builds) {
        TreeOrder order = tree_order(at_.get(), r.nj);
        tree_.levels = known_.levels;
        launch_tree_order(s, r, tree_, order, space_, partial_.get());
        launch_tree_cells(s, r, tree_, order);
        known_.policy.built();
    } else {
        known_.policy.refreshed();
    }
    launch_tree_bodies(s, r, tree_);
    launch_tree_moments(s, r, tree_, builds);
    known_.structure = true;
    known_.request = r;
}

void WalkStep::walk()
{
    update();
    const Request &r = request_;
    Stream &s = parts_.stream;
    const int ni = r.ni;
    const size_t n = static_cast<size_t>(ni);
    order_.need(n);
    spare_order_.need(n);
    alike_.need(n);
    own_.need(n);
    need_zeros(table_, 2 * n, s);
    i_key_.need(n);
    spare_i_key_.need(n);
    group_.need(n);
    space_.need(sort_bytes(ni));
    const long long warps = 16LL * r.leaders_multiprocessors;  // each has a walk
    members_ =
        group_wanted_ > 0 ? group_wanted_ : gpu::walk_group_size(ni, r.nj, kMostMembers, warps);
    const long long chunks = (ni - 1) / members_ + 1;
    const auto begin = [&](int k) {
        return static_cast<int>(std::min<long long>(ni, chunks * k / r.parts * members_));
    };
    const int first = begin(std::min(r.part, r.parts)), last = begin(std::min(r.part + 1, r.parts));
    targets_ = {parts_.i.memory(), ni,           first,      last,
                order_.get(),      alike_.get(), own_.get(), group_.get()};
    const IndexTable table{table_.get(), 2u * static_cast<unsigned>(ni)};
    launch_targets(s, r, tree_, targets_,
                   {i_key_.get(), spare_i_key_.get(), spare_order_.get(), table}, space_, members_);
    if (r.near) {
        nearest_.need(n);
        launch_nearest(s, tree_, targets_, nearest_.get());
    }
    launch_walk(s, r, tree_, targets_, r.near ? nearest_.get() : nullptr, parts_.results.out());
    launch_report(s, tree_, report_.device());
}

void WalkStep::note_work(double interactions, double tests, int ni)
{
    const double price = price_in_groups_of(members_);
    known_.policy.walked(price * interactions, price * tests, ni);
}

// Returns whether the structure was whole.  If it was not, the next update() sorts keys by all
// levels and reserves memory for as many cells as this structure has.  This may still be too few if
// keys were sorted by too few levels.
bool WalkStep::take_report()
{
    const TreeReport &report = *report_.host();
    parts_.counters.interactions += report.interactions;
    parts_.counters.tests += report.tests;
    known_.cells = report.cells;
    const bool is_whole = report.cells <= cell_capacity_ && !report.crowded;
    known_.levels = is_whole ? levels_for(report.deepest) : kLevels;
    if (!is_whole) known_.structure = false;
    return is_whole;
}

// A walk may have to be repeated, at most twice.  All devices that share it then repeat it, but not
// at the same time.  So each of them delivers the sums of a repeated walk straight to the host.
void WalkStep::finish()
{
    parts_.results.wait();
    for (int repeats = 0; !take_report(); repeats++) {
        if (repeats == 2) throw CudaError{cudaErrorUnknown, "cuda: a tree lacks cells again"};
        parts_.results.synchronize_home();
        walk();
        if (has_all())
            parts_.results.send();
        else
            parts_.results.deliver_to_host(targets_.order + targets_.first,
                                           targets_.last - targets_.first);
        parts_.results.wait();
    }
}

// The entries of each list are in the order of the tree's bodies.
void WalkStep::list_neighbours()
{
    parts_.lists.make(request_.ni, [&](int *count, const long long *offset, int *index, int *slot) {
        launch_tree_lists(parts_.stream, tree_, targets_, request_.own_in_lists,
                          {count, offset, index, slot});
    });
}

}  // namespace g6::cuda
