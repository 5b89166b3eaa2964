// SPDX-License-Identifier: MIT
// Functions of the host that launch kernels on a stream, and the data on which the kernels work;
// few.h and tree.h have those of small blocks and of trees.  A pointer is to device memory unless a
// comment says "mapped" (host memory that the device reads and writes in place).
#pragma once

#include "../gpu/launch_plan.h"
#include "../gpu/list_plan.h"
#include "../gpu/request.h"

#include <cuda_runtime_api.h>
#include <vector_types.h>

namespace g6::cuda {

struct Word {  // 16 bytes: four floats or two doubles (layout.cuh)
    float4 f;
};

using gpu::kFields;
using gpu::kMaxPlanes;
using gpu::kTile;
// Fields of a j-particle: all words of a G6JRecord except the identity.  Those from kMotionField or
// from kSnapField on may be missing; they are zero then.
constexpr int kMassField = 3, kTimeField = 4, kMotionField = 5, kSnapField = 14;

using gpu::Arithmetic;

// All j-particles as they were sent; structure of arrays, capacity slots each.  The time of a slot
// that was never written is a NaN that no arithmetic makes: each of its bytes is kEmptyByte.
struct JMemory {
    double *field[kFields];  // null: all zero
    int *index;
};
constexpr int kEmptyByte = 0xff, kEmptyTime = -1;  // the time's upper word

// j-particles at the time of the block.
struct Predicted {
    Word *plane[kMaxPlanes];  // what the inner loop reads, at equal distances
    double *x[3];             // exact positions: nearest neighbours, lists, close pairs
    int2 *range;  // of each tile: lowest and highest index; all of int when a slot is empty
};

// i-particles in device units.
struct IMemory {
    double *x;  // [6][capacity]: x, y, z, vx, vy, vz
    double *eps2, *h2;
    float *aold;  // |acc| as the client knows it, in device units
    int *index;
    int capacity;
};

// j-particles as tensor.cu reads them.
struct TensorMemory {
    double *centre;   // [3]: positions in the batches are relative to it
    double *batches;  // BatchData of tensor.cuh, one after another
};
// Tiles of a batch of tensor.cu, which reports the first tile of the batch that has the nearest
// neighbour.
constexpr int kTensorTiles = 3;
// Doubles for centre and batches of nj j-particles.  The centre gets kCentreDoubles, so that the
// batches begin at a multiple of 16 bytes.
constexpr int kCentreDoubles = 4;
size_t tensor_doubles(bool jerk, int nj);

// Sums over one slice: [component][i][slice], pot positive.  The force kernel finds only the tile
// that has the nearest neighbour; tensor.cu finds the batch, which its first tile names.  key: the
// smallest distance measure (key_of() in tile.cuh) in this tile or batch; runner: the smallest one
// in all others.
struct Partials {
    double *sum;  // 7 components
    float *key, *runner;
    int *tile;
};

struct Request : gpu::Request {
    int multiprocessors, leaders_multiprocessors;
    bool linked;                  // to the leader, which is another device
    int shape;                    // its number in the shape table
    unsigned long long revision;  // of a walk: JParticles::revision()
};

// The shape table, without `resident` and `rate`.  In the shape of tensor.cu the lanes only tell
// how many i-particles a block has.
constexpr int kMaxShapes = 7;
const gpu::LaunchShape &shape(int number);
constexpr bool is_on_tensors(const gpu::LaunchShape &s)
{
    return s.unit > 1;
}
int shapes();
// Blocks of the request's kernel that one multiprocessor holds at once; 0: this device has no such
// kernel.
int resident_blocks(const Request &request);

// Staged rows on the way to their slots, and staged i-particles: one launch receives both.
struct Arrivals {
    const double *rows;  // mapped or in device memory, as are the i-particles
    const double *i;
    int nrows, ni;
    int row_words;
    int i_words;  // of an i-particle: kIWords or kIRestWords
};
void launch_receive(cudaStream_t s, const Arrivals &a, const JMemory &j, const IMemory &i,
                    const Request &r);
// Copies the j-particles in n slots from the memory of another device to the same slots of `to`.
// slot: [n]; null: slots 0 ... n-1.
void launch_copy_slots(cudaStream_t s, const JMemory &from, const JMemory &to, const int *slot,
                       int n);
void launch_predict(cudaStream_t s, const Request &r, const JMemory &j, const Predicted &p);
// Writes the batches.  Only for the shape of tensor.cu, before launch_force().
void launch_prepare(cudaStream_t s, const Request &r, const JMemory &j, const Predicted &p,
                    const TensorMemory &to);
struct ForceArgs {
    int ni, nj, slices, tiles;
    bool guard;
    JMemory j;
    Predicted p;
    IMemory i;
    Partials partials;
};
// tensor: read for the shape of tensor.cu only.
void launch_force(cudaStream_t s, const Request &r, const ForceArgs &a, const TensorMemory &tensor);
// Adds the slices in order and writes sums in the caller's units to out (device or mapped).  flag:
// mapped word that is set to sequence when the host can read all results, or null.
void launch_reduce(cudaStream_t s, const Request &r, const ForceArgs &a, G6Sums *out,
                   unsigned *ticket, volatile unsigned *flag, unsigned sequence);

// Doubles of a result.
constexpr int kForceWords = sizeof(G6Force) / 8, kSumsWords = sizeof(G6Sums) / 8;

// The i-particles of a block, cut into ranges: range 0 has numbers 0 ... end[0]-1, and range k has
// numbers end[k-1] ... end[k]-1.  sums[k]: memory for the sums of a whole block, of which range k
// is written.
constexpr int kMostRanges = 16;
struct Destinations {
    int end[kMostRanges];
    double *sums[kMostRanges];
};
// Writes the sums of the n i-particles order[0 ... n-1] to their destinations.  words: of one sum,
// kForceWords or kSumsWords.
void launch_deliver(cudaStream_t s, const double *sums, int words, const int *order, int n,
                    const Destinations &to);

// How blocks of threads search for neighbour lists (lists.cu): the threads of a block, the slots
// that it reads together, and one or four i-particles to a thread.  2112 blocks keep the device
// busy, 16 on each multiprocessor of an H200.
constexpr int kListThreads = 128, kListBatch = 256;
constexpr gpu::ListShape kListShape = {kListThreads, kListBatch, 1, 4, 2112};

// A search for neighbour lists, as list_plan.h divides it into slices of `length` slots.  own:
// lists hold the i-particle's own index too.
struct ListSearch {
    int ni, nj, slices, length, own, most_kept;
    JMemory j;
    Predicted p;
    IMemory i;
    // The first pass writes counts and the first slots of each i-particle and slice; the second one
    // writes entries, from the offsets of these counts on.
    int *count, *kept;        // [ni][slices], [ni][slices][most_kept]
    const long long *offset;  // [ni * slices + 1]
    int *index, *slot;
};
// per_lane: ListPlan::per_lane.  fill: the second pass.
void launch_lists(cudaStream_t s, const ListSearch &search, int per_lane, bool fill);

// Exclusive sums of n counts; space: scan_bytes(n) of scratch.
size_t scan_bytes(long long n);
void launch_scan(cudaStream_t s, void *space, size_t bytes, const int *count, long long *offset,
                 long long n);

}  // namespace g6::cuda
