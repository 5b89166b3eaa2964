// SPDX-License-Identifier: MIT
// Work-group shapes, of NVIDIA's GPUs and of other devices.  A group is lanes_i x lanes_j items
// with per_item i-particles each.
#pragma once

#include "../gpu/launch_plan.h"
#include "../gpu/list_plan.h"
#include "../gpu/request.h"
#include "engine.h"

#include <string>
#include <vector>

namespace g6::opencl {

using gpu::Arithmetic;

struct Shape {
    int lanes_i, lanes_j, per_item;
    int resident;    // groups that one compute unit holds at a time
    int registers;   // limit for the compiler, 0: none (NVIDIA only)
    double rate[3];  // by Arithmetic: pairs in a given time, relative to other shapes

    int items() const { return lanes_i * lanes_j; }
    int i_particles() const { return lanes_i * per_item; }
    std::string options() const;
    gpu::LaunchShape launch(Arithmetic a) const
    {
        return {lanes_i, lanes_j, per_item, resident, rate[static_cast<int>(a)]};
    }
};

// Rows that fit this device, at least one; the key opencl_shape=AxBxC of debug.h leaves only that
// one.
std::vector<Shape> shapes_for(const Hardware &hardware, const std::string &debug = "");

// How neighbour lists of direct sums are searched.
gpu::ListShape list_search_shape(const Hardware &hardware);
std::string list_options(const gpu::ListShape &shape);

}  // namespace g6::opencl
