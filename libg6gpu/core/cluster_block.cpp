// SPDX-License-Identifier: MIT
// The firsthalf of a block: decides what the devices are asked for, and starts them.
#include "clumps.h"
#include "cluster.h"

#include "softening_classes.h"
#include "../base/timer.h"

#include <algorithm>
#include <utility>

namespace g6 {
namespace {

bool treewalk(const Config &config)
{
    return config.mode == Mode::kTreeWalk;
}

}  // namespace

void Cluster::refuse_bad(const BlockArgs &args)
{
    if (args.nj < 0 || args.ni < 0)
        throw Error(G6_ERR_ARGUMENT, "nj = %d, ni = %d; a count cannot be negative", args.nj,
                    args.ni);
    if (args.ni > 0 && (!args.index || !args.x || !args.v || !args.eps2))
        throw Error(G6_ERR_ARGUMENT, "index, xi, vi or eps2 is NULL with ni = %d", args.ni);
}

void Cluster::firsthalf(const BlockArgs &args)
{
    Timer timer(stats_.seconds_send);
    note_replaced();
    drop_block();
    BlockInFlight &b = life_.block;
    b.given_nj = args.nj;
    b.thread = std::this_thread::get_id();
    guess_ = (guess_ & ~kWantLists) | (lists_were_read_ ? kWantLists : 0u);
    lists_were_read_ = false;
    refuse_bad(args);
    open();
    b.settings = config_;
    store_.use_threads(config_->threads);
    b.treeonly = config_->mode == Mode::kTreeOnly;
    update_softenings();
    BlockArgs known = with_common_softening(args);
    if (!treewalk(*config_) || config_->walk.mac != Mac::kAcceleration) known.aold = nullptr;
    if (has_classes()) return begin_classes(known);
    i_.pack(known, *b.settings, memory_on_device(args.ni));
    const bool no_jerk =
        b.treeonly || (config_->mode == Mode::kAuto && store_.all_by_point_calls());
    b.wants_jerk = !no_jerk && (i_.moves() || store_.motion() != Motion::kAtRest);
    begin(args);
    unsigned want = guess_ & kWantNearest;
    if (b.wants_jerk) want |= guess_ & kWantJerk;
    if (i_.has_radius()) want |= guess_ & kWantLists;
    computation_.bring_to(Computation::State::kStarted, b.treeonly ? 0 : want);
    i_.keep();
    // While the devices compute.
    if (i_.strays().empty()) return;
    try {
        add_host_sums(i_.strays());
    } catch (...) {
        drop_block();  // no lasthalf may collect it without these sums
        throw;
    }
}

// Memory on the device for the i-particles: for short rows if the last block's i-particles fitted
// into them, because the next block's usually do too.
IParticles::DeviceMemory Cluster::memory_on_device(int ni)
{
    Device *const device = ni > 0 ? devices().first() : nullptr;
    IParticles::DeviceMemory memory{device};
    if (device && i_.fit_rest()) memory.rows = device->stage_i(ni, memory.words = kIRestWords);
    if (device && !memory.rows) memory.rows = device->stage_i(ni, memory.words = kIWords);
    return memory;
}

// Sums for i-particles that have no host sums yet, over the j-particles that the store shows.
void Cluster::add_host_sums(const std::vector<Stray> &strays)
{
    const BlockInFlight &b = life_.block;
    stats_.overflows += static_cast<double>(strays.size());
    std::vector<StraySum> sums =
        g6::sum_strays(strays, {store_, b.nj, computation_.request().t, b.settings->snap, address_},
                       {b.wants_jerk, b.settings->own_in_lists()}, b.settings->threads);
    host_sums_.reserve(host_sums_.size() + sums.size());  // all are added, or none
    for (StraySum &one : sums) host_sums_.push_back(std::move(one));
    std::sort(host_sums_.begin(), host_sums_.end(),
              [](const StraySum &x, const StraySum &y) { return x.number < y.number; });
}

// Fixes what the devices will be asked for: j-particles, settings and time of this moment.
void Cluster::begin(const BlockArgs &args)
{
    BlockInFlight &b = life_.block;
    const int nj = b.nj = std::min(args.nj, store_.high_water());
    const Config &settings = *b.settings;
    const bool moves = store_.motion() != Motion::kAtRest;
    const bool walk =
        walks(settings, {args.ni, nj, life_.ti, store_.revision(), moves}, life_.tree_choice);
    const bool narrow = settings.precision != Precision::kDouble;
    const Scale scale = i_.scale(store_, nj, narrow, b.wants_jerk);
    const bool all_strays = static_cast<int>(i_.strays().size()) == args.ni;
    if (!store_.units().fit() && !std::exchange(life_.host_sums_told, true)) tell_host_sums();
    const bool is_large = static_cast<double>(args.ni) * nj >= kLeastPairsToAsk;
    const bool clumped = !walk && is_large && in_far_clumps(store_, nj, life_.ti, settings.snap);
    BlockRequest request{};
    request.t = life_.ti;
    request.nj = all_strays ? 0 : nj;  // 0: no device is asked
    request.live = store_.live();
    request.whole_ni = args.ni;
    request.i = &i_;
    request.i_words = i_.staged_words();
    request.least_eps2 = i_.least_eps2();
    request.farthest = i_.farthest();
    request.own_in_lists = settings.own_in_lists();
    request.motion = settings.snap ? store_.motion() : std::min(store_.motion(), Motion::kCubic);
    request.scale = scale;
    request.is_walk = walk;
    request.walk = settings.walk;
    request.clumped = clumped;
    b.revision = revision();
    stats_.blocks++;
    stats_.i_particles += args.ni;
    if (!walk) stats_.interactions += static_cast<double>(args.ni) * args.nj;
    computation_.begin(b.settings, request);
}

// Starts the block on the softening classes.  The cluster's own block has no j-particles.
void Cluster::begin_classes(const BlockArgs &args)
{
    BlockInFlight &b = life_.block;
    i_.pack(args, *b.settings, {});
    classes_->firsthalf(args, life_.ti);
    b.nj = std::min(args.nj, store_.high_water());
    b.revision = revision();
    stats_.blocks++;
    stats_.i_particles += args.ni;
    BlockRequest request{};
    request.t = life_.ti;
    request.whole_ni = args.ni;
    request.i = &i_;
    computation_.begin(b.settings, request);
}

// ---- softenings of j-particles ----------------------------------------------------------------

bool Cluster::has_classes() const
{
    return classes_ && classes_->in_use();
}

// A softening class drops its block where it cannot give the sums; then there is no block at all.
bool Cluster::has_block() const
{
    return computation_.has_block() && (!has_classes() || classes_->have_block());
}

const Cluster &Cluster::at_work() const
{
    return has_classes() ? classes_->first() : *this;
}

// Finds out whether the j-particles of the next block have one softening or several.  Where they
// have several, sends the j-particles to the softening classes.
void Cluster::update_softenings()
{
    if (softenings_.all_zero() && !found_softenings_.in_classes && common_eps2_ == 0) return;
    const bool same = softenings_.revision() == found_softenings_.revision;
    if (!same || (!found_softenings_.in_classes && found_softenings_.live != store_.live()))
        find_softenings();
    if (!found_softenings_.in_classes) return;
    if (!classes_) classes_ = std::make_unique<SofteningClasses>(id_);
    classes_->update(store_, softenings_, config_);
    store_.commit();
}

void Cluster::find_softenings()
{
    std::vector<char> is_used(softenings_.values().size());
    for (int a = 0; a < store_.high_water(); a++)
        if (store_.written(a)) is_used[static_cast<size_t>(softenings_.number_of(a))] = true;
    const auto different = std::count(is_used.begin(), is_used.end(), true);
    const auto first = std::find(is_used.begin(), is_used.end(), true) - is_used.begin();
    found_softenings_ = {softenings_.revision(), store_.live(), different > 1};
    common_eps2_ = different == 1 ? softenings_.values()[static_cast<size_t>(first)] : 0;
    if (found_softenings_.in_classes)
        computation_.forget();  // its devices get no particles while there are classes
    else if (classes_)
        classes_->forget();
}

// The arguments with the softenings of the pairs in place of those of the i-particles, if all
// j-particles have one softening.  Valid until the next call.
BlockArgs Cluster::with_common_softening(const BlockArgs &args)
{
    if (common_eps2_ == 0 || args.ni == 0) return args;
    add_softening(args.eps2, args.eps2_stride ? args.ni : 1, common_eps2_, softened_eps2_);
    BlockArgs softened = args;
    softened.eps2 = softened_eps2_.data();
    return softened;
}

void Cluster::tell_host_sums() const
{
    log(kLogWarn,
        "%s: the j-particles' positions, masses or velocities span more powers of ten than the "
        "devices' arithmetic; the host computes the forces, slowly",
        name().c_str());
}

// In mode treewalk a block is a direct sum where it is smaller than the setting "direct", or where
// that setting is "auto" and a direct sum takes less time.
bool Cluster::walks(const Config &settings, const TreeChoice::Work &work, TreeChoice &choice) const
{
    if (!treewalk(settings)) return false;
    if (settings.direct_below >= 0) return work.ni >= settings.direct_below;
    return !choice.direct_is_cheaper(work, devices().tree() == TreeSupport::kOwnTree,
                                     devices().on_host());
}

}  // namespace g6
