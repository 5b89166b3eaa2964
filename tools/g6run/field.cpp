// SPDX-License-Identifier: MIT
#include "field.h"

#include <numeric>

namespace g6run {

void LibraryField::compute(const std::vector<Vector> &x, const std::vector<double> &mass,
                           std::vector<Vector> &acc, std::vector<double> &pot)
{
    const int n = static_cast<int>(x.size());
    sources_.clear();
    for (int k = 0; k < n; k++) {
        const auto at = static_cast<std::size_t>(k);
        sources_.push_back({k, mass[at], x[at]});
    }
    gravity_.send(sources_);
    block_.resize(x.size());
    std::iota(block_.index.begin(), block_.index.end(), 0);
    block_.x = x;
    block_.old_acc = acc;
    gravity_.compute(0, n, block_);
    acc = block_.acc;
    pot = block_.pot;
}

}  // namespace g6run
