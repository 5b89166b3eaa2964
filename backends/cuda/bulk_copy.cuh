// SPDX-License-Identifier: MIT
// Bulk asynchronous copies from global to shared memory (cp.async.bulk), which the GPU makes by
// itself from compute capability 9.0 on: a thread asks for many bytes with one instruction, and an
// Arrival, a barrier in shared memory (mbarrier), tells when all have come.
//
// Invariants
//  * init_arrival() comes before everything else, expect_bytes() before the copies that it counts.
//  * An Arrival has phases 0, 1, 2 ...: each begins with one expect_bytes(), and ends with its last
//    byte.  A thread that waits can tell phases apart only by whether their number is even.  So no
//    thread begins a phase before all threads have waited for the end of the phase before it.
//  * Sizes and addresses of copies are multiples of 16 bytes.
#pragma once

#include <cstdint>

namespace g6::cuda {

struct Arrival {
    uint64_t state;  // in shared memory
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

static __device__ __forceinline__ unsigned shared_address(const void *p)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// One thread calls; a barrier of the block comes before the first wait_for() of the others.  The
// fence shows the new barrier to the copies, too.
static __device__ __forceinline__ void init_arrival(Arrival &a)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&a)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// One thread calls: the phase ends when so many bytes have come.
static __device__ __forceinline__ void expect_bytes(Arrival &a, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&a)),
                 "r"(bytes)
                 : "memory");
}

// The bytes from `source` in global memory to `target` in shared memory.
static __device__ __forceinline__ void copy_bulk(void *target, const void *source, unsigned bytes,
                                                 Arrival &a)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
                 "%2, [%3];" ::"r"(shared_address(target)),
                 "l"(__cvta_generic_to_global(source)), "r"(bytes), "r"(shared_address(&a))
                 : "memory");
}

// The thread that starts copies calls it before, after it has synchronized with all threads that
// read or wrote the memory which the copies overwrite.
static __device__ __forceinline__ void order_before_copies()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

static __device__ __forceinline__ void wait_for(Arrival &a, unsigned phase)
{
    unsigned ended = 0;
    while (!ended)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; "
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(ended)
                     : "r"(shared_address(&a)), "r"(phase & 1)
                     : "memory");
}

// Whether this warp is the last of `warps` that call for this counter, which is in shared memory.
// It starts at 0 and is 0 again after the last call.  What all other warps did before their calls
// is done for lane 0 then.  The whole warp calls.
static __device__ __forceinline__ bool is_last_warp(unsigned &counter, unsigned warps)
{
    __syncwarp();
    unsigned before = 0;
    if (threadIdx.x % 32 == 0)
        asm volatile("atom.acq_rel.cta.shared::cta.inc.u32 %0, [%1], %2;"
                     : "=r"(before)
                     : "r"(shared_address(&counter)), "r"(warps - 1)
                     : "memory");
    return __shfl_sync(0xffffffffu, before, 0) == warps - 1;
}

#endif

}  // namespace g6::cuda
