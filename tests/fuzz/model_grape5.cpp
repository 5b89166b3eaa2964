// SPDX-License-Identifier: MIT
// Keeps the j-particles, i-particles and softenings of each device as the g5 calls set them, and
// judges forces by sums in long double.
#include "model_grape5.h"

#include "model.h"

#include <algorithm>
#include <climits>
#include <cmath>

namespace g6fuzz {
namespace {

constexpr int kDevices = 128;
constexpr double kTooLarge = 0x1p1000;  // gp5util.h: above 1e301
constexpr double kMostPairs = 30000;    // of the long-double sums for one call

bool usable(const Array<double> &a)
{
    return std::all_of(a.v.begin(), a.v.end(), [](double v) { return std::fabs(v) < kTooLarge; });
}

// Errors that are allowed beside those of Truth, as parts of the sums of m / s^2 and of m / s.
struct More {
    Real acc, pot;
};
// Precision single of the cpu.  Each pair has the error of AVX2's estimate of a root
// (docs/grape5.md) and that of its float positions, which may be off by 2^-10 of the softening.
constexpr More kSingle = {5 * 0x1p-12L + 0x1p-9L, 2 * 0x1p-12L + 0x1p-10L};
// Lists of g5 calls are longer than the blocks of a cluster.  Sums in float take 64 terms at a
// time.  If a heavy mass comes first, the sum may round all light terms that follow in the same
// direction: each term then costs u of the sum, where Truth allows half of that.
constexpr More kMixed = {32 * 0x1p-24L, 32 * 0x1p-24L};

// Direct sums in long double, with the errors that `more` allows.
Force direct(const More &more, const Task &task, const IParticle &i,
             const std::vector<double> &epsj2 = {})
{
    Force f;
    for (const JParticle &j : *task.j) {
        if (j.address >= task.nj) break;
        Real d[3], s2 = i.eps2;
        if (!epsj2.empty()) s2 += epsj2[static_cast<size_t>(j.address)];
        for (int k = 0; k < 3; k++) d[k] = Real(j.x[k]) - i.x[k], s2 += d[k] * d[k];
        if (s2 == 0) continue;
        const Real m = j.mass, s = std::sqrt(s2);
        for (int k = 0; k < 3; k++) f.acc[k] += m * d[k] / (s2 * s);
        f.pot -= m / s;
        f.acc_off += more.acc * std::fabs(m) / s2, f.pot_off += more.pot * std::fabs(m) / s;
    }
    return f;
}

}  // namespace

int Grape5Model::slots(int device) const
{
    const auto at = devices_.find(device);
    return at == devices_.end() ? 0 : static_cast<int>(at->second.slot.size());
}

int Grape5Model::targets(int device) const
{
    const auto at = devices_.find(device);
    return at == devices_.end() ? 0 : static_cast<int>(at->second.target.size());
}

// Null for a device that is not there.
Grape5Model::Device *Grape5Model::device(const Call &c)
{
    const int number = is_all(c.form) ? 0 : c.named_id();
    return number >= 0 && number < kDevices ? &devices_[number] : nullptr;
}

// The default is single on the cpu, and mixed on other backends.
Precision Grape5Model::precision() const
{
    Settings settings;
    Texts texts;
    for (const auto &entry : world_.environment)
        set_from_environment(settings, texts, entry.first, entry.second, world_.known_backends);
    if (texts.count("precision")) return settings.precision;
    return world_.backend == "cpu" ? Precision::kSingle : Precision::kMixed;
}

std::string Grape5Model::check(const Call &c, const Answer &a)
{
    used_ = true;
    refused_ = false;
    std::string wrong;
    Device *const d = traits_of(c.op) & kId ? device(c) : nullptr;
    const auto expect = [&](int value) {
        return a.status == value ? "" : "not " + std::to_string(value);
    };
    switch (c.op) {
    case Op::g5_pipelines:
    case Op::g5_board_pipelines: wrong = expect(96); break;
    case Op::g5_boards: wrong = expect(1); break;
    case Op::g5_real_pipelines: wrong = expect(16); break;
    case Op::g5_firstcluster: wrong = expect(0); break;
    case Op::g5_jmemsize: wrong = expect(65536); break;
    case Op::g5_open:
    case Op::g5_open_special:
    case Op::g5_set_range: break;
    case Op::g5_set_ip: set_targets(devices_[0], c); break;
    case Op::g5_close:
        devices_.clear();
        cutoff_ = false;
        break;
    case Op::g5_set_eta: refused_ = cutoff_ = c.d[0] != 0; break;
    case Op::g5_set_eps_to_all: {
        const double eps2 = c.d[0] * c.d[0];
        refused_ = !std::isfinite(eps2);
        if (!refused_) eps2_ = eps2;
        break;
    }
    case Op::g5_set_eps2_to_all:
        refused_ = !(c.d[0] >= 0) || !std::isfinite(c.d[0]);
        if (!refused_) eps2_ = c.d[0];
        break;
    case Op::g5_get_force: {
        const int ni = c.i[0];
        const bool given = !(c.i[1] & (kNullAcc | kNullPot)) || ni == 0;
        refused_ = !d || ni < 0 || !given ||
                   (ni > 0 && (!d->has_run || ni > static_cast<int>(d->target.size())));
        wrong = judge(refused_ ? Sums{} : d->sums, ni, a);
        break;
    }
    case Op::g5_calculate_on_x:
    case Op::g5_calculate_on_xe:
    case Op::g5_calculate_on_x0: {
        std::vector<Target> targets;
        const bool given = !(c.i[1] & (kNullAcc | kNullPot)) || c.i[0] == 0;
        refused_ = !d || !given || !targets_of(c, targets);
        wrong = judge(refused_ ? Sums{} : sums(*d, targets, traits_of(c.op) & kSoft), c.i[0], a);
        break;
    }
    default:
        refused_ = !d;
        if (!d) break;
        if (c.op == Op::g5_set_n) {
            refused_ = c.i[0] < 0;
            if (!refused_) d->n = c.i[0];
        } else if (c.op == Op::g5_set_eps) {
            set_eps(*d, c);
        } else if (c.op == Op::g5_set_xi || c.op == Op::g5_set_xei || c.op == Op::g5_set_xi0) {
            set_targets(*d, c);
        } else if (c.op == Op::g5_run || c.op == Op::g5_run0) {
            d->sums = sums(*d, d->target, c.op == Op::g5_run0);
            d->has_run = d->sums.done;
            refused_ = !d->has_run;
        } else {
            set_slots(*d, c);
        }
    }
    return wrong;
}

void Grape5Model::set_slots(Device &d, const Call &c)
{
    const int adr = c.i[0], nj = c.i[1];
    const bool has_x = c.op != Op::g5_set_mj, has_m = c.op != Op::g5_set_xj;
    const bool mass_first = c.op == Op::g5_set_jp || c.op == Op::g5_set_mj;
    const Array<double> &x = c.da[mass_first ? 1 : 0], &m = c.da[mass_first ? 0 : 1];
    refused_ = adr < 0 || nj < 0 || nj > INT_MAX - adr ||
               (nj > 0 && ((has_x && x.null) || (has_m && m.null)));
    const bool soft = c.op == Op::g5_set_xmj0;
    const Array<double> &eps2 = c.da[2];
    refused_ = refused_ || (soft && nj > 0 && eps2.null);
    if (refused_ || nj == 0) return;
    const auto negative = [](double e) { return e < 0; };
    const bool no_softening =
        soft && (!usable(eps2) || std::any_of(eps2.v.begin(), eps2.v.end(), negative));
    refused_ = (has_x && !usable(x)) || (has_m && !usable(m)) || no_softening;
    const auto from = static_cast<size_t>(adr), count = static_cast<size_t>(nj);
    if (d.slot.size() < from + count) d.slot.resize(from + count);
    for (size_t k = 0; k < count; k++) {
        Slot &s = d.slot[from + k];
        if (has_m) s.mass = m.v[k];
        if (has_x) std::copy_n(&x.v[3 * k], 3, s.x), s.placed = true;
        if (soft && !refused_) s.eps2 = eps2.v[k];
        if (refused_) s = {{}, 0, s.eps2, false};
    }
}

// The i-particles of a call; false where there are none that could be set.
bool Grape5Model::targets_of(const Call &c, std::vector<Target> &to) const
{
    const int ni = c.i[0];
    const bool length = c.op == Op::g5_set_ip;
    const bool each = c.op != Op::g5_set_xi && c.op != Op::g5_calculate_on_x;
    if (ni < 0 || (ni > 0 && (c.da[0].null || (each && c.da[1].null)))) return false;
    for (size_t k = 0; k < static_cast<size_t>(ni); k++) {
        const double *x = &c.da[0].v[3 * k];
        const double eps = each ? c.da[1].v[k] : 0;
        to.push_back({{x[0], x[1], x[2]}, length ? eps * eps : each ? eps : eps2_});
    }
    return true;
}

void Grape5Model::set_targets(Device &d, const Call &c)
{
    std::vector<Target> targets;
    refused_ = !targets_of(c, targets);
    if (refused_) return;
    d.target = targets;
    d.has_run = false;
}

void Grape5Model::set_eps(Device &d, const Call &c)
{
    const int ni = c.i[0];
    refused_ = ni < 0 || (ni > 0 && c.da[0].null) || ni > static_cast<int>(d.target.size());
    if (refused_) return;
    for (size_t k = 0; k < static_cast<size_t>(ni); k++)
        d.target[k].eps2 = c.da[0].v[k] * c.da[0].v[k];
    d.has_run = false;
}

Grape5Model::Sums Grape5Model::sums(const Device &d, const std::vector<Target> &targets,
                                    bool softened) const
{
    Sums s;
    const int n = std::min(d.n, static_cast<int>(d.slot.size()));
    if (cutoff_ && !targets.empty()) return s;
    for (const Target &t : targets) {
        if (!(t.eps2 >= 0) || std::isinf(t.eps2)) return s;
        for (double x : t.x)
            if (n > 0 && !(std::fabs(x) < kTooLarge)) return s;
    }
    s.done = true;
    auto j = std::make_shared<std::vector<JParticle>>();
    for (int k = 0; k < static_cast<int>(d.slot.size()); k++) {  // all count for the units
        const Slot &slot = d.slot[static_cast<size_t>(k)];
        s.known = s.known && (slot.placed || slot.mass == 0);
        JParticle p{};
        p.address = p.index = k;
        std::copy_n(slot.x, 3, p.x);
        p.mass = slot.mass;
        j->push_back(p);
        if (softened) s.epsj2.push_back(slot.eps2);
    }
    s.task.j = j;
    s.task.nj = n;
    s.task.tree_only = true;
    s.task.settings.mode = Mode::kTreeOnly;
    s.task.settings.precision = precision();
    s.task.float_positions = precision() == Precision::kSingle && world_.single_on_device;
    s.task.plain_sums = world_.computes_on_fakes();
    for (const Target &t : targets) {
        IParticle i{};
        i.index = -1;
        std::copy_n(t.x, 3, i.x);
        i.eps2 = t.eps2;
        s.task.i.push_back(i);
    }
    return s;
}

std::string Grape5Model::judge(const Sums &s, int ni, const Answer &a)
{
    const int rows = std::max(ni, 0);
    if ((a.acc && a.acc[3 * rows] != kUntouched) || (a.pot && a.pot[rows] != kUntouched))
        return "a row behind the last was written";
    const bool zero = !s.done || s.task.nj == 0;
    for (int i = 0; zero && i < rows; i++)
        if ((a.acc && (a.acc[3 * i] != 0 || a.acc[3 * i + 1] != 0 || a.acc[3 * i + 2] != 0)) ||
            (a.pot && a.pot[i] != 0))
            return "force of i-particle " + std::to_string(i) + " is not 0";
    if (zero || !s.known || rows == 0) return "";
    const Truth truth(s.task);
    if (s.epsj2.empty() && truth.may_be_refused() && world_.backend != "cpu") return "";
    // A call with many i-particles is judged by a sample that differs from call to call.
    const int most = std::max(1, static_cast<int>(kMostPairs / s.task.nj)),
              step = (rows + most - 1) / most;
    for (int i = (rows + s.task.nj) % step; i < rows; i += step) {
        const std::string wrong = judge_target(s, truth, i, a);
        if (!wrong.empty()) return wrong;
    }
    return "";
}

std::string Grape5Model::judge_target(const Sums &s, const Truth &truth, int i, const Answer &a)
{
    const Task &task = s.task;
    const IParticle &target = task.i[static_cast<size_t>(i)];
    Force f;
    if (!s.epsj2.empty()) {
        const Real off = (10 + task.nj) * 0x1p-53L;
        f = direct({off, off}, task, target, s.epsj2);
    } else if (task.settings.precision == Precision::kSingle && world_.backend == "cpu") {
        f = direct(kSingle, task, target);  // its limits of range are not those of Truth
    } else {
        f = truth.force(i);
        const Force more = direct(kMixed, task, target);
        if (task.settings.precision != Precision::kDouble)
            f.acc_off += more.acc_off, f.pot_off += more.pot_off;
    }
    const Real pot = -f.pot;
    const std::string wrong =
        judge_values("acc", i, f.acc_known, f.acc, a.acc + 3 * i, 3, f.acc_off);
    if (!wrong.empty()) return wrong;
    return judge_values("pot", i, f.pot_known, &pot, a.pot + i, 1, f.pot_off);
}

}  // namespace g6fuzz
