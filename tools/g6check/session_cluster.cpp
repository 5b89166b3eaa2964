// SPDX-License-Identifier: MIT
#include "session_cluster.h"

#include <cstring>

namespace g6check {

std::size_t SentParticles::Hash::operator()(const Place &p) const
{
    return g6::trace::checksum(p.data(), sizeof p, 0);
}

void SentParticles::write(int address, int index, double tj, const double *x)
{
    const Slot slot{index, tj, {x[0], x[1], x[2]}};
    const auto place = slots_.find(address);
    if (place != slots_.end()) {
        const Slot &old = place->second;
        if (--indices_[old.index] == 0) indices_.erase(old.index);
        times_.erase(times_.find(old.tj));
        const auto range = places_.equal_range(old.x);
        for (auto p = range.first; p != range.second; ++p)
            if (p->second == address) {
                places_.erase(p);
                break;
            }
        place->second = slot;
    } else {
        slots_.emplace(address, slot);
    }
    indices_[index]++;
    times_.insert(tj);
    places_.emplace(slot.x, address);
    while (slots_.count(first_empty_)) first_empty_++;
}

int SentParticles::with_index(int index) const
{
    const auto place = indices_.find(index);
    return place == indices_.end() ? 0 : place->second;
}

bool SentParticles::other_at(const double x[3], int index) const
{
    const auto range = places_.equal_range({x[0], x[1], x[2]});
    for (auto p = range.first; p != range.second; ++p)
        if (slots_.at(p->second).index != index) return true;
    return false;
}

}  // namespace g6check
