// SPDX-License-Identifier: MIT
// Finds the six nearest neighbours of each body with a k-d tree, and weights the positions with the
// densities.
#include "density_centre.h"

#include "../common/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace g6run {
namespace {

constexpr std::size_t kNeighbours = 6;
constexpr std::size_t kMostBodies = 1 << 14;

struct Point {
    Place x;
    double mass;
};

// The nearest neighbours of one point, in ascending order of distance.
struct Nearest {
    struct Neighbour {
        double r2, mass;
    };
    std::array<Neighbour, kNeighbours> list;

    Nearest() { list.fill({std::numeric_limits<double>::infinity(), 0}); }
    double reach2() const { return list.back().r2; }
    void offer(double r2, double mass)
    {
        if (r2 >= reach2()) return;
        std::size_t k = kNeighbours - 1;
        for (; k > 0 && list[k - 1].r2 > r2; k--) list[k] = list[k - 1];
        list[k] = {r2, mass};
    }
    double density() const
    {
        double mass = 0;
        for (std::size_t k = 0; k + 1 < kNeighbours; k++) mass += list[k].mass;
        return mass / (reach2() * std::sqrt(reach2()));
    }
};

// A k-d tree (Bentley 1975) in one array.  The middle point of each range of the array divides the
// points of that range along the axis in which they extend farthest.
class Tree {
public:
    explicit Tree(std::vector<Point> points) : points_(std::move(points)), axis_(points_.size())
    {
        divide(0, points_.size());
    }
    const std::vector<Point> &points() const { return points_; }
    Nearest nearest(std::size_t to) const
    {
        Nearest found;
        search(0, points_.size(), to, found);
        return found;
    }

private:
    static constexpr std::size_t kLeaf = 8;

    void divide(std::size_t first, std::size_t last)
    {
        if (last - first <= kLeaf) return;
        Place low = points_[first].x, high = low;
        for (std::size_t k = first; k < last; k++)
            for (std::size_t d = 0; d < 3; d++) {
                low[d] = std::min(low[d], points_[k].x[d]);
                high[d] = std::max(high[d], points_[k].x[d]);
            }
        std::size_t axis = 0;
        for (std::size_t d : {1, 2})
            if (high[d] - low[d] > high[axis] - low[axis]) axis = d;
        const std::size_t middle = first + (last - first) / 2;
        const auto at = [&](std::size_t k) {
            return points_.begin() + static_cast<std::ptrdiff_t>(k);
        };
        std::nth_element(at(first), at(middle), at(last),
                         [&](const Point &p, const Point &q) { return p.x[axis] < q.x[axis]; });
        axis_[middle] = axis;
        divide(first, middle);
        divide(middle + 1, last);
    }

    void search(std::size_t first, std::size_t last, std::size_t to, Nearest &found) const
    {
        const auto offer = [&](std::size_t k) {
            double r2 = 0;
            for (std::size_t d = 0; d < 3; d++) {
                const double dx = points_[k].x[d] - points_[to].x[d];
                r2 += dx * dx;
            }
            if (k != to) found.offer(r2, points_[k].mass);
        };
        if (last - first <= kLeaf) {
            for (std::size_t k = first; k < last; k++) offer(k);
            return;
        }
        const std::size_t middle = first + (last - first) / 2, axis = axis_[middle];
        const double beyond = points_[to].x[axis] - points_[middle].x[axis];
        offer(middle);
        const auto search_side = [&](bool upper) {
            upper ? search(middle + 1, last, to, found) : search(first, middle, to, found);
        };
        search_side(beyond > 0);
        if (beyond * beyond < found.reach2()) search_side(!(beyond > 0));
    }

    std::vector<Point> points_;
    std::vector<std::size_t> axis_;  // along which point k divides its range
};

// The bodies whose density is measured; none where the result is to be the centre of mass.
std::vector<Point> sample(const std::vector<Body> &bodies)
{
    std::size_t count = 0;
    double heaviest = 0, sum = 0;
    for (const Body &b : bodies) {
        count += b.mass > 0;
        sum += b.mass;
        heaviest = std::max(heaviest, b.mass);
    }
    std::vector<Point> points;
    if (count <= kNeighbours || heaviest >= sum / 2) return points;
    const std::size_t stride = (count + kMostBodies - 1) / kMostBodies;
    std::size_t n = 0;
    for (const Body &b : bodies)
        if (b.mass > 0 && n++ % stride == 0) points.push_back({{b.x[0], b.x[1], b.x[2]}, b.mass});
    return points;
}

struct Densities {
    std::vector<Point> points;
    std::vector<double> density;
};

Densities densities(const std::vector<Body> &bodies)
{
    const Tree tree(sample(bodies));
    Densities found = {tree.points(), std::vector<double>(tree.points().size())};
    g6tools::parallel_for(found.density.size(), 16,
                          [&](std::size_t k) { found.density[k] = tree.nearest(k).density(); });
    return found;
}

}  // namespace

Place mass_centre(const std::vector<Body> &bodies)
{
    std::array<long double, 4> sums{};
    for (const Body &b : bodies) {
        for (std::size_t d = 0; d < 3; d++) sums[d] += static_cast<long double>(b.mass) * b.x[d];
        sums[3] += b.mass;
    }
    Place centre;
    for (std::size_t d = 0; d < 3; d++) centre[d] = static_cast<double>(sums[d] / sums[3]);
    return centre;
}

Place density_centre(const std::vector<Body> &bodies)
{
    const auto [points, density] = densities(bodies);
    std::array<long double, 4> sums{};
    for (std::size_t k = 0; k < points.size(); k++) {
        for (std::size_t d = 0; d < 3; d++)
            sums[d] += static_cast<long double>(density[k]) * points[k].x[d];
        sums[3] += density[k];
    }
    Place centre;
    for (std::size_t d = 0; d < 3; d++) {
        centre[d] = static_cast<double>(sums[d] / sums[3]);
        // No bodies; or seven in one place, whose density is infinite.
        if (!std::isfinite(centre[d])) return mass_centre(bodies);
    }
    return centre;
}

Place densest_place(const std::vector<Body> &bodies)
{
    const auto [points, density] = densities(bodies);
    if (points.empty()) return mass_centre(bodies);
    const auto densest = std::max_element(density.begin(), density.end()) - density.begin();
    return points[static_cast<std::size_t>(densest)].x;
}

}  // namespace g6run
