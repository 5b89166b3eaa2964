// SPDX-License-Identifier: MIT
// Takes the sample, predicts it for the time of the block, and counts how many of its particles
// have another one close by.
#include "clumps.h"

#include "../particles/predictor.h"

#include <algorithm>
#include <cmath>

namespace g6 {
namespace {

constexpr int kSampled = 32;
constexpr double kNearShare = 0x1p-10;

struct SampledPositions {
    int size = 0;
    double x[kSampled][3];

    double median(int c) const
    {
        double sorted[kSampled] = {};
        for (int k = 0; k < size; k++) sorted[k] = x[k][c];
        std::nth_element(sorted, sorted + size / 2, sorted + size);
        return sorted[size / 2];
    }
};

SampledPositions sample_of(const JStore &store, int nj, double t, bool use_snap)
{
    SampledPositions sample;
    // The addresses are cut into parts, and one address is taken from each part.  Its place within
    // the part varies.  Otherwise all sampled particles could belong to one clump where particles
    // of several clumps alternate.
    const int size = std::min(nj, kSampled), part = nj / size;
    const auto address = [&](int k) {
        return static_cast<int>(static_cast<long long>(k) * nj / size) + k * k % part;
    };
    for (int k = 0; k < size; k++) store.prefetch_where(address(k));
    for (int k = 0; k < size; k++) store.prefetch(address(k));
    for (int k = 0; k < size; k++) {
        if (!store.written(address(k))) continue;
        double *const x = sample.x[sample.size], v[3];
        predict(store.record(address(k)), t, use_snap, x, v);
        if (std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2])) sample.size++;
    }
    return sample;
}

// hypot() squares nothing that overflows or vanishes on the way.
double distance(const double x[3], const double y[3])
{
    return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

}  // namespace

bool in_far_clumps(const JStore &store, int nj, double t, bool use_snap)
{
    const SampledPositions sample = sample_of(store, nj, t, use_snap);
    if (sample.size < 2) return false;
    const double centre[3] = {sample.median(0), sample.median(1), sample.median(2)};
    int near = 0;
    for (int k = 0; k < sample.size; k++) {
        const double *const x = sample.x[k];
        const double limit = kNearShare * distance(x, centre);
        for (int other = 0; other < sample.size; other++) {
            // Most distances are too long in x alone, and need no root.
            const double *const y = sample.x[other];
            if (other == k || !(std::fabs(y[0] - x[0]) < limit) || !(distance(x, y) < limit))
                continue;
            near++;
            break;
        }
    }
    return 4 * near >= sample.size;
}

}  // namespace g6
