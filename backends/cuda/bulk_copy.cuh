// SPDX-License-Identifier: MIT
// Copies from global to shared memory that the GPU makes by itself, from compute capability 9.0 on:
// a thread asks for many bytes with one instruction, and an Arrival tells when all have come.
//
// Invariants
//  * init() comes before everything else, expect() before the copies that it counts.
//  * An Arrival has turns 0, 1, 2 ...: each begins with one expect(), and ends with its last byte.
//    Nobody begins a turn before all threads have waited for the one before.
//  * Sizes and addresses of copies are multiples of 16 bytes.
#pragma once

#include <cstdint>

namespace g6::cuda {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

struct Arrival {
    uint64_t state;  // in shared memory
};

static __device__ __forceinline__ unsigned shared_address(const void *p)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// One thread calls; a barrier of the block comes before the first wait_for() of the others.
static __device__ __forceinline__ void init(Arrival &a)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&a)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// One thread calls: the turn ends when so many bytes have come.
static __device__ __forceinline__ void expect(Arrival &a, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&a)),
                 "r"(bytes)
                 : "memory");
}

// The bytes from `source` in global memory to `target` in shared memory.
static __device__ __forceinline__ void copy(void *target, const void *source, unsigned bytes,
                                            Arrival &a)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
                 "%2, [%3];" ::"r"(shared_address(target)),
                 "l"(__cvta_generic_to_global(source)), "r"(bytes), "r"(shared_address(&a))
                 : "memory");
}

// Between what threads read in shared memory and copies that overwrite it.
static __device__ __forceinline__ void order_before_copies()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

static __device__ __forceinline__ void wait_for(Arrival &a, unsigned turn)
{
    unsigned ended = 0;
    while (!ended)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; "
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(ended)
                     : "r"(shared_address(&a)), "r"(turn & 1)
                     : "memory");
}

// Whether this warp is the last of `warps` to call for this counter, which is in shared memory and
// begins with 0.  What the other warps did before their calls is done then.  The whole warp calls.
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
