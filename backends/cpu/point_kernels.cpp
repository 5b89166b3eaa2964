// SPDX-License-Identifier: MIT
// Sums over short lists of point masses, for calls that take a microsecond; compiled once for each
// instruction set (G6_ISA).  points.h has the layout.
#include "point_forces.h"

namespace g6::cpu::G6_ISA_NAMESPACE {
namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
typedef std::uint64_t UnsignedD __attribute__((vector_size(8 * kDoubleLanes)));

G6_INLINE D size(D v)
{
    return reinterpret_cast<D>(reinterpret_cast<UnsignedD>(v) & ~kSign);
}

G6_INLINE double lane_maximum(D v)
{
    double most = v[0];
    for (int lane = 1; lane < kDoubleLanes; lane++) most = v[lane] > most ? v[lane] : most;
    return most;
}

// ---- the points as given -----------------------------------------------------------------------

// The sign of each lane tells that its value is 2^1000 or more, an infinity or a NaN.  Integers
// raise no floating-point exception.
constexpr std::uint64_t kLimit = std::uint64_t{1000 + 1023} << 52;
G6_INLINE UnsignedD beyond(D v)
{
    return (reinterpret_cast<UnsignedD>(v) & ~kSign) + (kSign - kLimit);
}
G6_INLINE bool any_sign(UnsignedD v)
{
    std::uint64_t any = 0;
    for (int lane = 0; lane < kDoubleLanes; lane++) any |= v[lane];
    return (any & kSign) != 0;
}

bool usable(const double *values, long long n)
{
    UnsignedD all{};
    long long k = 0;
    for (; k + kDoubleLanes <= n; k += kDoubleLanes) all |= beyond(load_loose(values + k));
    for (; k < n; k++) all |= beyond(D{} + values[k]);
    return !any_sign(all);
}

double largest(const double *values, long long n)
{
    D most{};
    long long k = 0;
    for (; k + kDoubleLanes <= n; k += kDoubleLanes) most = max(most, size(load_loose(values + k)));
    double result = lane_maximum(most);
    for (; k < n; k++) {
        const double one = values[k] < 0 ? -values[k] : values[k];
        result = one > result ? one : result;
    }
    return result;
}

// ---- the estimate of the root ------------------------------------------------------------------

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
    static constexpr PointKernels table = {usable,        largest,   pack,     sums,
                                           sums_of_given, near_sums, root_bias};
    return table;
}

}  // namespace g6::cpu
