// SPDX-License-Identifier: MIT
// The part of the model for softenings of j-particles.
#include "model.h"

#include "g6lib.h"

#include <climits>
#include <cmath>

namespace g6fuzz {

constexpr size_t kMostSoftenings = 16;  // besides 0

void Cluster::soften(const std::map<int, double> &eps2)
{
    softenings_ = eps2;
    std::vector<JParticle> softened = *store_;
    for (JParticle &j : softened) j.eps2 = softening(j.address);
    store_ = std::make_shared<std::vector<JParticle>>(std::move(softened));
    revision_++;
}

double Cluster::softening(int address) const
{
    const auto at = softenings_.find(address);
    return at == softenings_.end() ? 0 : at->second;
}

std::string Model::check_softening(const Call &c, const Answer &a)
{
    Cluster &k = resolve(key_of(c));
    const int n = c.i[0];
    if (n < 0 || (n > 0 && c.da[0].null)) return expect_status(G6_ERR_ARGUMENT, a);
    std::map<int, double> eps2 = k.softenings();
    bool changes = false;
    for (int row = 0; row < n; row++) {
        const size_t r = static_cast<size_t>(row);
        const int address = c.ia[0].null ? row : c.ia[0].v[r];
        const double value = c.da[0].v[r];
        if (address < 0 || address == INT_MAX || !(value >= 0) || !std::isfinite(value))
            return expect_status(G6_ERR_ARGUMENT, a);
        changes = changes || value != k.softening(address);
        eps2[address] = value;
    }
    std::set<double> values{0};
    for (const auto &slot : eps2) values.insert(slot.second);
    if (values.size() > kMostSoftenings + 1) return expect_status(G6_ERR_ARGUMENT, a);
    if (changes) k.soften(eps2);
    return expect_status(G6_OK, a);
}

}  // namespace g6fuzz
