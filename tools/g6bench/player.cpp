// SPDX-License-Identifier: MIT
// Makes the call that a record describes, with its arguments, and keeps its results and its time.
// Calls that the library lacks are left out.
#include "player.h"

#include "../common/clock.h"

#include <algorithm>

namespace g6bench {
namespace {

using g6::trace::Kind;
using g6tools::RecordedArray;

using Rows = double (*)[3];
constexpr int kMostPipes = 1 << 24;        // more than any client has
constexpr int kMostListEntries = 1 << 24;  // room for a list of unknown length

Rows rows(RecordedArray<double> &a)
{
    return reinterpret_cast<Rows>(a.data());
}
Rows rows(std::vector<double> &a)
{
    return reinterpret_cast<Rows>(a.data());
}

}  // namespace

Player::Player(const std::string &file, std::set<std::string> skipped)
    : library_(file), skipped_(std::move(skipped))
{
    for (const char *name : {"g6_open_", "g6_set_j_particle_", "g6calc_firsthalf_"})
        if (!find(name))
            throw g6tools::Failure(
                library_.file() + " is not a GRAPE-6 library with Fortran names; it lacks " + name);
}

void Player::report_to(g6tools::LibraryLog &log) const
{
    decltype(&g6_set_log) set_log = nullptr;
    library_.find("g6_set_log", set_log);
    log.listen(set_log);
}

std::string Player::describe() const
{
    const char *(*version)() = nullptr;
    const char *(*backend)(int) = nullptr;
    std::string text = library_.file();
    if (library_.find("g6_version", version)) text += std::string(", version ") + version();
    if (library_.find("g6_backend_name", backend))
        text += std::string(", backend ") + backend(any_id_);
    return text;
}

void *Player::find(const std::string &name)
{
    const auto place = known_.find(name);
    if (place != known_.end()) return place->second;
    return known_[name] = library_.symbol(name.c_str());
}

template <class... Args> void Player::timed(int (*function)(Args...), Args... args)
{
    const g6tools::Clock clock;
    result_.status = function(args...);
    result_.seconds = clock.seconds();
}

// Makes a call by its Fortran name with the cluster's id, or by the name with _all, which has no
// id.
template <class... Args> bool Player::make(const RecordedCall &c, const char *name, Args... args)
{
    const bool all = c.has(g6::trace::kAllCluster);
    void *const function = find(std::string(name) + (all ? "_all_" : "_"));
    if (!function) return false;
    if (all) {
        timed<Args...>(reinterpret_cast<int (*)(Args...)>(function), args...);
        return true;
    }
    int id = any_id_ = c.id;
    timed<int *, Args...>(reinterpret_cast<int (*)(int *, Args...)>(function), &id, args...);
    return true;
}

// Makes a call that has no id, or has it among `args`.
template <class... Args> bool Player::make_c(const char *name, Args... args)
{
    void *const function = find(name);
    if (!function) return false;
    timed<Args...>(reinterpret_cast<int (*)(Args...)>(function), args...);
    return true;
}

bool Player::play_write(RecordedCall &c)
{
    auto *const i = c.i.data();
    auto *const d = c.d.data();
    auto array = [&](std::size_t k) { return c.doubles[k].data(); };
    switch (c.kind) {
    case Kind::kSetJ:
        return make(c, "g6_set_j_particle", i, i + 1, d, d + 1, d + 2, array(0), array(1), array(2),
                    array(3), array(4));
    case Kind::kSetJPoint: return make(c, "g6_set_j_particle_mxonly", i, i + 1, d, array(0));
    case Kind::kSetJMulti:
        return make(c, "g6_set_j_particle_multisend", i, i + 1, i + 2, d, d + 1, d + 2, array(0),
                    array(1), array(2), array(3), array(4));
    case Kind::kSetJPointMulti:
        return make(c, "g6_set_j_particle_multisend_mxfast", i, i + 1, i + 2, d, array(0));
    default: break;
    }
    using Ints = const int *;
    using Doubles = const double *;
    if (c.kind == Kind::kSetJSoftening)
        return make_c<int, int, Ints, Doubles>("g6_set_j_softening", c.id, c.i[0], c.ints[0].data(),
                                               array(0));
    return make_c<int, int, Ints, Ints, Doubles, Doubles, Doubles, Doubles, Doubles, Doubles,
                  Doubles>("g6_set_j_particles", c.id, c.i[0], c.ints[0].data(), c.ints[1].data(),
                           array(0), array(1), array(2), array(3), array(4), array(5), array(6));
}

bool Player::play_half(RecordedCall &c)
{
    using namespace g6tools;
    int *const nj = &c.i[0], *const ni = &c.i[1], *const index = c.ints[kIndex].data();
    const auto n = static_cast<std::size_t>(std::max(*ni, 0));
    double *const eps2 = c.doubles[kEps2].data(), *const h2 = c.doubles[kH2].data();
    const Rows x = rows(c.doubles[kXi]), v = rows(c.doubles[kVi]);
    int one_eps2 = c.doubles[kEps2].size() == 1 ? 1 : 0;
    if (is_firsthalf(c.kind)) {
        zeros_.assign(3 * n, 0);
        const Rows zeros = rows(zeros_), old = c.doubles[kOld].null ? zeros : rows(c.doubles[kOld]);
        if (c.kind == Kind::kFirsthalf)
            return make(c, "g6calc_firsthalf", nj, ni, index, x, v, old, zeros, zeros_.data(), eps2,
                        h2);
        return make(c, "g6calc_firsthalf0", nj, ni, index, x, v, old, zeros, zeros_.data(), eps2,
                    h2, &one_eps2);
    }
    auto &out = result_.doubles;
    out.resize(3);
    for (std::size_t k = 0; k < 3; k++)
        if (!c.doubles[kAcc + k].null) out[k].resize(k < 2 ? 3 * n : n);
    const auto output = [&](std::size_t k) {
        return c.doubles[kAcc + k].null ? nullptr : out[k].data();
    };
    const auto acc = reinterpret_cast<Rows>(output(0));
    const auto jerk = c.has(g6::trace::kAccIsJerk) ? acc : reinterpret_cast<Rows>(output(1));
    double *const pot = output(2);
    if (c.ints.size() > kNearest && !c.ints[kNearest].null) result_.nearest.resize(n);
    int *const nearest = result_.nearest.empty() ? nullptr : result_.nearest.data();
    switch (c.kind) {
    case Kind::kLasthalf:
        return make(c, "g6calc_lasthalf", nj, ni, index, x, v, eps2, h2, acc, jerk, pot);
    case Kind::kLasthalf2:
        return make(c, "g6calc_lasthalf2", nj, ni, index, x, v, eps2, h2, acc, jerk, pot, nearest);
    case Kind::kLasthalf2p:
        distances_.resize(n);
        return make(c, "g6calc_lasthalf2p", nj, ni, index, x, v, eps2, h2, acc, jerk, pot, nearest,
                    c.floats[0].null ? nullptr : distances_.data());
    case Kind::kLasthalf0:
        return make(c, "g6calc_lasthalf0", nj, ni, index, x, v, eps2, h2, acc, jerk, pot,
                    &one_eps2);
    default:
        return make(c, "g6calc_lasthalf0a", nj, ni, index, x, v, eps2, h2, acc, jerk, pot, nearest,
                    &one_eps2);
    }
}

bool Player::play_list(RecordedCall &c)
{
    if (c.kind == Kind::kReadList) return make(c, "g6_read_neighbour_list");
    if (c.kind == Kind::kSetSort) return make_c("g6_set_neighbour_list_sort_mode_", &c.i[0]);
    int most = std::min(c.i[1], kMostListEntries), length = 0;
    auto &list = result_.list;
    list.resize(static_cast<std::size_t>(std::max(most, 0)));
    if (!make(c, "g6_get_neighbour_list", &c.i[0], &most, c.ints[0].null ? nullptr : &length,
              c.ints[1].null ? nullptr : list.data()))
        return false;
    list.resize(static_cast<std::size_t>(std::clamp(length, 0, std::max(most, 0))));
    return true;
}

bool Player::play_pipes(RecordedCall &c)
{
    auto array = [&](std::size_t k) { return c.doubles[k].data(); };
    const auto note = [&](std::int64_t pipes) {
        if (pipes <= kMostPipes) most_pipes_ = std::max(most_pipes_, static_cast<int>(pipes));
    };
    switch (c.kind) {
    case Kind::kSetNip: note(c.i[0]); return make(c, "g6_set_nip", &c.i[0]);
    case Kind::kSetNjp: return make(c, "g6_set_njp", &c.i[0]);
    case Kind::kSetI:
        note(std::int64_t{c.i[0]} + c.i[1]);
        if (c.i[1] == 1 && !c.ints[0].null)
            return make(c, "g6_set_i_particle", &c.i[0], c.ints[0].data(), array(0), array(1),
                        array(2), array(3));
        return make(c, "g6_set_i_particle_vector", &c.i[0], &c.i[1], c.ints[0].data(),
                    rows(c.doubles[0]), rows(c.doubles[1]), array(2), array(3));
    default: break;
    }
    if (c.i[0] > kMostPipes) return false;
    const auto n = static_cast<std::size_t>(std::max(c.i[0], 0)),
               room = std::max<std::size_t>({n, static_cast<std::size_t>(most_pipes_), 1});
    auto &out = result_.doubles;
    out = {std::vector<double>(3 * room), std::vector<double>(3 * room), std::vector<double>(room)};
    flags_.resize(room);
    const auto output = [&](std::size_t k) { return c.doubles[k].null ? nullptr : out[k].data(); };
    const auto acc = reinterpret_cast<Rows>(output(0));
    const auto jerk = c.has(g6::trace::kAccIsJerk) ? acc : reinterpret_cast<Rows>(output(1));
    int *const flag = c.ints[1].null ? nullptr : flags_.data();
    auto &nearest = result_.nearest;
    bool made = false;
    if (c.ints[0].null) {
        made = make(c, "g6_get_force", acc, jerk, output(2), flag);
    } else {
        nearest.resize(room);
        made = make(c, "g6_get_force_etc", acc, jerk, output(2), nearest.data(), flag);
        nearest.resize(n);
    }
    for (std::size_t k = 0; k < 3; k++) out[k].resize(k < 2 ? 3 * n : n);
    return made;
}

bool Player::play_setting(RecordedCall &c)
{
    const std::string key = c.text(0), value = c.text(1);
    std::string name = key;
    for (char &letter : name) letter = static_cast<char>(std::tolower(letter));
    if (name.rfind("g6_", 0) == 0) name = name.substr(3);
    if (skipped_.count(name)) return false;
    return make_c("g6_set_option", c.id, c.texts[0].null ? nullptr : key.c_str(),
                  c.texts[1].null ? nullptr : value.c_str());
}

// Makes the call because it opens a cluster where none is open; its answer is not compared.
bool Player::ask(int id)
{
    const char *(*backend_name)(int) = nullptr;
    if (!library_.find("g6_backend_name", backend_name)) return false;
    const g6tools::Clock clock;
    backend_name(id);
    result_.seconds = clock.seconds();
    return true;
}

bool Player::play_other(RecordedCall &c)
{
    int unit = 0;
    switch (c.kind) {
    case Kind::kOpen: return make(c, "g6_open");
    case Kind::kClose: return make(c, "g6_close");
    case Kind::kNpipes: return make_c("g6_npipes_");
    case Kind::kReset: return make(c, "g6_reset");
    case Kind::kReinitialize: return make(c, "g6_reinitialize");
    case Kind::kSetTi: return make(c, "g6_set_ti", &c.d[0]);
    case Kind::kSetupNj: return make(c, "g6_setup_njdata", &c.i[0]);
    case Kind::kPrintStatus: return make(c, "g6_print_chip_status");
    case Kind::kQuestion: return ask(c.id);
    case Kind::kOpenSpecial: return make_c("g6_open_special", c.i[0], c.ints[0].data());
    case Kind::kOpenSpecial2: return make_c("g6_open_special2", c.i[0], c.ints[0].data(), c.i[1]);
    // The units that clients set for the hardware.
    case Kind::kSetTunit: unit = 45; return make_c("g6_set_tunit_", &unit);
    case Kind::kSetXunit: unit = 51; return make_c("g6_set_xunit_", &unit);
    case Kind::kInitBuffer: return make(c, "g6_initialize_jp_buffer", &unit);
    case Kind::kFlushBuffer: return make(c, "g6_flush_jp_buffer");
    case Kind::kPredict: {
        const std::size_t n = std::max(c.doubles[0].size(), c.doubles[1].size());
        if (n == 0) return false;
        auto &out = result_.doubles;
        out = {std::vector<double>(n), std::vector<double>(n)};
        return make(c, "g6_get_predicted_j_particles", &c.i[0],
                    c.doubles[0].null ? nullptr : rows(out[0]),
                    c.doubles[1].null ? nullptr : rows(out[1]));
    }
    default: return false;  // calls that have no effect or only inform the client
    }
}

std::optional<Replayed> Player::play(RecordedCall &c)
{
    result_ = Replayed{};
    bool made = false;
    switch (c.kind) {
    case Kind::kSetJ:
    case Kind::kSetJPoint:
    case Kind::kSetJMulti:
    case Kind::kSetJPointMulti:
    case Kind::kSetJs:
    case Kind::kSetJSoftening: made = play_write(c); break;
    case Kind::kReadList:
    case Kind::kGetList:
    case Kind::kSetSort: made = play_list(c); break;
    case Kind::kSetNip:
    case Kind::kSetNjp:
    case Kind::kSetI:
    case Kind::kGetForce: made = play_pipes(c); break;
    case Kind::kSetOption: made = play_setting(c); break;
    default:
        made = g6tools::is_firsthalf(c.kind) || g6tools::is_lasthalf(c.kind) ? play_half(c)
                                                                             : play_other(c);
    }
    if (!made) return {};
    return std::move(result_);
}

}  // namespace g6bench
