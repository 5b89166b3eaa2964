// SPDX-License-Identifier: MIT
// The variables G6_CUDA_* and G6_OPENCL_* of the environment, by which developers measure and test
// the backends on GPUs: the table of their names and values, and the only functions that read them.
//
// Invariants
//  * A variable whose value is not in the table counts as not set.  The core reports such a value,
//    and a name that is not in the table, with the problems of other settings (config.cpp).
//  * A backend reads its variables when it opens a device.
#pragma once

#include "config_text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

namespace g6 {

// Whole numbers from 1 with x between them, as in 16x4x2.
template <size_t N> bool parse_product(const std::string &text, std::array<int, N> &numbers)
{
    size_t at = 0;
    for (size_t k = 0; k < N; k++) {
        const size_t end = k + 1 < N ? text.find('x', at) : text.size();
        if (end == std::string::npos ||
            !parse_int(text.substr(at, end - at), 1, 1 << 20, numbers[k]))
            return false;
        at = end + 1;
    }
    return true;
}

inline bool is_power_of_two(int n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

// Lanes for i, lanes for j, i-particles of each; 1x1xC: one item with vectors of C.
inline bool parse_opencl_shape(const std::string &text, std::array<int, 3> &shape)
{
    if (!parse_product(text, shape)) return false;
    const bool vector = shape[0] == 1 && shape[1] == 1;
    return std::all_of(shape.begin(), shape.end(), is_power_of_two) && shape[2] <= 16 &&
           !(vector && shape[2] < 2) && shape[0] <= 1024 && shape[0] * shape[1] <= 1024;
}

// Items of a work-group, and i-particles that walk together at most.
inline bool parse_opencl_walk(const std::string &text, std::array<int, 2> &walk)
{
    return parse_product(text, walk) && is_power_of_two(walk[0]) && walk[0] >= 16 && walk[0] <= 512;
}

// A failure that a test asks for, "phase:count:kind": the count-th call of that phase fails.
struct InjectedFault {
    std::string phase, kind;
    int countdown = 0;

    // To be asked at each call of a phase.
    bool due(const char *now) { return phase == now && --countdown == 0; }
};

inline bool parse_fault(const std::string &text, std::initializer_list<const char *> phases,
                        std::initializer_list<const char *> kinds, InjectedFault &fault)
{
    const size_t first = text.find(':'), second = text.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) return false;
    InjectedFault f;
    if (!one_of(text.substr(0, first), phases, f.phase) ||
        !parse_int(text.substr(first + 1, second - first - 1), 1, 1 << 30, f.countdown) ||
        !one_of(text.substr(second + 1), kinds, f.kind))
        return false;
    fault = f;
    return true;
}

inline bool parse_cuda_fault(const std::string &text, InjectedFault &fault)
{
    return parse_fault(text, {"reserve", "stage", "start", "finish", "neighbours", "clear"},
                       {"memory", "trap"}, fault);
}

inline bool parse_opencl_fault(const std::string &text, InjectedFault &fault)
{
    return parse_fault(text, {"open", "reserve", "stage", "start", "finish", "neighbours", "clear"},
                       {"memory", "lost", "build"}, fault);
}

struct BackendVariable {
    const char *name, *values;
    bool (*fits)(const std::string &text);
};

template <int low, int high> bool is_number(const std::string &text)
{
    int n = 0;
    return parse_int(text, low, high, n);
}

inline const std::array<BackendVariable, 11> &backend_variables()
{
    using S = std::string;
    static const std::array<BackendVariable, 11> table = {{
        {"G6_CUDA_SHAPE", "0 to 7, a row of the launch table", is_number<0, 7>},
        {"G6_CUDA_SLICES", "1 to 65535", is_number<1, 65535>},
        {"G6_CUDA_FEW", "0 to 64", is_number<0, 64>},
        {"G6_CUDA_GROUP", "1 to 64", is_number<1, 64>},
        {"G6_CUDA_FAULT",
         "phase:count:kind; phases reserve, stage, start, finish, neighbours, clear; kinds memory, "
         "trap",
         [](const S &t) {
             InjectedFault f;
             return parse_cuda_fault(t, f);
         }},
        {"G6_OPENCL_SHAPE",
         "AxBxC, powers of two; A x B up to 1024, C up to 16; 1x1xC with C from 2",
         [](const S &t) {
             std::array<int, 3> shape{};
             return parse_opencl_shape(t, shape);
         }},
        {"G6_OPENCL_SLICES", "1 to 65535", is_number<1, 65535>},
        {"G6_OPENCL_WALK", "AxB, A a power of two from 16 to 512",
         [](const S &t) {
             std::array<int, 2> walk{};
             return parse_opencl_walk(t, walk);
         }},
        {"G6_OPENCL_FP64", "0, 1", is_number<0, 1>},
        {"G6_OPENCL_OPTIONS", "options of the driver's compiler", [](const S &) { return true; }},
        {"G6_OPENCL_FAULT",
         "phase:count:kind; phases open, reserve, stage, start, finish, neighbours, clear; kinds "
         "memory, "
         "lost, build",
         [](const S &t) {
             InjectedFault f;
             return parse_opencl_fault(t, f);
         }},
    }};
    return table;
}

// The row of a name; null when there is none.
inline const BackendVariable *find_backend_variable(const std::string &name)
{
    for (const BackendVariable &v : backend_variables())
        if (name == v.name) return &v;
    return nullptr;
}

// The value of a variable of the table, without blanks around it; "" when it is not set or does not
// fit.
inline std::string backend_variable(const char *name)
{
    const BackendVariable *row = find_backend_variable(name);
    const char *text = std::getenv(name);
    const std::string value = text ? trim(text) : "";
    return row && row->fits(value) ? value : "";
}

// The same for a variable that is a number.
inline int backend_number(const char *name, int otherwise)
{
    const std::string value = backend_variable(name);
    return value.empty() ? otherwise : std::atoi(value.c_str());
}

}  // namespace g6
