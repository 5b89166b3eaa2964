// SPDX-License-Identifier: MIT
// Work-group shapes, of NVIDIA's GPUs and of other devices.  A lane is an item.
#pragma once

#include "../gpu/launch_plan.h"
#include "../gpu/list_plan.h"
#include "../gpu/request.h"
#include "engine.h"

#include <string>
#include <vector>

namespace g6::opencl {

using gpu::Arithmetic;

struct Shape : gpu::LaunchShape {
    int registers;    // limit for the compiler, 0: none (NVIDIA only)
    double rates[3];  // LaunchShape::rate, by Arithmetic

    std::string options() const;
    gpu::LaunchShape launch(Arithmetic a) const
    {
        gpu::LaunchShape shape = *this;
        shape.rate = rates[static_cast<int>(a)];
        return shape;
    }
};

// The shapes that fit this device, at least one.  G6_DEBUG=opencl_shape=AxBxC leaves this shape
// alone, where it fits.
std::vector<Shape> shapes_for(const Hardware &hardware, const std::string &debug = "");

// How neighbour lists of direct sums are searched.
gpu::ListShape list_search_shape(const Hardware &hardware);
std::string list_options(const gpu::ListShape &shape);

}  // namespace g6::opencl
