// SPDX-License-Identifier: MIT
// Finds j-particles of a recorded client by address, index and position, so that a call can be
// judged without a loop over all of them.
#include "session_cluster.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace g6check {
namespace {

double distance(const SentParticle::Vector &a, const SentParticle::Vector &b)
{
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

}  // namespace

std::size_t SentParticles::Hash::operator()(const Place &p) const
{
    return g6::trace::checksum(p.data(), sizeof p, 0);
}

SentParticle::Vector SentParticle::predicted(double t) const
{
    const double s = t - tj;
    Vector at;
    for (std::size_t d = 0; d < 3; d++)
        at[d] = x[d] + s * (v[d] + s * (a2[d] + s * (j6[d] + s * 0.75 * k18[d])));
    return at;
}

void SentParticles::write(int address, const SentParticle &particle)
{
    const auto place = slots_.find(address);
    if (place != slots_.end()) {
        const SentParticle &old = place->second;
        const auto same = indices_.find(old.index);
        same->second.erase(address);
        if (same->second.empty()) indices_.erase(same);
        times_.erase(times_.find(old.tj));
        const auto range = places_.equal_range(old.x);
        for (auto p = range.first; p != range.second; ++p)
            if (p->second == address) {
                places_.erase(p);
                break;
            }
        place->second = particle;
    } else {
        slots_.emplace(address, particle);
    }
    indices_[particle.index].insert(address);
    times_.insert(particle.tj);
    places_.emplace(particle.x, address);
    unsized_++;
    while (slots_.count(first_empty_)) first_empty_++;
}

int SentParticles::with_index(int index) const
{
    const auto place = indices_.find(index);
    return place == indices_.end() ? 0 : static_cast<int>(place->second.size());
}

// The median distance from the median place, which few particles far away do not change.
double SentParticles::size()
{
    if (size_ > 0 && unsized_ < slots_.size()) return size_;
    unsized_ = 0;
    std::vector<double> values;
    const auto median = [&] {
        const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
        std::nth_element(values.begin(), middle, values.end());
        return *middle;
    };
    Place centre;
    for (std::size_t d = 0; d < 3; d++) {
        values.clear();
        for (const auto &slot : slots_) values.push_back(slot.second.x[d]);
        centre[d] = median();
    }
    values.clear();
    for (const auto &slot : slots_) values.push_back(distance(slot.second.x, centre));
    return size_ = median();
}

int SentParticles::far_from(const double x[3], int index, double t, int nj)
{
    const auto place = indices_.find(index);
    if (place == indices_.end() || place->second.size() != 1) return -1;
    const int address = *place->second.begin();
    if (address >= nj) return -1;
    const SentParticle &own = slots_.at(address);
    const Place at = own.predicted(t);
    const double away = distance(at, {x[0], x[1], x[2]});
    return away > 2 * distance(at, own.x) && away > size() / 10 ? address : -1;
}

bool SentParticles::other_at(const double x[3], int index) const
{
    const auto range = places_.equal_range({x[0], x[1], x[2]});
    for (auto p = range.first; p != range.second; ++p)
        if (slots_.at(p->second).index != index) return true;
    return false;
}

}  // namespace g6check
