// SPDX-License-Identifier: MIT
#include "tree.h"

#include "library.h"

#include "../common/models.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace g6bench {
namespace {

using Vec3 = std::array<double, 3>;

double seconds_now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

Rows rows(std::vector<Vec3> &u)
{
    return reinterpret_cast<Rows>(u.data());
}

struct Block {
    std::vector<int> index;
    std::vector<Vec3> x, v, old, acc, jerk;
    std::vector<double> pot, h2;

    explicit Block(std::size_t n) : index(n), x(n), v(n), old(n), acc(n), jerk(n), pot(n), h2(n) {}
};

// Seconds of the two halves of one step: firsthalf makes the tree, lasthalf walks it.
struct Times {
    double first = 0, last = 0;
};

struct Setting {
    double theta;
    std::string mac;
    int multipole;
};

// Relative errors over the sampled particles.
struct Figures {
    double mean = 0, median = 0, most = 0, pot = 0;  // most: 99 % are below
};

class Bench {
public:
    Bench(const Options &options, const Library &library) : o_(options), library_(library) {}

    void load(const std::string &model, int n);
    // Direct sums in double on the sample; returns the time that all N would take in the precision
    // of the walks.
    double direct();
    Times walk(const Setting &setting, bool build);
    Figures errors() const;
    // Bodies and cells summed for one particle in the last walk.
    double interactions() const { return interactions_; }

private:
    void set(const char *key, const std::string &value);
    void send();
    Times compute(Block &block);
    double counted() const;

    const Options &o_;
    const Library &library_;
    std::vector<g6tools::Body> bodies_;
    Block all_{0}, sample_{0};
    double interactions_ = 0;
};

void Bench::set(const char *key, const std::string &value)
{
    if (library_.set_option(0, key, value.c_str()) == G6_OK) return;
    throw Failure(std::string("--") + key + " " + value + ": " + library_.last_error());
}

void Bench::load(const std::string &model, int n)
{
    bodies_ = g6tools::make_model(model, static_cast<std::size_t>(n), o_.seed);
    if (bodies_.empty())
        throw Failure("--model " + model + " is not one of: " + g6tools::model_names());
    int id = 0;
    library_.close(&id);
    library_.open(&id);
    const std::size_t samples = static_cast<std::size_t>(std::min(n, o_.samples));
    all_ = Block(bodies_.size());
    sample_ = Block(samples);
    auto put = [&](Block &block, std::size_t k, std::size_t body) {
        block.index[k] = static_cast<int>(body);
        std::copy_n(bodies_[body].x, 3, block.x[k].begin());
        if (o_.moving) std::copy_n(bodies_[body].v, 3, block.v[k].begin());
    };
    for (std::size_t k = 0; k < bodies_.size(); k++) put(all_, k, k);
    for (std::size_t k = 0; k < samples; k++) put(sample_, k, k * bodies_.size() / samples);
    send();
}

void Bench::send()
{
    int id = 0;
    double zero[3] = {0, 0, 0}, t = 0;
    for (std::size_t k = 0; k < bodies_.size(); k++) {
        int address = static_cast<int>(k);
        g6tools::Body &b = bodies_[k];
        library_.set_j_particle(&id, &address, &address, &t, &t, &b.mass, zero, zero, zero,
                                o_.moving ? b.v : zero, b.x);
    }
}

Times Bench::compute(Block &b)
{
    int id = 0, nj = static_cast<int>(bodies_.size()), ni = static_cast<int>(b.index.size());
    double eps2 = o_.eps * o_.eps, time = 0;
    library_.set_ti(&id, &time);
    const double start = seconds_now();
    library_.firsthalf(&id, &nj, &ni, b.index.data(), rows(b.x), rows(b.v), rows(b.old),
                       rows(b.old), b.pot.data(), &eps2, b.h2.data());
    const double middle = seconds_now();
    if (library_.lasthalf(&id, &nj, &ni, b.index.data(), rows(b.x), rows(b.v), &eps2, b.h2.data(),
                          rows(b.acc), rows(b.jerk), b.pot.data()) != G6_OK)
        throw Failure(std::string("g6calc_lasthalf: ") + library_.last_error());
    return {middle - start, seconds_now() - middle};
}

double Bench::direct()
{
    const std::string precision = o_.precisions.empty() ? "mixed" : o_.precisions[0];
    set("mode", "hermite");
    set("precision", precision);
    compute(sample_);
    const Times t = compute(sample_);
    set("precision", "double");
    compute(sample_);
    set("precision", precision);
    all_.old.assign(all_.old.size(), Vec3{});
    return (t.first + t.last) * static_cast<double>(bodies_.size()) /
           static_cast<double>(sample_.index.size());
}

double Bench::counted() const
{
    g6_stats s{};
    s.size = sizeof s;
    library_.get_stats(0, &s);
    return s.interactions;
}

// Every particle is sent anew, as by a leapfrog.
Times Bench::walk(const Setting &setting, bool build)
{
    set("mode", "treewalk");
    set("theta", std::to_string(setting.theta));
    set("mac", setting.mac);
    set("multipole", std::to_string(setting.multipole));
    set("rebuild", build ? "1" : "1000000");
    send();
    const double before = counted();
    const Times t = compute(all_);
    interactions_ = (counted() - before) / static_cast<double>(bodies_.size());
    all_.old = all_.acc;
    return t;
}

double part(std::vector<double> &sorted, double fraction)
{
    return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(
                                                  fraction * static_cast<double>(sorted.size())))];
}

Figures Bench::errors() const
{
    std::vector<double> acc;
    Figures f;
    const double n = static_cast<double>(sample_.index.size());
    for (std::size_t k = 0; k < sample_.index.size(); k++) {
        const std::size_t body = static_cast<std::size_t>(sample_.index[k]);
        double d2 = 0, a2 = 0;
        for (std::size_t c = 0; c < 3; c++) {
            const double d = all_.acc[body][c] - sample_.acc[k][c];
            d2 += d * d;
            a2 += sample_.acc[k][c] * sample_.acc[k][c];
        }
        acc.push_back(std::sqrt(d2 / a2));
        f.mean += acc.back() / n;
        f.pot += std::fabs(all_.pot[body] / sample_.pot[k] - 1) / n;
    }
    std::sort(acc.begin(), acc.end());
    f.median = part(acc, 0.5);
    f.most = part(acc, 0.99);
    return f;
}

std::string format(const char *text, ...) __attribute__((format(printf, 1, 2)));
std::string format(const char *text, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, text);
    std::vsnprintf(line, sizeof line, text, arguments);
    va_end(arguments);
    return line;
}

void head(const Options &o, Output &output)
{
    if (o.csv)
        return output.line("model,N,theta,mac,multipole,build,refresh,walk,direct,per_body,"
                           "mean,median,p99,pot");
    output.line("# seconds of a shared step: build, or refresh, and walk; direct: direct sums");
    output.line("# errors: |da|/|a| mean, median, 99 % are below; |dpot/pot| mean");
    output.line(
        "  model            N theta mac          mp     build   refresh      walk    direct "
        "sums/body    mean  median     99 %     pot");
}

void row(Bench &bench, const Setting &s, const std::string &model, int n, double direct,
         const Options &o, Output &output)
{
    // The second walk has old accelerations and memory that was touched.
    bench.walk(s, true);
    const Times build = bench.walk(s, true), refresh = bench.walk(s, false);
    const Figures f = bench.errors();
    const double walk = std::min(build.last, refresh.last), sums = bench.interactions();
    const std::string errors =
        o.csv ? format("%.2e,%.2e,%.2e,%.2e", f.mean, f.median, f.most, f.pot)
              : format("%7.1e %7.1e %7.1e %7.1e", f.mean, f.median, f.most, f.pot);
    output.line(
        (o.csv ? format("%s,%d,%g,%s,%d,%.4g,%.4g,%.4g,%.4g,%.0f,", model.c_str(), n, s.theta,
                        s.mac.c_str(), s.multipole, build.first, refresh.first, walk, direct, sums)
               : format("  %-9s %8d %5g %-12s %2d %9.4f %9.4f %9.4f %9.4g %9.0f ", model.c_str(), n,
                        s.theta, s.mac.c_str(), s.multipole, build.first, refresh.first, walk,
                        direct, sums)) +
        errors);
}

}  // namespace

void run_tree(const Options &options, Output &output)
{
    const Library library(options.libraries[0]);
    if (!library.has_settings()) throw Failure("--tree needs libg6gpu");
    int id = 0;
    for (const auto &[key, values] :
         {std::pair{"backend", options.backends}, std::pair{"precision", options.precisions}})
        if (!values.empty() && library.set_option(id, key, values[0].c_str()) != G6_OK)
            throw Failure(std::string("--") + key + ": " + library.last_error());
    library.set_option(id, "mode", "treewalk");
    library.open(&id);
    output.line("# " + library.describe());
    head(options, output);
    Bench bench(options, library);
    for (const std::string &model : options.models)
        for (int n : options.nj) {
            bench.load(model, n);
            const double direct = bench.direct();
            for (const std::string &mac : options.macs)
                for (int multipole : options.multipoles)
                    for (double theta : options.thetas)
                        row(bench, {theta, mac, multipole}, model, n, direct, options, output);
        }
    library.close(&id);
}

}  // namespace g6bench
