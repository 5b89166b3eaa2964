// SPDX-License-Identifier: MIT
// The slow way to take the mark, by an exchange: here a thread becomes the owner, or ends the
// ownership of another thread by a barrier in all threads.
#include "busy_mark.h"

#include <chrono>
#include <thread>

#if defined(__linux__) && __has_include(<linux/membarrier.h>)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace g6 {
namespace {

#if defined(SYS_membarrier) && __has_include(<linux/membarrier.h>)
bool can_make_barriers() noexcept
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

// All running threads of the process execute a full barrier.
void make_barriers() noexcept
{
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) return;
    // The program has forbidden itself the call since (seccomp).  A processor keeps a store to
    // itself for less than a microsecond.
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
}
#else
bool can_make_barriers() noexcept
{
    return false;
}
void make_barriers() noexcept {}
#endif

}  // namespace

BusyMark::Hold BusyMark::exchange(unsigned busy, std::uintptr_t self, bool may_own) noexcept
{
    if (shared_.exchange(busy, std::memory_order_acquire) == busy) return {};
    Hold hold(shared_);
    const std::uintptr_t owner = owner_.load(std::memory_order_relaxed);
    if (owner == kNobody && may_own) {
        if (can_make_barriers()) {
            owned_.store(busy, std::memory_order_relaxed);
            owner_.store(self, std::memory_order_relaxed);
            return Hold(owned_);
        }
        owner_.store(kShared, std::memory_order_relaxed);
    } else if (owner > kShared) {
        owner_.store(kShared, std::memory_order_relaxed);
        make_barriers();
    }
    if (owned_.load(std::memory_order_acquire) == busy) return {};
    return hold;
}

}  // namespace g6
