// SPDX-License-Identifier: MIT
// The table of all clusters behind one lock.  Each thread remembers the cluster that it used last,
// so that most calls find their cluster without the lock.
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
    std::optional<std::string> devices;  // of choose_devices()
};

Registry &process_registry()
{
    return of_process<Registry>();
}
// Made while the library is loaded (fork.h).
[[maybe_unused]] const bool g_made = (process_registry(), true);

// Raised whenever an id may come to mean another cluster: it makes each thread's t_last stale.
std::atomic<unsigned> g_generation{1};

// The cluster that the calling thread found last.
struct Cached {
    unsigned generation = 0;
    ClusterId id = 0;
    Cluster *cluster = nullptr;
};
thread_local Cached t_last;

Cluster &make(Registry &all, ClusterId id)
{
    const auto known = all.clusters.find(id);
    if (known != all.clusters.end()) return *known->second;
    auto made = std::make_unique<Cluster>(id);  // may throw, and then leaves no trace
    return *all.clusters.emplace(id, std::move(made)).first->second;
}

void meaning_changed(Registry &all)
{
    g_only = all.open.size() == 1 ? all.open.begin()->second : nullptr;
    g_generation++;
}

// For a call with this id.
ClusterInUse use(Cluster &c, ClusterId id)
{
    ClusterInUse in_use = try_to_use(c);
    if (in_use) return in_use;
    const std::string name = c.name();
    if (c.id() == id)
        throw Error(G6_ERR_STATE,
                    "%s is busy with a call of another thread; open a cluster for each thread, or "
                    "hold one lock from firsthalf to lasthalf",
                    name.c_str());
    throw Error(G6_ERR_STATE,
                "no cluster is open for this call, so that the only open one serves it, %s, which "
                "is busy with a call of another thread; call g6_open() for each id first",
                name.c_str());
}

void open_locked(Registry &all, Cluster &c)
{
    if (c.id() == kAllId)
        c.choose_devices("all");
    else if (all.devices && !c.is_open())
        c.choose_devices(*all.devices);
    const auto found = all.open.emplace(c.id(), &c);
    try {
        c.open();
    } catch (...) {
        if (found.second) all.open.erase(found.first);
        throw;
    }
    meaning_changed(all);
}

ClusterInUse resolve_slowly(ClusterId id)
{
    Registry &all = process_registry();
    std::lock_guard<std::mutex> lock(all.mutex);
    const auto found = all.open.find(id);
    Cluster *const known = found != all.open.end() ? found->second
                           : all.open.size() == 1  ? all.open.begin()->second
                                                   : nullptr;
    Cluster &c = known ? *known : make(all, id);
    ClusterInUse in_use = use(c, id);
    if (!known) open_locked(all, c);
    t_last = {g_generation.load(), id, &c};
    return in_use;
}

}  // namespace

std::atomic<Cluster *> g_only{nullptr};

Cluster *found_last(ClusterId id) noexcept
{
    const bool known =
        t_last.id == id && t_last.generation == g_generation.load(std::memory_order_acquire);
    return known ? t_last.cluster : nullptr;
}

ClusterInUse resolve(ClusterId id)
{
    ClusterInUse in_use = resolve_at_once(id);
    return in_use ? std::move(in_use) : resolve_slowly(id);
}

ClusterInUse exact(ClusterId id)
{
    Registry &all = process_registry();
    std::lock_guard<std::mutex> lock(all.mutex);
    return use(make(all, id), id);
}

std::optional<ClusterId> stand_in(ClusterId id)
{
    const Cluster *only = g_only.load(std::memory_order_acquire);
    return only && only->id() != id ? std::optional(only->id()) : std::nullopt;
}

ClusterInUse find(ClusterId id)
{
    Registry &all = process_registry();
    std::lock_guard<std::mutex> lock(all.mutex);
    const auto found = all.clusters.find(id);
    return found == all.clusters.end() ? ClusterInUse() : use(*found->second, id);
}

void open(ClusterId id)
{
    Registry &all = process_registry();
    std::lock_guard<std::mutex> lock(all.mutex);
    const ClusterInUse c = use(make(all, id), id);
    open_locked(all, *c);
}

void close(ClusterId id)
{
    Registry &all = process_registry();
    std::lock_guard<std::mutex> lock(all.mutex);
    const auto found = all.open.find(id);
    if (found == all.open.end()) return;
    const ClusterInUse c = use(*found->second, id);
    all.open.erase(found);
    meaning_changed(all);
    c->close();
}

std::vector<ClusterId> open_ones(ClusterId first, int count)
{
    std::lock_guard<std::mutex> lock(process_registry().mutex);
    std::vector<ClusterId> found;
    for (const auto &entry : process_registry().open)
        if (entry.first >= first && entry.first - first < count) found.push_back(entry.first);
    return found;
}

void choose_devices(const std::string &devices)
{
    Registry &all = process_registry();
    std::lock_guard<std::mutex> lock(all.mutex);
    all.devices = devices;
}

}  // namespace g6::clusters
