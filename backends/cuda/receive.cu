// SPDX-License-Identifier: MIT
// Takes in what the host has written: rows of j-particles go to their slots, i-particles are
// converted to device units.  One launch does all: some thread blocks take rows, some i-particles.
// A second kernel copies j-particles from the slots of another device.
#include "kernels.h"
#include "launch.cuh"
#include "particles.cuh"

namespace g6::cuda {
namespace {

constexpr int kReceive = 128;  // threads of a block

// A warp reads as many rows as it has lanes for, in one coalesced read, from pinned or from device
// memory.  Fields that a row lacks become zero.
static __device__ void scatter_rows(const Arrivals &a, int block, const JMemory &j)
{
    const int warp = (block * kReceive + static_cast<int>(threadIdx.x)) / 32,
              lane = threadIdx.x % 32, words = a.row_words, rows = 32 / words,
              member = lane / words, word = lane % words, row = warp * rows + member;
    const bool active = member < rows && row < a.nrows;
    const double w = active ? a.rows[static_cast<size_t>(row) * words + word] : 0.0;
    const int slot =
        __shfl_sync(kAllLanes, __double2hiint(w), active ? member * words + kIdentityWord : 0);
    if (!active) return;
    if (word == kIdentityWord) {
        j.index[slot] = __double2loint(w);
    } else if (double *const to = j.field[field_of_word(word)]) {
        to[slot] = w;
    }
    for (int f = words - 1 + word; f < kFields; f += words)
        if (j.field[f]) j.field[f][slot] = 0;
}

// Short rows have no velocity and no h2.
static __device__ void load_i(const Arrivals &a, int block, const IMemory &i, const Scale &scale)
{
    const bool is_short = a.i_words == kIRestWords;
    __shared__ double w[kReceive * kIWords];
    const int first = block * kReceive, count = min(kReceive, a.ni - first);
    for (int k = threadIdx.x; k < count * a.i_words; k += kReceive)
        w[k] = a.i[static_cast<size_t>(first) * a.i_words + k];
    __syncthreads();
    if (static_cast<int>(threadIdx.x) >= count) return;
    const double *r = w + threadIdx.x * a.i_words;
    const int k = first + static_cast<int>(threadIdx.x);
    for (int c = 0; c < 3; c++) {
        i.x[static_cast<size_t>(c) * i.capacity + k] = r[c] * scale.length;
        i.x[static_cast<size_t>(3 + c) * i.capacity + k] =
            ((is_short ? 0.0 : r[kIVWord + c]) - scale.common_velocity[c]) * scale.velocity;
    }
    const double identity = r[kIIdentityWord];
    i.eps2[k] = r[kIEps2Word] * scale.length * scale.length;
    i.h2[k] = is_short ? 0.0 : r[kIH2Word] * scale.length * scale.length;
    i.aold[k] = static_cast<float>(__int_as_float(__double2hiint(identity)) * scale.mass /
                                   (scale.length * scale.length));
    i.index[k] = __double2loint(identity);
}

// The first row_blocks blocks take rows, the others i-particles.
__global__ void __launch_bounds__(kReceive)
    receive_kernel(Arrivals a, int row_blocks, JMemory j, IMemory i, Scale scale)
{
    let_next_start();
    const int block = static_cast<int>(blockIdx.x);
    if (block < row_blocks)
        scatter_rows(a, block, j);
    else
        load_i(a, block - row_blocks, i, scale);
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

void launch_receive(cudaStream_t s, const Arrivals &a, const JMemory &j, const IMemory &i,
                    const Request &r)
{
    const int rows_of_warp = a.nrows > 0 ? 32 / a.row_words : 1;
    const unsigned rows = blocks((a.nrows + rows_of_warp - 1) / rows_of_warp * 32LL, kReceive),
                   all = rows + blocks(a.ni, kReceive);
    if (all == 0) return;
    receive_kernel<<<all, kReceive, 0, s>>>(a, static_cast<int>(rows), j, i, r.scale);
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
