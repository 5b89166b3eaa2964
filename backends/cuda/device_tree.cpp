// SPDX-License-Identifier: MIT
#include "device_tree.h"

#include <algorithm>
#include <cstdlib>

namespace g6::cuda {
namespace {

bool same(const Scale &a, const Scale &b)
{
    return a.length == b.length && a.mass == b.mass && a.velocity == b.velocity;
}

// Most i-particles that walk together.  Many share the work of a walk, but there must be walks for
// every warp, and sparse ones have little in common.
int group_size(int ni, int nj, int multiprocessors)
{
    if (const char *size = std::getenv("G6_CUDA_GROUP"))
        return std::max(1, std::min(64, std::atoi(size)));
    const int warps = 16 * multiprocessors;
    int size = 64;
    while (size > 1 && (ni / size < warps || 8LL * ni * 64 < static_cast<long long>(nj) * size))
        size /= 2;
    return size;
}

}  // namespace

// ---- what changes -------------------------------------------------------------------------------

void DeviceTree::note_slot(int slot, int index)
{
    const size_t s = static_cast<size_t>(slot);
    if (s >= live_.size()) {
        live_.resize(s + 1, 0);
        index_of_.resize(s + 1, 0);
    }
    if (!live_[s]) has_structure_ = false;
    if (!live_[s] || index_of_[s] != index) stale_index_ = true;
    live_[s] = 1;
    index_of_[s] = index;
}

void DeviceTree::note(const G6JRecord *records, int nrecords, const G6JPoint *points, int npoints)
{
    for (int k = 0; k < nrecords; k++) note_slot(records[k].slot, records[k].index);
    for (int k = 0; k < npoints; k++) note_slot(points[k].slot, points[k].index);
    if (nrecords + npoints > 0) has_values_ = false;
}

void DeviceTree::learn(const std::vector<int2> &ids)
{
    forget();
    for (size_t slot = 0; slot < ids.size(); slot++) {
        index_of_.push_back(ids[slot].x);
        live_.push_back(ids[slot].y != 0);
    }
    knows_ = true;
}

void DeviceTree::forget()
{
    knows_ = has_structure_ = has_values_ = false;
    stale_index_ = true;
    live_.clear();
    index_of_.clear();
}

bool DeviceTree::shape_holds(const TreeRequest &r) const
{
    return has_structure_ && built_.nj == r.nj && same(built_.scale, r.scale) &&
           built_.arithmetic == r.arithmetic && built_.walk.leaf == r.walk.leaf &&
           built_.walk.curve == r.walk.curve && !policy_.due(r.walk.rebuild, r.nj);
}

bool DeviceTree::values_hold(const TreeRequest &r) const
{
    const Walk &a = built_.walk, &b = r.walk;
    return has_values_ && built_.t == r.t && built_.motion == r.motion && a.mac == b.mac &&
           a.theta == b.theta && a.multipole == b.multipole;
}

// ---- memory -------------------------------------------------------------------------------------

void DeviceTree::reserve(int nj, const TreeRequest &r)
{
    const size_t n = static_cast<size_t>(nj);
    state_.need(1);
    report_.need(1);
    partial_.need(7 * kBoxBlocks);
    x_.need(3 * n);
    vm_.need(n);
    const bool full = r.arithmetic == Arithmetic::kFull;
    if (full) v_.need(4 * n);
    for (DeviceArray<int> *a : {&index_, &slot_, &by_index_, &sorted_index_}) a->need(n);
    key_.need(n);
    tree_.state = state_.get();
    Bodies &b = tree_.body;
    for (size_t c = 0; c < 3; c++) {
        b.x[c] = x_.get() + c * n;
        b.v[c] = full ? v_.get() + c * n : nullptr;
    }
    b.m = full ? v_.get() + 3 * n : nullptr;
    b.vm = vm_.get();
    b.index = index_.get();
    b.slot = slot_.get();
    b.key = key_.get();
    b.by_index = by_index_.get();
    b.sorted_index = sorted_index_.get();
}

// More than one cell for two bodies of an average leaf is never needed, twice the bodies at most.
void DeviceTree::reserve_cells(const TreeRequest &r)
{
    const long long most = 2LL * r.nj + 8, likely = 8LL * r.nj / r.walk.leaf + 1024;
    const size_t wanted =
        std::max(static_cast<size_t>(std::min(most, likely)), static_cast<size_t>(room_));
    cell_.need(wanted);
    moments_.need(wanted);
    velocity_.need(wanted);
    if (r.walk.multipole) quadrupole_.need(3 * wanted);
    tree_.cells = {cell_.get(), moments_.get(), velocity_.get(),
                   r.walk.multipole ? quadrupole_.get() : nullptr, static_cast<int>(wanted)};
}

SortSpace DeviceTree::sort_space(int n)
{
    const size_t bytes = sort_bytes(n);
    spare_key_.need(static_cast<size_t>(n));
    value_.need(static_cast<size_t>(n));
    space_.need(bytes);
    return {spare_key_.get(), value_.get(), space_.get(), bytes};
}

// ---- one block ----------------------------------------------------------------------------------

void DeviceTree::update(cudaStream_t s, const TreeRequest &r, const JMemory &j)
{
    const bool build = !shape_holds(r);
    if (!build && values_hold(r)) return;
    if (build) {
        reserve(r.nj, r);
        const SortSpace space = sort_space(r.nj);
        check(cudaMemsetAsync(tree_.state, 0, sizeof(TreeState), s), "tree");
        launch_tree_order(s, r, j, tree_, space, partial_.get());
        stale_index_ = true;
    }
    reserve_cells(r);
    launch_tree_bodies(s, r, j, tree_);
    if (build) {
        launch_tree_cells(s, r, tree_);
        launch_tree_cubes(s, tree_);
        policy_.built();
    } else {
        policy_.refreshed();
    }
    if (stale_index_) launch_tree_index(s, r, tree_, sort_space(r.nj));
    launch_tree_moments(s, r, tree_);
    check(cudaGetLastError(), "tree");
    stale_index_ = false;
    has_structure_ = has_values_ = true;
    built_ = r;
}

void DeviceTree::walk(cudaStream_t s, const TreeRequest &r, const JMemory &j, const IMemory &i,
                      int ni, bool near, bool guard, int multiprocessors, G6Sums *out)
{
    const size_t n = static_cast<size_t>(ni);
    order_.need(n);
    own_.need(n);
    i_key_.need(n);
    group_.need(n);
    targets_ = {i, ni, order_.get(), own_.get(), group_.get()};
    launch_targets(s, r, tree_, targets_, sort_space(ni), i_key_.get(),
                   group_size(ni, r.nj, multiprocessors));
    if (near) {
        nearest_.need(n);
        launch_nearest(s, tree_, targets_, nearest_.get());
    }
    const WalkRequest w{near, guard, multiprocessors};
    launch_walk(s, r, w, j, tree_, targets_, nearest_.get(), out);
    launch_report(s, tree_, report_.device());
    check(cudaGetLastError(), "walk");
}

TreeReport DeviceTree::finish(int ni)
{
    const TreeReport report = *report_.host();
    if (report.wanted_cells > 0) {
        room_ = tree_.cells.capacity + std::max(tree_.cells.capacity / 2, 2 * report.wanted_cells);
        has_structure_ = false;
    }
    policy_.walked(static_cast<double>(report.interactions), static_cast<double>(report.tests), ni);
    return report;
}

void DeviceTree::count_lists(cudaStream_t s, bool own, int *count) const
{
    launch_tree_count(s, tree_, targets_, own, count);
}

void DeviceTree::fill_lists(cudaStream_t s, bool own, const long long *offset, int *index,
                            int *slot) const
{
    launch_tree_fill(s, tree_, targets_, own, offset, index, slot);
}

}  // namespace g6::cuda
