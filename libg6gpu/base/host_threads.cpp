// SPDX-License-Identifier: MIT
#include "host_threads.h"

#include "fork.h"
#include "parallel.h"
#include "status.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <pthread.h>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace g6 {

#ifdef _OPENMP
namespace {

using Clock = std::chrono::steady_clock;

// OpenMP's threads of one host thread.
struct Pool {
    int size = 1;     // number of threads in the last region
    int refused = 0;  // a number that could not be started; 0: none
    Clock::time_point refusal{};
};
thread_local Pool t_pool;

const char *after_spaces(const char *text)
{
    while (std::isspace(static_cast<unsigned char>(*text))) text++;
    return text;
}

// A size in bytes: a number of KiB, or one with B, K, M or G behind it.  0: the text is none.
std::size_t bytes_of(const char *text)
{
    char *end = nullptr;
    const std::size_t number = std::strtoul(text, &end, 10);
    const char *unit = after_spaces(end);
    int shift = 10;
    if (*unit) {
        const char *const units = "BKMG";
        const char *const found =
            std::strchr(units, std::toupper(static_cast<unsigned char>(*unit)));
        if (!found || *after_spaces(unit + 1)) return 0;
        shift = 10 * static_cast<int>(found - units);
    }
    return number << shift >> shift == number ? number << shift : 0;
}

// The size of OpenMP's stacks; 0: not set.  GNU OpenMP reads GOMP_STACKSIZE where OMP_STACKSIZE holds
// no size.
std::size_t stack_bytes()
{
    for (const char *name : {"OMP_STACKSIZE", "GOMP_STACKSIZE"}) {
        const char *const text = std::getenv(name);
        const std::size_t bytes = text ? bytes_of(text) : 0;
        if (bytes > 0) return bytes;
    }
    return 0;
}

// Attributes of threads as OpenMP starts them: with its size of the stack.
class Attributes {
public:
    Attributes() : made_(pthread_attr_init(&attributes_) == 0)
    {
        // A size out of range is ignored, as OpenMP does.
        if (made_ && stack_bytes() > 0) pthread_attr_setstacksize(&attributes_, stack_bytes());
    }
    ~Attributes()
    {
        if (made_) pthread_attr_destroy(&attributes_);
    }
    Attributes(const Attributes &) = delete;
    Attributes &operator=(const Attributes &) = delete;
    const pthread_attr_t *get() const { return made_ ? &attributes_ : nullptr; }

private:
    pthread_attr_t attributes_;
    const bool made_;
};

struct Trial {
    const Attributes &attributes;
    int threads;
};

// How many of the threads can live beside the caller.  Each thread starts the next one and waits
// for its end, so that all live at once.
int startable(const Trial &trial)
{
    if (trial.threads <= 0) return 0;
    Trial rest = {trial.attributes, trial.threads - 1};
    pthread_t next;
    const auto go_on = [](void *given) -> void * {
        Trial &t = *static_cast<Trial *>(given);
        t.threads = startable(t);
        return nullptr;
    };
    if (pthread_create(&next, trial.attributes.get(), go_on, &rest) != 0) return 0;
    pthread_join(next, nullptr);
    return 1 + rest.threads;
}

// Whether there is the memory that OpenMP itself takes for a region: without it OpenMP ends the
// process.
bool room_for_region(int threads)
{
    constexpr std::size_t kTeam = 4096, kThread = 1024;
    void *volatile room = std::malloc(kTeam + kThread * static_cast<std::size_t>(threads));
    std::free(room);
    return room != nullptr;
}

// A pool of n threads, or of as many as there can be.
int start_pool(int n)
{
    constexpr std::chrono::seconds kPatience(1);
    Pool &p = t_pool;
    const bool refused = p.refused > 0 && n >= p.refused && Clock::now() - p.refusal < kPatience;
    int size = refused ? std::min(n, p.size) : n;
    if (size > p.size) {
        const Attributes attributes;
        const int found = p.size + startable({attributes, size - p.size});
        if (found < size) {
            log(kLogWarn, "only %d of %d threads can be started; going on with these", found, size);
            p.refused = found + 1;
            p.refusal = Clock::now();
        }
        size = found;
    }
    if (size == p.size) return size;
    if (!room_for_region(size)) return 1;
#pragma omp parallel num_threads(size)
    {
    }
    return p.size = size;
}

}  // namespace

int pool_threads(int wanted)
{
    if (fork_lost_threads() || omp_get_active_level() > 0) return 1;
    const int n = wanted > 0 ? wanted : thread_limit().of(omp_get_max_threads(), seconds_now);
    return n <= 1 || n == t_pool.size ? std::max(n, 1) : start_pool(n);
}
#else
int pool_threads(int)
{
    return 1;
}
#endif

}  // namespace g6
