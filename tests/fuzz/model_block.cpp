// SPDX-License-Identifier: MIT
// The part of the model for blocks: firsthalf, lasthalf, the low-level group, neighbour lists.
#include "model.h"
#include "truth_numbers.h"

#include "g6lib.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace g6fuzz {
namespace {

using State = Cluster::State;

// 0 or NaN: no list.
double radius2(const BlockArgs &args, int i)
{
    return args.h2 && args.h2[i] > 0 ? args.h2[i] : 0;
}

// How many pairs one block is judged by.
constexpr double kMostPairs = 60000;

}  // namespace

Task Model::make_task(const Cluster &k, const BlockArgs &args) const
{
    Task t;
    t.nj = args.nj;
    t.ti = k.ti;
    t.settings = k.settings;
    t.tree_only = k.settings.mode == Mode::kTreeOnly;
    t.points_only = k.settings.mode == Mode::kAuto && k.points_only();
    t.own_in_lists =
        k.settings.neighbour_self < 0 ? world_.pipes > 48 : k.settings.neighbour_self != 0;
    t.softened_lists =
        k.settings.neighbour_softened < 0 ? world_.pipes <= 48 : k.settings.neighbour_softened != 0;
    // Where only acc and pot are computed, which depends on what the client collects.
    t.float_positions = k.settings.precision == Precision::kSingle && world_.single_on_device;
    t.single_walks = k.settings.precision == Precision::kSingle && world_.computes() == "cuda";
    t.plain_sums = world_.computes_on_fakes();
    t.j = k.store();
    t.i.resize(static_cast<size_t>(args.ni));
    for (int n = 0; n < args.ni; n++) {
        IParticle &i = t.i[static_cast<size_t>(n)];
        i.index = args.index[n];
        std::copy_n(args.x + 3 * n, 3, i.x);
        std::copy_n(args.v + 3 * n, 3, i.v);
        i.eps2 = args.softening(n);
        i.h2 = radius2(args, n);
    }
    return t;
}

// Arguments that are refused whatever the arrays hold.
static bool are_bad(const BlockArgs &args)
{
    return args.nj < 0 || args.ni < 0 ||
           (args.ni > 0 && (!args.index || !args.x || !args.v || !args.eps2));
}

// A new block, or the status of its refusal.
int Model::start(Cluster &k, const BlockArgs &args)
{
    k.state = State::kFailed;
    k.held = 0;
    k.held_perhaps = false;
    k.lists_read = false;
    k.truth.reset();
    k.block_certain = true;
    if (are_bad(args)) return G6_ERR_ARGUMENT;
    for (int n = 0; n < args.ni; n++) {
        const double eps2 = args.softening(n);
        if (!finite3(args.x + 3 * n) || !(eps2 >= 0) || !std::isfinite(eps2))
            return G6_ERR_ARGUMENT;
    }
    k.task = make_task(k, args);
    k.block_revision = k.revision();
    k.state = State::kPending;
    return G6_OK;
}

std::string Model::check_first(const Call &c)
{
    Cluster &k = resolve(key_of(c));
    k.held = start(k, block_args(c));
    refused_ = k.held != 0;
    return "";
}

// Whether the block of the last firsthalf may be refused for its values.
bool Model::may_be_refused(Cluster &k)
{
    if (!k.truth) k.truth = std::make_shared<BlockTruth>(k.task);
    return k.truth->may_be_refused();
}

// Velocities that are no numbers give the same result, NaN.
static bool same_velocity(const double *a, const double *b)
{
    return std::equal(a, a + 3, b) || (!finite3(a) && !finite3(b));
}

bool Model::same_arguments(const Cluster &k, const BlockArgs &args) const
{
    for (int n = 0; n < args.ni; n++) {
        const IParticle &i = k.task.i[static_cast<size_t>(n)];
        if (args.index[n] != i.index || !std::equal(i.x, i.x + 3, args.x + 3 * n) ||
            !same_velocity(i.v, args.v + 3 * n) || args.softening(n) != i.eps2 ||
            (args.h2 && radius2(args, n) != i.h2))
            return false;
    }
    return true;
}

std::string Model::check_last(const Call &c, const Answer &a)
{
    Cluster &k = resolve(key_of(c));
    const BlockArgs args = block_args(c);
    const int needed = kNullAcc | kNullJerk | kNullPot | (has_nearest(c.op) ? kNullNearest : 0) |
                       (has_distance(c.op) ? kNullDistance : 0);
    if (args.ni > 0 && args.out & needed) return expect_status(G6_ERR_ARGUMENT, a);
    const int rows = std::max(args.ni, 0);
    if (k.held_perhaps && a.status != k.held) k.held = 0;
    k.held_perhaps = false;
    if (k.held) {
        const int held = k.held;
        k.held = 0;
        k.state = State::kNone;
        const std::string wrong = expect_status(held, a);
        return wrong.empty() ? expect_zeros(k, a, rows) : wrong;
    }
    if (k.state == State::kUnknown) return "";
    if (k.state == State::kPending && a.status == G6_ERR_ARGUMENT && may_be_refused(k)) {
        k.state = State::kUnknown;
        return expect_zeros(k, a, rows);
    }
    const bool has_others =
        !k.task.i.empty() && (k.state == State::kPending || k.state == State::kCollected);
    if (args.ni == 0 && args.nj >= 0 && has_others) return expect_status(G6_OK, a);
    const bool matches = args.ni == static_cast<int>(k.task.i.size()) && args.nj == k.task.nj;
    if (k.state == State::kPending && matches) return judge_block(k, a, rows);
    const bool unchanged = k.state == State::kCollected && matches &&
                           k.block_revision == k.revision() && k.task.ti == k.ti;
    const bool all_given = args.ni == 0 || (args.index && args.x && args.v && args.eps2);
    if (unchanged && (all_given ? same_arguments(k, args) : a.status == G6_OK)) {
        // The same block once more: as it was, or by the settings of now.
        if (k.settings == k.task.settings || !all_given) return judge_block(k, a, rows);
        const std::string wrong = judge_block(k, a, rows);
        if (!wrong.empty()) {
            start(k, args);
            return judge_block(k, a, rows);
        }
        k.block_certain = false;
        return "";
    }
    // A lasthalf that is refused for these leaves the block of the last firsthalf.
    const int status = are_bad(args) ? G6_ERR_ARGUMENT : start(k, args);
    if (!status) return judge_block(k, a, rows);
    const std::string wrong = expect_status(status, a);
    return wrong.empty() ? expect_zeros(k, a, rows) : wrong;
}

std::string Model::expect_zeros(const Cluster &k, const Answer &a, int rows) const
{
    if (!a.acc || !a.pot) return "";  // allowed where nothing is to be written
    for (int n = 0; n <= rows; n++) {
        const double value = n < rows ? 0 : kUntouched;
        const int none = n < rows ? 0 : kUntouchedInt;
        bool right = true;
        for (int d = 0; d < 3; d++)
            right = right && a.acc[3 * n + d] == value && (!a.jerk || a.jerk[3 * n + d] == value);
        right = right && a.pot[n] == value;
        if (a.nearest)
            right = right &&
                    (a.nearest[n] == none || (n < rows && a.nearest[n] == k.settings.nn_none) ||
                     (n < rows && a.nearest[n] == k.task.settings.nn_none));
        if (a.distance) right = right && a.distance[n] == static_cast<float>(value);
        if (!right)
            return "zeros: output " + std::to_string(n) + " of " + std::to_string(rows) +
                   " after an error";
    }
    return "";
}

std::string Model::judge_block(Cluster &k, const Answer &a, int rows)
{
    k.state = State::kCollected;
    if (a.status && rows == 0) return expect_status(G6_OK, a);
    if (rows == 0) return "";
    if (!k.truth) k.truth = std::make_shared<BlockTruth>(k.task);
    if (a.status == G6_ERR_ARGUMENT && may_be_refused(k)) {
        k.state = State::kUnknown;
        return expect_zeros(k, a, rows);
    }
    if (a.status) return expect_status(G6_OK, a);
    const double pairs = double(rows) * std::max(1, k.truth->bodies());
    const int step = static_cast<int>(std::ceil(pairs / kMostPairs));
    // Each time other rows: the revision moves on.
    for (int n = step > 1 ? static_cast<int>(k.revision() % static_cast<unsigned long>(step)) : 0;
         n < rows; n += step) {
        std::string wrong = judge_force(*k.truth, n, a);
        if (wrong.empty()) wrong = judge_nearest(*k.truth, k.task, n, a);
        if (!wrong.empty()) return wrong;
    }
    for (int d = 0; d < 3; d++)
        if (a.acc[3 * rows + d] != kUntouched || (a.jerk && a.jerk[3 * rows + d] != kUntouched) ||
            a.pot[rows] != kUntouched || (a.nearest && a.nearest[rows] != kUntouchedInt) ||
            (a.distance && a.distance[rows] != static_cast<float>(kUntouched)))
            return "beyond: an output after the last i-particle was written";
    return "";
}

// ---- the low-level group ----------------------------------------------------------------------

std::string Model::check_pipes(const Call &c)
{
    Cluster &k = resolve(key_of(c));
    constexpr int kTooMany = 1 << 26;  // more than memory holds: refused
    const int n = c.i[0];
    refused_ = n < 0 || (c.op != Op::set_njp && n >= kTooMany) ||
               (c.op == Op::set_i_particle && (c.da[0].null || c.da[1].null));
    memory_asked_ = memory_asked_ || (c.op != Op::set_njp && n >= kTooMany);
    const bool wrong = c.op == Op::set_i_particle &&
                       (n == std::numeric_limits<int>::max() || c.da[0].null || c.da[1].null);
    auto &pipes = k.pipes;
    if (c.op != Op::set_njp && n >= kTooMany && !wrong) pipes.refused = Cluster::Pipes::kMemory;
    if (c.op == Op::set_nip && n < 0) pipes.refused = Cluster::Pipes::kNegative;
    if (c.op == Op::set_njp) pipes.nj = n;  // a negative one is refused by the block, too
    if (c.op == Op::set_i_particle && refused_) pipes.lacks_one = true;
    if (refused_) return "";
    if (c.op == Op::set_nip ||
        (c.op == Op::set_i_particle && n >= static_cast<int>(pipes.i.size())))
        pipes.refused = Cluster::Pipes::kNone;
    if (c.op == Op::set_nip) {
        pipes.i.resize(static_cast<size_t>(n));
    } else if (c.op == Op::set_i_particle) {
        const size_t at = static_cast<size_t>(n);
        if (at >= pipes.i.size()) pipes.i.resize(at + 1);
        IParticle &i = pipes.i[at];
        i.index = c.i[1];
        std::copy_n(c.da[0].data(), 3, i.x);
        std::copy_n(c.da[1].data(), 3, i.v);
        i.eps2 = c.d[0], i.h2 = c.d[1];
    }
    return "";
}

std::string Model::check_force(const Call &c, const Answer &a)
{
    Cluster &k = resolve(key_of(c));
    const int rows = static_cast<int>(k.pipes.i.size()), out = c.i[0];
    std::vector<int> index;
    std::vector<double> x, v, eps2, h2;
    for (const IParticle &i : k.pipes.i) {
        index.push_back(i.index), eps2.push_back(i.eps2), h2.push_back(i.h2);
        x.insert(x.end(), i.x, i.x + 3), v.insert(v.end(), i.v, i.v + 3);
    }
    index.push_back(0), eps2.push_back(0), h2.push_back(0), x.push_back(0), v.push_back(0);
    BlockArgs args;
    args.nj = k.pipes.nj, args.ni = rows, args.each = true;
    args.index = index.data(), args.x = x.data(), args.v = v.data();
    args.eps2 = eps2.data(), args.h2 = h2.data();
    const bool lacks_one = std::exchange(k.pipes.lacks_one, false),
               no_memory = k.pipes.refused == Cluster::Pipes::kMemory;
    if (lacks_one || k.pipes.refused) {
        const std::string wrong = expect_status(no_memory ? G6_ERR_MEMORY : G6_ERR_ARGUMENT, a);
        return wrong.empty() ? expect_zeros(k, a, no_memory ? world_.pipes : rows) : wrong;
    }
    const int status = start(k, args);
    if (rows > 0 && out & (kNullAcc | kNullJerk | kNullPot)) {
        k.state = State::kUnknown;  // the block may have been started
        return expect_status(G6_ERR_ARGUMENT, a);
    }
    // Without a place for nearest neighbours the call may be refused.
    if (c.op == Op::get_force_etc && out & kNullNearest && a.status == G6_ERR_ARGUMENT) {
        k.state = State::kUnknown;
        return "";
    }
    if (status) return expect_status(status, a);
    std::string wrong = judge_block(k, a, rows);
    for (int n = 0; wrong.empty() && a.flag && n <= rows; n++)
        if (a.flag[n] != (n < rows ? 0 : kUntouchedInt))
            wrong = "flag of pipe " + std::to_string(n);
    return wrong;
}

// ---- neighbour lists --------------------------------------------------------------------------

std::string Model::check_read(const Call &c, const Answer &a)
{
    Cluster &k = resolve(key_of(c));
    if (k.state == State::kNone || k.state == State::kFailed || k.state == State::kUnknown)
        return a.status <= 0 ? "" : expect_status(0, a);
    k.lists_read = true;
    k.lists_sort = sort_mode_ != 0;
    if (a.status == G6_ERR_ARGUMENT && may_be_refused(k)) {
        k.state = State::kUnknown;
        return "";
    }
    return expect_status(G6_OK, a);
}

std::string Model::check_list(const Call &c, const Answer &a)
{
    Cluster &k = resolve(key_of(c));
    const int pipe = c.i[0], most = c.i[1];
    if (c.i[2] & kNullAcc || most < 0 || (most > 0 && c.i[2] & kNullJerk))
        return expect_status(G6_ERR_ARGUMENT, a);
    if (k.state == State::kUnknown) return "";
    if (k.state == State::kNone || k.state == State::kFailed) {
        const bool empty = a.length == 0 || (a.status < 0 && a.length == kUntouchedInt);
        return a.status <= 0 && empty ? "" : "list of no block: length " + std::to_string(a.length);
    }
    if (!k.lists_read) k.lists_sort = sort_mode_ != 0;
    k.lists_read = true;
    if (pipe < 0) return expect_status(G6_ERR_ARGUMENT, a);
    const bool beyond = pipe >= static_cast<int>(k.task.i.size());
    if (beyond && a.length) return "list: of a pipe beyond the block";
    const std::string wrong = beyond            ? expect_status(G6_OK, a)
                              : k.block_certain ? check_entries(k, c, a)
                                                : "";
    // The block may be refused with its list, or before.
    const bool refused = a.status == G6_ERR_ARGUMENT;
    if (a.length != 0 || (wrong.empty() && !refused) || !may_be_refused(k)) return wrong;
    if (refused) k.state = State::kUnknown;
    return "";
}

namespace {

std::map<int, int> count_of(const std::vector<Entry> &entries, bool certain_only)
{
    std::map<int, int> count;
    for (const Entry &e : entries)
        if (e.certain || !certain_only) count[e.index]++;
    return count;
}

std::string print(const std::vector<int> &list)
{
    std::string text;
    for (size_t k = 0; k < list.size() && k < 20; k++) text += " " + std::to_string(list[k]);
    return std::to_string(list.size()) + " entries" + text + (list.size() > 20 ? " ..." : "");
}

// Rounding decides about some entries: each is there at most as often as it may be, and the certain
// ones are all there unless the list was cut.
std::string judge_doubtful(const std::vector<Entry> &entries, const std::vector<int> &got, bool cut)
{
    std::map<int, int> most = count_of(entries, false), least = count_of(entries, true);
    for (int index : got)
        if (--most[index] < 0) return "list: too many entries " + std::to_string(index);
    for (int index : got) least[index]--;
    for (const auto &entry : least)
        if (!cut && entry.second > 0) return "list: no entry " + std::to_string(entry.first);
    return "";
}

}  // namespace

std::string Model::check_entries(Cluster &k, const Call &c, const Answer &a)
{
    const int most = c.i[1];
    if (!k.truth) k.truth = std::make_shared<BlockTruth>(k.task);
    const std::vector<Entry> entries = k.truth->list(c.i[0]);
    const int all = static_cast<int>(entries.size());
    const int certain = static_cast<int>(
        std::count_if(entries.begin(), entries.end(), [](const Entry &e) { return e.certain; }));
    if (a.status < 0) return expect_status(all > most ? G6_LIST_OVERFLOW : G6_OK, a);
    const int length = a.length;
    const std::string range =
        std::to_string(certain) + (certain < all ? " to " + std::to_string(all) : "");
    const bool cut = a.status == G6_LIST_OVERFLOW;
    if (cut ? all <= most || length != most : length < certain || length > all)
        return "list: length " + range + " of at most " + std::to_string(most) + " expected, got " +
               std::to_string(length);
    if (!cut && a.status) return expect_status(G6_OK, a);
    const int written = c.i[2] & kNullJerk ? 0 : length;
    for (int n = written; n < a.rows; n++)
        if (a.list[n] != kUntouchedInt) return "list: an entry after the last was written";
    const std::vector<int> got(a.list, a.list + written);
    const bool sorted = std::is_sorted(got.begin(), got.end());
    if (k.lists_sort == 1 && !sorted) return "list: not sorted: " + print(got);
    if (certain < all) return judge_doubtful(entries, got, cut);
    std::vector<int> expected;
    for (const Entry &e : entries) expected.push_back(e.index);
    std::vector<int> by_index = expected;
    std::sort(by_index.begin(), by_index.end());
    if (k.lists_sort == 1) expected = by_index;
    expected.resize(static_cast<size_t>(written));
    by_index.resize(static_cast<size_t>(written));
    if (got == expected || (k.lists_sort < 0 && got == by_index)) return "";
    return "list: " + print(expected) + " expected, got " + print(got);
}

}  // namespace g6fuzz
