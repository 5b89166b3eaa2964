// SPDX-License-Identifier: MIT
// The softenings squared of a cluster's j-particles, by address.
//
// Invariants
//  * A value belongs to its address: it stays when another j-particle is written there, and may be
//    set before the first one is written.  An address for which no value was set has 0.
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
    // n-1.  An address that comes twice gets its last value.  Throws Error(G6_ERR_ARGUMENT).
    void set(int n, const int *address, const double *eps2);
    // Sets all values to 0.
    void clear();

    // Whether the table has no value but 0.
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

// Writes eps2[k] + eps2_j, the softenings squared of pairs, to pairs for n i-particles.  An eps2[k]
// that is negative or not finite stays as it is: IParticles::pack() refuses it.  Throws
// Error(G6_ERR_ARGUMENT) where a sum exceeds the range of a double.
void add_softening(const double *eps2, int n, double eps2_j, std::vector<double> &pairs);

}  // namespace g6
