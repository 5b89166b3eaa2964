// SPDX-License-Identifier: MIT
#include "clusters.h"

#include "../base/fork.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace g6::clusters {
namespace {

struct Registry {
    std::mutex mutex;  // for all members
    std::unordered_map<ClusterId, std::unique_ptr<Cluster>> clusters;
    std::unordered_map<ClusterId, Cluster *> open;
    bool devices_chosen = false;  // by choose_devices()
    std::string devices;
};

Registry &process_registry()
{
    alignas(Registry) static char room[sizeof(Registry)];  // no destructor ever runs
    static Registry *registry = [] {
        Registry *made = new (room) Registry;
        renew_in_children(made->mutex);
        return made;
    }();
    return *registry;
}
// Made while the library is loaded (fork.h).
[[maybe_unused]] const bool g_made = (process_registry(), true);

// Raised whenever an id may come to mean another cluster: it makes each thread's t_last stale.
std::atomic<unsigned> g_generation{1};

// The open cluster when there is just one, which serves every id; else null.
std::atomic<Cluster *> g_only{nullptr};

// What the calling thread found last.
struct Cached {
    unsigned generation = 0;
    ClusterId id = 0;
    Cluster *cluster = nullptr;
};
thread_local Cached t_last;

Cluster &make(Registry &all, ClusterId id)
{
    auto &place = all.clusters[id];
    if (!place) place = std::make_unique<Cluster>(id);
    return *place;
}

void meaning_changed(Registry &all)
{
    g_only = all.open.size() == 1 ? all.open.begin()->second : nullptr;
    g_generation++;
}

void open_locked(Registry &all, Cluster &c)
{
    if (all.devices_chosen && !c.is_open()) c.choose_devices(all.devices);
    const auto place = all.open.emplace(c.id(), &c);
    try {
        c.open();
    } catch (...) {
        if (place.second) all.open.erase(place.first);
        throw;
    }
    meaning_changed(all);
}

Cluster &resolve_slowly(ClusterId id)
{
    Registry &all = process_registry();
    std::lock_guard<std::mutex> lock(all.mutex);
    const auto place = all.open.find(id);
    Cluster *c = place != all.open.end() ? place->second
                 : all.open.size() == 1  ? all.open.begin()->second
                                         : nullptr;
    if (!c) {
        c = &make(all, id);
        open_locked(all, *c);
    }
    t_last = {g_generation.load(), id, c};
    return *c;
}

}  // namespace

Cluster *resolve_at_once(ClusterId id)
{
    if (Cluster *only = g_only.load(std::memory_order_acquire)) return only;
    if (t_last.id == id && t_last.generation == g_generation.load(std::memory_order_acquire))
        return t_last.cluster;
    return nullptr;
}

Cluster &resolve(ClusterId id)
{
    Cluster *at_once = resolve_at_once(id);
    return at_once ? *at_once : resolve_slowly(id);
}

Cluster &exact(ClusterId id)
{
    std::lock_guard<std::mutex> lock(process_registry().mutex);
    return make(process_registry(), id);
}

Cluster *stand_in(ClusterId id)
{
    Cluster *only = g_only.load(std::memory_order_acquire);
    return only && only->id() != id ? only : nullptr;
}

Cluster *find(ClusterId id)
{
    std::lock_guard<std::mutex> lock(process_registry().mutex);
    const auto place = process_registry().clusters.find(id);
    return place == process_registry().clusters.end() ? nullptr : place->second.get();
}

void open(ClusterId id)
{
    Registry &all = process_registry();
    std::lock_guard<std::mutex> lock(all.mutex);
    open_locked(all, make(all, id));
}

void close(ClusterId id)
{
    Registry &all = process_registry();
    std::lock_guard<std::mutex> lock(all.mutex);
    const auto place = all.open.find(id);
    if (place == all.open.end()) return;
    Cluster *c = place->second;
    all.open.erase(place);
    meaning_changed(all);
    c->close();
}

std::vector<Cluster *> open_ones(ClusterId first, int count)
{
    std::lock_guard<std::mutex> lock(process_registry().mutex);
    std::vector<Cluster *> found;
    for (const auto &entry : process_registry().open)
        if (entry.first >= first && entry.first - first < count) found.push_back(entry.second);
    return found;
}

void choose_devices(const char *devices)
{
    Registry &all = process_registry();
    std::lock_guard<std::mutex> lock(all.mutex);
    all.devices_chosen = devices != nullptr;
    all.devices = devices ? devices : "";
}

}  // namespace g6::clusters
