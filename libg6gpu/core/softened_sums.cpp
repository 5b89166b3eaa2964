// SPDX-License-Identifier: MIT
// Scales lengths and masses by powers of two so that no intermediate value overflows, and sums over
// all points for eight targets at once, each in a lane of its own.
#include "softened_sums.h"

#include "../base/parallel.h"

#include <algorithm>
#include <cmath>

namespace g6 {
namespace {

// Each lane sums for one target, and a point acts on kTargetsAtOnce targets: no sum goes across
// lanes.  Vectors have the 16 bytes of SSE2, which every x86-64 has; the compiler has its own way
// on other processors.
typedef double Lanes __attribute__((vector_size(16)));
constexpr int kLanes = 2, kVectors = 4, kTargetsAtOnce = kLanes * kVectors;

struct TargetLanes {
    Lanes x[3], eps2;
    Lanes acc[3], pot;
};

// Lengths are multiplied by 2^-length and masses by 2^-mass.
struct UnitExponents {
    int length, mass;
};

// The binary exponent of a value, but at least -1000, so that 2^-exponent is a double; 0 for 0.
int exponent_of(double size)
{
    return size > 0 ? std::max(std::ilogb(size), -1000) : 0;
}

UnitExponents exponents_of(const SoftenedPoints &points, const PointTargets &targets)
{
    double extent = 0, eps2 = 0, mass = 0;
    const auto note = [&](const double x[3]) {
        for (int d = 0; d < 3; d++) extent = std::max(extent, std::fabs(x[d] - points.x[0][d]));
    };
    for (int k = 0; k < points.n; k++) {
        note(points.x[k]);
        eps2 = std::max(eps2, points.eps2[k]);
        mass = std::max(mass, std::fabs(points.mass[k]));
    }
    for (int k = 0; k < targets.n; k++) {
        note(targets.x[k]);
        eps2 = std::max(eps2, targets.eps2[targets.eps2_stride ? k : 0]);
    }
    return {exponent_of(std::max(extent, std::sqrt(eps2))), exponent_of(mass)};
}

// A square root and a division for each pair bound the speed: 8 to 10 cycles for two pairs with
// SSE2.
void add(TargetLanes &t, const double x[3], double mass, double eps2, double length)
{
    const Lanes dx = (x[0] - t.x[0]) * length, dy = (x[1] - t.x[1]) * length,
                dz = (x[2] - t.x[2]) * length;
    const Lanes s2 = dx * dx + dy * dy + dz * dz + (t.eps2 + eps2), one = Lanes{} + 1.0;
    const Lanes positive = s2 > 0 ? s2 : one;
    const Lanes root = {std::sqrt(positive[0]), std::sqrt(positive[1])};
    const Lanes inverse = (s2 > 0 ? one : Lanes{}) / root;
    // In this order, because for near pairs 1 / s^3 may overflow where m r / s^3 does not.
    const Lanes pot = mass * inverse;
    t.acc[0] += pot * (dx * inverse * inverse);
    t.acc[1] += pot * (dy * inverse * inverse);
    t.acc[2] += pot * (dz * inverse * inverse);
    t.pot += pot;
}

}  // namespace

void sum_softened(const SoftenedPoints &points, const PointTargets &targets, int threads,
                  double (*acc)[3], double *pot)
{
    const UnitExponents e = exponents_of(points, targets);
    const double length = std::ldexp(1.0, -e.length), mass = std::ldexp(1.0, -e.mass);
    const auto square = [&](double eps2) { return eps2 * length * length; };
    const auto run = [&](int from, int to) {
        for (int part = from; part < to; part++) {
            const int first = part * kTargetsAtOnce,
                      count = std::min(kTargetsAtOnce, targets.n - first);
            TargetLanes lanes[kVectors]{};
            for (int k = 0; k < kTargetsAtOnce; k++) {  // lanes behind the last target repeat it
                const int i = first + std::min(k, count - 1), lane = k % kLanes;
                TargetLanes &t = lanes[k / kLanes];
                for (int d = 0; d < 3; d++) t.x[d][lane] = targets.x[i][d];
                t.eps2[lane] = square(targets.eps2[targets.eps2_stride ? i : 0]);
            }
            for (int j = 0; j < points.n; j++)
                for (TargetLanes &t : lanes)
                    add(t, points.x[j], points.mass[j] * mass, square(points.eps2[j]), length);
            for (int k = 0; k < count; k++) {
                const TargetLanes &t = lanes[k / kLanes];
                const int lane = k % kLanes;
                for (int d = 0; d < 3; d++)
                    acc[first + k][d] = std::ldexp(t.acc[d][lane], e.mass - 2 * e.length);
                pot[first + k] = std::ldexp(t.pot[lane], e.mass - e.length);
            }
        }
    };
    const int parts = (targets.n + kTargetsAtOnce - 1) / kTargetsAtOnce;
    if (threads > 1)
        parallel_ranges(threads, parts, run);
    else
        run(0, parts);
}

}  // namespace g6
