// SPDX-License-Identifier: MIT
// Bulk asynchronous copies from global to shared memory (cp.async.bulk), from compute capability
// 9.0 on.  A thread asks for many bytes with one instruction, and an Arrival, a barrier in shared
// memory (mbarrier), tells when all bytes have come.
//
// Invariants
//  * init_arrival() comes before everything else, expect_bytes() before the copies that it counts.
//  * An Arrival has phases 0, 1, 2 ...: each begins with one expect_bytes(), and ends when the last
//    byte has come.  wait_for() can tell even phases from odd ones only.  So no thread begins a
//    phase before all threads have waited for the end of the preceding phase.
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

// One thread calls; a barrier of the block must come before other threads call wait_for().  The
// fence makes the new barrier visible to the copies, too.
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

// Starts a copy from `source` in global memory to `target` in shared memory.
static __device__ __forceinline__ void copy_bulk(void *target, const void *source, unsigned bytes,
                                                 Arrival &a)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
                 "%2, [%3];" ::"r"(shared_address(target)),
                 "l"(__cvta_generic_to_global(source)), "r"(bytes), "r"(shared_address(&a))
                 : "memory");
}

// Called by the thread that starts copies, before it starts them, and after it has synchronized
// with all threads that read or wrote the memory which the copies overwrite.
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

// Whether this warp is the last of `warps` that call for this counter in shared memory, which must
// be 0 at first and is 0 after the last call.  Lane 0 of the last warp sees all that other warps
// wrote before their calls.  The whole warp calls.
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
