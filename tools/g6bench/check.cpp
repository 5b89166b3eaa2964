// SPDX-License-Identifier: MIT
// Finds the relative errors of acc, jerk and pot of sampled i-particles, and counts wrong nearest
// neighbours and neighbour lists.
#include "check.h"

#include <algorithm>
#include <cmath>

namespace g6bench {
namespace {

using g6tools::ReferenceSums;

// |got - expected| / |expected|; the size of the difference where the expected vector is zero.
double relative_error(const Vec3 &got, const long double expected[3])
{
    long double difference = 0, size = 0;
    for (std::size_t d = 0; d < 3; d++) {
        const long double e = got[d] - expected[d];
        difference += e * e;
        size += expected[d] * expected[d];
    }
    return static_cast<double>(std::sqrt(size > 0 ? difference / size : difference));
}

// Compares two lists but for the particle's own index, which only some libraries have in lists.
bool same_list(std::vector<int> got, std::vector<int> expected, int own)
{
    got.erase(std::remove(got.begin(), got.end(), own), got.end());
    std::sort(got.begin(), got.end());
    std::sort(expected.begin(), expected.end());
    return got == expected;
}

}  // namespace

void Checker::compare(const Work &work, const ReferenceSums &expected, int own_index,
                      const Results &results, std::size_t k)
{
    acc_.push_back(relative_error(results.acc[k], expected.acc));
    jerk_.push_back(relative_error(results.jerk[k], expected.jerk));
    const long double pot = expected.pot;
    const long double difference = std::fabs(results.pot[k] - pot);
    pot_.push_back(static_cast<double>(pot != 0 ? difference / std::fabs(pot) : difference));
    const int nearest = expected.nearest < 0
                            ? 0
                            : work.particles()[static_cast<std::size_t>(expected.nearest)].index;
    if (column_.gives_nearest() && results.nearest[k] != nearest) wrong_nearest_++;
    if (column_.gives_lists() && !same_list(results.lists[k], expected.neighbours, own_index))
        wrong_lists_++;
}

void Checker::add(const Work &work, const Block &block, const Results &results, int most)
{
    const int n = block.size(), count = std::min(most, n);
    std::vector<std::size_t> chosen;
    std::vector<g6tools::IParticle> i;
    for (int s = 0; s < count; s++) {
        const auto k = static_cast<std::size_t>(static_cast<long long>(s) * n / count);
        g6tools::IParticle p;
        std::copy(block.x[k].begin(), block.x[k].end(), p.x);
        std::copy(block.v[k].begin(), block.v[k].end(), p.v);
        p.h2 = block.h2[k] - (column_.softened_lists() ? eps2_ : 0);
        p.index = block.index[k];
        chosen.push_back(k);
        i.push_back(p);
    }
    const auto expected = g6tools::reference(work.particles(), i, block.ti, eps2_);
    for (std::size_t s = 0; s < chosen.size(); s++)
        compare(work, expected[s], i[s].index, results, chosen[s]);
}

Errors Checker::errors()
{
    Errors e;
    e.samples = samples();
    e.acc = spread_of(acc_);
    e.jerk = spread_of(jerk_);
    e.pot = spread_of(pot_);
    if (column_.gives_nearest()) e.wrong_nearest = wrong_nearest_;
    if (column_.gives_lists()) e.wrong_lists = wrong_lists_;
    return e;
}

}  // namespace g6bench
