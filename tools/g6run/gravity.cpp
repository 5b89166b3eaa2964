// SPDX-License-Identifier: MIT
// Opens the library with the settings of the run, sends particles, and computes forces, which must
// be finite.
#include "gravity.h"

#include "error.h"

#include "../common/parallel.h"
#include "../common/clock.h"
#include "../common/device_text.h"
#include "../common/resources.h"

#include <g6lib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace g6run {
namespace {

constexpr int kCluster = 0;

// A large block whose progress is shown is computed in kParts parts of kLeastPart i-particles or
// more: fewer would not fill a GPU.
constexpr std::size_t kParts = 64, kLeastPart = 16384;

// The call that failed and the library's reason for it.
std::string reason(const std::string &call, int status)
{
    const char *text = g6_last_error();
    return call + ": " + (text && *text ? text : g6_status_text(status));
}

void check(const char *call, int status)
{
    if (status != G6_OK) throw Error(reason(call, status));
}

using Rows = double (*)[3];
Rows rows(std::vector<Vector> &vectors)
{
    return reinterpret_cast<Rows>(vectors.data());
}
using ConstRows = const double (*)[3];
ConstRows rows(const std::vector<Vector> &vectors)
{
    return reinterpret_cast<ConstRows>(vectors.data());
}

// The calls of a GRAPE-6 take i-particles without const, and only read them.
Rows unchanged_rows(const std::vector<Vector> &vectors)
{
    return const_cast<Rows>(rows(vectors));
}

bool finite(const Vector &u)
{
    return std::isfinite(u[0] + u[1] + u[2]);
}

}  // namespace

void Block::resize(std::size_t n)
{
    index.resize(n);
    if (n <= pot.size()) return;
    for (auto *vectors : {&x, &v, &old_acc, &acc, &jerk}) vectors->resize(n);
    pot.resize(n);
}

Gravity::Gravity(const std::string &backend, const std::string &precision, const std::string &mode,
                 double eps, const std::string &theta, bool needs_jerk)
    : eps2_(eps * eps), needs_jerk_(needs_jerk)
{
    log_.listen(g6_set_log);
    check("g6_open", g6_open(kCluster));
    refused_ = log_.errors();
    try {
        choose("backend", backend);
        choose("precision", precision);
        choose("mode", mode);
        choose("theta", theta);
        require(backend);
        if (needs_jerk && setting("mode") == "treeonly")
            throw usage_error("mode treeonly computes no jerk, which the Hermite scheme needs");
        tell_outputs();
    } catch (...) {
        g6_close(kCluster);  // a half-made object has no destructor
        throw;
    }
    computing_ = log_.device();
    told_ = log_.errors().size();
}

// What the library has said before a step that failed comes before the error of that step.
Gravity::~Gravity()
{
    try {
        for (const std::string &text : new_errors())
            std::fprintf(stderr, "g6run: %s\n", text.c_str());
    } catch (const std::bad_alloc &) {
    }
    g6_close(kCluster);
}

void Gravity::choose(const char *key, const std::string &value)
{
    if (value.empty()) return;
    const int status = g6_set_option(kCluster, key, value.c_str());
    if (status == G6_OK) return;
    throw Error(reason("--" + std::string(key) + " " + value, status),
                status == G6_ERR_OPTION ? kExitUsage : kExitRunTime);
}

// The library computes a block before it knows which outputs are asked for.  It expects those of
// the last block, and with the first one a jerk.  The last bits of a force may depend on them, and
// a run that goes on has another first block.  So a block of no particles asks for the outputs of
// this run.
void Gravity::tell_outputs()
{
    int index = 0;
    double none[1][3] = {}, jerk[1][3], pot = 0;
    check("g6calc_lasthalf0", g6calc_lasthalf0(kCluster, 0, 0, &index, none, none, &eps2_, nullptr,
                                               none, needs_jerk_ ? jerk : none, &pot, one_eps2()));
}

// When a backend cannot be had, the library computes with another one.  Here the user has named the
// backend, and gets an error instead.
void Gravity::require(const std::string &asked) const
{
    if (!asked.empty() && asked != "auto" && backend() != asked)
        throw Error("--backend " + asked + ": " + backend() +
                    " would compute instead; g6info tells why");
}

void Gravity::soften_each(const std::vector<double> &eps)
{
    half_eps2_.clear();
    for (const double length : eps) half_eps2_.push_back(length * length / 2);
    if (!eps.empty())
        check("g6_set_j_softening", g6_set_j_softening(kCluster, static_cast<int>(eps.size()),
                                                       nullptr, half_eps2_.data()));
}

// The softening of each i-particle of the range, or one for all.
double *Gravity::eps2_of(const Block &block, Range range)
{
    if (half_eps2_.empty()) return &eps2_;
    block_eps2_.resize(range.count);
    for (std::size_t k = 0; k < range.count; k++)
        block_eps2_[k] = half_eps2_[static_cast<std::size_t>(block.index[range.first + k])];
    return block_eps2_.data();
}

void Gravity::Arrays::grow(std::size_t n)
{
    if (n <= mass.size()) return;
    index.resize(n);
    for (auto *numbers : {&t, &mass}) numbers->resize(n);
    for (auto *vectors : {&x, &v, &a2, &j6}) vectors->resize(n);
}

void Gravity::pack(std::size_t k, const Body &body)
{
    j_.t[k] = body.t;
    j_.mass[k] = body.mass;
    for (std::size_t d = 0; d < 3; d++) {
        j_.x[k][d] = body.x[d];
        j_.v[k][d] = body.v[d];
        j_.a2[k][d] = body.a[d] / 2;
        if (needs_jerk_) j_.j6[k][d] = body.j[d] / 6;
    }
}

// The Hermite scheme predicts up to the jerk; with a snap term the energy error was no smaller.
void Gravity::send_packed(const int *numbers, std::size_t n)
{
    const g6tools::Timed timed(&sending_);
    check("g6_set_j_particles",
          g6_set_j_particles(kCluster, static_cast<int>(n), numbers, nullptr, j_.t.data(),
                             j_.mass.data(), nullptr, needs_jerk_ ? rows(j_.j6) : nullptr,
                             rows(j_.a2), rows(j_.v), rows(j_.x)));
}

void Gravity::send(const Numbers<int> &index, const std::vector<double> &mass,
                   const std::vector<Vector> &x)
{
    const g6tools::Timed timed(&sending_);
    check("g6_set_j_particles",
          g6_set_j_particles(kCluster, static_cast<int>(mass.size()), nullptr, index.data(),
                             nullptr, mass.data(), nullptr, nullptr, nullptr, nullptr, rows(x)));
}

void Gravity::send(const std::vector<Source> &sources)
{
    const g6tools::Timed timed(&sending_);
    const int n = static_cast<int>(sources.size());
    j_.grow(sources.size());
    for (int k = 0; k < n; k++) {
        j_.index[k] = sources[k].index;
        j_.mass[k] = sources[k].mass;
        j_.x[k] = sources[k].x;
    }
    check("g6_set_j_particles",
          g6_set_j_particles(kCluster, n, nullptr, j_.index.data(), nullptr, j_.mass.data(),
                             nullptr, nullptr, nullptr, nullptr, rows(j_.x)));
}

void Gravity::compute(double t, int nj, Block &block, const std::vector<Vector> &x)
{
    const g6tools::Clock clock;
    const std::size_t n = block.index.size();
    const std::size_t part = listener_ && !is_tree() ? std::max(kLeastPart, n / kParts + 1) : n;
    for (std::size_t first = 0; first < n; first += part) {
        const Range range = {first, std::min(part, n - first)};
        start(t, nj, block, x, range);
        finish(t, nj, block, x, range);
        if (listener_) listener_(static_cast<double>(first + range.count) / n, clock.seconds());
    }
}

void Gravity::start(double t, int nj, Block &block, const std::vector<Vector> &x, Range range)
{
    const g6tools::Timed timed(&sending_);
    const std::size_t k = range.first;
    check("g6_set_ti", g6_set_ti(kCluster, t));
    // Old accelerations serve a tree's opening criterion.  The library reads no old jerk and no old
    // potential, which were hints for the hardware.
    g6calc_firsthalf0(kCluster, nj, static_cast<int>(range.count), &block.index[k],
                      unchanged_rows(x) + k, rows(block.v) + k, rows(block.old_acc) + k, nullptr,
                      nullptr, eps2_of(block, range), nullptr, one_eps2());
}

void Gravity::finish(double t, int nj, Block &block, const std::vector<Vector> &x, Range range)
{
    const g6tools::Timed timed(&waiting_);
    const int first = static_cast<int>(range.first), ni = static_cast<int>(range.count);
    const int status = g6calc_lasthalf0(
        kCluster, nj, ni, &block.index[first], unchanged_rows(x) + first, rows(block.v) + first,
        eps2_of(block, range), nullptr, rows(block.acc) + first,
        rows(needs_jerk_ ? block.jerk : block.acc) + first, &block.pot[first], one_eps2());
    if (status != G6_OK)
        throw Error(reason("force at t = " + text_of(t), status),
                    status == G6_ERR_ARGUMENT ? kExitWrongPhysics : kExitRunTime);
    const std::size_t wrong =
        range.first + g6tools::parallel_first(range.count, share(range.count), [&](std::size_t k) {
            k += range.first;
            return !finite(block.acc[k]) || (needs_jerk_ && !finite(block.jerk[k]));
        });
    if (wrong < range.first + range.count)
        throw Error("force at t = " + text_of(t) + " on particle " +
                        std::to_string(block.index[wrong] + 1) + " is not finite",
                    kExitWrongPhysics);
}

void Gravity::build_each_tree()
{
    const std::string debug = setting("debug");
    if (debug.find("rebuild=") != std::string::npos) return;  // the user's choice
    choose("debug", debug.empty() ? "rebuild=1" : debug + ",rebuild=1");
}

double Gravity::interactions() const
{
    g6_stats stats{};
    stats.size = sizeof stats;
    return g6_get_stats(kCluster, &stats) == G6_OK ? stats.interactions : 0;
}

std::string Gravity::backend() const
{
    const char *name = g6_backend_name(kCluster);
    return name ? name : "";
}

std::string Gravity::device() const
{
    // The library would start every driver to find the processor's name.
    if (backend() == "cpu") return g6tools::processor_name();
    return g6tools::device_text(computing_, g6_get_backend_info, g6_get_device_info);
}

std::vector<std::string> Gravity::new_errors()
{
    const std::vector<std::string> errors = log_.errors();
    const auto first = errors.begin() + static_cast<std::ptrdiff_t>(told_);
    told_ = errors.size();
    return {first, errors.end()};
}

// All precisions but double have terms in float.  The relative error of a sum is below that of its
// terms, unless a few close bodies dominate it.
double Gravity::noise() const
{
    return setting("precision") == "double" ? 0x1p-52 : 0x1p-23;
}

std::string Gravity::setting(const char *key) const
{
    char value[256] = "";
    if (g6_get_option(kCluster, key, value, sizeof value) != G6_OK) return "";
    return value;
}

}  // namespace g6run
