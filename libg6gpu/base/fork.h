// SPDX-License-Identifier: MIT
// Whether this process is a child of fork().  Such a child has only the thread that called fork():
// no threads of loops or drivers, no device contexts.
#pragma once

#include <atomic>
#include <new>

namespace g6 {

// Number of forks between the process that loaded the library and this one.  What was made under
// another number belongs to a parent.
extern std::atomic<unsigned> g_fork_generation;
inline unsigned fork_generation() noexcept
{
    return g_fork_generation.load(std::memory_order_relaxed);
}

// For messages of a child.
constexpr const char *kParentsDevices =
    "a child of fork() cannot use the devices of its parent; make the first call of this library "
    "after fork(), or start the child by exec (in Python: start method \"spawn\")";

// Calls renew(object) in each child of fork().  The object must live as long as the process.
void renew_in_children(void *object, void (*renew)(void *object)) noexcept;

// renew() is for mutexes and condition variables: another thread may hold or wait for one at the
// fork, and a child would wait for a thread that it does not have.  What the mutex guards stays as
// it is, maybe half changed: the mutexes of clusters and backends are held while devices open.  An
// object that has such a mutex is made while the library is loaded.  No static of a function takes
// long to make: a child would wait for the thread that was making it.
template <class T> void renew_in_children(T &object) noexcept
{
    renew_in_children(&object, [](void *place) { new (place) T; });
}

// The one object of this class, made at the first call in static memory.  It is never destroyed, so
// that it serves when memory is short and after static destructors have run.  Its member `mutex` is
// renewed.
template <class T> T &of_process()
{
    alignas(T) static char memory[sizeof(T)];
    static T *const made = [] {
        T *const object = new (memory) T;
        renew_in_children(object->mutex);
        return object;
    }();
    return *made;
}

}  // namespace g6
