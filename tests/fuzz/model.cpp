// SPDX-License-Identifier: MIT
// The part of the model for clusters, j-particles and all that is neither a block nor a setting.
#include "model.h"
#include "truth_numbers.h"

#include "g6lib.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace g6fuzz {
namespace {

// More than that may be more than the machine's memory.
constexpr int kManySlots = 1000000;

// Whether double holds a prediction and all that it is computed from.
bool is_held(const g6test::Predicted &b)
{
    return b.x_size < 1e307L && b.v_size < 1e307L;
}

// Whether the library may refuse to predict the slots below nj.
bool is_lost(const Cluster &k, int nj)
{
    return std::any_of(k.particles().begin(), k.particles().end(), [&](const auto &j) {
        return j.address < nj && !is_held(g6test::predict(j, k.ti, k.settings.snap));
    });
}

}  // namespace

std::string expect_status(int expected, const Answer &a)
{
    if (!a.has_status || a.status == expected) return "";
    std::string text =
        "status " + std::to_string(expected) + " expected, got " + std::to_string(a.status);
    return a.text.empty() ? text : text + " (" + a.text + ")";
}

// ---- one cluster ------------------------------------------------------------------------------

void Cluster::write(const JParticle &j, bool point)
{
    if (store_.use_count() > 1) store_ = std::make_shared<std::vector<JParticle>>(*store_);
    auto at = std::lower_bound(store_->begin(), store_->end(), j.address,
                               [](const JParticle &p, int address) { return p.address < address; });
    if (at != store_->end() && at->address == j.address)
        *at = j;
    else
        at = store_->insert(at, j);
    at->eps2 = softening(j.address);
    (point ? any_points_ : any_full_) = true;
    revision_++;
    writes++;
}

// What g6_close() forgets: all but settings and counters.
void Cluster::forget()
{
    store_ = std::make_shared<std::vector<JParticle>>();
    softenings_.clear();
    any_full_ = any_points_ = false;
    revision_++;
    ti = 0;
    state = State::kNone;
    truth.reset();
    held = 0;
    held_perhaps = false;
    lists_read = false;
    pipes = Pipes{};
}

// ---- which cluster ----------------------------------------------------------------------------

bool Model::is_open(long long key) const
{
    return std::find(open_.begin(), open_.end(), key) != open_.end();
}

std::vector<long long> Model::open_keys() const
{
    return open_;
}

// Settings of a cluster begin with those of the environment.
Cluster &Model::exact(long long key)
{
    const auto made = clusters_.try_emplace(key);
    Cluster &k = made.first->second;
    if (made.second) {
        k.settings.nn_none = world_.profile == "ph4" ? -1 : 0;
        for (const auto &entry : world_.environment)
            set_from_environment(k.settings, k.texts, entry.first, entry.second,
                                 world_.known_backends);
    }
    return k;
}

// An id that is not open means the single open cluster; else it is opened.
Cluster &Model::resolve(long long key)
{
    if (open_.size() == 1) return exact(open_[0]);
    if (!is_open(key)) {
        open_.push_back(key);
        exact(key).open = true;
        opened_ = key;
        opened_one_ = true;
    }
    return exact(key);
}

const Cluster *Model::reached(const Call &call) const
{
    const long long key = open_.size() == 1 ? open_[0] : key_of(call);
    const auto at = clusters_.find(key);
    return at == clusters_.end() ? nullptr : &at->second;
}

int Model::rows_of(const Call &call) const
{
    const Cluster *k = reached(call);
    if (!k) return 0;
    return k->pipes.refused == Cluster::Pipes::kMemory ? world_.pipes
                                                       : static_cast<int>(k->pipes.i.size());
}

bool Model::wants_open(int &id, bool &all)
{
    if (!doubtful_) return false;
    all = *doubtful_ == kAllKey;
    id = all ? 0 : static_cast<int>(*doubtful_);
    doubtful_.reset();
    return true;
}

// ---- all calls --------------------------------------------------------------------------------

std::string Model::check(const Call &c, const Answer &a)
{
    opened_one_ = refused_ = false;
    if (!a.complaint.empty()) return a.complaint;
    std::string wrong;
    if (is_firsthalf(c.op))
        wrong = check_first(c);
    else if (is_lasthalf(c.op))
        wrong = check_last(c, a);
    else
        switch (c.op) {
        case Op::set_j_particle:
        case Op::set_j_particle_mxonly:
        case Op::multisend_mxfast: wrong = check_write(c, a); break;
        case Op::set_j_particles: wrong = check_bulk(c, a); break;
        case Op::set_j_softening: wrong = check_softening(c, a); break;
        case Op::set_nip:
        case Op::set_njp:
        case Op::set_i_particle: wrong = check_pipes(c); break;
        case Op::get_force:
        case Op::get_force_etc: wrong = check_force(c, a); break;
        case Op::read_neighbour_list:
        case Op::read_neighbour_list_old: wrong = check_read(c, a); break;
        case Op::get_neighbour_list: wrong = check_list(c, a); break;
        case Op::get_predicted:
        case Op::predict: wrong = check_prediction(c, a); break;
        case Op::set_mode:
        case Op::set_option:
        case Op::get_option:
        case Op::option_row: wrong = check_setting(c, a); break;
        case Op::get_backend_info:
        case Op::get_device_info:
        case Op::get_stats: wrong = check_struct(c, a); break;
        case Op::open:
        case Op::close:
        case Op::open_special:
        case Op::open_special2:
        case Op::reset:
        case Op::reset_fofpga:
        case Op::reinitialize:
        case Op::set_ti:
        case Op::setup_njdata: wrong = check_lifecycle(c, a); break;
        default: wrong = check_rest(c, a);
        }
    refused_ = refused_ || (a.has_status && a.status < 0);
    if (refused_ && opened_one_) doubtful_ = opened_;
    return wrong;
}

std::string Model::check_lifecycle(const Call &c, const Answer &a)
{
    switch (c.op) {
    case Op::open: {
        const long long key = key_of(c);
        if (!is_open(key)) open_.push_back(key);
        exact(key).open = true;
        return expect_status(G6_OK, a);
    }
    case Op::close: {
        const long long key = key_of(c);
        open_.erase(std::remove(open_.begin(), open_.end(), key), open_.end());
        if (exact(key).open) exact(key).forget();
        exact(key).open = false;
        return expect_status(G6_OK, a);
    }
    case Op::open_special:
    case Op::open_special2: return check_special(c, a);
    case Op::set_ti: {
        Cluster &k = resolve(key_of(c));
        if (!std::isfinite(c.d[0])) return expect_status(G6_ERR_ARGUMENT, a);
        k.ti = c.d[0];
        return expect_status(G6_OK, a);
    }
    case Op::setup_njdata:
        resolve(key_of(c));
        if (c.i[0] < 0) return expect_status(G6_ERR_ARGUMENT, a);
        memory_asked_ = memory_asked_ || c.i[0] > kManySlots;
        if (c.i[0] > kManySlots && a.status == G6_ERR_MEMORY) return "";
        return expect_status(G6_OK, a);
    default: {  // the resets: a fault of a device goes; an error held of bad arguments may
        Cluster &k = resolve(key_of(c));
        k.held_perhaps = k.held != 0;
        if (k.state == Cluster::State::kPending && may_be_refused(k))
            k.state = Cluster::State::kUnknown;
        if (k.state == Cluster::State::kFailed && !k.held) k.state = Cluster::State::kNone;
        return expect_status(G6_OK, a);
    }
    }
}

std::string Model::check_special(const Call &c, const Answer &a)
{
    const int ngpu = c.i[0];
    if (c.op == Op::open_special2 && c.i[1] < 0) return expect_status(G6_ERR_ARGUMENT, a);
    if (ngpu > 0 && c.ia[0].null) return expect_status(G6_ERR_ARGUMENT, a);
    bool known = true;
    for (int k = 0; k < ngpu; k++) known = known && c.ia[0].v[static_cast<size_t>(k)] >= 0;
    // A number that is no device's is refused, or passed over with a line on the log.
    if (!known && a.status != G6_OK) {
        refused_ = true;
        return a.status == G6_ERR_ARGUMENT || a.status == G6_ERR_OPTION ? "" : expect_status(-1, a);
    }
    devices_chosen_ = true;
    if (!is_open(0)) {
        open_.push_back(0);
        opened_ = 0;
        opened_one_ = true;
    }
    exact(0).open = true;
    if (c.op == Op::open_special2 && c.i[1] > kManySlots && a.status == G6_ERR_MEMORY) return "";
    return expect_status(G6_OK, a);
}

// Whether the status says that there is no room up to this slot, as may be: memory has an end, and
// nj, an int, cannot count the highest.
bool Model::may_be_too_many(int address, const Answer &a)
{
    memory_asked_ = memory_asked_ || address >= kManySlots;
    return (address >= kManySlots && a.status == G6_ERR_MEMORY) ||
           (address == std::numeric_limits<int>::max() && a.status == G6_ERR_ARGUMENT);
}

std::string Model::check_write(const Call &c, const Answer &a)
{
    Cluster &k = resolve(key_of(c));
    const bool full = c.op == Op::set_j_particle;
    const int at = c.op == Op::multisend_mxfast ? 1 : 0;
    JParticle j{};
    j.address = c.i[at], j.index = c.i[at + 1];
    j.mass = c.d[full ? 2 : 0];
    if (full) j.t = c.d[0];
    bool good = j.address >= 0 && std::isfinite(j.mass) && std::isfinite(j.t), zero_read = false;
    double *const to[] = {j.k18, j.j6, j.a2, j.v, j.x};
    for (int n = full ? 0 : 4; n < 5; n++) {
        const Array<double> &from = c.da[full ? n : 0];
        if (from.null) {
            good = good && n < 4;
            zero_read = true;
            continue;
        }
        good = good && finite3(from.data());
        std::copy_n(from.data(), 3, to[n]);
    }
    if (!good) return expect_status(G6_ERR_ARGUMENT, a);
    // NULL may be refused or read as zeros; many slots may not fit into memory.
    if (zero_read && a.status == G6_ERR_ARGUMENT) return "";
    if (may_be_too_many(j.address, a)) return "";
    if (a.status == G6_OK) k.write(j, !full);
    if (a.status == G6_OK && at)  // and the open clusters among the nclusters - 1 ids that follow
        for (const long long key : open_keys()) {
            const long long after = key - key_of(c);
            if (after > 0 && after < c.i[0] && &exact(key) != &k) exact(key).write(j, true);
        }
    return expect_status(G6_OK, a);
}

// Row after row, up to the first that is refused.
std::string Model::check_bulk(const Call &c, const Answer &a)
{
    const int n = c.i[0];
    Cluster &k = resolve(key_of(c));
    const Array<double> &t = c.da[0], &mass = c.da[1], &x = c.da[6];
    if (n < 0 || (n > 0 && (mass.null || x.null))) return expect_status(G6_ERR_ARGUMENT, a);
    if (a.status == G6_ERR_MEMORY && !c.ia[0].null)  // then none is written
        for (const int address : c.ia[0].v)
            if (may_be_too_many(address, a)) return "";
    for (int row = 0; row < n; row++) {
        const size_t r = static_cast<size_t>(row);
        JParticle j{};
        j.address = c.ia[0].null ? row : c.ia[0].v[r];
        j.index = c.ia[1].null ? j.address : c.ia[1].v[r];
        j.t = t.null ? 0 : t.v[r];
        j.mass = mass.v[r];
        bool good = j.address >= 0 && std::isfinite(j.mass) && std::isfinite(j.t);
        double *const to[] = {j.k18, j.j6, j.a2, j.v, j.x};
        for (int m = 0; m < 5; m++) {
            const Array<double> &from = c.da[static_cast<size_t>(m) + 2];
            if (from.null) continue;
            good = good && finite3(&from.v[3 * r]);
            std::copy_n(&from.v[3 * r], 3, to[m]);
        }
        if (!good) return expect_status(G6_ERR_ARGUMENT, a);
        if (may_be_too_many(j.address, a)) return "";
        k.write(j, false);
    }
    return expect_status(G6_OK, a);
}

std::string Model::check_prediction(const Call &c, const Answer &a)
{
    const Cluster &k = resolve(key_of(c));
    const int nj = c.i[0];
    if (nj < 0) return expect_status(G6_ERR_ARGUMENT, a);
    if (a.status == G6_ERR_ARGUMENT && is_lost(k, nj)) return "";
    if (a.status != G6_OK) return expect_status(G6_OK, a);
    auto next = k.particles().begin();
    for (int address = 0; address <= nj; address++) {
        Real x[3] = {0, 0, 0}, v[3] = {0, 0, 0}, x_off = 0, v_off = 0;
        if (address == nj) {  // beyond: untouched
            for (int d = 0; d < 3; d++) x[d] = v[d] = kUntouched;
        } else if (next != k.particles().end() && next->address == address) {
            const g6test::Predicted b = g6test::predict(*next++, k.ti, k.settings.snap);
            std::copy_n(b.x, 3, x), std::copy_n(b.v, 3, v);
            x_off = 8 * 0x1p-53L * b.x_size + 1e-320L, v_off = 8 * 0x1p-53L * b.v_size + 1e-320L;
            if (!is_held(b)) continue;
        }
        for (int d = 0; d < 3; d++) {
            const double *gx = a.x ? &a.x[3 * address + d] : nullptr,
                         *gv = a.v ? &a.v[3 * address + d] : nullptr;
            if ((gx && !(std::fabs(x[d] - *gx) <= x_off)) ||
                (gv && !(std::fabs(v[d] - *gv) <= v_off)))
                return "prediction: slot " + std::to_string(address) + " is " +
                       (gx ? "x " + std::to_string(*gx) : "") +
                       (gv ? " v " + std::to_string(*gv) : "") + ", expected x " +
                       std::to_string(double(x[d])) + " v " + std::to_string(double(v[d])) +
                       " in component " + std::to_string(d);
        }
    }
    return "";
}

std::string Model::check_rest(const Call &c, const Answer &a)
{
    switch (c.op) {
    case Op::npipes:
    case Op::get_number_of_pipelines: return expect_status(world_.pipes, a);
    case Op::set_neighbour_list_sort_mode: {
        // Lists that were read stay as they are, or are sorted anew.
        if ((c.i[0] != 0) != (sort_mode_ != 0))
            for (auto &entry : clusters_) entry.second.lists_sort = -1;
        sort_mode_ = c.i[0];
        return expect_status(G6_OK, a);
    }
    case Op::get_neighbour_list_sort_mode:
        if ((sort_mode_ != 0) != (a.status != 0)) return expect_status(sort_mode_, a);
        return "";
    case Op::getnjmax:
        resolve(key_of(c));
        return a.status > 0 ? ""
                            : "getnjmax: more than 0 expected, got " + std::to_string(a.status);
    case Op::get_device_count:
        return a.status > 0 ? "" : "a device expected, got " + std::to_string(a.status);
    case Op::devices_for:
        resolve(key_of(c));
        if (c.i[0] < 0 || c.i[1] < 0) return expect_status(G6_ERR_ARGUMENT, a);
        return a.status > 0 ? "" : "a device expected, got " + std::to_string(a.status);
    case Op::print_chip_status: resolve(key_of(c)); return expect_status(G6_OK, a);
    case Op::version:
        return a.text == std::to_string(G6_VERSION_MAJOR) + "." + std::to_string(G6_VERSION_MINOR) +
                             "." + std::to_string(G6_VERSION_PATCH)
                   ? ""
                   : "version " + a.text;
    case Op::backend_name: {
        const Cluster &k = resolve(key_of(c));
        const std::string &wanted = k.settings.backend;
        // A block keeps the devices that it was given to.
        if (k.state != Cluster::State::kNone && a.text == k.task.settings.backend) return "";
        const bool named = wanted == "cpu" || (wanted == world_.backend && !world_.faults);
        if (named && a.text != wanted) return "backend " + wanted + " expected, got " + a.text;
        return a.text.empty() ? "a backend's name expected, got \"\"" : "";
    }
    case Op::set_log: return expect_status(c.i[1] < 0 || c.i[1] > 4 ? G6_ERR_ARGUMENT : G6_OK, a);
    case Op::status_text:
        return c.i[0] <= 1 && c.i[0] >= -6 && a.text.empty() ? "a status without a text" : "";
    default: return expect_status(G6_OK, a);
    }
}

}  // namespace g6fuzz
