// SPDX-License-Identifier: MIT
// Deals the j-particles over the classes, and adds and merges the results of the classes.
#include "softening_classes.h"

#include "../base/host_threads.h"
#include "../base/parallel.h"

#include <algorithm>
#include <utility>

namespace g6 {
namespace {

void add_force(G6Sums &sum, const G6Sums &part)
{
    for (int k = 0; k < 3; k++) {
        sum.acc[k] += part.acc[k];
        sum.jerk[k] += part.jerk[k];
    }
    sum.pot += part.pot;
}

// Gives sum the nearer neighbour of sum and part; at equal distances that of the lower address.
// sum.nn_slot is an address.  address: of part's nearest neighbour.
void add_nearest(G6Sums &sum, const G6Sums &part, int address)
{
    const bool nearer = sum.nn_slot < 0 || part.nn_r2 < sum.nn_r2 ||
                        (part.nn_r2 == sum.nn_r2 && address < sum.nn_slot);
    if (!nearer) return;
    sum.nn_r2 = part.nn_r2;
    sum.nn_slot = address;
    sum.nn_index = part.nn_index;
}

}  // namespace

// ---- j-particles ------------------------------------------------------------------------------

void SofteningClasses::update(const JStore &store, const SofteningTable &table,
                              const std::shared_ptr<const Config> &settings)
{
    settings_ = settings;
    const bool known = std::exchange(in_use_, false) && table_revision_ == table.revision() &&
                       by_point_calls_ == store.all_by_point_calls();
    for (const auto &c : all_) {
        c->to.clear();
        c->from.clear();
    }
    if (!known || !assign_dirty(store, table)) assign_all(store, table);
    for (Class *c : used_) {
        c->cluster->follow(settings);
        c->cluster->copy_particles(store, c->from, c->to);
    }
    table_revision_ = table.revision();
    by_point_calls_ = store.all_by_point_calls();
    in_use_ = true;
}

// Assigns each dirty particle to its class.  Returns false where assign() does.
bool SofteningClasses::assign_dirty(const JStore &store, const SofteningTable &table)
{
    const auto high = static_cast<size_t>(store.high_water());
    class_of_.resize(high);
    slot_of_.resize(high, -1);
    for (const int a : store.dirty())
        if (!assign(a, table.number_of(a))) return false;
    return true;
}

// Assigns the particle to the class of this softening: to its slot, or to a new slot behind all
// others.  Returns false where there is no such class, or where a new slot would break the order.
bool SofteningClasses::assign(int address, int number)
{
    const auto a = static_cast<size_t>(address);
    if (slot_of_[a] < 0) {
        const int used = class_of_number_[static_cast<size_t>(number)];
        if (used < 0) return false;
        Class &c = *used_[static_cast<size_t>(used)];
        if (!c.address.empty() && c.address.back() > address) return false;
        class_of_[a] = static_cast<unsigned char>(used);
        slot_of_[a] = static_cast<int>(c.address.size());
        c.address.push_back(address);
    }
    Class &c = *used_[class_of_[a]];
    c.from.push_back(address);
    c.to.push_back(slot_of_[a]);
    return true;
}

// Makes new classes for the softenings of the particles in the store, and assigns all particles.
void SofteningClasses::assign_all(const JStore &store, const SofteningTable &table)
{
    forget();
    const int high = store.high_water();
    std::vector<char> is_used(table.values().size());
    for (int a = 0; a < high; a++)
        if (store.written(a)) is_used[static_cast<size_t>(table.number_of(a))] = true;
    class_of_number_.assign(is_used.size(), -1);
    for (size_t number = 0; number < is_used.size(); number++)
        if (is_used[number]) add_class(static_cast<int>(number), table.values()[number]);
    class_of_.assign(static_cast<size_t>(high), 0);
    slot_of_.assign(static_cast<size_t>(high), -1);
    for (int a = 0; a < high; a++)
        if (store.written(a)) assign(a, table.number_of(a));
}

void SofteningClasses::add_class(int number, double eps2)
{
    if (used_.size() == all_.size()) {
        auto made = std::make_unique<Class>();
        made->cluster = std::make_unique<Cluster>(id_, settings_, made->address);
        all_.push_back(std::move(made));
    }
    class_of_number_[static_cast<size_t>(number)] = static_cast<int>(used_.size());
    used_.push_back(all_[used_.size()].get());
    used_.back()->eps2 = eps2;
}

void SofteningClasses::forget()
{
    in_use_ = false;
    used_.clear();
    for (const auto &c : all_) {
        c->cluster->forget();
        c->address.clear();
        c->to.clear();
        c->from.clear();
    }
}

// ---- blocks -----------------------------------------------------------------------------------

void SofteningClasses::firsthalf(const BlockArgs &args, double ti)
{
    BlockArgs for_class = args;
    const int softenings = args.eps2_stride ? args.ni : std::min(args.ni, 1);
    for (const Class *c : used_) {
        add_softening(args.eps2, softenings, c->eps2, eps2_);
        for_class.eps2 = eps2_.data();
        const auto end = std::lower_bound(c->address.begin(), c->address.end(), args.nj);
        for_class.nj = static_cast<int>(end - c->address.begin());
        c->cluster->set_ti(ti);
        c->cluster->firsthalf(for_class);
    }
    sums_.resize(static_cast<size_t>(args.ni));
}

bool SofteningClasses::have_block() const
{
    return std::all_of(used_.begin(), used_.end(),
                       [](const Class *c) { return c->cluster->has_block(); });
}

void SofteningClasses::drop()
{
    for (Class *c : used_) c->cluster->drop_block();
}

const std::vector<G6Sums> &SofteningClasses::collect(unsigned want)
{
    const int ni = static_cast<int>(sums_.size()), threads = host_threads(ni, settings_->threads);
    std::fill(sums_.begin(), sums_.end(), kNoSums);
    part_.resize(sums_.size());
    for (Class *c : used_) {
        BlockOutputs out{};
        out.sums = part_.data();
        c->cluster->collect(want, out);
        parallel_for(threads, ni, [&](int i) {
            const G6Sums &part = part_[static_cast<size_t>(i)];
            G6Sums &sum = sums_[static_cast<size_t>(i)];
            add_force(sum, part);
            if ((want & kWantNearest) && part.nn_slot >= 0)
                add_nearest(sum, part, c->address[static_cast<size_t>(part.nn_slot)]);
        });
    }
    return sums_;
}

void SofteningClasses::neighbours(NeighbourLists &lists, bool by_index)
{
    std::vector<NeighbourLists::Part> parts;
    for (Class *c : used_) parts.push_back({c->cluster->lists(by_index).view(), c->address.data()});
    lists.merge(parts, static_cast<int>(sums_.size()), by_index);
}

// ---- settings and counters --------------------------------------------------------------------

void SofteningClasses::reset(bool search)
{
    for (Class *c : used_) c->cluster->reset(search);
}

void SofteningClasses::add_counts(g6_stats &stats) const
{
    for (const auto &c : all_) {
        g6_stats s{};
        s.size = sizeof s;
        c->cluster->get_stats(s);
        stats.interactions += s.interactions;
        stats.j_sent += s.j_sent;
        stats.repeats += s.repeats;
        stats.recoveries += s.recoveries;
        stats.copies_up += s.copies_up;
        stats.copies_down += s.copies_down;
        stats.waits += s.waits;
        stats.messages += s.messages;
        stats.message_bytes += s.message_bytes;
        stats.overflows += s.overflows;
    }
}

}  // namespace g6
