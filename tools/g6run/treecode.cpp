// SPDX-License-Identifier: MIT
// Sorts the bodies along Morton's curve, builds the octree, divides the bodies into groups, and
// makes the interaction list of each group while the library sums over the list of another.
#include "treecode.h"

#include "../common/parallel.h"
#include "../common/parallel_sort.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace g6run {
namespace {

std::uint64_t spread(std::uint64_t v)
{
    v = (v | v << 32) & 0x1f00000000ffffull;
    v = (v | v << 16) & 0x1f0000ff0000ffull;
    v = (v | v << 8) & 0x100f00f00f00f00full;
    v = (v | v << 4) & 0x10c30c30c30c30c3ull;
    return (v | v << 2) & 0x1249249249249249ull;
}

}  // namespace

// Sorts the bodies along Morton's curve, where the bodies of an octree's cell follow each other.
void Treecode::sort(const std::vector<Vector> &x)
{
    const std::size_t n = x.size();
    Vector high = corner_ = x[0];
    for (const Vector &p : x)
        for (std::size_t d = 0; d < 3; d++) {
            corner_[d] = std::min(corner_[d], p[d]);
            high[d] = std::max(high[d], p[d]);
        }
    size_ = 0;
    for (std::size_t d = 0; d < 3; d++) size_ = std::max(size_, high[d] - corner_[d]);
    if (!(size_ > 0)) size_ = 1;
    std::vector<std::uint64_t> key(n);
    constexpr double kCells = 1 << kLevels;
    g6tools::parallel_for(n, 1024, [&](std::size_t k) {
        key[k] = 0;
        for (std::size_t d = 0; d < 3; d++)
            key[k] |= spread(static_cast<std::uint64_t>(
                          std::min((x[k][d] - corner_[d]) / size_ * kCells, kCells - 1)))
                      << d;
    });
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), 0);
    g6tools::parallel_sort(order_, [&](int a, int b) {
        const auto ka = key[static_cast<std::size_t>(a)], kb = key[static_cast<std::size_t>(b)];
        return ka < kb || (ka == kb && a < b);
    });
    key_.resize(n);
    for (std::size_t k = 0; k < n; k++) key_[k] = key[static_cast<std::size_t>(order_[k])];
}

void Treecode::build(const std::vector<Vector> &x, const std::vector<double> &mass, int first,
                     int last, int level)
{
    const std::size_t me = cells_.size();
    cells_.push_back({{}, 0, 0, first, last - first, 0});
    const auto key = [&](int k) { return key_[static_cast<std::size_t>(k)]; };
    if (last - first > kLeaf && level < kLevels) {
        const int shift = 3 * (kLevels - 1 - level);
        for (int at = first; at < last;) {
            const std::uint64_t child = key(at) >> shift;
            const auto end =
                std::partition_point(key_.begin() + at, key_.begin() + last,
                                     [&](std::uint64_t k) { return k >> shift == child; });
            build(x, mass, at, static_cast<int>(end - key_.begin()), level + 1);
            at = static_cast<int>(end - key_.begin());
        }
    }
    Cell &c = cells_[me];
    c.next = static_cast<int>(cells_.size());
    auto add = [&](const Vector &p, double m) {
        c.mass += m;
        for (std::size_t d = 0; d < 3; d++) c.x[d] += m * p[d];
    };
    if (c.next == static_cast<int>(me) + 1)
        for (int k = first; k < last; k++) {
            const auto body = static_cast<std::size_t>(order_[static_cast<std::size_t>(k)]);
            add(x[body], mass[body]);
        }
    else
        for (int k = static_cast<int>(me) + 1; k < c.next;
             k = cells_[static_cast<std::size_t>(k)].next)
            add(cells_[static_cast<std::size_t>(k)].x, cells_[static_cast<std::size_t>(k)].mass);
    const double l = std::ldexp(size_, -level);
    double s2 = 0;
    for (std::size_t d = 0; d < 3; d++) {
        const auto body = static_cast<std::size_t>(order_[static_cast<std::size_t>(first)]);
        const double centre = corner_[d] + (std::floor((x[body][d] - corner_[d]) / l) + 0.5) * l;
        c.x[d] = c.mass > 0 ? c.x[d] / c.mass : centre;
        s2 += (c.x[d] - centre) * (c.x[d] - centre);
    }
    c.radius = theta_ > 0 ? l / theta_ + std::sqrt(s2) : HUGE_VAL;
}

// Groups are the largest cells that hold no more bodies than they may.
void Treecode::divide()
{
    groups_.clear();
    for (int k = 0; k < static_cast<int>(cells_.size());) {
        const Cell &c = cells_[static_cast<std::size_t>(k)];
        const bool whole = c.count <= group_ || c.next == k + 1;
        if (whole) groups_.push_back(c);
        k = whole ? c.next : k + 1;
    }
}

// Makes the list of a group.  Its cells have negative indices, which no body has.
void Treecode::walk(const std::vector<Vector> &x, const std::vector<double> &mass,
                    const Cell &group, std::vector<Source> &list) const
{
    const auto body = [&](int k) { return order_[static_cast<std::size_t>(k)]; };
    const auto at = [&](int k) -> const Vector & { return x[static_cast<std::size_t>(body(k))]; };
    Vector low = at(group.first), high = low;
    for (int k = group.first; k < group.first + group.count; k++)
        for (std::size_t d = 0; d < 3; d++) {
            low[d] = std::min(low[d], at(k)[d]);
            high[d] = std::max(high[d], at(k)[d]);
        }
    list.clear();
    for (int k = 0; k < static_cast<int>(cells_.size());) {
        const Cell &c = cells_[static_cast<std::size_t>(k)];
        double r2 = 0;
        for (std::size_t d = 0; d < 3; d++) {
            const double out = std::max({low[d] - c.x[d], c.x[d] - high[d], 0.0});
            r2 += out * out;
        }
        const bool apart = c.first + c.count <= group.first || group.first + group.count <= c.first;
        if (apart && r2 > c.radius * c.radius) {
            list.push_back({-1 - k, c.mass, c.x});
            k = c.next;
            continue;
        }
        for (int b = c.first; c.next == k + 1 && b < c.first + c.count; b++)
            list.push_back({body(b), mass[static_cast<std::size_t>(body(b))], at(b)});
        k++;
    }
}

void Treecode::start(const std::vector<Vector> &x, const Cell &group,
                     const std::vector<Source> &list)
{
    block_.resize(static_cast<std::size_t>(group.count));
    for (std::size_t i = 0; i < block_.index.size(); i++) {
        block_.index[i] = order_[static_cast<std::size_t>(group.first) + i];
        block_.x[i] = x[static_cast<std::size_t>(block_.index[i])];
    }
    sources_ = static_cast<int>(list.size());
    gravity_.start(0, sources_, block_);
    lists_++;
    interactions_ += static_cast<double>(list.size()) * group.count;
}

void Treecode::finish(std::vector<Vector> &acc, std::vector<double> &pot)
{
    if (block_.index.empty()) return;
    gravity_.finish(0, sources_, block_);
    for (std::size_t i = 0; i < block_.index.size(); i++) {
        acc[static_cast<std::size_t>(block_.index[i])] = block_.acc[i];
        pot[static_cast<std::size_t>(block_.index[i])] = block_.pot[i];
    }
    block_.resize(0);
}

void Treecode::compute(const std::vector<Vector> &x, const std::vector<double> &mass,
                       std::vector<Vector> &acc, std::vector<double> &pot)
{
    acc.resize(x.size());
    pot.resize(x.size());
    if (x.empty()) return;
    sort(x);
    cells_.clear();
    build(x, mass, 0, static_cast<int>(x.size()), 0);
    divide();
    block_.resize(0);
    for (std::size_t first = 0; first < groups_.size(); first += kAhead) {
        const std::size_t count = std::min(kAhead, groups_.size() - first);
        g6tools::parallel_for(
            count, 1, [&](std::size_t k) { walk(x, mass, groups_[first + k], lists_of_[k]); });
        for (std::size_t k = 0; k < count; k++) {
            gravity_.send(lists_of_[k]);
            finish(acc, pot);
            start(x, groups_[first + k], lists_of_[k]);
        }
    }
    finish(acc, pot);
}

}  // namespace g6run
