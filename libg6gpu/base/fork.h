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

// Makes a mutex or condition variable anew in each child.  Another thread may hold it or wait for
// it at the fork, and the child does not have this thread.  The data that a mutex guards stay as
// they are, maybe half changed: the mutexes of clusters and backends are held while devices open.
// Objects with such a mutex are made while the library is loaded.  No static variable of a function
// takes long to make: a child would wait for the thread that was making it.
template <class T> void renew_in_children(T &object) noexcept
{
    renew_in_children(&object, [](void *place) { new (place) T; });
}

// The one object of class T, made in static memory at the first call.  It is never destroyed, so
// that it serves when memory is short and after static destructors have run.  Its member `mutex` is
// renewed in children.
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
