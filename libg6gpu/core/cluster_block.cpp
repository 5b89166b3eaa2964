// SPDX-License-Identifier: MIT
// The firsthalf of a block: packing of the i-particles, choice between tree and direct sum, and the
// request to the devices.
#include "cluster.h"

#include "../base/host_threads.h"
#include "../base/parallel.h"
#include "../base/timer.h"
#include "../base/vec3.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>

namespace g6 {
namespace {

// |u| as a float; 0, which stands for unknown, when that is not finite.
float known_size(const double *u)
{
    const double size = std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    return size < std::numeric_limits<float>::max() ? static_cast<float>(size) : 0;
}

bool treewalk(const Config &config)
{
    return config.mode == Mode::kTreeWalk;
}

}  // namespace

// The h2 for which r^2 < h2 gives the list of i, whatever the convention in force.  NaN, from a
// caller without lists, counts as 0, which gives an empty list.
double Cluster::list_radius2(const BlockArgs &a, int i) const
{
    if (!a.h2) return 0;
    const bool softened = life_.block.settings->softened_lists();
    const double h2 = softened ? a.h2[i] - a.eps2[i * a.eps2_stride] : a.h2[i];
    return h2 > 0 ? h2 : 0;
}

// Copies one i-particle.  Returns whether a force can be computed from its values.
bool Cluster::pack_one(const BlockArgs &a, int i)
{
    G6IRecord &r = i_[static_cast<size_t>(i)];
    copy3(r.x, a.x[i]);
    copy3(r.v, a.v[i]);
    r.eps2 = a.eps2[i * a.eps2_stride];
    r.h2 = list_radius2(a, i);
    r.index = a.index[i];
    r.aold = a.aold ? known_size(a.aold[i]) : 0;
    return finite3(r.x) && r.eps2 >= 0 && finite(r.eps2);
}

void Cluster::pack(const BlockArgs &a)
{
    i_.resize(static_cast<size_t>(a.ni));
    BlockInFlight &b = life_.block;
    std::atomic<bool> some_move{false}, some_radius{false}, all_good{true};
    std::mutex mutex;
    i_extremes_ = Extremes{};
    parallel_ranges(host_threads(a.ni, b.settings->threads), a.ni, [&](int first, int last) {
        bool moving = false, radius = false, good = true;
        Extremes extremes;
        for (int i = first; i < last; i++) {
            good = pack_one(a, i) && good;
            moving = moving || any(i_[static_cast<size_t>(i)].v);
            radius = radius || i_[static_cast<size_t>(i)].h2 > 0;
            extremes.add(i_[static_cast<size_t>(i)]);
        }
        const std::lock_guard<std::mutex> lock(mutex);
        i_extremes_.add(extremes);
        if (moving) some_move = true;
        if (radius) some_radius = true;
        if (!good) all_good = false;
    });
    const bool moving = some_move, good = all_good;
    for (int i = 0; !good && i < a.ni; i++) {
        const G6IRecord &r = i_[static_cast<size_t>(i)];
        if (!finite3(r.x))
            throw Error(G6_ERR_ARGUMENT, "the position of i-particle %d is NaN or infinite", i);
        if (!(r.eps2 >= 0) || !finite(r.eps2))
            throw Error(
                G6_ERR_ARGUMENT,
                "eps2 = %g of i-particle %d is no length squared: it must be finite and 0 or more",
                r.eps2, i);
    }
    const Mode mode = b.settings->mode;
    const bool no_jerk = b.treeonly || (mode == Mode::kAuto && store_.all_points());
    b.has_radius = some_radius;
    b.wants_jerk = !no_jerk && (moving || store_.motion() != Motion::kAtRest);
}

void Cluster::firsthalf(const BlockArgs &args)
{
    Timer timer(stats_.seconds_send);
    drop_block();
    BlockInFlight &b = life_.block;
    b.given_nj = args.nj;
    guess_ = (guess_ & ~kWantLists) | (lists_were_read_ ? kWantLists : 0u);
    lists_were_read_ = false;
    if (args.nj < 0 || args.ni < 0)
        throw Error(G6_ERR_ARGUMENT, "nj = %d, ni = %d; a count cannot be negative", args.nj,
                    args.ni);
    if (args.ni > 0 && (!args.index || !args.x || !args.v || !args.eps2))
        throw Error(G6_ERR_ARGUMENT, "index, xi, vi or eps2 is NULL with ni = %d", args.ni);
    open();
    b.settings = config_;
    store_.use_threads(config_->threads);
    b.treeonly = config_->mode == Mode::kTreeOnly;
    BlockArgs known = args;
    if (!treewalk(*config_) || config_->walk.mac != Mac::kAcceleration) known.aold = nullptr;
    pack(known);
    begin(args);
    unsigned want = guess_ & kWantNearest;
    if (b.wants_jerk) want |= kWantJerk;
    if (b.has_radius) want |= guess_ & kWantLists;
    computation_.bring_to(Computation::State::kStarted, b.treeonly ? 0 : want);
}

// Fixes what the devices will be asked for: j-particles, settings and time of this moment.
void Cluster::begin(const BlockArgs &args)
{
    BlockInFlight &b = life_.block;
    const int nj = std::min(args.nj, store_.high_water());
    const bool walks = treewalk(*b.settings) && !direct_is_cheaper(args.ni, nj);
    const BlockRequest request{life_.ti,
                               nj,
                               &i_,
                               0,
                               b.settings->own_in_lists(),
                               store_.motion(),
                               scale_of(nj),
                               walks ? &b.settings->walk : nullptr,
                               nullptr};
    b.revision = store_.revision();
    if (!devices().on_host() && b.settings->npipes <= kGrape6Pipes &&
        life_.full_blocks.note(args.ni, b.settings->npipes, life_.ti, b.revision))
        advise_more_pipes();
    stats_.blocks++;
    stats_.i_particles += args.ni;
    if (!walks) stats_.interactions += static_cast<double>(args.ni) * args.nj;
    computation_.begin(b.settings, request);
}

// The factor was measured on an H200 with 16384 and 65536 particles (docs/measurements/pipes.md).
void Cluster::advise_more_pipes()
{
    log(kLogInfo,
        "%d full blocks of %d i-particles followed another of the same time; with "
        "G6_PROFILE=gpu (2048 pipes) such a run is up to 6 times faster on a GPU, if the code "
        "sizes its arrays by g6_npipes()",
        FullBlocks::kMany, life_.block.settings->npipes);
}

// Whether a direct sum costs less than a tree walk.  Costs are counted in pair interactions and not
// timed, so that runs repeat bit for bit:
//  * A direct sum costs ni * nj.
//  * A refresh of the tree costs `refresh` for each body: more where the host does it for a GPU.
//  * A walk costs 2500 or 3000 for each i-particle.  On the cpu it costs up to `sparse` times as
//    much when few of the bodies are i-particles, because each list then serves few of them.  On a
//    GPU the launches of a walk cost a fixed time.
// The numbers come from g6bench --mode treewalk with G6_DIRECT=0 and with a large number.
// Blocks that follow each other with the same j-particles and time share one refresh.  So the tree
// is refreshed once their direct sums together have cost as much as walks and a refresh.
bool Cluster::direct_is_cheaper(int ni, int nj)
{
    const int direct_below = life_.block.settings->direct_below;
    if (direct_below >= 0) return ni < direct_below;
    const bool own = devices().tree() == TreeSupport::kOwnTree, host = devices().on_host();
    const double refresh = own ? 128 : host ? 80 : 1024;
    const double sparse = std::min(8.0, std::cbrt(static_cast<double>(nj) / std::max(ni, 1)));
    const double walk = host && !own ? 2500 * sparse * ni : 3000.0 * ni + (own ? 5e7 : 0);
    BlocksSinceChange &since = life_.since;
    const bool moved = since.t != life_.ti && store_.motion() != Motion::kAtRest;
    if (since.revision != store_.revision() || moved)
        since = {store_.revision(), life_.ti, 0, false};
    since.i_particles += ni;
    const bool direct = static_cast<double>(ni) * nj <= walk ||
                        (!since.walked && since.i_particles * nj <= walk + refresh * nj);
    since.walked = since.walked || !direct;
    return direct;
}

}  // namespace g6
