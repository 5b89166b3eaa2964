// SPDX-License-Identifier: MIT
// g6check --trace: for each rule a client that breaks it, and a client that breaks none.
#include "tools/g6check/session_check.h"
#include "tests/folder.h"
#include "tests/recording.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

namespace g6test {
namespace {

using g6::trace::Kind;
using g6check::SessionCheck;
using g6check::SessionRule;

constexpr double kZero[3] = {0, 0, 0};

// A client whose calls are recorded one by one; each is right unless its arguments say otherwise.
class ClientCalls {
public:
    std::vector<Record> calls;

    void open(int id = 0) { calls.push_back(record(Kind::kOpen, id, 0)); }
    void close(int id = 0) { calls.push_back(record(Kind::kClose, id, 0)); }
    void npipes(int n) { calls.push_back(record(Kind::kNpipes, 0, n)); }
    void time(double t) { calls.push_back(record(Kind::kSetTi, 0, 0, t)); }
    void send(int address, int index, double tj = 0, double x = 1, double dtj = 0.5, int id = 0)
    {
        const double at[3] = {x, static_cast<double>(address), 0};
        using g6::trace::vec3;
        calls.push_back(record(Kind::kSetJ, id, address < 0 ? -1 : 0, address, index, tj, dtj, 1.0,
                               vec3(kZero), vec3(kZero), vec3(kZero), vec3(kZero), vec3(at)));
    }
    // i-particles with indices 100, 101 ... far from all others.
    void first(int nj = 2, int ni = 1, double h2 = 0, double x = 50, int index = 100)
    {
        block(Kind::kFirsthalf, nj, ni, h2, x, index, 0);
    }
    void last(int nj = 2, int ni = 1, double h2 = 0, double x = 50, int index = 100, int status = 0)
    {
        block(Kind::kLasthalf, nj, ni, h2, x, index, status);
    }
    // As the recorder writes a lasthalf with the arguments of the firsthalf.
    void collect()
    {
        last();
        Record &r = calls.back();
        r.fields.clear();
        r.fields.add(g6::trace::rows(nullptr, 1), g6::trace::rows(nullptr, 1),
                     g6::trace::array<double>(nullptr, 1));
        r.flags = g6::trace::kSameInputs;
    }
    void read_lists() { calls.push_back(record(Kind::kReadList, 0, 0)); }
    void get_list(int pipe, int most, int status = 0)
    {
        const std::vector<int> list(static_cast<std::size_t>(status == 1 ? most : 0), 7);
        const int length = static_cast<int>(list.size());
        calls.push_back(record(Kind::kGetList, 0, status, pipe, most, g6::trace::array(&length, 1),
                               g6::trace::array(list.data(), length)));
    }
    void only(Kind kind) { calls.push_back(record(kind, 0, 0)); }

private:
    void block(Kind kind, int nj, int ni, double h2, double x, int index, int status)
    {
        const auto n = static_cast<std::size_t>(ni);
        std::vector<int> indices(n);
        std::vector<double> xi(3 * n, x), vi(3 * n), radii(n, h2), out(3 * n);
        for (std::size_t i = 0; i < n; i++) indices[i] = index + static_cast<int>(i);
        const double eps2 = 0.01;
        const auto rows = [&](const std::vector<double> &u) {
            return g6::trace::Array<double>{u.data(), static_cast<std::ptrdiff_t>(u.size())};
        };
        Record r = record(kind, 0, status, nj, ni, g6::trace::array(indices.data(), ni), rows(xi),
                          rows(vi), g6::trace::array(&eps2, 1), rows(radii));
        if (kind == Kind::kFirsthalf)
            r.fields.add(g6::trace::rows(nullptr, ni));
        else
            r.fields.add(rows(out), rows(out), rows(radii));
        calls.push_back(r);
    }
};

// An open cluster with two particles at time 0.
ClientCalls begun()
{
    ClientCalls c;
    c.npipes(48);
    c.open();
    c.send(0, 1), c.send(1, 2);
    c.time(0);
    return c;
}

SessionCheck check(const ClientCalls &client)
{
    const Folder folder;
    write_recording(folder / "a", {client.calls});
    g6tools::Recording recording(folder / "a");
    SessionCheck check;
    g6tools::RecordedCall call;
    while (recording.next(call)) check.add(call);
    check.end();
    return check;
}

// Names of the rules that the client breaks, each with the number of its first call.
std::string broken_by(const ClientCalls &client)
{
    const SessionCheck c = check(client);
    std::string names;
    for (int k = 0; k < g6check::kSessionRules; k++)
        if (const auto &f = c.finding(static_cast<SessionRule>(k)); f.count)
            names += std::string(names.empty() ? "" : " ") +
                     g6check::session_rules()[static_cast<std::size_t>(k)].name + "@" +
                     std::to_string(f.first);
    return names;
}

TEST(SessionRules, a_client_that_keeps_all_is_found_to_keep_all)
{
    ClientCalls c = begun();
    for (int step = 1; step < 4; step++) {
        c.time(0.5 * step);
        c.first(2, 1, 4), c.collect();
        c.read_lists();
        c.get_list(0, 4);
        c.send(0, 1, 0.5 * step);
    }
    c.close();
    EXPECT_EQ(broken_by(c), "");
}

TEST(SessionRules, a_refused_call_is_counted)
{
    ClientCalls c = begun();
    c.send(-3, 1);
    EXPECT_EQ(check(c).finding(SessionRule::kRefused).count, 1u);
}

TEST(SessionRules, a_lasthalf_that_failed_must_be_noticed)
{
    ClientCalls c = begun();
    c.first(), c.last(2, 1, 0, 50, 100, -4);
    c.first(), c.collect();
    EXPECT_EQ(broken_by(c).find("call-refused@7 fault-ignored@8"), 0u) << broken_by(c);
    ClientCalls careful = begun();
    careful.first(), careful.last(2, 1, 0, 50, 100, -4);
    careful.only(Kind::kReset);
    careful.first(), careful.collect();
    EXPECT_EQ(broken_by(careful).find("fault-ignored"), std::string::npos);
}

using Calls = ClientCalls;

// What a client does after begun(), and the rules that it breaks with the numbers of the calls.
TEST(SessionRules, a_broken_rule_is_named_with_its_first_call)
{
    const double place[3] = {50, 50, 50};
    const Record at_i = record(Kind::kSetJPoint, 0, 0, 1, 2, 1.0, g6::trace::vec3(place));
    const auto with_lists = [](Calls &c) { c.first(2, 1, 4), c.collect(); };
    const std::pair<const char *, std::function<void(Calls &)>> cases[] = {
        {"call-refused@6 address-negative@6", [](Calls &c) { c.send(-3, 1); }},
        {"input-not-finite@6", [](Calls &c) { c.send(1, 2, 0, NAN); }},
        {"input-not-finite@6", [](Calls &c) { c.first(2, 1, 0, HUGE_VAL), c.collect(); }},
        {"input-not-finite@6", [](Calls &c) { c.time(NAN); }},
        // nj beyond what was sent, or since the cluster was opened.
        {"particles-forgotten@9",
         [](Calls &c) { c.close(), c.open(), c.time(0), c.first(), c.collect(); }},
        {"slots-empty@6", [](Calls &c) { c.first(3), c.collect(); }},
        {"", [](Calls &c) { c.send(2, 3), c.first(3), c.collect(); }},
        {"time-ahead@7", [](Calls &c) { c.send(0, 1, 2.5), c.first(), c.collect(); }},
        // Both halves have the same block, and nothing comes between them.
        {"block-changed@7", [](Calls &c) { c.first(), c.last(2, 1, 0, 51); }},
        {"lasthalf-alone@7", [](Calls &c) { c.first(), c.last(2, 2); }},
        {"call-refused@6 fault-ignored@7 lasthalf-alone@6",
         [](Calls &c) { c.last(2, 1, 0, 50, 100, -4), c.last(2, 2), c.last(2, 2); }},
        {"input-not-finite@6 lasthalf-alone@6", [](Calls &c) { c.last(2, 1, 0, NAN); }},
        {"slots-empty@6 lasthalf-alone@6", [](Calls &c) { c.last(3); }},
        {"above-pipes@6 lasthalf-alone@6", [](Calls &c) { c.last(2, 49); }},
        {"list-without-radius@7 lasthalf-alone@6", [](Calls &c) { c.last(), c.read_lists(); }},
        {"firsthalf-dropped@7", [](Calls &c) { c.first(), c.first(), c.collect(); }},
        {"write-between-halves@7", [](Calls &c) { c.first(), c.send(0, 1), c.collect(); }},
        {"write-between-halves@7", [](Calls &c) { c.first(), c.time(1), c.collect(); }},
        {"block-changed@7 above-pipes@6", [](Calls &c) { c.first(2, 49), c.last(2, 49); }},
        // Lists are read once and fetched whole.
        {"",
         [&](Calls &c) { with_lists(c), c.read_lists(), c.get_list(0, 1, 1), c.get_list(0, 8); }},
        {"list-cut-off@9", [&](Calls &c) { with_lists(c), c.read_lists(), c.get_list(0, 1, 1); }},
        {"list-not-read@8", [&](Calls &c) { with_lists(c), c.get_list(0, 8); }},
        {"list-read-twice@9", [&](Calls &c) { with_lists(c), c.read_lists(), c.read_lists(); }},
        {"pipe-outside-block@9",
         [&](Calls &c) { with_lists(c), c.read_lists(), c.get_list(1, 8); }},
        {"list-without-radius@8", [](Calls &c) { c.first(), c.collect(), c.read_lists(); }},
        {"other-id@6", [](Calls &c) { c.send(0, 1, 0, 1, 0.5, 77); }},
        // Buffered writes are flushed.
        {"",
         [](Calls &c) {
             c.only(Kind::kInitBuffer), c.send(0, 1), c.only(Kind::kFlushBuffer);
             c.first(), c.collect();
         }},
        {"buffer-not-flushed@8",
         [](Calls &c) { c.only(Kind::kInitBuffer), c.send(0, 1), c.first(), c.collect(); }},
        // A particle has a step, an index and a place of its own.  In the last two cases the
        // j-particle 2 comes to lie where the i-particle is, which may be itself.
        {"step-zero@6", [](Calls &c) { c.send(0, 1, 0, 1, 0); }},
        {"index-shared@7",
         [](Calls &c) { c.send(2, 2, 0, 9), c.first(3, 1, 0, 50, 2), c.collect(); }},
        {"same-place@7",
         [&](Calls &c) { c.calls.push_back(at_i), c.first(2, 1, 0, 50, 3), c.collect(); }},
        {"", [&](Calls &c) { c.calls.push_back(at_i), c.first(2, 1, 0, 50, 2), c.collect(); }}};
    for (const auto &[broken, calls] : cases) {
        Calls c = begun();
        calls(c);
        EXPECT_EQ(broken_by(c), broken);
    }
}

TEST(SessionRules, a_cluster_is_opened_and_its_time_set)
{
    ClientCalls c;
    c.open(), c.send(0, 1, 2.5), c.send(1, 2, 2.5);
    c.first(), c.collect();
    EXPECT_EQ(broken_by(c), "time-not-set@4");
    c = ClientCalls();
    c.send(0, 1), c.send(1, 2), c.time(0);
    c.first(), c.collect();
    EXPECT_EQ(broken_by(c), "nothing-open@1");
}

// An i-particle feels no j-particle with its index.  The j-particle of the same body is where the
// client has predicted it, or nearly there; another one with that index, which the client did not
// think of, may be anywhere.
TEST(SessionRules, an_index_is_that_of_the_particle_itself)
{
    using g6::trace::rows;
    using g6::trace::vec3;
    // j-particles of a system of size 1, and an i-particle with index 1; x: the j-particle's.
    const auto found = [](double x, double v, double a2, double ti, const double(&xi)[3],
                          int nj = 4) {
        ClientCalls c;
        c.open();
        const double places[4][3] = {{x, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
        for (int k = 0; k < 4; k++) {
            const double at[3] = {places[k][0], places[k][1], 0}, velocity[3] = {k ? 0 : v, 0, 0},
                         half[3] = {k ? 0 : a2, 0, 0};
            c.calls.push_back(record(Kind::kSetJ, 0, 0, k, k + 1, 0.0, 0.5, 1.0, vec3(kZero),
                                     vec3(kZero), vec3(half), vec3(velocity), vec3(at)));
        }
        c.time(ti);
        const int index = 1;
        const double eps2 = 0.01, zero[1] = {0};
        c.calls.push_back(record(Kind::kFirsthalf, 0, 0, nj, 1, g6::trace::array(&index, 1),
                                 vec3(xi), vec3(kZero), g6::trace::array(&eps2, 1),
                                 g6::trace::array(zero, 1), rows(nullptr, 1)));
        return broken_by(c);
    };
    const std::string far = "index-of-another@7";
    // A test particle at the centre, or anywhere but near.
    EXPECT_EQ(found(1, 0, 0, 0, {0, 0, 0}), far);
    EXPECT_EQ(found(1, 0, 0, 0.25, {1, 0.2, 0}), far);
    EXPECT_EQ(found(1, 0, 0, 0, {1e6, 0, 0}), far);
    EXPECT_EQ(found(1, 0.1, 0, 0.5, {-1, -1, 0}), far);
    // The particle itself, as the polynomial has it, without its last term, and a binary's member.
    EXPECT_EQ(found(1, 2, 4, 0.5, {3, 0, 0}), "");
    EXPECT_EQ(found(1, 2, 4, 0.5, {2, 0, 0}), "");
    EXPECT_EQ(found(1, 2, 4, 0.5, {1, 0, 0}), "");
    EXPECT_EQ(found(1, 0, 0, 0, {1, 0.05, 0}), "");
    // A slot from nj on acts on nobody.
    EXPECT_EQ(found(1, 0, 0, 0, {0, 0, 0}, 0), "");
    // An escaper makes the system no larger.
    EXPECT_EQ(found(1e6, 0, 0, 0, {0, 0, 0}), far);
}

// A program whose test particle has the index of the only particle of the system.
TEST(SessionRules, a_system_of_one_has_no_size)
{
    ClientCalls c;
    c.open(), c.send(0, 7), c.time(0);
    c.first(1, 1, 0, 1.5, 7), c.collect();
    EXPECT_EQ(broken_by(c), "index-of-another@4");
}

}  // namespace
}  // namespace g6test
