// SPDX-License-Identifier: MIT
// Builds the structure of the tree: finds bodies and root cube, sorts bodies by key, makes cells.
//
// The cells are those of an octree, without cells that have only one child: a cell is the smallest
// cube of the octree around its bodies.  A cell with more than Walk::leaf bodies is divided, unless
// all its bodies have one key, as coincident bodies do.  So the tree has 22 levels at most.
#include "host_tree.h"

#include "../base/parallel.h"

#include <algorithm>

namespace g6 {
namespace {

struct Node {
    int first, count, next;
    unsigned char level, depth;
};

// A part of the tree that one thread makes: a node and all nodes below it; or the node alone, when
// the parts below it are jobs of their own, which follow in the list of jobs.
struct Job {
    int first, last, depth;  // bodies first ... last-1, and the depth of the top node
    int end = -1;            // -1: all nodes below, too; else the first job that is not below
    std::vector<Node> nodes;
};

class CellBuilder {
public:
    CellBuilder(const std::uint64_t *key, int leaf) : key_(key), leaf_(leaf) {}

    // Appends the nodes of bodies first ... last-1, depth first.  Links are places in out.
    void nodes(int first, int last, int depth, std::vector<Node> &out) const
    {
        const std::size_t me = out.size();
        out.push_back(node(first, last, depth));
        if (divisible(first, last))
            each_child(first, last, [&](int a, int b) { nodes(a, b, depth + 1, out); });
        out[me].next = static_cast<int>(out.size());
    }

    // Divides the same work into jobs of at most `grain` bodies, for several threads.
    void jobs(int first, int last, int depth, int grain, std::vector<Job> &out) const
    {
        const std::size_t me = out.size();
        out.push_back({first, last, depth, -1, {}});
        if (last - first <= grain || !divisible(first, last)) return;
        each_child(first, last, [&](int a, int b) { jobs(a, b, depth + 1, grain, out); });
        out[me].end = static_cast<int>(out.size());
        out[me].nodes.push_back(node(first, last, depth));
    }

private:
    int level(int first, int last) const { return common_level(key_[first], key_[last - 1]); }
    bool divisible(int first, int last) const
    {
        return last - first > leaf_ && level(first, last) < kKeyLevels;
    }
    Node node(int first, int last, int depth) const
    {
        return {first, last - first, 0, static_cast<unsigned char>(level(first, last)),
                static_cast<unsigned char>(depth)};
    }
    template <class F> void each_child(int first, int last, F &&f) const
    {
        const int l = level(first, last);
        while (first < last) {
            const unsigned digit = key_digit(key_[first], l);
            const std::uint64_t *end =
                std::partition_point(key_ + first, key_ + last,
                                     [&](std::uint64_t k) { return key_digit(k, l) == digit; });
            f(first, static_cast<int>(end - key_));
            first = static_cast<int>(end - key_);
        }
    }

    const std::uint64_t *key_;
    const int leaf_;
};

}  // namespace

// Collects the slots and predicted positions of the live bodies, in the order of the slots.
void HostTree::collect(const JStore &store)
{
    int *const live = slot_.renew(static_cast<std::size_t>(request_.nj));
    bodies_ = 0;
    for (int a = 0; a < request_.nj; a++)
        if (store.written(a)) live[bodies_++] = a;
    const std::size_t n = static_cast<std::size_t>(bodies_);
    index_.renew(n);
    for (int c = 0; c < 3; c++) {
        x_[c].renew(n);
        v_[c].renew(n);
    }
    mass_.renew(n);
    predict(store);
}

// The root cube of libg6gpu/formulas/cube.h.  Bodies must be in the order of their slots.
Cube HostTree::root_cube() const
{
    Cube cube;
    if (bodies_ == 0) return cube;
    std::vector<std::size_t> sample;
    const int ranges = g6_cube_ranges(request_.nj);
    for (int k = 0; k < ranges; k++) {
        const int first = g6_cube_range(k, request_.nj), next = g6_cube_range(k + 1, request_.nj);
        const int *const live = slot_.data(), *const found =
                                                  std::lower_bound(live, live + bodies_, first);
        if (found != live + bodies_ && *found < std::min(next, first + G6_CUBE_LOOK))
            sample.push_back(static_cast<std::size_t>(found - live));
    }
    double low[3], high[3], middle[3] = {0, 0, 0}, core = 0;
    std::vector<double> x(sample.size());
    for (int c = 0; c < 3; c++) {
        const auto ends = std::minmax_element(x_[c].data(), x_[c].data() + bodies_);
        low[c] = *ends.first;
        high[c] = *ends.second;
        if (x.empty()) continue;
        for (std::size_t k = 0; k < x.size(); k++) x[k] = x_[c][sample[k]];
        std::sort(x.begin(), x.end());
        middle[c] = x[G6_CUBE_MIDDLE(x.size())];
        core = std::max(core, x[G6_CUBE_HIGH(x.size())] - x[G6_CUBE_LOW(x.size())]);
    }
    g6_root_cube(low, high, middle, core, cube.corner, &cube.size);
    return cube;
}

void HostTree::sort_bodies()
{
    cube_ = root_cube();
    const std::size_t n = static_cast<std::size_t>(bodies_);
    KeyValue *pairs = pairs_.renew(n);
    spare_.renew(n);
    const int workers = threads(n);
    parallel_for(workers, n, [&](std::size_t k) {
        pairs[k] = {key_of(cube_, x_[0][k], x_[1][k], x_[2][k]), slot_[k]};
    });
    radix_sort(pairs, spare_.data(), n, 3 * kKeyLevels, workers);
    key_.renew(n);
    parallel_for(workers, n, [&](std::size_t k) {
        key_[k] = pairs[k].key;
        slot_[k] = static_cast<int>(pairs[k].value);
    });
}

void HostTree::make_cells()
{
    const CellBuilder builder(key_.data(), request_.walk.leaf);
    constexpr int kPerThread = 16, kGrain = 256;
    const int workers = threads(static_cast<std::size_t>(bodies_)),
              grain = workers > 1 ? std::max(kGrain, bodies_ / (kPerThread * workers)) : bodies_;
    std::vector<Job> jobs;
    if (bodies_ > 0) builder.jobs(0, bodies_, 0, grain, jobs);
    parallel_shares(workers, static_cast<int>(jobs.size()), [&](int k, int) {
        Job &job = jobs[static_cast<std::size_t>(k)];
        if (job.end < 0) builder.nodes(job.first, job.last, job.depth, job.nodes);
    });

    std::vector<int> start(jobs.size() + 1, 0);
    for (std::size_t k = 0; k < jobs.size(); k++)
        start[k + 1] = start[k] + static_cast<int>(jobs[k].nodes.size());
    const std::size_t cells = static_cast<std::size_t>(start.back());
    cells_ = start.back();
    cell_.renew(cells);
    box_.renew(cells);
    extra_.renew(cells);
    velocity_.renew(cells);
    std::vector<unsigned char> depth(cells);
    parallel_for(workers, jobs.size(), [&](std::size_t j) {
        for (std::size_t k = 0; k < jobs[j].nodes.size(); k++) {
            const Node &node = jobs[j].nodes[k];
            const std::size_t at = static_cast<std::size_t>(start[j]) + k;
            const int next = jobs[j].end < 0 ? start[j] + node.next
                                             : start[static_cast<std::size_t>(jobs[j].end)];
            cell_[at] = G6Cell{};
            cell_[at].next = next;
            cell_[at].first = node.first;
            cell_[at].count = node.count;
            cell_[at].level = node.level;
            depth[at] = node.depth;
        }
    });
    sort_by_depth(depth);
}

// Lists the cells by depth: the moments of all cells of one depth can be made at the same time.
void HostTree::sort_by_depth(const std::vector<unsigned char> &depth)
{
    depth_start_.assign(kKeyLevels + 3, 0);
    for (unsigned char d : depth) depth_start_[d + 1u]++;
    for (std::size_t d = 1; d < depth_start_.size(); d++) depth_start_[d] += depth_start_[d - 1];
    std::vector<int> at(depth_start_.begin(), depth_start_.end() - 1);
    by_depth_.renew(depth.size());
    for (std::size_t k = 0; k < depth.size(); k++)
        by_depth_[static_cast<std::size_t>(at[depth[k]]++)] = static_cast<int>(k);
}

void HostTree::sort_by_index()
{
    const std::size_t n = static_cast<std::size_t>(bodies_);
    KeyValue *pairs = pairs_.renew(n);
    spare_.renew(n);
    for (std::size_t k = 0; k < n; k++)
        pairs[k] = {static_cast<std::uint32_t>(index_[k]) ^ 0x80000000u,
                    static_cast<std::int64_t>(k)};
    radix_sort(pairs, spare_.data(), n, 32, threads(n));
    by_index_.renew(n);
    for (std::size_t k = 0; k < n; k++) by_index_[k] = static_cast<int>(pairs[k].value);
}

}  // namespace g6
