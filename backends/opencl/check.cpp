// SPDX-License-Identifier: MIT
// Runs the kernels of check.cl on numbers that are hard to round, and compares the results with the
// host's.  All results must agree to the last bit, except those of native_rsqrt(), whose error is
// measured.
#include "engine.h"
#include "float_pairs.h"

#include <cmath>
#include <cstdio>
#include <random>

namespace g6::opencl {
namespace {

#define G6_FN inline
#define G6_PREDICT_REAL double
#define G6_FMA(a, b, c) std::fma(a, b, c)
#include "../../libg6gpu/formulas/predict.h"
#undef G6_FN
#undef G6_PREDICT_REAL
#undef G6_FMA

constexpr int kCheckedValues = 1024;

struct Float2 {
    float x, y;
};
struct Float4 {
    float x, y, z, w;
};

Float2 split(double x)
{
    return {high_part(x), low_part(x)};
}

// Random numbers between -1 and 1 that use all digits of a double.
class Numbers {
public:
    double next() { return std::ldexp(static_cast<double>(bits_()), -63) - 1; }

private:
    std::mt19937_64 bits_;
};

// Pairs of positions at scales from 1e-6 to 1e6, whose distances go from the scale down to 1e-13 of
// it.  The last bit of a position that is split into two floats is worth 2^-49 of the position.
std::vector<Float4> samples()
{
    Numbers numbers;
    std::vector<Float4> pairs;
    for (int k = 0; k < kCheckedValues; k++) {
        const double scale = std::pow(10.0, k / 4 % 13 - 6), apart = std::pow(10.0, -(k % 14));
        const double xj = numbers.next() * scale, xi = xj + numbers.next() * apart * scale;
        const Float2 j = split(xj), i = split(xi);
        pairs.push_back({j.x, j.y, i.x, i.y});
    }
    return pairs;
}

template <class T> std::vector<T> fetch(Queue &queue, const DeviceBuffer &from, size_t n)
{
    std::vector<T> values(n);
    queue.read(values.data(), from, n * sizeof(T), true);
    return values;
}

// Thrown where a result is not exact, while all calls of OpenCL have succeeded.
struct Inexact {
    std::string what;
};

class Check {
public:
    Check(Engine &engine, const std::string &options)
        : engine_(engine), options_(options),
          queue_(engine.context(), engine.hardware().id, engine.hardware().takes_turns)
    {
        pair_.need(queue_, pairs_.size() * sizeof(Float4));
        queue_.write(pair_, pairs_.data(), pairs_.size() * sizeof(Float4), 0, true);
        a_.need(queue_, kCheckedValues * 8);
        b_.need(queue_, kCheckedValues * 8);
        c_.need(queue_, kCheckedValues * 8);
    }

    // Returns whether native_rsqrt() has an error above 2^-22.
    bool floats()
    {
        const Kernel k = engine_.kernel(kCheckText, options_, "check_float");
        set_args(k.get(), kCheckedValues, pair_.get(), a_.get(), b_.get(), c_.get());
        queue_.run(k, kCheckedValues / 64, 64);
        const auto difference = fetch<float>(queue_, a_, kCheckedValues),
                   fused = fetch<float>(queue_, b_, kCheckedValues),
                   root = fetch<float>(queue_, c_, kCheckedValues);
        double worst = 0;
        for (size_t s = 0; s < kCheckedValues; s++) {
            const Float4 &p = pairs_[s];
            expect("a difference of positions", difference[s], (p.x - p.z) + (p.y - p.w));
            expect("a fused multiply-add", fused[s], std::fma(p.x, p.z, -(p.x * p.z)));
            const double exact = 1 / std::sqrt(std::fabs(static_cast<double>(p.x)));
            worst = std::max(worst, std::fabs(static_cast<double>(root[s]) / exact - 1));
        }
        if (worst > 0x1.8p-12) throw Inexact{"native_rsqrt is not even good to 1.5 2^-12"};
        return worst > 0x1p-22;
    }

    // Checks that wide_add() of two floats loses no digit.
    void wide_sums()
    {
        const Kernel k = engine_.kernel(kCheckText, options_, "check_wide");
        set_args(k.get(), kCheckedValues, pair_.get(), a_.get());
        queue_.run(k, kCheckedValues / 64, 64);
        const auto sums = fetch<Float2>(queue_, a_, kCheckedValues);
        for (size_t s = 0; s < kCheckedValues; s++)
            if (static_cast<double>(sums[s].x) + sums[s].y !=
                static_cast<double>(pairs_[s].x) + pairs_[s].z)
                throw Inexact{"sums lose digits"};
    }

    void doubles()
    {
        Numbers numbers;
        std::vector<double> x(kCheckedValues);
        for (double &v : x) v = numbers.next();
        queue_.write(b_, x.data(), x.size() * 8, 0, true);
        const Kernel k = engine_.kernel(kCheckText, options_, "check_double");
        set_args(k.get(), kCheckedValues, b_.get(), a_.get(), c_.get());
        queue_.run(k, kCheckedValues / 64, 64);
        const auto parts = fetch<Float2>(queue_, a_, kCheckedValues);
        const auto predicted = fetch<double>(queue_, c_, kCheckedValues);
        for (size_t s = 0; s < kCheckedValues; s++) {
            expect("the high part of a double", parts[s].x, split(x[s]).x);
            expect("the low part of a double", parts[s].y, split(x[s]).y);
            const auto at = [&](size_t d) { return x[(s + d) % kCheckedValues]; };
            if (predicted[s] != g6_predict_x(at(0), at(1), at(2), at(3), at(4), at(5)))
                throw Inexact{"the predictor differs from the host's"};
        }
    }

private:
    static void expect(const char *what, float got, float expected)
    {
        if (got == expected) return;
        char text[160];
        std::snprintf(text, sizeof text, "%s is %a, not %a", what, static_cast<double>(got),
                      static_cast<double>(expected));
        throw Inexact{text};
    }

    Engine &engine_;
    const std::string options_;
    Queue queue_;
    const std::vector<Float4> pairs_ = samples();
    DeviceBuffer pair_, a_, b_, c_;
};

}  // namespace

bool Engine::require_exactness(bool fp64, const std::string &options)
{
    const std::lock_guard<std::mutex> lock(verdict_mutex_);
    Verdict &verdict = verdicts_[options];
    if (!verdict.known) {
        try {
            Check check(*this, options);
            verdict.newton = check.floats();
            if (fp64)
                check.doubles();
            else
                check.wide_sums();
        } catch (const Inexact &e) {
            verdict.reason = "opencl: " + hardware_.name + " fails the exactness test: " + e.what;
        }
        verdict.known = true;
    }
    if (!verdict.reason.empty()) throw ClError{CL_INVALID_OPERATION, verdict.reason};
    return verdict.newton;
}

}  // namespace g6::opencl
