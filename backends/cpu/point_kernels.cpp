// SPDX-License-Identifier: MIT
// Sums over short lists of point masses, for calls that take a microsecond; compiled once for each
// instruction set (G6_ISA).  points.h has the layout.
#include "roots.h"

namespace g6::cpu::G6_ISA_NAMESPACE {
namespace {

#define G6_FN G6_INLINE
#define G6_FMA(a, b, c) fma(a, b, c)
#define G6_REAL F
#define G6_PAIR_SUMS PairSumsF
#include "../../libg6gpu/formulas/pair.h"
#undef G6_REAL
#undef G6_PAIR_SUMS

}  // namespace
}  // namespace g6::cpu::G6_ISA_NAMESPACE

#include "point_forces.h"

namespace g6::cpu::G6_ISA_NAMESPACE {
namespace {

// Over [1, 4), where the mantissa and the parity of the exponent have all their values.
double measured_root_bias()
{
    constexpr int kSteps = 1 << 14;
    double error = 0;
    for (int k = 0; k < kSteps; k += kLanes) {
        F x{};
        for (int lane = 0; lane < kLanes; lane++)
            x[lane] = std::exp2(2.0f * (static_cast<float>(k + lane) + 0.5f) / kSteps);
        const F y = estimate(x);
        for (int lane = 0; lane < kLanes; lane++)
            error += static_cast<double>(y[lane]) * std::sqrt(static_cast<double>(x[lane])) - 1;
    }
    return error / kSteps;
}

double root_bias()
{
    static const double bias = measured_root_bias();
    return bias;
}

}  // namespace
}  // namespace g6::cpu::G6_ISA_NAMESPACE

namespace g6::cpu {

const PointKernels &G6_JOIN(point_kernels, G6_ISA)()
{
    using namespace G6_ISA_NAMESPACE;
    static constexpr PointKernels table = {pack, sums, sums_of_given, near_sums, root_bias};
    return table;
}

}  // namespace g6::cpu
