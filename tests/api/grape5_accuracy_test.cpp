// SPDX-License-Identifier: MIT
// Errors of the g5 calls in precision single, compared with those of Phantom-GRAPE, whose
// accelerations have errors of 2.7e-5 (median) with AVX-512 and larger ones with AVX2.
#include "grape5.h"

#include <algorithm>

namespace g6test {
namespace {

class Grape5Accuracy : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, Grape5Accuracy, testing::ValuesIn(instruction_sets("cpu")),
                         [](const auto &info) {
                             return info.param.empty() ? std::string("default") : info.param;
                         });

// The instruction set whose kernel a test's parameter stands for: "" is the best one of the
// processor.  With -march=native all kernels have at least the instructions that this file is
// compiled for.
std::string computing(const std::string &isa)
{
#if defined(__AVX512F__)
    return "avx512";
#elif defined(__x86_64__)
    if (isa == "avx512" || (isa.empty() && __builtin_cpu_supports("avx512f"))) return "avx512";
#if !defined(__AVX2__)
    if (isa == "generic" || (isa.empty() && !__builtin_cpu_supports("avx2"))) return "generic";
#endif
    return "avx2";
#else
    return "generic";
#endif
}

// The estimate of 1/s is off by at most 1.5 2^-12 with AVX2, 2^-14 with AVX-512; the generic
// kernel's root is exact to 2^-24.
double root_error(const std::string &isa)
{
    const std::string set = computing(isa);
    if (set == "generic") return std::ldexp(1.0, -22);
    return set == "avx512" ? std::ldexp(1.0, -14) : 1.5 * std::ldexp(1.0, -12);
}

// Terms have errors of random sign.  Evenly spread up to e, they are e / sqrt(3) in the mean
// square, and three times that in the acceleration, whose terms nearly cancel; n terms of equal
// size add up to a relative error of that times sqrt(n) |term| / |sum|.  2^-22: rounding of
// positions; of pairs that are as near as float positions serve without softening, 2^-13.
TEST_P(Grape5Accuracy, errors_of_terms_average_out)
{
    for (double eps : {1.0 / 32, std::ldexp(1.0, -20), 0.0}) {
        const PointSession session({"cpu", "single", GetParam()});
        g5_set_eps_to_all(eps);
        const double rounding = std::ldexp(1.0, eps < 1e-3 ? -13 : -22);
        std::vector<double> ratios, errors;
        for (unsigned seed = 1; seed <= 20; ++seed) {
            PointList l = make_list(400, 25, eps, seed);
            const PointForces f = compute(0, l);
            for (int i = 0; i < l.ni(); ++i) {
                const Expected e = l.expected(i);
                Real miss = 0, size = 0, terms2 = 0;
                for (int d = 0; d < 3; ++d) {
                    miss += (f.a[i][d] - e.acc[d]) * (f.a[i][d] - e.acc[d]);
                    size += e.acc[d] * e.acc[d];
                }
                for (int j = 0; j < l.nj(); ++j) {
                    Real r2 = 0;
                    for (int d = 0; d < 3; ++d) {
                        const Real r = Real(l.xj[j][d]) - l.xi[i][d];
                        r2 += r * r;
                    }
                    if (r2 == 0) continue;
                    const Real s2 = r2 + l.eps2[i],
                               term = l.mj[j] * std::sqrt(r2) / (s2 * std::sqrt(s2));
                    terms2 += term * term;
                }
                const double allowed = 3 * root_error(GetParam()) / std::sqrt(3.0) + rounding;
                ratios.push_back(double(std::sqrt(miss / terms2)) / allowed);
                errors.push_back(double(std::sqrt(miss / size)));
            }
        }
        std::sort(ratios.begin(), ratios.end());
        std::sort(errors.begin(), errors.end());
        EXPECT_LT(ratios[ratios.size() / 2], 1) << eps;
        // With AVX2 the estimate is the processor's, and Intel's is less exact than AMD's.
        EXPECT_LT(errors[errors.size() / 2], computing(GetParam()) == "avx2" ? 2e-4 : 4e-5) << eps;
    }
}

// The mean error of the estimate is taken out: a potential has terms of one sign, so that a bias b
// of the root would show as b, while errors of random sign average out to e / sqrt(3 n).
TEST_P(Grape5Accuracy, potentials_have_no_bias)
{
    const PointSession session({"cpu", "single", GetParam()});
    g5_set_eps_to_all(1.0 / 32);
    double sum = 0;
    int n = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        PointList l = make_list(4000, 25, 1.0 / 32, seed);
        const PointForces f = compute(0, l);
        for (int i = 0; i < l.ni(); ++i, ++n) sum += f.p[i] / double(-l.expected(i).pot) - 1;
    }
    EXPECT_LT(std::fabs(sum / n), root_error(GetParam()) / std::sqrt(3.0 * 4000) + 1e-6);
}

}  // namespace
}  // namespace g6test
