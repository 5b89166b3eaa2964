// SPDX-License-Identifier: MIT
// Makes the calls of a block, and compares each result with long-double sums over the client's own
// copy of the j-particles.
#include "client.h"

#include "tolerance.h"

#include "../common/plummer.h"

#include <algorithm>
#include <cmath>

namespace g6check {
namespace {

using g6tools::ReferenceSums;

std::string where(const char *what, int k, int d = -1)
{
    return std::string(what) + " of i-particle " + text(k) +
           (d < 0 ? "" : std::string(", ") + "xyz"[d]);
}

// Whether got differs from expected by at most allowed; false for NaN.
bool within(long double expected, double got, long double allowed)
{
    return std::fabs(expected - got) <= allowed;
}

void expect_within(const std::string &what, long double expected, double got, long double allowed)
{
    expect(within(expected, got, allowed),
           what + " " + text(double(expected)) + " within " + text(double(allowed)), text(got));
}

void expect_success(const Answer &a)
{
    expect(a.status == 0, "lasthalf returns 0", text(a.status));
}

std::string joined(const std::vector<int> &list)
{
    std::string words = "(" + std::to_string(list.size()) + ")";
    for (size_t k = 0; k < std::min<size_t>(list.size(), 8); k++) words += " " + text(list[k]);
    return words + (list.size() > 8 ? " ..." : "");
}

}  // namespace

Answer::Answer(int ni)
    : acc(ni + kGuard, Vec{kUnwritten, kUnwritten, kUnwritten}), jerk(acc),
      pot(ni + kGuard, kUnwritten), nearest(ni + kGuard, kNoIndex)
{
}

Client::Client(const Library &library, int id, bool open) : lib_(library), id_(id)
{
    if (open) this->open();
}

void Client::open()
{
    lib_.open(&id_);
}

void Client::close()
{
    lib_.close(&id_);
    memory_.clear();
}

void Client::set(int address, const JParticle &j, double dtj)
{
    JParticle p = j;
    lib_.set_j(&id_, &address, &p.index, &p.t, &dtj, &p.mass, p.k18, p.j6, p.a2, p.v, p.x);
    memory_[address] = j;
}

void Client::remember_point(int address, int index, double mass, const Vec &x)
{
    memory_[address] = body(index, mass, x);
}

void Client::set_all(const std::vector<JParticle> &all)
{
    for (size_t k = 0; k < all.size(); k++) set(static_cast<int>(k), all[k]);
}

void Client::prepare(const Block &block, int nj)
{
    block_ = block, nj_ = nj;
    lib_.set_ti(&id_, &ti_);
}

void Client::first(const Block &block, int nj, bool set_ti)
{
    if (set_ti) lib_.set_ti(&id_, &ti_);
    block_ = block, nj_ = nj;
    int ni = block_.size();
    aold_.assign(ni, Vec{1, 1, 1}), j6old_.assign(ni, Vec{1, 1, 1}), phiold_.assign(ni, -1);
    lib_.firsthalf(&id_, &nj, &ni, block_.index.data(), rows(block_.x), rows(block_.v), rows(aold_),
                   rows(j6old_), phiold_.data(), &block_.eps2, block_.h2.data());
}

Answer Client::last(Half half)
{
    int ni = block_.size();
    Answer a(ni);
    if (half == Half::kLast)
        a.status =
            lib_.lasthalf(&id_, &nj_, &ni, block_.index.data(), rows(block_.x), rows(block_.v),
                          &block_.eps2, block_.h2.data(), rows(a.acc), rows(a.jerk), a.pot.data());
    else
        a.status = lib_.lasthalf2(&id_, &nj_, &ni, block_.index.data(), rows(block_.x),
                                  rows(block_.v), &block_.eps2, block_.h2.data(), rows(a.acc),
                                  rows(a.jerk), a.pot.data(), a.nearest.data());
    return a;
}

std::vector<JParticle> Client::present(int nj) const
{
    std::vector<JParticle> all;
    for (const auto &[address, j] : memory_)
        if (address < nj) all.push_back(j);
    return all;
}

std::vector<ReferenceSums> Client::reference(int nj) const
{
    std::vector<g6tools::IParticle> i(block_.size());
    for (int k = 0; k < block_.size(); k++) {
        std::copy(block_.x[k].begin(), block_.x[k].end(), i[k].x);
        std::copy(block_.v[k].begin(), block_.v[k].end(), i[k].v);
        i[k].index = block_.index[k];
        i[k].h2 = block_.h2[k] - (softened_lists(lib_) ? block_.eps2 : 0);
    }
    return g6tools::reference(present(nj < 0 ? nj_ : nj), i, ti_, block_.eps2);
}

void Client::judge_acc(const Answer &a, int nj) const
{
    expect_success(a);
    const auto sums = reference(nj);
    const Tolerance t = tolerance(lib_);
    for (int k = 0; k < block_.size(); k++)
        for (int d = 0; d < 3; d++)
            expect_within(where("acc", k, d), sums[k].acc[d], a.acc[k][d], allowed_acc(t, sums[k]));
}

void Client::judge_jerk(const Answer &a, int nj) const
{
    expect_success(a);
    const auto sums = reference(nj);
    const Tolerance t = tolerance(lib_);
    bool turned = true;
    for (int k = 0; k < block_.size(); k++)
        for (int d = 0; d < 3; d++)
            turned &= within(-sums[k].jerk[d], a.jerk[k][d], allowed_jerk(t, sums[k]));
    if (turned) return;
    for (int k = 0; k < block_.size(); k++)
        for (int d = 0; d < 3; d++)
            expect_within(where("jerk", k, d), sums[k].jerk[d], a.jerk[k][d],
                          allowed_jerk(t, sums[k]));
}

void Client::judge_pot(const Answer &a, int nj) const
{
    expect_success(a);
    const auto sums = reference(nj);
    const Tolerance t = tolerance(lib_);
    bool turned = true;
    for (int k = 0; k < block_.size(); k++)
        turned &= within(-sums[k].pot, a.pot[k], allowed_pot(t, sums[k]));
    if (turned) return;
    for (int k = 0; k < block_.size(); k++)
        expect_within(where("pot", k), sums[k].pot, a.pot[k], allowed_pot(t, sums[k]));
}

void Client::judge_nearest(const Answer &a) const
{
    expect_success(a);
    const auto sums = reference();
    const auto j = present(nj_);
    for (int k = 0; k < block_.size(); k++)
        expect_equal(where("nearest", k),
                     sums[k].nearest < 0 ? nobody(lib_) : j[sums[k].nearest].index, a.nearest[k]);
}

std::vector<int> Client::list(int pipe, int maxlength)
{
    std::vector<int> list(maxlength);
    int n = -1;
    const int status = lib_.get_list(&id_, &pipe, &maxlength, &n, list.data());
    expect_equal("g6_get_neighbour_list returns", 0, status);
    expect(n >= 0 && n <= maxlength, "a length of the list", text(n));
    list.resize(n);
    return list;
}

void Client::judge_lists()
{
    expect_equal("g6_read_neighbour_list returns", 0, lib_.read_list(&id_));
    const auto sums = reference();
    for (int k = 0; k < block_.size(); k++) {
        std::vector<int> want = sums[k].neighbours, got = list(k);
        std::sort(want.begin(), want.end());
        std::sort(got.begin(), got.end());
        expect(want == got, where("list", k) + " " + joined(want), joined(got));
    }
}

// Whether lists have a property.  The library's setting decides; a library without the setting is
// taken to have with_more_pipes above 48 pipes, and the opposite up to 48, as the hardware has.
static bool decided(const Library &library, const char *key, bool with_more_pipes)
{
    const std::string setting = library.setting(key);
    if (setting == "0" || setting == "1") return setting == "1";
    return library.npipes() > 48 ? with_more_pipes : !with_more_pipes;
}

bool own_in_lists(const Library &library)
{
    return decided(library, "neighbour_self", true);
}

bool softened_lists(const Library &library)
{
    return decided(library, "neighbour_softened", false);
}

JParticle body(int index, double mass, const Vec &x)
{
    JParticle j;
    j.index = index, j.mass = mass;
    std::copy(x.begin(), x.end(), j.x);
    return j;
}

std::vector<JParticle> neutral(int n)
{
    std::vector<JParticle> all;
    for (const g6tools::Body &b : g6tools::plummer(n, 1))
        all.push_back(body(static_cast<int>(all.size()), b.mass, {b.x[0], b.x[1], b.x[2]}));
    return all;
}

std::vector<JParticle> moving(int n, bool snap)
{
    std::vector<JParticle> all = neutral(n);
    const auto motion = g6tools::plummer(n, 1), more = g6tools::plummer(n, 3);
    for (int k = 0; k < n; k++)
        for (int d = 0; d < 3; d++) {
            all[k].v[d] = motion[k].v[d];
            all[k].a2[d] = more[k].x[d];
            all[k].j6[d] = 4 * more[k].v[d];
            all[k].k18[d] = snap ? 64 * more[k].v[(d + 1) % 3] : 0;
        }
    return all;
}

Block probes(int n)
{
    Block block;
    for (const g6tools::Body &b : g6tools::plummer(n, 2))
        block.add(kForeign + block.size(), {b.x[0], b.x[1], b.x[2]}, {b.v[0], b.v[1], b.v[2]});
    return block;
}

int nobody(const Library &library)
{
    return library.setting("nn_none") == "-1" ? -1 : 0;
}

}  // namespace g6check
