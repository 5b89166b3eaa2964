// SPDX-License-Identifier: MIT
// Takes in what the host has written: records of j-particles go to their slots, i-particles are
// converted to device units.  One launch does all: some thread blocks take records, some points,
// some i-particles.  A second kernel copies j-particles from the slots of another device.
#include "kernels.h"
#include "launch.cuh"
#include "particles.cuh"

namespace g6::cuda {
namespace {

constexpr int kReceive = 128;  // threads of a block

// A warp per record: 18 words in one coalesced read over the bus.
static __device__ void scatter_records(const double *words, int n, int block, const JMemory &j,
                                       bool use_snap)
{
    const int record = (block * kReceive + static_cast<int>(threadIdx.x)) / 32,
              lane = threadIdx.x % 32;
    if (record >= n) return;
    double w = 0;
    if (lane < kRecordWords) w = words[static_cast<size_t>(record) * kRecordWords + lane];
    const int slot = __shfl_sync(kAllLanes, __double2hiint(w), kFields);
    if (lane < kFields && j.field[lane]) {
        const bool snap = lane >= kSnapField && lane < kSnapField + 3;
        j.field[lane][slot] = snap && !use_snap ? 0.0 : w;
    }
    if (lane == kFields) j.index[slot] = __double2loint(w);
}

// Six points of five words to a warp; everything that a point does not carry becomes zero.
static __device__ void scatter_points(const double *words, int n, int block, const JMemory &j)
{
    const int warp = (block * kReceive + static_cast<int>(threadIdx.x)) / 32,
              lane = threadIdx.x % 32;
    const int member = lane / kPointWords, part = lane % kPointWords, point = warp * 6 + member;
    const bool active = member < 6 && point < n;
    const double w = active ? words[static_cast<size_t>(point) * kPointWords + part] : 0.0;
    const int slot =
        __shfl_sync(kAllLanes, __double2hiint(w), member < 6 ? member * kPointWords + 4 : 0);
    if (!active) return;
    if (part < 3) j.field[part][slot] = w;
    if (part == 3) j.field[kMassField][slot] = w;
    if (part == 4) j.index[slot] = __double2loint(w);
    for (int f = 3 + part; f < kFields; f += kPointWords)
        if (f != kMassField && j.field[f]) j.field[f][slot] = 0;
}

// kPoints: the words are those of points, which have no velocity and no h2.
template <bool kPoints>
static __device__ void load_i(const double *words, int n, int block, const IMemory &i,
                              const Scale &scale)
{
    constexpr int kWords = kPoints ? kIPointWords : kIWords;
    __shared__ double w[kReceive * kWords];
    const int first = block * kReceive, count = min(kReceive, n - first);
    for (int k = threadIdx.x; k < count * kWords; k += kReceive)
        w[k] = words[static_cast<size_t>(first) * kWords + k];
    __syncthreads();
    if (static_cast<int>(threadIdx.x) >= count) return;
    const double *r = w + threadIdx.x * kWords;
    const int k = first + static_cast<int>(threadIdx.x);
    for (int c = 0; c < 3; c++) {
        i.x[static_cast<size_t>(c) * i.capacity + k] = r[c] * scale.length;
        i.x[static_cast<size_t>(3 + c) * i.capacity + k] =
            ((kPoints ? 0.0 : r[3 + c]) - scale.common_velocity[c]) * scale.velocity;
    }
    const double eps2 = r[kPoints ? 3 : 6], last = r[kWords - 1];
    i.eps2[k] = eps2 * scale.length * scale.length;
    i.h2[k] = kPoints ? 0.0 : r[7] * scale.length * scale.length;
    i.aold[k] = static_cast<float>(__int_as_float(__double2hiint(last)) * scale.mass /
                                   (scale.length * scale.length));
    i.index[k] = __double2loint(last);
}

// Blocks of records, then of points, then of i-particles.
__global__ void __launch_bounds__(kReceive)
    receive_kernel(Arrivals a, int record_blocks, int point_blocks, JMemory j, bool use_snap,
                   IMemory i, Scale scale)
{
    let_next_start();
    const int block = static_cast<int>(blockIdx.x);
    if (block < record_blocks)
        scatter_records(reinterpret_cast<const double *>(a.records), a.nrecords, block, j,
                        use_snap);
    else if (block < record_blocks + point_blocks)
        scatter_points(reinterpret_cast<const double *>(a.points), a.npoints, block - record_blocks,
                       j);
    else if (a.i_words == kIPointWords)
        load_i<true>(a.i, a.ni, block - record_blocks - point_blocks, i, scale);
    else
        load_i<false>(a.i, a.ni, block - record_blocks - point_blocks, i, scale);
}

// Copies j-particles from the slots of another device, which this one reads over a link between
// them.  Floor: 17 fields and an index, 140 bytes a particle.  Particles at scattered slots are
// read in sectors of 32 bytes, 576 bytes a particle.
// slot: of each particle; null: slots 0 ... n-1.
__global__ void __launch_bounds__(kReceive)
    copy_slots_kernel(JMemory from, JMemory to, const int *slot, int n)
{
    const int k = static_cast<int>(blockIdx.x * kReceive + threadIdx.x);
    if (k >= n) return;
    const int s = slot ? slot[k] : k;
    double value[kFields];
    for (int f = 0; f < kFields; f++) value[f] = from.field[f] ? from.field[f][s] : 0.0;
    const int index = from.index[s];
    for (int f = 0; f < kFields; f++)
        if (to.field[f]) to.field[f][s] = value[f];
    to.index[s] = index;
}

}  // namespace

void launch_receive(cudaStream_t s, const Arrivals &a, const JMemory &j, bool use_snap,
                    const IMemory &i, const Request &r)
{
    const unsigned records = blocks(32LL * a.nrecords, kReceive),
                   points = blocks((a.npoints + 5) / 6 * 32LL, kReceive),
                   all = records + points + blocks(a.ni, kReceive);
    if (all == 0) return;
    receive_kernel<<<all, kReceive, 0, s>>>(a, static_cast<int>(records), static_cast<int>(points),
                                            j, use_snap, i, r.scale);
    check_launch();
}

void launch_copy_slots(cudaStream_t s, const JMemory &from, const JMemory &to, const int *slot,
                       int n)
{
    if (n == 0) return;
    copy_slots_kernel<<<blocks(n, kReceive), kReceive, 0, s>>>(from, to, slot, n);
    check_launch();
}

}  // namespace g6::cuda
