// SPDX-License-Identifier: MIT
// Tables of work-group shapes for direct sums, the choice of those that fit a device's group size
// and local memory, and the shape for neighbour lists.
#include "shapes.h"

#include "../../libg6gpu/settings/debug.h"

#include <algorithm>
#include <iterator>

namespace g6::opencl {
namespace {

// NVIDIA: the shapes of the CUDA backend, with the rates that it has on an H200.  A multiprocessor
// has 65536 registers, so that the registers of an item decide how many groups are resident.  The
// last shape, groups of one warp, waits for no other warp at barriers.  This makes it the fastest
// for some hundred i-particles.
constexpr Shape kNvidia[] = {
    {{32, 4, 1, 5}, 96, {0.90, 0.90, 0.92}},   {{128, 1, 1, 5}, 96, {0.93, 0.92, 0.96}},
    {{128, 1, 2, 4}, 128, {1.00, 0.97, 1.00}}, {{128, 1, 4, 3}, 168, {0.92, 1.00, 0.96}},
    {{16, 8, 1, 5}, 96, {0.60, 0.60, 0.80}},   {{32, 1, 2, 16}, 128, {1.02, 0.95, 0.93}},
};
// Others: whole wavefronts of AMD (64 lanes, 32 on RDNA) and sub-groups of Intel (8 to 32), with
// one i-particle an item, since Intel's lanes have few registers.  The rates are estimates.  Every
// device that runs predict.cl can hold the last shape.
constexpr Shape kOther[] = {
    {{16, 8, 1, 4}, 0, {0.60, 0.60, 0.80}},
    {{64, 4, 1, 4}, 0, {0.90, 0.90, 0.95}},
    {{128, 1, 1, 4}, 0, {1.00, 1.00, 1.00}},
    {{64, 1, 1, 4}, 0, {0.95, 0.95, 0.95}},
};

// Local memory of force.cl, in bytes, at its largest: with jerk, in doubles.
size_t local_bytes(const Shape &s)
{
    const size_t tiles = static_cast<size_t>(std::max(2, s.lanes_j)),
                 words = 4 * tiles * (s.lanes_i < 32 ? 65 : 64),
                 meet = s.lanes_j > 1 ? 5 * static_cast<size_t>(s.lanes()) + 1 : 0;
    return 16 * std::max(words, meet);
}

bool fits(const Hardware &h, const Shape &s)
{
    return static_cast<size_t>(s.lanes()) <= h.max_group && local_bytes(s) <= h.local_bytes;
}

template <size_t N> std::vector<Shape> fitting(const Hardware &h, const Shape (&table)[N])
{
    std::vector<Shape> rows;
    for (const Shape &s : table)
        if (fits(h, s)) rows.push_back(s);
    if (rows.empty()) rows.push_back(std::end(kOther)[-1]);
    return rows;
}

bool chosen_shape(const std::string &debug, Shape &s)
{
    std::array<int, 3> shape{};
    if (!parse_opencl_shape(debug_value(debug, "opencl_shape"), shape)) return false;
    s = {{shape[0], shape[1], shape[2], 4}, 0, {1, 1, 1}};
    return true;
}

}  // namespace

std::string Shape::options() const
{
    return " -DG6_LANES_I=" + std::to_string(lanes_i) + " -DG6_LANES_J=" + std::to_string(lanes_j) +
           " -DG6_PER=" + std::to_string(per_lane) +
           (registers ? " -cl-nv-maxrregcount=" + std::to_string(registers) : "");
}

std::vector<Shape> shapes_for(const Hardware &h, const std::string &debug)
{
    Shape chosen{};
    if (chosen_shape(debug, chosen) && fits(h, chosen)) return {chosen};
    return h.nvidia ? fitting(h, kNvidia) : fitting(h, kOther);
}

// ---- neighbour lists --------------------------------------------------------------------------

std::string list_options(const gpu::ListShape &shape)
{
    return " -DG6_LIST_ITEMS=" + std::to_string(shape.lanes) +
           " -DG6_LIST_BATCH=" + std::to_string(shape.batch);
}

// Asks for 16 groups a compute unit: several are resident at once, and with several waves of them
// the compute units end at nearly the same time.
gpu::ListShape list_search_shape(const Hardware &h)
{
    return {128, 256, 1, 4, 16LL * std::max(1, h.compute_units)};
}

}  // namespace g6::opencl
