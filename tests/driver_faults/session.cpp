// SPDX-License-Identifier: MIT
// Runs one of five sessions: block steps with direct sums, with a tree, with point masses, with
// clusters that are closed and opened around every block, or with blocks that all devices share.  A
// block that is refused must have outputs of zero and a text, and is tried a second time.
#include "session.h"

#include "tests/blocks.h"

namespace g6test {
namespace {

// What is allowed beside the errors of mixed (tests/tolerance.h), of the sum of the terms' sizes:
// trees of theta 0.5 with quadrupoles err by less than 1e-2.  A particle or a cell that is missing,
// or in the sum twice, is more than that.
constexpr double kDirect = 0, kTree = 2e-2;

struct Log {
    std::vector<std::string> lines;
    static void take(int, const char *line, void *user)
    {
        static_cast<Log *>(user)->lines.push_back(line);
    }
};

class Session {
public:
    Session(const std::string &mode, const std::string &backend, Faults faults,
            const std::string &devices = "0")
        : mode_(mode), backend_(backend), devices_(devices), faults_(faults)
    {
        g6_set_log(Log::take, 2, &log_);
    }
    ~Session() { g6_set_log(nullptr, 1, nullptr); }

    void open(const std::string &backend)
    {
        memory_.clear();
        option("backend", backend);
        option("devices", backend == backend_ ? devices_ : "0");
        option("mode", mode_);
        option("direct", "0");
        option("theta", "0");
        ask("g6_open", g6_open(kId));
    }
    void open() { open(backend_); }
    void close() { ask("g6_close", g6_close(kId)); }
    void option(const char *key, const std::string &value)
    {
        ask(key, g6_set_option(kId, key, value.c_str()));
    }
    void set(int address, const Body &b)
    {
        Body sent = b;
        if (mode_ == "treeonly") {
            sent.t = 0;
            sent.v = sent.a2 = sent.j6 = sent.k18 = {};
            ask("g6_set_j_particle_mxonly", send_point(kId, address, b));
        } else {
            ask("g6_set_j_particle", send(kId, address, b));
        }
        memory_[address] = sent;
    }
    void set_ti(double ti)
    {
        ti_ = ti;
        ask("g6_set_ti", g6_set_ti(kId, ti));
    }
    int nj() const { return memory_.rbegin()->first + 1; }

    // Makes a firsthalf whose lasthalf never follows.
    void leave(const IBlock &block) { first_half(kId, nj(), block); }
    // Computes a block and reads its lists.  A refused block is tried a second time.
    void block(const IBlock &block, double error = kDirect)
    {
        bool good = false;
        for (int attempt = 0; attempt < 2 && !good; attempt++) good = try_block(block, error);
        if (!good && faults_ != Faults::kLasting) problem("no block could be had");
        if (good && mode_ != "treeonly") lists(block);
    }
    std::string backend() const { return g6_backend_name(kId); }
    Outcome outcome(const std::string &last_backend)
    {
        Outcome o;
        o.backend = last_backend;
        if (o.backend != backend_ && log_.lines.empty())
            problem("went to " + o.backend + " without a word");
        for (const std::string &line : log_.lines)
            if (line.find(backend_) == std::string::npos)
                problem("unrelated message \"" + line + "\"");
        o.problems = problems_;
        o.statuses = statuses_;
        return o;
    }
    // Opens the cpu, so that the library closes the device and releases all that it held there.
    void leave_device()
    {
        open("cpu");
        set(0, resting_bodies(1, 1)[0]);
        set_ti(0);
        block(block_of(resting_bodies(2, 2), 0, 2));
        close();
    }

private:
    void problem(const std::string &text) { problems_.push_back(text); }
    bool ask(const char *call, int status)
    {
        if (status == 0) return true;
        statuses_++;
        if (!g6_last_error()[0]) problem(std::string(call) + " has a status without a text");
        if (faults_ == Faults::kNone)
            problem(std::string(call) + " is refused without a failure: " + g6_last_error());
        return false;
    }
    bool try_block(const IBlock &block, double error)
    {
        first_half(kId, nj(), block);
        const Output out = last_half(kId, nj(), block);
        const bool good = ask("g6calc_lasthalf2", out.status);
        if (!good && !is_zero(out)) problem("outputs are not zero after a status");
        const Parts parts = mode_ == "treeonly" ? Parts::kPoints : Parts::kAll;
        for (int k = 0; good && k < block.size() && problems_.empty(); k++) {
            const std::string part =
                wrong_part(evaluate(memory_, nj(), ti_, block.particle(k)), out, k, parts, error);
            if (!part.empty()) problem("wrong " + part + " of i-particle " + std::to_string(k));
        }
        return good;
    }
    void lists(const IBlock &block)
    {
        if (!ask("g6_read_neighbour_list", g6_read_neighbour_list(kId)) &&
            !ask("g6_read_neighbour_list", g6_read_neighbour_list(kId)))
            return;
        std::vector<int> entries(1000);
        for (int k = 0; k < block.size(); k++) {
            const Expected e = evaluate(memory_, nj(), ti_, block.particle(k));
            int length = -1;
            if (!ask("g6_get_neighbour_list",
                     g6_get_neighbour_list(kId, k, 1000, &length, entries.data())))
                continue;
            if (length != int(e.neighbours.size()) ||
                !std::equal(e.neighbours.begin(), e.neighbours.end(), entries.begin()))
                return problem("wrong list of i-particle " + std::to_string(k));
        }
    }

    static constexpr int kId = 0;  // of all sessions: nothing of an earlier one may be left
    const std::string mode_, backend_, devices_;
    const Faults faults_;
    int statuses_ = 0;
    double ti_ = 0;
    Memory memory_;
    Log log_;
    std::vector<std::string> problems_;
};

// Computes blocks of few and of many i-particles.  Between them j-particles change, share an index
// and become more, the time moves on, and one firsthalf has no lasthalf.  The bodies lie in every
// step-th slot.
void blocks(Session &s, unsigned seed, int step)
{
    std::vector<Body> bodies = moving_bodies(260, seed);
    const auto some = [&](int first, int n, double ti) {
        return block_of(bodies, first, n, ti, 1.0 / 1024, 0.04);
    };
    s.set_ti(0);
    for (int k = 0; k < 120; k++) s.set(step * k, bodies[k]);
    s.block(some(0, 5, 0));
    s.block(some(10, 80, 0));
    bodies[3].x[0] += 0.25;
    bodies[4].index = 7000;  // breaks the rule that an index is its slot and a constant
    for (int k : {3, 4}) s.set(step * k, bodies[k]);
    s.set_ti(0.0625);
    s.block(some(0, 70, 0.0625));
    bodies[5].index = bodies[6].index;  // two bodies share one
    s.set(step * 5, bodies[5]);
    for (int k = 120; k < 260; k++) s.set(step * k, bodies[k]);
    s.leave(some(0, 30, 0.0625));
    s.block(some(0, 90, 0.0625));
    s.block(some(8, 3, 0.0625));
}

void hermite(Session &s)
{
    s.open();
    blocks(s, 1, 1);
    s.close();
    s.open();
    blocks(s, 2, 2);
    s.close();
}

void treewalk(Session &s)
{
    s.open();
    blocks(s, 3, 1);
    s.option("theta", "0.5");
    s.option("multipole", "2");
    s.option("mac", "multipole");
    s.block(block_of(moving_bodies(260, 3), 10, 100, 0.0625, 1.0 / 1024, 0.04), kTree);
    s.close();
    s.open();
    s.option("multipole", "0");
    blocks(s, 4, 2);
    s.close();
}

// Closes and opens the cluster around every block, each time with another precision, for which the
// device is opened anew.
void reopen(Session &s)
{
    const std::vector<Body> bodies = moving_bodies(90, 5);
    for (const char *precision : {"mixed", "double", "mixed"}) {
        s.open();
        s.option("precision", precision);
        for (int k = 0; k < 90; k++) s.set(k, bodies[k]);
        s.set_ti(0);
        s.block(block_of(bodies, 0, 40, 0, 1.0 / 1024, 0.04));
        s.close();
    }
}

}  // namespace

Outcome run_session(const std::string &name, const std::string &backend, Faults faults)
{
    const bool shared = name == "shared";
    Session s(shared || name == "reopen" ? "hermite" : name, backend, faults, shared ? "all" : "0");
    if (shared) s.option("debug", "divide=i");  // all compute
    if (name == "reopen")
        reopen(s);
    else if (name == "treewalk")
        treewalk(s);
    else
        hermite(s);
    const std::string last = s.backend();
    s.leave_device();
    if (shared) s.option("debug", "");
    return s.outcome(last);
}

}  // namespace g6test
