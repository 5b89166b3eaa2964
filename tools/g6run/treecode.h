// SPDX-License-Identifier: MIT
// Makino's treecode on a GRAPE: the host builds the tree and walks it once for each group of
// bodies (Barnes 1990, J. Comput. Phys. 87, 161); the library sums each group's interaction list,
// sent by the mass-and-position-only calls (Makino 1991, PASJ 43, 621).
//
// A cell of edge l whose centre of mass lies s from its centre acts as a whole when l/theta + s is
// less than its distance from the group's box.
#pragma once

#include "field.h"

#include <cstdint>

namespace g6run {

class Treecode : public Field {
public:
    // group: most bodies that share an interaction list.
    Treecode(Gravity &gravity, double theta, int group)
        : gravity_(gravity), theta_(theta), group_(group)
    {
    }
    void compute(const std::vector<Vector> &x, const std::vector<double> &mass,
                 std::vector<Vector> &acc, std::vector<double> &pot) override;

    // Summed over all calls.
    double lists() const { return lists_; }
    double interactions() const { return interactions_; }

private:
    // Depth first; the cells below cell k are k+1 ... next-1.
    struct Cell {
        Vector x;
        double mass, radius;  // acts as a whole beyond it
        int first, count, next;
    };

    void sort(const std::vector<Vector> &x);
    void build(const std::vector<Vector> &x, const std::vector<double> &mass, int first, int last,
               int level);
    void walk(const std::vector<Vector> &x, const std::vector<double> &mass, const Cell &group);
    void each_group(const std::vector<Vector> &x, const std::vector<double> &mass,
                    std::vector<Vector> &acc, std::vector<double> &pot);

    static constexpr int kLeaf = 8, kLevels = 21;
    Gravity &gravity_;
    const double theta_;
    const int group_;
    Vector corner_{};
    double size_ = 1;
    std::vector<std::uint64_t> key_;
    std::vector<int> order_;  // of the bodies along the keys
    std::vector<Cell> cells_;
    Block block_;
    std::vector<Source> list_;
    double lists_ = 0, interactions_ = 0;
};

}  // namespace g6run
