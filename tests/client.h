// SPDX-License-Identifier: MIT
// A GRAPE-6 client for the tests: it drives one cluster through g6lib.h and keeps, beside it, the
// reference's own copy of the j-particles, so that every answer can be checked against the
// long-double sums.
#pragma once

#include "systems.h"
#include "tolerance.h"

#include "g6lib.h"

#include <cstring>
#include <limits>
#include <map>
#include <ostream>

namespace g6test {

// What a test computes on.  An empty text keeps the library's default.  isa: an instruction set of
// the cpu backend; for the other backends a name of variant().
struct Machine {
    std::string backend, precision, devices, isa;
};

// The pair of G6_DEBUG that makes a backend compute in a way that it would not choose here:
//     opencl, "nodouble"   as on a device without doubles
//     opencl, "groups"     direct sums with work-groups of another shape
//     fake, "i" or "j"     on all devices, which share i-particles or j-particles
//     cuda, "groups"       64 i-particles walk a tree together, as in a block of 100000
//     cuda, "warps16"      direct sums on tensor cores, where there are any, for blocks of any
//                          size; a warp has 16 i-particles, and takes all j-particles
//     cuda, "warps32"      the same with 32; two warps share the j-particles
inline std::pair<std::string, std::string> variant(const Machine &m)
{
    if (m.backend == "cpu") return {"isa", m.isa};
    if (m.backend == "fake") return {"divide", m.isa};
    if (m.isa == "nodouble") return {"opencl_fp64", "0"};
    if (m.isa == "warps16") return {"cuda_few", "0,cuda_shape=7,slices=1"};
    if (m.isa == "warps32") return {"cuda_few", "0,cuda_shape=6,slices=2"};
    if (m.backend == "cuda") return {"cuda_group", "64"};
    return {"opencl_shape", "16x4x2"};
}
inline std::ostream &operator<<(std::ostream &out, const Machine &m)
{
    return out << m.backend << " " << m.precision << " " << m.devices << " " << m.isa;
}

using Rows = double (*)[3];
inline Rows rows(std::vector<Vec3> &v)
{
    return reinterpret_cast<Rows>(v.data());
}
inline double *data(const Vec3 &v)
{
    return const_cast<double *>(v.data());
}

enum class Half { kLast, kLast2 };

// Outputs of one block, filled beforehand with a value that no force has.
struct Output {
    static constexpr double kUnwritten = -12345.678;
    static constexpr int kNoIndex = -987654;
    int status = 0;
    Half half = Half::kLast2;
    std::vector<Vec3> acc, jerk;
    std::vector<double> pot;
    std::vector<int> nearest;

    explicit Output(int n)
        : acc(n, Vec3{kUnwritten, kUnwritten, kUnwritten}), jerk(acc), pot(n, kUnwritten),
          nearest(n, kNoIndex)
    {
    }
};

inline bool same_bits(const Output &a, const Output &b)
{
    const auto same = [](const auto &p, const auto &q) {
        return p.size() == q.size() && std::memcmp(p.data(), q.data(), p.size() * sizeof p[0]) == 0;
    };
    return same(a.acc, b.acc) && same(a.jerk, b.jerk) && same(a.pot, b.pot) &&
           same(a.nearest, b.nearest);
}

// Ids that no other test has used.
inline int fresh_id()
{
    static int id = 1000000;  // beyond the numbers that some tests have written out
    return ++id;
}

class Client {
public:
    explicit Client(const Machine &machine = {}, int id = fresh_id()) : machine_(machine), id_(id)
    {
        open();
    }
    ~Client() { g6_close(id_); }
    Client(const Client &) = delete;
    Client &operator=(const Client &) = delete;

    int id() const { return id_; }
    const Memory &memory() const { return memory_; }
    double ti() const { return ti_; }
    std::string precision() const
    {
        return machine_.precision.empty() ? "mixed" : machine_.precision;
    }

    void open()
    {
        EXPECT_EQ(g6_open(id_), 0);
        if (!machine_.backend.empty()) option("backend", machine_.backend);
        if (!machine_.devices.empty()) option("devices", machine_.devices);
        if (!machine_.precision.empty()) option("precision", machine_.precision);
        debug_.clear();
        if (!machine_.isa.empty()) debug(variant(machine_).first, variant(machine_).second);
        if (machine_.devices == "all") debug("divide", "i");
    }
    // Closes and opens the cluster: its j-particles are forgotten, the time is sent anew.
    void reopen()
    {
        EXPECT_EQ(g6_close(id_), 0);
        memory_.clear();
        open();
        set_ti(ti_);
    }
    void option(const std::string &key, const std::string &value)
    {
        EXPECT_EQ(g6_set_option(id_, key.c_str(), value.c_str()), G6_OK)
            << key << "=" << value << ": " << g6_last_error();
    }
    // One key of the setting "debug"; the others stay.
    void debug(const std::string &key, const std::string &value)
    {
        debug_[key] = value;
        std::string text;
        for (const auto &[k, v] : debug_) text += (text.empty() ? "" : ",") + k + "=" + v;
        option("debug", text);
    }

    void set(int address, const Body &b, double dtj = 0)
    {
        ASSERT_EQ(g6_set_j_particle(id_, address, b.index, b.t, dtj, b.mass, data(b.k18),
                                    data(b.j6), data(b.a2), data(b.v), data(b.x)),
                  0);
        memory_[address] = b;
    }
    void set_all(const std::vector<Body> &bodies)
    {
        for (int k = 0; k < int(bodies.size()); ++k) set(k, bodies[k]);
    }
    void set_point(int address, const Body &b)
    {
        ASSERT_EQ(g6_set_j_particle_mxonly(id_, address, b.index, b.mass, data(b.x)), 0);
        remember_point(address, b);
    }
    void remember_point(int address, const Body &b)
    {
        Body point;
        point.index = b.index, point.mass = b.mass, point.x = b.x;
        memory_[address] = point;
    }
    // For tests that write particles by other calls.
    Memory &mutable_memory() { return memory_; }
    void set_ti(double ti)
    {
        EXPECT_EQ(g6_set_ti(id_, ti), 0);
        ti_ = ti;
    }

    void first(IBlock block, int nj)
    {
        const int n = block.size();
        std::vector<Vec3> aold(n), j6old(n);
        std::vector<double> phiold(n);
        g6calc_firsthalf(id_, nj, n, block.index.data(), rows(block.x), rows(block.v), rows(aold),
                         rows(j6old), phiold.data(), block.eps2, block.h2.data());
        // The library must have copied all of it: this block and the old values die here.
    }
    Output last(IBlock block, int nj, Half half = Half::kLast2)
    {
        const int n = block.size();
        Output out(n);
        out.half = half;
        int *index = block.index.data();
        if (half == Half::kLast)
            out.status =
                g6calc_lasthalf(id_, nj, n, index, rows(block.x), rows(block.v), block.eps2,
                                block.h2.data(), rows(out.acc), rows(out.jerk), out.pot.data());
        else
            out.status = g6calc_lasthalf2(id_, nj, n, index, rows(block.x), rows(block.v),
                                          block.eps2, block.h2.data(), rows(out.acc),
                                          rows(out.jerk), out.pot.data(), out.nearest.data());
        return out;
    }
    Output run(const IBlock &block, int nj, Half half = Half::kLast2)
    {
        const double before = overflows();
        first(block, nj);
        const Output out = last(block, nj, half);
        // The host sums results again that are beyond a device's arithmetic.  Without doubles these
        // are common.
        if (!may_overflow_ && machine_.isa != "nodouble") {
            EXPECT_EQ(overflows(), before) << "results that a device did not give";
        }
        return out;
    }
    // From now on devices may leave results to the host.
    void allow_overflows() { may_overflow_ = true; }
    g6_stats stats() const
    {
        g6_stats s{};
        s.size = sizeof s;
        EXPECT_EQ(g6_get_stats(id_, &s), 0);
        return s;
    }
    double overflows() const { return stats().overflows; }
    double interactions() const { return stats().interactions; }
    int nj() const { return memory_.empty() ? 0 : memory_.rbegin()->first + 1; }
    Output run(const IBlock &block) { return run(block, nj()); }

    // One list, after g6_read_neighbour_list().
    std::vector<int> list(int pipe, int maxlength = 10000) const
    {
        std::vector<int> nbl(maxlength);
        int n = -1;
        EXPECT_EQ(g6_get_neighbour_list(id_, pipe, maxlength, &n, nbl.data()), 0);
        EXPECT_GE(n, 0);
        nbl.resize(n < 0 ? 0 : n);
        return nbl;
    }

    // Compares with the present j-particles and ti, or with those of an earlier moment.
    void expect_right(const IBlock &block, int nj, const Output &out) const
    {
        expect_right(block, nj, out, memory_, ti_);
    }
    void expect_right(const IBlock &block, int nj, const Output &out, const Memory &memory,
                      double ti) const
    {
        EXPECT_EQ(out.status, 0) << g6_last_error();
        const Tolerance t = tolerance(precision());
        for (int k = 0; k < block.size(); ++k) {
            SCOPED_TRACE("i-particle " + std::to_string(k));
            const Expected e = evaluate(memory, nj, ti, block.particle(k));
            const Allowed allowed(e, t);
            ASSERT_TRUE(within("acc", e.acc, out.acc[k], allowed.acc));
            ASSERT_TRUE(within("jerk", e.jerk, out.jerk[k], allowed.jerk));
            ASSERT_TRUE(within("pot", e.pot, out.pot[k], allowed.pot));
            if (out.half == Half::kLast) continue;
            ASSERT_EQ(out.nearest[k], e.nearest_address < 0 ? 0 : e.nearest_index);
        }
    }
    void expect_right(const IBlock &block, const Output &out) const
    {
        expect_right(block, nj(), out);
    }
    // acc and pot of one i-particle, for tests whose velocities have no jerk.
    void expect_pull(const IBlock &block, int k, const Output &out) const
    {
        IParticle i = block.particle(k);
        i.v = {};
        const Expected e = evaluate(memory_, nj(), ti_, i);
        const Allowed allowed(e, tolerance(precision()));
        EXPECT_TRUE(within("acc", e.acc, out.acc[k], allowed.acc)) << k;
        EXPECT_TRUE(within("pot", e.pot, out.pot[k], allowed.pot)) << k;
    }
    void run_and_check(const IBlock &block) { expect_right(block, run(block)); }

    // Reads all lists and compares them with the present j-particles and ti, or with those of an
    // earlier moment.
    void expect_lists(const IBlock &block, int nj, ListRule rule = {}) const
    {
        expect_lists(block, nj, memory_, ti_, rule);
    }
    void expect_lists(const IBlock &block, int nj, const Memory &memory, double ti,
                      ListRule rule = {}) const
    {
        ASSERT_EQ(g6_read_neighbour_list(id_), 0) << g6_last_error();
        for (int k = 0; k < block.size(); ++k) {
            const Expected e = evaluate(memory, nj, ti, block.particle(k), rule);
            ASSERT_EQ(list(k), e.neighbours) << "i-particle " << k;
        }
    }

private:
    Machine machine_;
    int id_;
    double ti_ = 0;
    bool may_overflow_ = false;
    Memory memory_;
    std::map<std::string, std::string> debug_;
};

// Writes up to 30 of the bodies to slots below `slots`, a third of them by mass and position alone.
inline void write_some(Client &client, const std::vector<Body> &bodies, int slots, Random &random)
{
    for (int k = random.below(30); k >= 0; --k) {
        const Body &b = bodies[random.below(int(bodies.size()))];
        if (random.below(3))
            client.set(random.below(slots), b);
        else
            client.set_point(random.below(slots), b);
    }
}

}  // namespace g6test
