// SPDX-License-Identifier: MIT
#include "table.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace g6::table {
namespace {

struct Table {
    std::mutex mutex;
    std::unordered_map<ClusterId, std::unique_ptr<Cluster>> clusters;
    std::unordered_map<ClusterId, Cluster *> open;
    bool devices_chosen = false;
    std::string devices;
};

Table &the()
{
    static auto *t = new Table;
    return *t;
}

// Raised whenever the meaning of an id may change.
std::atomic<unsigned> g_generation{1};

// The open cluster when there is just one, which serves every id; else null.
std::atomic<Cluster *> g_only{nullptr};

struct Cached {
    unsigned generation = 0;
    ClusterId id = 0;
    Cluster *cluster = nullptr;
};
thread_local Cached t_last;

Cluster &make(Table &t, ClusterId id)
{
    auto &place = t.clusters[id];
    if (!place) place = std::make_unique<Cluster>(id);
    return *place;
}

void meaning_changed(Table &t)
{
    g_only = t.open.size() == 1 ? t.open.begin()->second : nullptr;
    g_generation++;
}

void open_locked(Table &t, Cluster &c)
{
    if (t.devices_chosen && !c.is_open()) c.choose_devices(t.devices);
    const auto place = t.open.emplace(c.id(), &c);
    try {
        c.open();
    } catch (...) {
        if (place.second) t.open.erase(place.first);
        throw;
    }
    meaning_changed(t);
}

Cluster &resolve_slowly(ClusterId id)
{
    Table &t = the();
    std::lock_guard<std::mutex> lock(t.mutex);
    const auto place = t.open.find(id);
    Cluster *c = place != t.open.end() ? place->second
                 : t.open.size() == 1  ? t.open.begin()->second
                                       : nullptr;
    if (!c) {
        c = &make(t, id);
        open_locked(t, *c);
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
    std::lock_guard<std::mutex> lock(the().mutex);
    return make(the(), id);
}

Cluster *find(ClusterId id)
{
    std::lock_guard<std::mutex> lock(the().mutex);
    const auto place = the().clusters.find(id);
    return place == the().clusters.end() ? nullptr : place->second.get();
}

void open(ClusterId id)
{
    Table &t = the();
    std::lock_guard<std::mutex> lock(t.mutex);
    open_locked(t, make(t, id));
}

void close(ClusterId id)
{
    Table &t = the();
    std::lock_guard<std::mutex> lock(t.mutex);
    const auto place = t.open.find(id);
    if (place == t.open.end()) return;
    Cluster *c = place->second;
    t.open.erase(place);
    meaning_changed(t);
    c->close();
}

std::vector<Cluster *> open_ones(ClusterId first, int count)
{
    std::lock_guard<std::mutex> lock(the().mutex);
    std::vector<Cluster *> found;
    for (const auto &entry : the().open)
        if (entry.first >= first && entry.first - first < count) found.push_back(entry.second);
    return found;
}

void choose_devices(const char *devices)
{
    Table &t = the();
    std::lock_guard<std::mutex> lock(t.mutex);
    t.devices_chosen = devices != nullptr;
    t.devices = devices ? devices : "";
}

}  // namespace g6::table
