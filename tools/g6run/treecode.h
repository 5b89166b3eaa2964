// SPDX-License-Identifier: MIT
// Makino's treecode on a GRAPE: the host builds the tree and walks it once for each group of
// bodies (Barnes 1990, J. Comput. Phys. 87, 161); the library sums each group's interaction list,
// sent by the mass-and-position-only calls (Makino 1991, PASJ 43, 621).
//
// A cell of edge l whose centre of mass lies s from its centre acts as a whole when l/theta + s is
// less than its distance from the group's box.
//
// While the device sums over one list, all threads make lists for later groups, and the next list
// is sent.
#pragma once

#include "field.h"

#include <cstdint>

namespace g6run {

// The default of how many bodies share an interaction list.  Large groups have few lists and many
// interactions, which a GPU computes faster than the host makes lists
// (docs/measurements/treecode.md).
inline int usual_group(const std::string &backend)
{
    return backend == "cpu" ? 1024 : 8192;
}

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
    void divide();
    void walk(const std::vector<Vector> &x, const std::vector<double> &mass, const Cell &group,
              std::vector<Source> &list) const;
    void start(const std::vector<Vector> &x, const Cell &group, const std::vector<Source> &list);
    void finish(std::vector<Vector> &acc, std::vector<double> &pot);

    static constexpr int kLeaf = 8, kLevels = 21;
    static constexpr std::size_t kAhead = 64;  // lists made at once: some tens of MB
    Gravity &gravity_;
    const double theta_;
    const int group_;
    Vector corner_{};
    double size_ = 1;
    std::vector<std::uint64_t> key_;
    std::vector<int> order_;  // of the bodies along the keys
    std::vector<Cell> cells_;
    std::vector<Cell> groups_;
    std::vector<Source> lists_of_[kAhead];
    Block block_;  // in flight, or empty
    int sources_ = 0;
    double lists_ = 0, interactions_ = 0;
};

}  // namespace g6run
