// SPDX-License-Identifier: MIT
// The calls of a block: the halves, its neighbour lists, and the forces of pipes that are set one
// by one.
#include "calls.h"
#include "on_cluster.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace g6::calls {
namespace {

std::atomic<int> g_sort_mode{1};

void add_block(Fields &f, const BlockArgs &a)
{
    const int softenings = a.eps2_stride ? a.ni : 1;
    f.add(a.nj, a.ni, trace::array(a.index, a.ni), trace::rows(a.x, a.ni), trace::rows(a.v, a.ni),
          trace::array(a.eps2, softenings), trace::array(a.h2, a.ni));
}

// Ids on which the calling thread made a firsthalf that reached no cluster, because another call
// had it or there was no memory for it.  The lasthalf that follows returns the status.
struct Unreached {
    static constexpr int kMost = 16;
    struct {
        ClusterId id;
        int status;
    } first[kMost];
    int n;

    // Forgets the id.  Returns the status that was kept, or 0.
    int take(ClusterId id)
    {
        for (int k = 0; k < n; k++)
            if (first[k].id == id) {
                const int status = first[k].status;
                first[k] = first[--n];
                return status;
            }
        return G6_OK;
    }
    void keep(ClusterId id, int status)
    {
        take(id);
        if (n == kMost) take(first[0].id);
        first[n++] = {id, status};
    }
};
thread_local Unreached t_unreached;

// The i-particles that the calling thread has set for g6_get_force().
struct ThreadPipes {
    ClusterId id;
    int n;
};
thread_local ThreadPipes t_pipes;

bool has_nearest(Kind kind)
{
    return kind != Kind::kLasthalf && kind != Kind::kLasthalf0;
}

void add_sums(Fields &f, Kind kind, const BlockOutputs &out, int ni)
{
    const bool shared = out.acc == out.jerk;
    f.add(trace::rows(out.acc, ni), trace::rows(shared ? nullptr : out.jerk, ni),
          trace::array(out.pot, ni));
    if (has_nearest(kind)) f.add(trace::array(out.nearest, ni));
    if (kind == Kind::kLasthalf2p) f.add(trace::array(out.r_near, ni));
}

const char *name_of(Kind kind)
{
    return trace::find_kind(static_cast<int>(kind))->name;
}

}  // namespace

// Without a return value: the cluster keeps the error for the lasthalf, which puts its own name
// before the text.
void firsthalf(ClusterId id, Kind kind, const BlockArgs &args)
{
    bool reads_old = false;
    const auto call = [&] {
        const CallScope scope;
        const char *const where = name_of(kind);
        bool reached = false;
        int status = compute(where, id, [&](Cluster &c) {
            reached = true;
            reads_old =
                c.config().mode == Mode::kTreeWalk && c.config().walk.mac == Mac::kAcceleration;
            c.firsthalf(args);
        });
        t_unreached.take(id);
        if (status != G6_OK && reached)
            status = guard(where, [&] {
                reached = false;
                const ClusterInUse c = clusters::resolve(id);
                c->hold_error(status, last_error() + std::strlen(where) + std::strlen(": "));
                reached = true;
                return status;
            });
        if (!reached) t_unreached.keep(id, status);
        return status;
    };
    traced(
        kind, id, call, [&](Fields &f) { add_block(f, args); },
        [&](Fields &f) { f.add(trace::rows(reads_old ? args.aold : nullptr, args.ni)); });
}

// The cluster writes the outputs.  When the call reaches no cluster, they are zero.
int lasthalf(ClusterId id, Kind kind, const BlockArgs &args, const BlockOutputs &out)
{
    const auto call = [&] {
        bool found = false;
        const int unreached = t_unreached.n > 0 ? t_unreached.take(id) : static_cast<int>(G6_OK);
        const int status = compute(name_of(kind), id, [&](Cluster &c) {
            if (unreached != G6_OK)
                throw Error(unreached, "the first half of this block was refused: %s",
                            unreached == G6_ERR_STATE
                                ? "another thread was in a call on the cluster"
                                : status_text(unreached));
            found = true;
            if (args.ni > 0 && has_nearest(kind)) need("nnbindex", out.nearest);
            if (args.ni > 0 && kind == Kind::kLasthalf2p) need("rnnb", out.r_near);
            c.lasthalf(args, out);
        });
        if (!found) write_zero_outputs(out, args.ni, 0);
        return status;
    };
    return traced(
        kind, id, call, [&](Fields &f) { add_block(f, args); },
        [&](Fields &f) { add_sums(f, kind, out, args.ni); },
        out.acc == out.jerk ? trace::kAccIsJerk : 0u);
}

int read_neighbour_list(ClusterId id)
{
    return traced(Kind::kReadList, id, [&] {
        return compute("g6_read_neighbour_list", id,
                       [](Cluster &c) { c.read_neighbours(g_sort_mode != 0); });
    });
}

int get_neighbour_list(ClusterId id, int ipipe, int maxlength, int *nblen, int nbl[])
{
    const char *const where = "g6_get_neighbour_list";
    int written = 0;
    const auto call = [&] {
        if (nblen) *nblen = 0;
        int result = G6_OK;
        const auto get = [&](Cluster &c) {
            result = c.get_neighbours(ipipe, maxlength, nblen, nbl, g_sort_mode != 0);
            written = *nblen;
        };
        bool ready = false;
        int status = with_quick(where, id, [&](Cluster &c) {
            ready = c.lists_ready();
            if (ready) get(c);
        });
        if (status == G6_OK && !ready) status = compute(where, id, get);
        return status == G6_OK ? result : status;
    };
    return traced(
        Kind::kGetList, id, call, [&](Fields &f) { f.add(ipipe, maxlength); },
        [&](Fields &f) {
            f.add(trace::array(nblen ? &written : nullptr, 1), trace::array(nbl, written));
        });
}

int set_neighbour_list_sort_mode(int mode)
{
    return traced(
        Kind::kSetSort, 0,
        [&] {
            g_sort_mode = mode;
            return static_cast<int>(G6_OK);
        },
        [&](Fields &f) { f.add(mode); });
}

int get_neighbour_list_sort_mode()
{
    return g_sort_mode;
}

void note_pipes(ClusterId id, int n, bool exactly)
{
    const bool grows = !exactly && t_pipes.id == id;
    t_pipes = {id, grows ? std::max(t_pipes.n, n) : n};
}

void forget_halves(ClusterId id)
{
    t_unreached.take(id);
    if (t_pipes.id == id) t_pipes.n = 0;
}

int get_force(ClusterId id, double acc[][3], double jerk[][3], double phi[], int *nnbindex,
              int flag[])
{
    int pipes = 0, ni = 0;
    const auto call = [&] {
        bool found = false;
        const int status = compute("g6_get_force", id, [&](Cluster &c) {
            found = true;
            // Zeros are written for some of the pipes that found no memory.
            pipes = c.pipes().refused() > 0 ? kMaxPipes : c.pipes().size();
            c.get_force(acc, jerk, phi, nnbindex, flag);
            ni = pipes;
        });
        if (!found && t_pipes.id == id)
            write_zero_outputs({acc, jerk, phi, nnbindex, nullptr}, t_pipes.n, 0);
        return status;
    };
    return traced(
        Kind::kGetForce, id, call, no_fields,
        [&](Fields &f) {
            f.add(pipes, trace::rows(acc, ni), trace::rows(acc == jerk ? nullptr : jerk, ni),
                  trace::array(phi, ni), trace::array(nnbindex, ni), trace::array(flag, ni));
        },
        acc == jerk ? trace::kAccIsJerk : 0u);
}

}  // namespace g6::calls
