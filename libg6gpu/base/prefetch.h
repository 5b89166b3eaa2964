// SPDX-License-Identifier: MIT
// Asks the processor for an object of at most two cache lines that is used soon, in a loop whose
// order it cannot guess.  (GCC 12 drops the call of a function that only prefetches, unless it is
// part of the caller.)
#pragma once

namespace g6 {

template <class T> [[gnu::always_inline]] inline void prefetch_to_read(const T &object)
{
    const char *const first = reinterpret_cast<const char *>(&object);
    __builtin_prefetch(first);
    __builtin_prefetch(first + sizeof(T) - 1);
}

template <class T> [[gnu::always_inline]] inline void prefetch_to_write(T &object)
{
    char *const first = reinterpret_cast<char *>(&object);
    __builtin_prefetch(first, 1);
    __builtin_prefetch(first + sizeof(T) - 1, 1);
}

}  // namespace g6
