// SPDX-License-Identifier: MIT
// A GRAPE-6 client for the tests: it drives one cluster through g6lib.h and keeps a second copy of
// the j-particles for the reference, so each answer can be compared with long-double sums.
#pragma once

#include "blocks.h"
#include "info.h"

#include <functional>
#include <map>
#include <ostream>
#include <thread>

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
//     cuda, "tensors"      direct sums on tensor cores, where there are any, for blocks of any
//                          size, in two slices
inline std::pair<std::string, std::string> variant(const Machine &m)
{
    if (m.backend == "cpu") return {"isa", m.isa};
    if (m.backend == "fake") return {"divide", m.isa};
    if (m.isa == "nodouble") return {"opencl_fp64", "0"};
    if (m.isa == "tensors") return {"cuda_few", "0,cuda_shape=6,slices=2"};
    if (m.backend == "cuda") return {"cuda_group", "64"};
    return {"opencl_shape", "16x4x2"};
}
inline std::ostream &operator<<(std::ostream &out, const Machine &m)
{
    return out << m.backend << " " << m.precision << " " << m.devices << " " << m.isa;
}

// Whether g6_last_error() has these words.
inline testing::AssertionResult last_error_has(const std::string &words)
{
    const std::string text = g6_last_error();
    if (text.find(words) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << '"' << text << "\" lacks \"" << words << '"';
}

// Results k of a block within the tolerance.
inline void expect_within(const Expected &e, const Tolerance &t, const Output &out, int k)
{
    const Allowed allowed(e, t);
    ASSERT_TRUE(within("acc", e.acc, out.acc[k], allowed.acc));
    ASSERT_TRUE(within("jerk", e.jerk, out.jerk[k], allowed.jerk));
    ASSERT_TRUE(within("pot", e.pot, out.pot[k], allowed.pot));
    if (out.half == Half::kLast) return;
    ASSERT_EQ(out.nearest[k], e.nearest_address < 0 ? 0 : e.nearest_index);
}

// Calls f(t) on a thread of its own for each t = 0 ... n-1, and waits until all have ended.
template <class F> void at_once(int n, const F &f)
{
    std::vector<std::thread> threads;
    for (int t = 0; t < n; ++t) threads.emplace_back(std::cref(f), t);
    for (std::thread &t : threads) t.join();
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
    // With these bodies at addresses 0, 1 ...
    Client(const Machine &machine, const std::vector<Body> &bodies) : Client(machine)
    {
        set_all(bodies);
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
    void reopen(const std::vector<Body> &bodies = {})
    {
        EXPECT_EQ(g6_close(id_), 0);
        memory_.clear();
        eps2_.clear();
        open();
        set_ti(ti_);
        set_all(bodies);
    }
    void option(const std::string &key, const std::string &value)
    {
        EXPECT_EQ(g6_set_option(id_, key.c_str(), value.c_str()), G6_OK)
            << key << "=" << value << ": " << g6_last_error();
    }
    // Without direct sums in place of a walk.
    void use_mode(const std::string &mode, const std::string &theta = "0")
    {
        option("mode", mode);
        option("theta", theta);
        option("direct", "0");
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
        ASSERT_EQ(send(id_, address, b, dtj), 0);
        memory_[address] = b;
    }
    // At addresses 0, 1 ...  Returns the bodies.
    std::vector<Body> set_all(std::vector<Body> bodies)
    {
        for (int k = 0; k < int(bodies.size()); ++k) set(k, bodies[k]);
        return bodies;
    }
    void set_point(int address, const Body &b)
    {
        ASSERT_EQ(send_point(id_, address, b), 0);
        remember_point(address, b);
    }
    void remember_point(int address, const Body &b)
    {
        memory_[address] = body_at(b.index, b.x, b.mass);
    }
    // Sets the softenings squared of addresses 0 ... n-1, or of one.
    void soften(const std::vector<double> &eps2)
    {
        ASSERT_EQ(g6_set_j_softening(id_, int(eps2.size()), nullptr, eps2.data()), G6_OK)
            << g6_last_error();
        for (size_t a = 0; a < eps2.size(); ++a) eps2_[int(a)] = eps2[a];
    }
    void soften(int address, double eps2)
    {
        ASSERT_EQ(g6_set_j_softening(id_, 1, &address, &eps2), G6_OK) << g6_last_error();
        eps2_[address] = eps2;
    }
    const Softenings &softenings() const { return eps2_; }
    // For tests that write particles by other calls.
    Memory &mutable_memory() { return memory_; }
    void set_ti(double ti)
    {
        EXPECT_EQ(g6_set_ti(id_, ti), 0);
        ti_ = ti;
    }

    void first(const IBlock &block, int nj) { first_half(id_, nj, block); }
    Output last(const IBlock &block, int nj, Half half = Half::kLast2)
    {
        return last_half(id_, nj, block, half);
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
        auto s = sized<g6_stats>();
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

    // Of the present j-particles and ti.
    Expected expected(int nj, const IParticle &i) const
    {
        return evaluate(memory_, nj, ti_, i, eps2_);
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
            expect_within(evaluate(memory, nj, ti, block.particle(k), eps2_), t, out, k);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
    void expect_right(const IBlock &block, const Output &out) const
    {
        expect_right(block, nj(), out);
    }
    void run_and_check(const IBlock &block) { expect_right(block, run(block)); }
    void run_and_check_with_lists(const IBlock &block)
    {
        run_and_check(block);
        expect_lists(block, nj());
    }
    // For trees, whose cells act as a whole: forces within `error` of the sum of |terms|, nearest
    // neighbours and lists exactly.
    void expect_close(const IBlock &block, int nj, const Output &out, double error) const
    {
        ASSERT_EQ(out.status, 0) << g6_last_error();
        for (int k = 0; k < block.size(); ++k) {
            SCOPED_TRACE("i-particle " + std::to_string(k));
            const Expected e = expected(nj, block.particle(k));
            ASSERT_TRUE(within("acc", e.acc, out.acc[k], error * e.acc_size));
            ASSERT_TRUE(within("pot", e.pot, out.pot[k], error * e.pot_size));
            ASSERT_EQ(out.nearest[k], e.nearest_address < 0 ? 0 : e.nearest_index);
        }
        expect_lists(block, nj);
    }

    // Reads all lists and compares them with the present j-particles and ti, or with those of an
    // earlier moment.
    void expect_lists(const IBlock &block, int nj) const { expect_lists(block, nj, memory_, ti_); }
    void expect_lists(const IBlock &block, int nj, const Memory &memory, double ti) const
    {
        ASSERT_EQ(g6_read_neighbour_list(id_), 0) << g6_last_error();
        for (int k = 0; k < block.size(); ++k) {
            const Expected e = evaluate(memory, nj, ti, block.particle(k), eps2_);
            ASSERT_EQ(list(k), e.neighbours) << "i-particle " << k;
        }
    }

private:
    Machine machine_;
    int id_;
    double ti_ = 0;
    bool may_overflow_ = false;
    Memory memory_;
    Softenings eps2_;
    std::map<std::string, std::string> debug_;
};

}  // namespace g6test
