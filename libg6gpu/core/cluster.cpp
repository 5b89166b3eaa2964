// SPDX-License-Identifier: MIT
// Opening and closing, settings and j-particles of a cluster.  The firsthalf of a block is in
// cluster_block.cpp, its results are in cluster_results.cpp, counters and descriptions in
// cluster_info.cpp.
#include "cluster.h"

#include "softening_classes.h"
#include "stray_sums.h"
#include "../particles/predictor.h"
#include "../base/host_threads.h"
#include "../base/parallel.h"
#include "../base/vec3.h"

#include <cmath>
#include <cstdio>
#include <mutex>
#include <utility>

namespace g6 {
namespace {

// Throws for a backend that does not exist.  A backend that exists but was refused is allowed: the
// cpu takes its place.
void check_backend(const std::string &name)
{
    if (name == "auto" || name == "cuda" || name == "opencl" || find_backend(name)) return;
    throw Error(G6_ERR_OPTION, "backend cannot be \"%s\"; there are: %s", name.c_str(),
                backend_choices(false).c_str());
}

// Words that a particle needs (formulas/rows.h).
int words_for(const double v[3], const double a2[3], const double j6[3], const double k18[3])
{
    if (any(k18)) return kRecordWords;
    if (any(j6)) return kJerkWords;
    return any(v) || any(a2) ? kLeapWords : kRestWords;
}

}  // namespace

Cluster::Cluster(ClusterId id) : id_(id)
{
    std::string problems;
    auto config = std::make_shared<Config>(config_from_environment(&problems));
    config->npipes = process_config().npipes;  // constant for the process
    config_ = std::move(config);
    if (!problems.empty()) report_lines("g6_open", G6_ERR_OPTION, problems);
}

Cluster::Cluster(ClusterId id, std::shared_ptr<const Config> settings,
                 const std::vector<int> &address)
    : id_(id), config_(std::move(settings)), address_(&address)
{
}

Cluster::~Cluster() = default;

// ---- lifecycle --------------------------------------------------------------------------------

void Cluster::open()
{
    if (!open_ || !has_block()) open_devices();
    open_ = true;
}

// Opens devices for the next block.  Open devices stay unless settings ask for other devices.
void Cluster::open_devices()
{
    if (!devices_stale_ && !devices().empty()) return;
    devices_stale_ = true;  // stays so if open_devices() throws
    computation_.open_devices(*config_);
    devices_stale_ = false;
}

void Cluster::drop_block()
{
    computation_.drop();
    life_.block = BlockInFlight{};
    host_sums_.clear();
    if (has_classes()) classes_->drop();
}

void Cluster::close()
{
    if (!open_) return;
    forget();
    if (config_->stats) std::fprintf(stderr, "g6gpu %s\n", describe().c_str());
}

void Cluster::forget()
{
    open_ = false;
    store_.clear();
    computation_.forget();
    life_ = Life{};
    replaced_.clear();
    softenings_.clear();
    found_softenings_ = FoundSoftenings{};
    common_eps2_ = 0;
    if (classes_) classes_->forget();
}

void Cluster::choose_devices(const std::string &devices)
{
    if (config_->devices == devices) return;
    auto config = std::make_shared<Config>(*config_);
    config->devices = devices;
    follow(config);
}

void Cluster::set_option(const std::string &key, const std::string &value)
{
    auto changed = std::make_shared<Config>(*config_);
    g6::set_option(*changed, key, value);
    if (changed->backend != config_->backend) check_backend(changed->backend);
    follow(changed);
}

void Cluster::follow(const std::shared_ptr<const Config> &settings)
{
    if (settings == config_) return;
    const Config &before = *config_, &changed = *settings;
    devices_stale_ = devices_stale_ || changed.backend != before.backend ||
                     changed.devices != before.devices || changed.precision != before.precision ||
                     changed.threads != before.threads || changed.snap != before.snap ||
                     changed.device_debug != before.device_debug ||
                     (!devices().empty() && !devices().supports(changed.mode));
    config_ = settings;
}

std::string Cluster::backend()
{
    if (has_classes()) return classes_->first().backend();
    if (!has_block()) open_devices();
    return devices().backend();
}

void Cluster::reset(bool search)
{
    if (!has_block()) drop_block();
    if (search) devices_stale_ = true;
    if (open_ && !has_block()) open_devices();
    if (has_classes()) classes_->reset(search);
}

// ---- j-particles ------------------------------------------------------------------------------

void Cluster::set_ti(double ti)
{
    if (!finite(ti))
        throw Error(G6_ERR_ARGUMENT, "time is NaN or infinite; the time stays %g", life_.ti);
    life_.ti = ti;
}

Cluster::Refusal Cluster::set_j(int address, int index, double t, double mass, const double k18[3],
                                const double j6[3], const double a2[3], const double v[3],
                                const double x[3])
{
    if (!is_slot(address)) return Refusal::kAddress;
    if (!all_finite3(a2, j6, k18, v) || !finite3(x) || !finite(t) || !finite(mass))
        return Refusal::kNotFinite;
    store_.write(address, words_for(v, a2, j6, k18), [&](G6JRecord &row, int words) {
        fill_row(row, words, index, mass, x, t, v, a2, j6, k18);
    });
    store_.note_full_call();
    stats_.j_writes++;
    store_.units().note({std::fabs(mass), largest(v), largest(x)});
    return Refusal::kNone;
}

Cluster::Refusal Cluster::set_j_point(int address, int index, double mass, const double x[3])
{
    if (!is_slot(address)) return Refusal::kAddress;
    if (!finite3(x) || !finite(mass)) return Refusal::kNotFinite;
    store_.write(address, kRestWords, [&](G6JRecord &row, int words) {
        fill_row(row, words, index, mass, x, 0, nullptr, nullptr, nullptr, nullptr);
    });
    stats_.j_writes++;
    store_.units().note({std::fabs(mass), 0, largest(x)});
    return Refusal::kNone;
}

// Copies the particles to the store's log while it checks them, so that the client's arrays are
// read once.  The copies count only if all particles are good and all go to the log.
int Cluster::set_many(int n, const JArrays &j, Refusal &refusal)
{
    refusal = Refusal::kNone;
    if (n == 0) return 0;
    store_.use_threads(config_->threads);
    constexpr int kChunk = 64;  // particles whose values stay in the first-level cache
    const auto address = [&](int k) { return j.address_of(k); };
    const auto fill = [&](int k, G6JRecord &row, int words) { j.copy(k, row, words); };
    // Memory for rows as wide as those of earlier particles: they rarely need more words.
    auto ahead = store_.write_ahead(n, std::min(j.words(), store_.words()), address(0));
    JSurvey found;
    JStore::ManyAddresses addresses;
    std::mutex mutex;
    parallel_ranges(host_threads(n, config_->threads), n, [&](int first, int last) {
        JSurvey of_range;
        JStore::ManyAddresses addresses_of_range;
        for (int begin = first, end; begin < last && of_range.good; begin = end) {
            end = std::min(begin + kChunk, last);
            of_range.add(survey(j, begin, end));
            for (int k = begin; k < end; k++) addresses_of_range.add(k, address, store_);
            for (int k = begin; ahead && k < end; k++) ahead.fill(k, fill);
        }
        const std::lock_guard<std::mutex> lock(mutex);
        found.add(of_range);
        addresses.add(addresses_of_range);
    });
    if (!found.good) {
        const int bad = first_refused(n, j, refusal);
        Refusal none;
        set_many(bad, j, none);
        return bad;
    }
    store_.write_many(n, found.words, addresses, address, fill, ahead);
    stats_.j_writes += n;
    store_.note_full_call();
    store_.units().note(found.sizes, n);
    return n;
}

// The first of the n particles that set_j() would refuse.  It must refuse one of them.
int Cluster::first_refused(int n, const JArrays &j, Refusal &refusal)
{
    for (int k = 0; k < n; k++) {
        refusal = !is_slot(j.address_of(k))  ? Refusal::kAddress
                  : survey(j, k, k + 1).good ? Refusal::kNone
                                             : Refusal::kNotFinite;
        if (refusal != Refusal::kNone) return k;
    }
    return n;
}

void Cluster::copy_particles(const JStore &from, const std::vector<int> &addresses,
                             const std::vector<int> &slots)
{
    const int n = static_cast<int>(slots.size());
    const auto slot = [&](int k) { return slots[static_cast<size_t>(k)]; };
    JStore::ManyAddresses all;
    for (int k = 0; k < n; k++) all.add(k, slot, store_);
    Sizes sizes;
    std::mutex mutex;
    parallel_ranges(host_threads(n, config_->threads), n, [&](int first, int last) {
        Sizes of_range;
        for (int k = first; k < last; k++) {
            const G6JRecord r = from.record(addresses[static_cast<size_t>(k)]);
            of_range.add(std::fabs(r.mass), largest(r.v), largest(r.x));
        }
        const std::lock_guard<std::mutex> lock(mutex);
        sizes.add(of_range);
    });
    store_.use_threads(config_->threads);
    store_.write_many(n, from.needed_words(), all, slot, [&](int k, G6JRecord &row, int words) {
        from.copy(addresses[static_cast<size_t>(k)], row, words);
    });
    if (!from.all_by_point_calls()) store_.note_full_call();
    store_.units().note(sizes, n);
}

int refused(const char *where, int address, Cluster::Refusal refusal)
{
    return refuse(where, G6_ERR_ARGUMENT,
                  refusal == Cluster::Refusal::kAddress
                      ? "address %d is out of range: addresses go from 0 to 2147483646"
                      : "j-particle at address %d: a value is NaN or infinite; the slot keeps what "
                        "it had",
                  address);
}

void Cluster::reserve(int nj)
{
    if (nj < 0) throw Error(G6_ERR_ARGUMENT, "nj = %d is negative", nj);
    store_.reserve(nj);
}

void Cluster::predict(int nj, double (*x)[3], double (*v)[3]) const
{
    if (nj < 0) throw Error(G6_ERR_ARGUMENT, "nj = %d is negative", nj);
    for (int a = 0; a < nj; a++) {
        double xp[3] = {0, 0, 0}, vp[3] = {0, 0, 0};
        G6JRecord sent;
        particle(a, sent, xp, vp);
        if ((x && !finite3(xp)) || (v && !finite3(vp))) throw lost_particle(a, life_.ti);
        if (x) copy3(x[a], xp);
        if (v) copy3(v[a], vp);
    }
}

bool Cluster::particle(int address, G6JRecord &sent, double x[3], double v[3]) const
{
    if (!store_.written(address)) return false;
    sent = store_.record(address);
    g6::predict(sent, life_.ti, config_->snap, x, v);
    return true;
}

}  // namespace g6
