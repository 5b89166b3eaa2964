// SPDX-License-Identifier: MIT
// The results of a block: forces, nearest neighbours and neighbour lists.
#include "cluster.h"

#include "softening_classes.h"
#include "../base/host_threads.h"
#include "../base/parallel.h"
#include "../base/prefetch.h"
#include "../base/timer.h"
#include "../base/vec3.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace g6 {

void Cluster::hold_error(int status, const char *text)
{
    drop_block();
    life_.block.held_text = text;  // if this throws, the caller keeps the status
    life_.block.held_status = status;
}

// Whether a lasthalf with these arguments collects the block of the last firsthalf.  It may do so
// once, and again while j-particles, time and arguments are the same.
bool Cluster::collectable(const BlockArgs &a)
{
    const BlockInFlight &b = life_.block;
    if (!has_block() || a.ni != i_.size() || a.nj != b.given_nj) return false;
    if (!b.collected) return true;
    if (b.revision != revision() || computation_.request().t != life_.ti) return false;
    if (!a.index || !a.x || !a.v || !a.eps2) return true;  // nothing to compare with
    return i_.same(with_common_softening(a));
}

void Cluster::lasthalf(const BlockArgs &args, const BlockOutputs &out)
{
    if (args.ni > 0 && (!out.acc || !out.jerk || !out.pot))
        throw Error(G6_ERR_ARGUMENT, "acc, jerk or pot is NULL with ni = %d", args.ni);
    try {
        throw_held_error();
        // A call without i-particles leaves a block that has some to the lasthalf that collects it.
        if (args.ni == 0 && args.nj >= 0 && has_block() && i_.size() > 0) return;
        refuse_replaced();
        if (!collectable(args)) {
            refuse_bad(args);  // before firsthalf() drops the last block
            firsthalf(args);   // a lasthalf without a firsthalf computes the whole block
        }
        // A caller that has one array for both gets the acceleration alone.
        const unsigned jerk = out.jerk == out.acc ? 0u : kWantJerk,
                       nearest = out.nearest || out.r_near ? kWantNearest : 0u;
        collect(jerk | nearest, out);
    } catch (...) {
        write_zero_outputs(out, args.ni, config_->nn_none);
        throw;
    }
}

void Cluster::collect(unsigned want, const BlockOutputs &out)
{
    BlockInFlight &b = life_.block;
    if (has_classes()) {
        write_sums_of_classes(b.treeonly ? 0 : want, out);
    } else {
        const unsigned from_devices = b.wants_jerk ? want : want & ~kWantJerk;
        computation_.bring_to(Computation::State::kFinished, b.treeonly ? 0 : from_devices);
        write_outputs(out);
    }
    guess_ = (guess_ & kWantLists) | want;
    b.collected = true;
}

void Cluster::write_sums_of_classes(unsigned want, const BlockOutputs &out)
{
    const std::vector<G6Sums> &sums = classes_->collect(want);
    const int ni = i_.size();
    parallel_for(host_threads(ni, life_.block.settings->threads), ni,
                 [&](int i) { write_sums(out, i, sums[static_cast<size_t>(i)]); });
}

// Notes the thread whose block this thread's firsthalf drops before it was collected: the lasthalf
// of that thread must not collect this thread's block.
void Cluster::note_replaced()
{
    const BlockInFlight &b = life_.block;
    const std::thread::id self = std::this_thread::get_id();
    replaced_.erase(std::remove(replaced_.begin(), replaced_.end(), self), replaced_.end());
    if (has_block() && !b.collected && b.thread != self) replaced_.push_back(b.thread);
}

void Cluster::refuse_replaced()
{
    const auto self = std::find(replaced_.begin(), replaced_.end(), std::this_thread::get_id());
    if (self == replaced_.end()) return;
    replaced_.erase(self);
    throw Error(G6_ERR_STATE,
                "the block of this thread is lost: another thread called firsthalf on %s before "
                "this lasthalf; open a cluster for each thread, or hold one lock from firsthalf "
                "to lasthalf",
                name().c_str());
}

// Throws the error that firsthalf has left (hold_error()), and forgets it.
void Cluster::throw_held_error()
{
    const int status = life_.block.held_status;
    if (!status) return;
    const std::string text = std::move(life_.block.held_text);
    drop_block();
    throw Error(status, "the first half of this block failed: %s",
                text.empty() ? status_text(status) : text.c_str());
}

void Cluster::write_outputs(const BlockOutputs &out)
{
    const BlockInFlight &b = life_.block;
    const SumsView all = computation_.sums();
    const int ni = i_.size();
    const auto &records = i_.records();
    std::atomic<bool> overflow{false};
    constexpr int kAhead = 16;  // sums are requested early: another core's cache may have them
    parallel_for(host_threads(ni, b.settings->threads), ni, [&](int i) {
        if (all.sums && i + kAhead < ni) request_to_read(all.sums + i + kAhead, sizeof *all.sums);
        const G6Sums s = all[i];
        write_sums(out, i, s);
        if (!are_finite(s, records[i])) overflow = true;
    });
    if (overflow) sum_overflows(all);
    for (const StraySum &one : host_sums_) write_sums(out, one.number, one.sums);
}

// The host sums the i-particles whose results are not finite, except those that it has summed.
// Where the host's sums fail too, the block is dropped.
void Cluster::sum_overflows(const SumsView &sums)
{
    std::vector<Stray> found;
    auto known = host_sums_.begin();
    for (int i = 0; i < i_.size(); i++) {
        if (known != host_sums_.end() && known->number == i)
            ++known;
        else if (!are_finite(sums[i], i_.records()[i]))
            found.push_back({i, i_.records()[i]});
    }
    if (found.empty()) return;
    const JStoreAtCommit moment(store_);
    try {
        add_host_sums(found);
    } catch (const Error &) {
        drop_block();
        throw;
    }
}

void Cluster::write_sums(const BlockOutputs &out, int i, const G6Sums &s)
{
    const BlockInFlight &b = life_.block;
    if (out.sums) {
        out.sums[i] = s;
        return;
    }
    // The caller may pass one buffer for both, and then reads acc.
    copy3(out.jerk[i], s.jerk);
    copy3(out.acc[i], s.acc);
    out.pot[i] = s.pot + 0.0;  // makes -0 a 0
    const bool found = s.nn_slot >= 0 && !b.treeonly;
    if (out.nearest) out.nearest[i] = found ? s.nn_index : b.settings->nn_none;
    if (!out.r_near) return;
    const double eps2_j = found && has_classes() ? classes_->eps2_of(s.nn_slot) : 0;
    out.r_near[i] =
        found ? static_cast<float>(std::sqrt(s.nn_r2 + i_.records()[i].eps2 + eps2_j)) : 0.0f;
}

void write_zero_outputs(const BlockOutputs &out, int ni, int nn_none)
{
    const double zero[3] = {0, 0, 0};
    for (int i = 0; i < ni; i++) {
        if (out.jerk) copy3(out.jerk[i], zero);
        if (out.acc) copy3(out.acc[i], zero);
        if (out.pot) out.pot[i] = 0;
        if (out.nearest) out.nearest[i] = nn_none;
        if (out.r_near) out.r_near[i] = 0;
    }
}

// ---- neighbour lists --------------------------------------------------------------------------

void Cluster::read_neighbours(bool by_index)
{
    lists_were_read_ = true;
    BlockInFlight &b = life_.block;
    if (b.lists_ready && b.lists_by_index == by_index) return;
    b.lists_ready = false;
    if (!has_block()) return lists_.clear(0);
    const int ni = i_.size();
    lists_.clear(ni);
    if (i_.has_radius() && b.nj > 0 && !b.treeonly) {
        Timer timer(stats_.seconds_lists);
        if (has_classes()) {
            classes_->neighbours(lists_, by_index);
        } else if (computation_.request().nj > 0) {
            computation_.neighbours(lists_, by_index);
            sum_overflows(computation_.sums());
        }
        if (!host_sums_.empty()) lists_.replace(host_sums_, by_index);
    }
    b.lists_ready = true;
    b.lists_by_index = by_index;
}

const NeighbourLists &Cluster::lists(bool by_index)
{
    read_neighbours(by_index);
    return lists_;
}

int Cluster::get_neighbours(int i, int max_length, int *length, int *list, bool by_index)
{
    if (!length || (max_length > 0 && !list)) throw Error(G6_ERR_ARGUMENT, "nblen or nbl is NULL");
    *length = 0;
    if (max_length < 0) throw Error(G6_ERR_ARGUMENT, "maxlength = %d is negative", max_length);
    if (!lists_ready()) read_neighbours(by_index);
    if (i < 0) throw Error(G6_ERR_ARGUMENT, "ipipe = %d is negative; pipes are numbered from 0", i);
    if (i >= lists_.size()) return G6_OK;  // codes ask for all pipes, as many as there are
    const std::int64_t count = lists_.count(i);
    *length = static_cast<int>(std::min<std::int64_t>(count, max_length));
    std::copy_n(lists_.list(i), *length, list);
    return count > max_length ? G6_LIST_OVERFLOW : G6_OK;
}

}  // namespace g6
