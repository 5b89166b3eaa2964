// SPDX-License-Identifier: MIT
// Draws random units, positions, velocities, masses, indices, softenings and radii.  Most runs have
// ordinary values; a few have values near the limits of float and double, or particles whose
// distances differ by many powers of ten.
#include "scene.h"

#include <cfloat>
#include <climits>
#include <limits>

namespace g6fuzz {

void Scene::choose_units(const Features &features)
{
    switch (random_.weighted({55, 12, 25, features.range ? 3.0 : 0})) {
    case 0: length_ = 1; break;
    case 1: length_ = 1e18; break;
    case 2: length_ = random_.power(-25, 25); break;
    default: length_ = random_.power(-90, 90);
    }
    switch (random_.weighted({55, 12, 25, features.range ? 3.0 : 0})) {
    case 0: mass_ = 1.0 / slots_; break;
    case 1: mass_ = 1e33; break;
    case 2: mass_ = random_.power(-25, 25); break;
    default: mass_ = random_.power(-90, 90);
    }
    velocity_ = random_.chance(0.7) ? std::sqrt(mass_ / length_) * std::sqrt(double(slots_))
                                    : random_.power(-15, 15);
    if (!features.speed && !(velocity_ > 1e-12 && velocity_ < 1e12)) velocity_ = 1;
}

Scene::Scene(Random &random, const Features &features, const Scene *like) : random_(random)
{
    slots_ = random.chance(0.5) ? random.from(1, 20) : random.from(5, 60);
    most_targets_ = random.chance(0.8) ? 8 : 60;
    if (random.chance(0.02)) {
        slots_ = random.chance(0.3) ? random.from(kManyForThreads, kManyForThreads + 500)
                                    : random.from(300, 3000);
        most_targets_ = random.pick({16, 200, 2000});
    }
    shape = static_cast<Shape>(random.weighted({40, 12, 14, 6, 6, 8, 8}));
    motion = static_cast<Motion>(random.weighted({30, 30, 40}));
    if (like)
        length_ = like->length_, mass_ = like->mass_, velocity_ = like->velocity_;
    else
        choose_units(features);
    time_ = length_ / velocity_;
    lattice_ = std::ldexp(1.0, std::ilogb(length_));
    reach_ = random.power(0.5, shape != kOutlier ? 3 : features.speed ? 20 : 6);
    if (features.range && random.chance(0.06)) extreme_ = random.pick({0.001, 0.01, 0.05});
    if (features.speed) fast_ = extreme_;
    indices_ = static_cast<Indices>(random.weighted({40, 20, 10, 25, 5}));
    masses_ = static_cast<Masses>(random.weighted({50, 25, 12, 13}));
    if (random.chance(0.2)) {
        const double most = velocity_ * random.power(0, 6);
        for (double &component : common_) component = most * random.between(-1, 1);
        together_ = random.pick({0.8, 0.97, 1.0});
    }
    radius_ = random.power(-1.5, 0.7) * length_;
    softened_ = random.chance(0.6);
}

double Scene::special()
{
    static const double values[] = {0.0,     -0.0,   5e-324, -5e-324, 1e-310, DBL_MIN, 1e-300,
                                    1e-160,  1e-150, 1e-40,  1e-38,   1e-20,  1e18,    1e19,
                                    3.3e38,  1e39,   1e60,   1e150,   1e160,  1e300,   1e308,
                                    DBL_MAX, -1e300, -1e19,  -DBL_MAX};
    return values[random_.below(int(sizeof values / sizeof *values))];
}

double Scene::value(double size)
{
    if (extreme_ > 0 && random_.chance(extreme_)) return special();
    return size * (2 * random_.uniform() - 1);
}

double Scene::speed(double size)
{
    if (fast_ > 0 && random_.chance(fast_)) return special();
    return size * (2 * random_.uniform() - 1);
}

void Scene::place(double *x)
{
    for (int k = 0; k < 3; k++) {
        if (shape == kLattice)
            x[k] = random_.from(-4, 4) * lattice_;
        else if (shape == kHeap)
            x[k] = random_.below(2) * length_;
        else if (shape == kLine)
            x[k] = k ? 0 : value(length_);
        else
            x[k] = value(length_) * random_.uniform();
    }
    const double far = reach_ * length_;
    if (shape == kClumps && random_.chance(0.5)) x[0] += far;
    if (shape == kOffset) x[1] += 1000 * far;
    if (shape == kOutlier && random_.chance(0.04)) x[2] += far;
}

int Scene::index_of(int address)
{
    switch (indices_) {
    case kAddress: return address;
    case kFromOne: return static_cast<int>(address + 1u);  // the address may be INT_MAX
    case kFew: return address % 3 - 1;
    case kMinusOne: return random_.chance(0.5) ? -1 : address;
    default:
        return random_.chance(0.1) ? random_.pick({INT_MIN, INT_MAX, 0, -1, INT_MIN + 1})
                                   : static_cast<int>(random_.bits());
    }
}

JParticle Scene::body(int address)
{
    JParticle j{};
    j.address = address;
    j.index = index_of(address);
    place(j.x);
    const double relative = masses_ == kEqual ? 1 : random_.between(0.1, 2);
    j.mass = mass_ * relative;
    if (masses_ == kSomeZero && random_.chance(0.3)) j.mass = 0;
    if (masses_ == kBothSigns && random_.chance(0.4)) j.mass = -j.mass;
    if (extreme_ > 0 && random_.chance(extreme_)) j.mass = special();
    if (motion == kRest) return j;
    j.t = random_.chance(0.5) ? 0 : speed(0.1 * time_);
    const bool together = random_.chance(together_);
    for (int k = 0; k < 3; k++) {
        j.v[k] = speed(velocity_) + (together ? common_[k] : 0);
        if (motion == kDrift) continue;
        j.a2[k] = speed(0.5 * velocity_ / time_);
        j.j6[k] = speed(velocity_ / time_ / time_ / 6);
        if (random_.chance(0.7)) j.k18[k] = speed(velocity_ / time_ / time_ / time_ / 18);
    }
    return j;
}

IParticle Scene::target(const std::vector<JParticle> &others, double ti, bool snap)
{
    IParticle i{};
    i.index = random_.chance(0.5) ? -1 : static_cast<int>(random_.bits() % 100);
    if (!others.empty() && random_.chance(0.6)) {
        const JParticle &j = others[static_cast<size_t>(random_.below(int(others.size())))];
        const g6test::Predicted b = g6test::predict(j, ti, snap);
        bool finite = true;
        for (int k = 0; k < 3; k++) {
            i.x[k] = static_cast<double>(b.x[k]), i.v[k] = static_cast<double>(b.v[k]);
            finite = finite && std::isfinite(i.x[k]) && std::isfinite(i.v[k]);
        }
        if (random_.chance(0.85)) i.index = j.index;
        if (random_.chance(0.05)) i.x[0] += 1e-9 * length_ * random_.uniform();
        if (finite) return i;
    }
    place(i.x);
    for (double &v : i.v) v = motion == kRest && random_.chance(0.8) ? 0 : speed(velocity_);
    if (motion != kRest && random_.chance(0.5 * together_))
        for (int k = 0; k < 3; k++) i.v[k] += common_[k];
    return i;
}

double Scene::eps2()
{
    if (extreme_ > 0 && random_.chance(extreme_)) return std::fabs(special());
    if (!softened_) return 0;
    const double eps = (shape == kLattice ? 0.5 * lattice_ : random_.power(-4, 0) * length_);
    return eps * eps;
}

double Scene::h2()
{
    switch (random_.weighted({80, 10, 3, 2, 2, 3})) {
    case 0: {
        const double h =
            shape == kLattice ? random_.from(0, 6) * lattice_ : radius_ * random_.uniform();
        return h * h;
    }
    case 1: return 0;
    case 2: return -length_;
    case 3: return std::numeric_limits<double>::quiet_NaN();
    case 4: return std::numeric_limits<double>::infinity();
    default: return extreme_ > 0 ? special() : 1e6 * length_ * length_;
    }
}

double Scene::time()
{
    return speed((random_.chance(0.1) ? 3 : 0.125) * time_);
}

int Scene::targets()
{
    if (random_.chance(0.03)) return 0;
    return random_.from(1, most_targets_);
}

}  // namespace g6fuzz
