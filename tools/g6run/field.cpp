// SPDX-License-Identifier: MIT
// Sends all bodies to the library, which sums their forces with its own tree (method treewalk).
#include "field.h"

#include <numeric>

namespace g6run {

void LibraryField::compute(const std::vector<Vector> &x, const std::vector<double> &mass,
                           std::vector<Vector> &acc, std::vector<double> &pot)
{
    const int n = static_cast<int>(x.size());
    acc.resize(x.size());
    pot.resize(x.size());
    if (block_.index.size() != x.size()) {
        block_.resize(x.size());
        std::iota(block_.index.begin(), block_.index.end(), 0);
    }
    gravity_.send(block_.index, mass, x);
    block_.old_acc.swap(acc);
    gravity_.compute(0, n, block_, x);
    acc.swap(block_.acc);
    pot.swap(block_.pot);
}

}  // namespace g6run
