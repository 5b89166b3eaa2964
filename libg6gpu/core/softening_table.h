// SPDX-License-Identifier: MIT
// The softenings squared of a cluster's j-particles, by address.
//
// Invariants
//  * A value belongs to its address: it stays when another j-particle is written there, and may be
//    set before any is.  An address for which none was set has 0.
//  * The table has 0 and at most kMost other values, some of which no address may have.  Each has
//    a number; the numbers follow from the values in ascending order, and 0 has number 0.
//  * A call that throws leaves the table as it was.
#pragma once

#include <cstddef>
#include <vector>

namespace g6 {

class SofteningTable {
public:
    static constexpr int kMost = 16;

    // Sets the value of address[k], or of address k where address is null, to eps2[k] for k = 0 ...
    // n-1; of an address that comes twice the last one stays.  Throws Error(G6_ERR_ARGUMENT).
    void set(int n, const int *address, const double *eps2);
    // All values are 0.
    void clear();

    // Whether it has no value but 0.
    bool all_zero() const { return values_.size() == 1; }
    int number_of(int address) const
    {
        const auto a = static_cast<std::size_t>(address);
        return a < number_.size() ? number_[a] : 0;
    }
    // Ascending, by number.
    const std::vector<double> &values() const { return values_; }
    // Changes with every change of a value.
    unsigned long long revision() const { return revision_; }

private:
    std::vector<double> values_{0};
    std::vector<unsigned char> number_;  // [address]
    unsigned long long revision_ = 0;
};

// pairs: receives the softenings squared of the pairs of n i-particles with a j-particle.  One of
// an i-particle that is no length squared stays as it is, for IParticles::pack() to refuse it.
// Throws Error(G6_ERR_ARGUMENT) where no double holds one.
void add_softening(const double *eps2, int n, double eps2_j, std::vector<double> &pairs);

}  // namespace g6
