// SPDX-License-Identifier: MIT
// Replaces malloc(), free(), mmap(), pthread_create() and dlopen() of the C library.  A backtrace
// of the stack finds the caller: the nearest one that is neither in libc nor in libstdc++.
#include "shortage.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <initializer_list>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

#define G6_SHOWN __attribute__((visibility("default")))

// glibc's own names of its functions.
extern "C" {
void *__libc_malloc(std::size_t);
void *__libc_calloc(std::size_t, std::size_t);
void *__libc_realloc(void *, std::size_t);
void *__libc_memalign(std::size_t, std::size_t);
void __libc_free(void *);
}

namespace g6test {
namespace {

std::atomic<bool> g_set{false}, g_refused{false};
std::atomic<long> g_requests{0}, g_pieces{0};
Refusal g_refusal = Refusal::kNone;
long g_k = 0;
bool g_trace = false;
// Not 0 where requests do not count: in pthread_create(), whose own requests are part of that one,
// and while refuses() looks at the stack.
thread_local int t_inside __attribute__((tls_model("initial-exec"))) = 0;
// Not 0 in dlopen(), where the loader's own requests are granted: after a refusal there the next
// dlopen() of the same object crashes (glibc 2.36).
thread_local int t_loading __attribute__((tls_model("initial-exec"))) = 0;

// ---- who asks ---------------------------------------------------------------------------------

enum class Who : std::uint8_t { kUnknown, kLibrary, kBetween, kLoader, kOther };

bool begins(const char *text, const char *with)
{
    return std::strncmp(text, with, std::strlen(with)) == 0;
}

Who who_of(const char *path)
{
    const char *slash = std::strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (begins(name, "libg6gpu.so")) return Who::kLibrary;
    if (begins(name, "g6_") && !begins(name, "g6_fake.so")) return Who::kLibrary;
    if (begins(name, "ld-linux")) return Who::kLoader;
    for (const char *between : {"libg6shortage.so", "libc.so", "libstdc++.so", "libgcc_s.so",
                                "libm.so", "libpthread.so", "libdl.so"})
        if (begins(name, between)) return Who::kBetween;
    return Who::kOther;
}

struct Place {
    std::uintptr_t address, base;
    const char *path;
};

int look_into(dl_phdr_info *info, std::size_t, void *given)
{
    Place &p = *static_cast<Place *>(given);
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const auto &segment = info->dlpi_phdr[k];
        const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
        if (segment.p_type != PT_LOAD || p.address < begin || p.address >= begin + segment.p_memsz)
            continue;
        p.base = info->dlpi_addr;
        p.path = info->dlpi_name;
        return 1;
    }
    return 0;
}

Place place_of(std::uintptr_t address)
{
    Place p{address, 0, ""};
    dl_iterate_phdr(look_into, &p);
    return p;
}

// Finds who owns the code at an address.  The answer is kept for each page of code.
Who who_at(std::uintptr_t address)
{
    constexpr std::size_t kKnown = 256;
    struct Known {
        std::uintptr_t page;
        Who who;
    };
    thread_local Known known[kKnown] __attribute__((tls_model("initial-exec")));
    const std::uintptr_t page = address >> 12;
    Known &k = known[page % kKnown];
    if (k.page != page) k = {page, who_of(place_of(address).path)};
    return k.who;
}

_Unwind_Reason_Code find_asker(_Unwind_Context *context, void *found)
{
    const std::uintptr_t address = _Unwind_GetIP(context);
    if (!address) return _URC_END_OF_STACK;
    Who &who = *static_cast<Who *>(found);
    who = who_at(address - 1);
    const bool between = who == Who::kBetween || (who == Who::kLoader && !t_loading);
    return between ? _URC_NO_REASON : _URC_END_OF_STACK;
}

bool library_asks()
{
    Who who = Who::kUnknown;
    _Unwind_Backtrace(find_asker, &who);
    return who == Who::kLibrary;
}

_Unwind_Reason_Code write_caller(_Unwind_Context *context, void *)
{
    const std::uintptr_t address = _Unwind_GetIP(context);
    if (!address) return _URC_END_OF_STACK;
    const Place p = place_of(address - 1);
    char line[512];
    const int n = std::snprintf(line, sizeof line, "  %s+0x%zx\n", *p.path ? p.path : "program",
                                static_cast<std::size_t>(address - 1 - p.base));
    return write(2, line, static_cast<std::size_t>(n)) == n ? _URC_NO_REASON : _URC_END_OF_STACK;
}

// The C library's own functions, looked up while the program is loaded.
#define NEXT(name)                                                                                 \
    decltype(&name) next_##name()                                                                  \
    {                                                                                              \
        static const auto f = reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name));          \
        return f;                                                                                  \
    }
NEXT(mmap)
NEXT(pthread_create)
NEXT(dlopen)
const bool g_looked_up = next_mmap() && next_pthread_create() && next_dlopen();

// ---- refusals ---------------------------------------------------------------------------------

bool refuses()
{
    if (!g_set.load(std::memory_order_relaxed) || t_inside) return false;
    t_inside++;
    bool no = false;
    if (library_asks()) {
        const long n = ++g_requests;
        no = n == g_k || (g_refusal == Refusal::kFromThenOn && n > g_k);
        if (no) g_refused = true;
        if (n == g_k && g_trace) write_callers();
    }
    t_inside--;
    return no;
}

template <class T> T *counted(T *piece)
{
    if (piece) g_pieces++;
    return piece;
}

void *no_memory()
{
    errno = ENOMEM;
    return nullptr;
}

}  // namespace

G6_SHOWN void refuse(Refusal refusal, long k, bool trace)
{
    g_refusal = refusal;
    g_k = refusal == Refusal::kNone ? 0 : k;
    g_trace = trace;
    g_requests = 0;
    g_refused = false;
    g_set = true;
}
G6_SHOWN void refuse_no_more()
{
    g_set = false;
}
G6_SHOWN long requests()
{
    return g_requests;
}
G6_SHOWN bool refused()
{
    return g_refused;
}
G6_SHOWN long pieces()
{
    return g_pieces;
}
G6_SHOWN void write_callers()
{
    _Unwind_Backtrace(write_caller, nullptr);
}

}  // namespace g6test

// ---- the replaced functions ---------------------------------------------------------------------

using namespace g6test;

extern "C" {

G6_SHOWN void *malloc(std::size_t n)
{
    return refuses() ? no_memory() : counted(__libc_malloc(n));
}
G6_SHOWN void *calloc(std::size_t n, std::size_t size)
{
    return refuses() ? no_memory() : counted(__libc_calloc(n, size));
}
G6_SHOWN void *realloc(void *old, std::size_t n)
{
    if (!old) return malloc(n);
    if (n > 0 && refuses()) return no_memory();
    void *piece = __libc_realloc(old, n);
    if (n == 0) g_pieces--;
    return piece;
}
G6_SHOWN void free(void *piece)
{
    if (piece) g_pieces--;
    __libc_free(piece);
}
G6_SHOWN void *memalign(std::size_t align, std::size_t n)
{
    return refuses() ? no_memory() : counted(__libc_memalign(align, n));
}
G6_SHOWN void *aligned_alloc(std::size_t align, std::size_t n)
{
    return memalign(align, n);
}
G6_SHOWN int posix_memalign(void **piece, std::size_t align, std::size_t n)
{
    void *p = memalign(align, n);
    if (!p) return ENOMEM;
    *piece = p;
    return 0;
}
G6_SHOWN void *mmap(void *at, std::size_t n, int protection, int flags, int file, off_t from)
{
    if ((flags & MAP_ANONYMOUS) && refuses()) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return next_mmap()(at, n, protection, flags, file, from);
}
G6_SHOWN int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*f)(void *),
                            void *argument)
{
    if (refuses()) return EAGAIN;
    t_inside++;
    const int status = next_pthread_create()(thread, attributes, f, argument);
    t_inside--;
    return status;
}
G6_SHOWN void *dlopen(const char *file, int flags)
{
    t_loading++;
    void *handle = next_dlopen()(file, flags);
    t_loading--;
    return handle;
}
}
