// SPDX-License-Identifier: MIT
// Computes the Hubble function, integrals over the scale factor by Gauss-Legendre quadrature, and
// the scale factor of a time by Newton's method.
#include "cosmology.h"

#include <cmath>

namespace g6run {
namespace {

// The Gauss-Legendre rule with eight points on [-1, 1].  In panels of 1/8 in ln a its error is a
// few units of the last place, because the integrands are smooth powers of a.
constexpr double kNode[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                            0.9602898564975363};
constexpr double kWeight[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                              0.1012285362903763};
constexpr double kPanel = 0.125;

// Below this scale factor only matter counts.  The error is 1e-10 of the age there, which is 1e-15
// of the present age.
constexpr double kMatterOnly = 1e-10;

double inverse_power(double a, int power)
{
    double value = 1;
    for (int k = 0; k < power; k++) value /= a;
    return value;
}

}  // namespace

double Cosmology::expansion2(double a) const
{
    return (omega_m / a + omega_k()) / (a * a) + omega_l;
}

double Cosmology::hubble(double a) const
{
    return kHubble0 * std::sqrt(expansion2(a));
}

double Cosmology::mean_density(double gravity) const
{
    return 3 * omega_m * kHubble0 * kHubble0 / (8 * M_PI * gravity);
}

// dt = d(ln a) / H.
double Cosmology::integral(double from, double to, int power) const
{
    const double span = std::log(to / from);
    const int panels = 1 + static_cast<int>(std::fabs(span) / kPanel);
    const double half = span / (2 * panels);
    double sum = 0;
    for (int p = 0; p < panels; p++) {
        const double middle = (2 * p + 1) * half;
        for (int k = 0; k < 4; k++)
            for (double side : {-1.0, 1.0}) {
                const double a = from * std::exp(middle + side * kNode[k] * half);
                sum += kWeight[k] * inverse_power(a, power) / hubble(a);
            }
    }
    return sum * half;
}

double Cosmology::age(double a) const
{
    const double first = 2 / (3 * kHubble0) * std::sqrt(kMatterOnly / omega_m) * kMatterOnly;
    return first + integral(kMatterOnly, a, 0);
}

// Newton's method in ln a, where d(time) = d(ln a) / H.
double Cosmology::after(double from, double span, double guess) const
{
    double a = guess;
    for (int k = 0; k < 50; k++) {
        const double change = (span - integral(from, a, 0)) * hubble(a);
        a *= std::exp(change);
        if (std::fabs(change) < 4e-16) break;
    }
    return a;
}

double Cosmology::gyr(double time) const
{
    return time * kTimeUnitSeconds / h / kSecondsPerGyr;
}

}  // namespace g6run
