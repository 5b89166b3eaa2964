// SPDX-License-Identifier: MIT
// Follows which clusters are open, what was sent to each and which block is in flight, and compares
// each call with the rules.
#include "session_check.h"

#include <g6lib.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace g6check {
namespace {

using namespace g6tools;
using g6::trace::Kind;
using Block = SessionCluster::Block;

// The text of a status.
const char *text_of(int status)
{
    switch (status) {
#define G6CHECK_STATUS_CASE(code, value, text, remedy)                                             \
    case code: return text;
        G6_STATUS_TABLE(G6CHECK_STATUS_CASE)
#undef G6CHECK_STATUS_CASE
    }
    return "unknown status";
}

bool finite(const RecordedArray<double> &a)
{
    return std::all_of(a.v.begin(), a.v.end(), [](double x) { return std::isfinite(x); });
}

// Row k of an array of vectors, which may be absent.
SentParticle::Vector vector_of(const RecordedArray<double> &a, std::size_t k)
{
    if (a.null) return {};
    return {a.v[3 * k], a.v[3 * k + 1], a.v[3 * k + 2]};
}

bool returns_number(Kind kind)
{
    return kind == Kind::kNpipes || kind == Kind::kGetNjMax || kind == Kind::kQuestion;
}

// Whether a call needs no open cluster; some of these calls have an id nevertheless.
bool needs_no_cluster(Kind kind)
{
    switch (kind) {
    case Kind::kOpen:
    case Kind::kClose:
    case Kind::kNpipes:
    case Kind::kSetSort:
    case Kind::kSetOption:
    case Kind::kOpenSpecial:
    case Kind::kOpenSpecial2:
    case Kind::kGetJ:
    case Kind::kQuestion:
    case Kind::kSetTunit:
    case Kind::kSetXunit:
    case Kind::kInitBuffer:
    case Kind::kFlushBuffer:
    case Kind::kFlushMulti:
    case Kind::kOverflowMode:
    case Kind::kReset:
    case Kind::kReinitialize:
    case Kind::kPrintStatus: return true;
    default: return false;
    }
}

}  // namespace

void SessionCheck::found(SessionRule rule, const Call &c, const char *format, ...)
{
    Finding &f = findings_[static_cast<std::size_t>(rule)];
    if (f.count++) return;
    char text[256];
    va_list list;
    va_start(list, format);
    std::vsnprintf(text, sizeof text, format, list);
    va_end(list);
    f.first = c.number;
    f.call = c.name();
    f.detail = text;
}

void SessionCheck::open(SessionCluster &cluster)
{
    if (!cluster.open) open_++;
    cluster.open = true;
    cluster.fault = 0;
}

// The cluster that the library uses: the one of this id where it is open, else the single open
// cluster, else the one of this id, which the library then opens.
SessionCluster &SessionCheck::serve(const Call &c)
{
    SessionCluster &own = clusters_[{c.has(g6::trace::kAllCluster), c.id}];
    if (own.open) return own;
    if (open_ == 1) {
        for (auto &[id, cluster] : clusters_)
            if (cluster.open) {
                if (!needs_no_cluster(c.kind))
                    found(SessionRule::kOtherId, c, "id %d; open is id %d", c.id, id.second);
                return cluster;
            }
    }
    if (!needs_no_cluster(c.kind)) {
        found(SessionRule::kNotOpen, c, "id %d", c.id);
        open(own);
    }
    return own;
}

void SessionCheck::close(const Call &c)
{
    SessionCluster &own = clusters_[{c.has(g6::trace::kAllCluster), c.id}];
    if (!own.open) return;
    tell_cut(own);
    open_--;
    own = SessionCluster();
    own.closed_once = true;
}

void SessionCheck::lifecycle(const Call &c)
{
    switch (c.kind) {
    case Kind::kOpen: return open(clusters_[{c.has(g6::trace::kAllCluster), c.id}]);
    case Kind::kOpenSpecial:
    case Kind::kOpenSpecial2: return open(clusters_[{false, 0}]);
    case Kind::kClose: return close(c);
    case Kind::kNpipes: npipes_ = c.status; return;
    case Kind::kReset:
    case Kind::kReinitialize: serve(c).fault = 0; return;
    case Kind::kInitBuffer: serve(c).buffered = true; return;
    case Kind::kFlushBuffer:
    case Kind::kFlushMulti: serve(c).unflushed = false; return;
    case Kind::kGetForce: serve(c).block = Block::kNone; return;
    default: return;
    }
}

void SessionCheck::write(SessionCluster &cluster, const Call &c, int address,
                         const SentParticle &particle, double mass)
{
    const auto &x = particle.x;
    if (address < 0) return found(SessionRule::kAddress, c, "address %d", address);
    const bool good = std::isfinite(particle.tj) && std::isfinite(mass) && std::isfinite(x[0]) &&
                      std::isfinite(x[1]) && std::isfinite(x[2]);
    if (!good)
        return found(SessionRule::kNotFinite, c,
                     "j-particle at address %d: time %g, mass %g, position %g %g %g", address,
                     particle.tj, mass, x[0], x[1], x[2]);
    if (cluster.block == Block::kPending) found(SessionRule::kBetween, c, "address %d", address);
    cluster.sent.write(address, particle);
    cluster.unflushed = cluster.buffered;
}

void SessionCheck::write_one(const Call &c)
{
    const bool multi = c.kind == Kind::kSetJMulti || c.kind == Kind::kSetJPointMulti;
    const bool point = c.kind == Kind::kSetJPoint || c.kind == Kind::kSetJPointMulti;
    const int *i = c.i.data() + (multi ? 1 : 0);
    if (!point && c.d[1] == 0) found(SessionRule::kNoStep, c, "address %d", i[0]);
    if (!point && !std::all_of(c.doubles.begin(), c.doubles.end(), finite))
        return found(SessionRule::kNotFinite, c,
                     "j-particle at address %d: a derivative, the velocity or the position", i[0]);
    SessionCluster &served = serve(c);
    const auto &d = c.doubles;
    if (d.back().null && i[0] >= 0) return;
    SentParticle particle{i[1], 0, vector_of(d.back(), 0), {}, {}, {}, {}};
    if (!point)
        particle = {i[1],
                    c.d[0],
                    particle.x,
                    vector_of(d[3], 0),
                    vector_of(d[2], 0),
                    vector_of(d[1], 0),
                    vector_of(d[0], 0)};
    const double mass = point ? c.d[0] : c.d[2];
    write(served, c, i[0], particle, mass);
    if (!multi) return;
    for (auto &[id, cluster] : clusters_)
        if (&cluster != &served && cluster.open && id.second > c.id &&
            static_cast<std::int64_t>(id.second) - c.id < c.i[0])
            write(cluster, c, i[0], particle, mass);
}

void SessionCheck::write_bulk(const Call &c)
{
    SessionCluster &cluster = serve(c);
    const auto &d = c.doubles;
    if (d[1].null || d.back().null) return;
    for (int k = 0; k < c.i[0]; k++) {
        const auto at = static_cast<std::size_t>(k);
        const int address = c.ints[0].null ? k : c.ints[0].v[at];
        const int index = c.ints[1].null ? address : c.ints[1].v[at];
        write(cluster, c, address,
              {index, d[0].null ? 0 : d[0].v[at], vector_of(d[6], at), vector_of(d[5], at),
               vector_of(d[4], at), vector_of(d[3], at), vector_of(d[2], at)},
              d[1].v[at]);
    }
}

void SessionCheck::set_time(const Call &c)
{
    SessionCluster &cluster = serve(c);
    if (!std::isfinite(c.d[0])) return found(SessionRule::kNotFinite, c, "time %g", c.d[0]);
    if (cluster.block == Block::kPending) found(SessionRule::kBetween, c, "time %g", c.d[0]);
    cluster.ti = c.d[0];
    cluster.ti_set = true;
}

// Compares the j-particles of a block with the rules.
void SessionCheck::judge_particles(const SessionCluster &cluster, const Call &c)
{
    const int nj = c.i[0];
    if (nj <= 0) return;
    if (cluster.sent.empty() && cluster.closed_once)
        return found(SessionRule::kForgotten, c, "nj = %d", nj);
    if (nj > cluster.sent.first_empty())
        found(SessionRule::kEmptySlots, c, "nj = %d, but slot %d is empty", nj,
              cluster.sent.first_empty());
    if (cluster.sent.empty()) return;
    const double earliest = cluster.sent.earliest(), latest = cluster.sent.latest();
    if (!cluster.ti_set && (earliest != 0 || latest != 0))
        found(SessionRule::kTimeNotSet, c, "j-particles have times from %g to %g", earliest,
              latest);
    else if (latest > cluster.ti)
        found(SessionRule::kAhead, c, "time %g, a j-particle has %g", cluster.ti, latest);
    if (cluster.unflushed) found(SessionRule::kUnflushed, c, "nj = %d", nj);
}

void SessionCheck::judge_indices(SessionCluster &cluster, const Call &c)
{
    if (c.ints[kIndex].null || c.doubles[kXi].null) return;
    for (std::size_t i = 0; i < c.ints[kIndex].size(); i++) {
        const int index = c.ints[kIndex].v[i];
        const double *x = &c.doubles[kXi].v[3 * i];
        if (const int n = cluster.sent.with_index(index); n > 1)
            found(SessionRule::kShared, c, "index %d, which %d j-particles have", index, n);
        if (const int address = cluster.sent.far_from(x, index, cluster.ti, c.i[0]); address >= 0)
            found(SessionRule::kIndexOfFar, c,
                  "i-particle %zu has index %d, as the j-particle at address %d", i, index,
                  address);
        if (cluster.sent.other_at(x, index))
            found(SessionRule::kSamePlace, c, "i-particle %zu with index %d", i, index);
    }
}

// Judges the call that starts a block: a firsthalf, or a lasthalf that computes its own block.
void SessionCheck::judge_block(SessionCluster &cluster, const Call &c)
{
    tell_cut(cluster);
    if (cluster.fault)
        found(SessionRule::kFaultIgnored, c, "call %llu had failed",
              static_cast<unsigned long long>(cluster.fault));
    cluster.fault = 0;
    const std::pair<int, const char *> arrays[] = {
        {kXi, "xi"}, {kVi, "vi"}, {kEps2, "eps2"}, {kH2, "h2"}};
    for (const auto &[array, name] : arrays)
        if (!finite(c.doubles[array]))
            found(SessionRule::kNotFinite, c, "%s of a block of ni = %d", name, c.i[1]);
    if (npipes_ > 0 && c.i[1] > npipes_)
        found(SessionRule::kManyI, c, "ni = %d, g6_npipes() = %d", c.i[1], npipes_);
    judge_particles(cluster, c);
    judge_indices(cluster, c);
    cluster.nj = c.i[0];
    cluster.ni = c.i[1];
    const auto &h2 = c.doubles[kH2];
    cluster.has_radius = std::any_of(h2.v.begin(), h2.v.end(), [](double h) { return h > 0; });
    cluster.lists_read = false;
}

void SessionCheck::first(const Call &c)
{
    SessionCluster &cluster = serve(c);
    if (cluster.block == Block::kPending)
        found(SessionRule::kDropped, c, "the block of ni = %d is lost", cluster.ni);
    judge_block(cluster, c);
    cluster.block = Block::kPending;
}

void SessionCheck::last(const Call &c)
{
    SessionCluster &cluster = serve(c);
    const bool collects =
        cluster.block != Block::kNone && c.i[0] == cluster.nj && c.i[1] == cluster.ni;
    if (!collects) {
        found(SessionRule::kAlone, c, "nj = %d, ni = %d", c.i[0], c.i[1]);
        judge_block(cluster, c);
    } else if (cluster.block == Block::kPending && !c.has(g6::trace::kSameInputs)) {
        found(SessionRule::kBlockChanged, c, "ni = %d", c.i[1]);
    }
    cluster.block = Block::kCollected;
    cluster.fault = c.status < 0 ? c.number : 0;
}

void SessionCheck::read_lists(const Call &c)
{
    SessionCluster &cluster = serve(c);
    tell_cut(cluster);
    if (cluster.lists_read) found(SessionRule::kListTwice, c, "ni = %d", cluster.ni);
    if (cluster.block != Block::kNone && cluster.ni > 0 && !cluster.has_radius)
        found(SessionRule::kListNoRadius, c, "ni = %d", cluster.ni);
    cluster.lists_read = true;
}

void SessionCheck::get_list(const Call &c)
{
    SessionCluster &cluster = serve(c);
    const int pipe = c.i[0], most = c.i[1];
    if (cluster.cut_pipe != pipe || most <= cluster.cut_length) tell_cut(cluster);
    cluster.cut_pipe = -1;
    if (!cluster.lists_read) found(SessionRule::kListUnread, c, "pipe %d", pipe);
    if (pipe < 0 || (cluster.block != Block::kNone && pipe >= cluster.ni))
        found(SessionRule::kPipe, c, "pipe %d of a block of ni = %d", pipe, cluster.ni);
    if (c.status != G6_LIST_OVERFLOW) return;
    cluster.cut_pipe = pipe;
    cluster.cut_call = c.number;
    cluster.cut_length = most;
}

// A list that was cut off is no mistake if the client asks for the list again with more room.
void SessionCheck::tell_cut(SessionCluster &cluster)
{
    if (cluster.cut_pipe < 0) return;
    Call c;
    c.number = cluster.cut_call;
    c.kind = Kind::kGetList;
    found(SessionRule::kListCut, c, "pipe %d, maxlength = %d", cluster.cut_pipe,
          cluster.cut_length);
    cluster.cut_pipe = -1;
}

void SessionCheck::add(const Call &c)
{
    if (c.status < 0 && !returns_number(c.kind))
        found(SessionRule::kRefused, c, "status %d, %s", c.status, text_of(c.status));
    switch (c.kind) {
    case Kind::kSetJ:
    case Kind::kSetJPoint:
    case Kind::kSetJMulti:
    case Kind::kSetJPointMulti: return write_one(c);
    case Kind::kSetJs: return write_bulk(c);
    case Kind::kSetTi: return set_time(c);
    case Kind::kFirsthalf:
    case Kind::kFirsthalf0: return first(c);
    case Kind::kReadList: return read_lists(c);
    case Kind::kGetList: return get_list(c);
    default: break;
    }
    if (is_lasthalf(c.kind)) return last(c);
    lifecycle(c);
}

void SessionCheck::end()
{
    for (auto &[id, cluster] : clusters_) tell_cut(cluster);
}

}  // namespace g6check
