// SPDX-License-Identifier: MIT
// The slices of the two passes that make neighbour lists.  A lane of a group searches one slice of
// the j-particles for some i-particles.  The first pass counts the entries of their lists, and the
// second pass writes these entries behind those of earlier i-particles and slices.  A group is a
// block of CUDA or a work-group of OpenCL.
#pragma once

#include <algorithm>

namespace g6::gpu {

// How a device searches.
struct ListShape {
    int lanes;       // of a group
    int batch;       // slots that a group reads together
    int few, many;   // i-particles of a lane: in blocks of fewer than kManyInLists, and in others
    long long busy;  // groups that keep the device busy
};

constexpr int kManyInLists = 4096;

struct ListPlan {
    int slices;
    int length;    // slots of a slice: a multiple of ListShape::batch
    int per_lane;  // i-particles of each lane
    int groups;    // groups for all i-particles
    int kept;      // entries of an i-particle and slice that the first pass keeps
};

// Enough slices that the device is busy.  ni, nj > 0.
//     slices              at most 65535, the groups along the second axis of a grid
//     ni * slices         at most 2^22, or ni, because each has a count in memory
//     ni * slices * kept  at most 2^24, or 4 ni * slices
// An i-particle keeps some 64 entries in all, so that the second pass copies lists of usual length.
inline ListPlan list_plan(int ni, int nj, const ListShape &shape)
{
    constexpr long long kCounts = 1 << 22, kAxis = 65535, kKept = 1 << 24, kLeast = 4, kList = 64;
    const int per_lane = ni >= kManyInLists ? shape.many : shape.few;
    const long long batch = shape.batch, groups = (ni - 1) / (1LL * shape.lanes * per_lane) + 1;
    const long long most = std::max(1LL, std::min(kAxis, kCounts / ni));
    const long long wanted = std::min({most, (shape.busy - 1) / groups + 1, (nj - 1) / batch + 1});
    const long long each = (nj - 1) / wanted + 1;
    const long long length =
        std::min((each + batch - 1) / batch * batch, 0x7fffffff / batch * batch);
    const long long slices = (nj - 1) / length + 1;
    const long long kept =
        std::max(kLeast, std::min((kList - 1) / slices + 1, kKept / (ni * slices)));
    return {static_cast<int>(slices), static_cast<int>(length), per_lane, static_cast<int>(groups),
            static_cast<int>(kept)};
}

}  // namespace g6::gpu
