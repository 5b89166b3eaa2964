// SPDX-License-Identifier: MIT
#include "jstore.h"

#include "host_threads.h"
#include "status.h"

#include <algorithm>
#include <cmath>

namespace g6 {
namespace {

// Lengths, masses and velocities whose typical binary exponent lies within this need no scaling:
// r^-3 of pairs from 1e-10 to 1e10 times that stays inside float.
constexpr int kComfortable = 24;

// Power of two near 1/median of the non-zero values, or 1 in the comfortable range.
double power_of_two(std::vector<int> &exponents)
{
    if (exponents.empty()) return 1.0;
    auto middle = exponents.begin() + static_cast<long>(exponents.size() / 2);
    std::nth_element(exponents.begin(), middle, exponents.end());
    return std::abs(*middle) <= kComfortable
               ? 1.0
               : std::ldexp(1.0, -std::max(-900, std::min(900, *middle)));
}

void add_exponent(std::vector<int> &exponents, double value)
{
    if (value > 0) exponents.push_back(std::ilogb(value));
}

double largest(const double u[3])
{
    return std::max({std::fabs(u[0]), std::fabs(u[1]), std::fabs(u[2])});
}

}  // namespace

void JStore::reserve(int n)
{
    if (n <= 0) return;
    for (int b = 0; b <= block_of(n - 1); b++) {
        auto &block = blocks_[static_cast<size_t>(b)];
        if (block) continue;
        const size_t slots = static_cast<size_t>(b ? block_start(b) : kFirstBlock);
        try {
            block = host_array<G6JRecord>(slots);
        } catch (const std::bad_alloc &) {
            throw Error(G6_ERR_MEMORY,
                        "%.1f GiB of host memory more needed for j-particle number %d",
                        static_cast<double>(sizeof(G6JRecord) * slots) / 1073741824.0, n);
        }
    }
}

void JStore::extend(int address)
{
    reserve(address + 1);
    place_.resize(static_cast<size_t>(address) + 1, kClean);
    // The caller fills this slot; those between the old end and it are empty.
    for (int a = high_water_; a <= address; a++) at(a) = G6JRecord{};
    high_water_ = address + 1;
}

void JStore::commit()
{
    if (hidden_) return dirty_.clear();
    const int n = static_cast<int>(dirty_.size());
#pragma omp parallel for schedule(static) num_threads(host_threads(n)) if (host_threads(n) > 1)
    for (int k = 0; k < n; k++) {
        const int a = dirty_[static_cast<size_t>(k)];
        int &place = place_[static_cast<size_t>(a)];
        if (place >= 0) at(a) = log_.data()[place];
        place = kClean;
    }
    log_.clear();
    dirty_.clear();
    committed_high_ = high_water_;
}

void JStore::add_written(int slots)
{
    dirty_.clear();
    for (int a = 0; a < slots; a++)
        if (at(a).slot & kWritten) dirty_.push_back(a);
}

void JStore::mark_all_dirty()
{
    commit();
    add_written(high_water_);
}

void JStore::mark_dirty(std::vector<int> &addresses)
{
    std::sort(addresses.begin(), addresses.end());
    addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
    for (int a : addresses)
        if (place_[static_cast<size_t>(a)] == kClean) dirty_.push_back(a);
}

void JStore::rewind()
{
    hidden_ = true;
    hidden_dirty_.swap(dirty_);
    add_written(committed_high_);
}

void JStore::replay()
{
    hidden_ = false;
    dirty_.swap(hidden_dirty_);
    hidden_dirty_.clear();
}

void JStore::clear()
{
    hidden_ = false;
    commit();
    high_water_ = committed_high_ = 0;
    place_.clear();
    any_full_ = any_points_ = false;
    motion_ = Motion::kAtRest;
    scale_nj_ = -1;
    revision_++;
}

Scale JStore::scale(int nj, bool float_mass)
{
    nj = std::min(nj, high_water_);
    // Sampled again once a part of the particles that could move the median was written.
    const auto written_since = static_cast<long long>(revision_ - scale_revision_);
    if (nj != scale_nj_ || written_since >= std::max(1, nj / 4)) sample_scale(nj);
    Scale scale = scale_;
    const double first = written(0) ? std::fabs(record(0).mass) : 0.0;
    if (float_mass && first > 0 && std::abs(std::ilogb(first * scale.mass)) <= kComfortable)
        scale.mass = 1 / first;
    return scale;
}

void JStore::sample_scale(int nj)
{
    constexpr int kSamples = 129;
    std::vector<int> lengths, masses, velocities;
    for (int k = 0; k < std::min(nj, kSamples); k++) {
        const G6JRecord &r =
            record(static_cast<int>(static_cast<long long>(k) * nj / std::min(nj, kSamples)));
        if (!(r.slot & kWritten)) continue;
        add_exponent(lengths, largest(r.x));
        add_exponent(masses, std::fabs(r.mass));
        add_exponent(velocities, largest(r.v));
    }
    scale_ = {power_of_two(lengths), power_of_two(masses), power_of_two(velocities)};
    scale_nj_ = nj;
    scale_revision_ = revision_;
}

}  // namespace g6
