// SPDX-License-Identifier: MIT
// Measures the building, refreshing and walking of trees for all combinations of model, N, opening
// criterion, multipole and opening angle, and prints one row for each.
#include "tree.h"

#include "measure.h"

#include "../common/models.h"
#include "../common/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace g6bench {
namespace {

using g6tools::text;

// i-particles and their results.
struct Targets {
    std::vector<int> index;
    std::vector<Vec3> x, v, old, acc, jerk;
    std::vector<double> pot, h2;

    explicit Targets(std::size_t n) : index(n), x(n), v(n), old(n), acc(n), jerk(n), pot(n), h2(n)
    {
    }
};

// Seconds of the parts of a shared step.  Backends make the tree in different calls, a GPU while
// lasthalf waits.  So the time of a block of one i-particle counts as that of the tree, and the
// additional time of a block of all particles as that of the walk.
struct Parts {
    double build, refresh;
    double walk;  // of a refreshed tree; i-particles up and results down included
    double step;  // every particle sent anew, as by a leapfrog; refresh, and walk
};

struct Setting {
    double theta;
    std::string mac;
    int multipole;
};

// The times of a row with the first list of devices, over which rows with other lists have their
// speed-ups.
struct First {
    double walk, step;  // s
    int devices;
};
// The rows of one model and N, by theta, mac and multipole.
using FirstRows = std::map<std::tuple<double, std::string, int>, First>;

// Relative errors over the sampled particles.
struct Figures {
    Spread acc;
    double mean = 0, pot = 0;
};

class Bench {
public:
    Bench(const Options &options, const Library &library)
        : o_(options), library_(library), debug_(library.setting("debug"))
    {
    }

    void use_devices(const std::string &list) { set("devices", list); }
    int devices() const { return library_.devices(); }
    void load(const std::string &model, int n);
    // Direct sums in double on the sample; returns the time that all N would take in the precision
    // of the walks.
    double direct();
    // Sets these settings and walks once; its accelerations are the aold of the next walks.
    void choose(const Setting &setting);
    Parts measure();
    Figures errors() const;
    // Bodies and cells summed for one particle in the last walk.
    double interactions() const { return interactions_; }

private:
    void set(const char *key, const std::string &value);
    void send(std::size_t count);
    double compute(Targets &block);
    double remake(bool build);
    double counted() const;

    const Options &o_;
    const Library &library_;
    const std::string debug_;  // what the user gave
    std::vector<g6tools::Body> bodies_;
    Targets all_{0}, sample_{0}, one_{1};
    double interactions_ = 0;
};

void Bench::set(const char *key, const std::string &value)
{
    if (library_.set_option(0, key, value.c_str()) == G6_OK) return;
    throw Failure(std::string("--") + key + " " + value + ": " + library_.last_error());
}

void Bench::load(const std::string &model, int n)
{
    try {
        bodies_ = g6tools::make_model(model, static_cast<std::size_t>(n), o_.seed).bodies;
    } catch (const g6tools::ModelError &error) {
        throw Failure(std::string("--model ") + error.what());
    }
    int id = 0;
    library_.close(&id);
    library_.open(&id);
    const std::size_t samples = static_cast<std::size_t>(std::min(n, o_.samples));
    all_ = Targets(bodies_.size());
    sample_ = Targets(samples);
    auto put = [&](Targets &block, std::size_t k, std::size_t body) {
        block.index[k] = static_cast<int>(body);
        std::copy_n(bodies_[body].x, 3, block.x[k].begin());
        if (o_.moving) std::copy_n(bodies_[body].v, 3, block.v[k].begin());
    };
    for (std::size_t k = 0; k < bodies_.size(); k++) put(all_, k, k);
    put(one_, 0, 0);
    for (std::size_t k = 0; k < samples; k++) put(sample_, k, k * bodies_.size() / samples);
    send(bodies_.size());
}

// The first `count` bodies.
void Bench::send(std::size_t count)
{
    int id = 0;
    double zero[3] = {0, 0, 0}, t = 0;
    for (std::size_t k = 0; k < count; k++) {
        int address = static_cast<int>(k);
        g6tools::Body &b = bodies_[k];
        library_.set_j_particle(&id, &address, &address, &t, &t, &b.mass, zero, zero, zero,
                                o_.moving ? b.v : zero, b.x);
    }
}

double Bench::compute(Targets &b)
{
    int id = 0, nj = static_cast<int>(bodies_.size()), ni = static_cast<int>(b.index.size());
    double eps2 = o_.eps * o_.eps, time = 0;
    library_.set_ti(&id, &time);
    const g6tools::Clock clock;
    library_.firsthalf(&id, &nj, &ni, b.index.data(), rows(b.x), rows(b.v), rows(b.old),
                       rows(b.old), b.pot.data(), &eps2, b.h2.data());
    if (library_.lasthalf(&id, &nj, &ni, b.index.data(), rows(b.x), rows(b.v), &eps2, b.h2.data(),
                          rows(b.acc), rows(b.jerk), b.pot.data()) != G6_OK)
        throw Failure(std::string("g6calc_lasthalf: ") + library_.last_error());
    return clock.seconds();
}

double Bench::direct()
{
    const std::string precision = o_.precisions.empty() ? "mixed" : o_.precisions[0];
    set("mode", "hermite");
    set("precision", precision);
    compute(sample_);
    std::vector<double> taken;
    for (Repeats repeats(o_); repeats.another();) taken.push_back(compute(sample_));
    set("precision", "double");
    compute(sample_);
    set("precision", precision);
    all_.old.assign(all_.old.size(), Vec3{});
    return timing_of(taken).median * static_cast<double>(bodies_.size()) /
           static_cast<double>(sample_.index.size());
}

double Bench::counted() const
{
    g6_stats s{};
    s.size = sizeof s;
    library_.get_stats(0, &s);
    return s.interactions;
}

void Bench::choose(const Setting &setting)
{
    set("mode", "treewalk");
    set("direct", "0");
    set("theta", std::to_string(setting.theta));
    set("mac", setting.mac);
    set("multipole", std::to_string(setting.multipole));
    compute(all_);
    all_.old = all_.acc;
}

// Any write, even of an unchanged particle, makes the library build or refresh the tree.
double Bench::remake(bool build)
{
    const std::string rebuild = build ? "rebuild=1" : "rebuild=1000000";
    set("debug", rebuild + (debug_.empty() ? "" : "," + debug_));
    send(1);
    return compute(one_);
}

Parts Bench::measure()
{
    Parts p;
    p.build = remake(true);
    p.refresh = remake(false);
    send(1);
    const double before = counted();
    // For a few bodies the walk takes less time than the variation of the timings.
    p.walk = std::max(0.0, compute(all_) - p.refresh);
    interactions_ = (counted() - before) / static_cast<double>(bodies_.size());
    const g6tools::Clock clock;
    send(bodies_.size());
    compute(all_);
    p.step = clock.seconds();
    return p;
}

// part / whole; 0 where both are 0, as for a single body, which feels no force.
double share(double part, double whole)
{
    return part == 0 ? 0 : part / whole;
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
        acc.push_back(share(std::sqrt(d2), std::sqrt(a2)));
        f.mean += acc.back() / n;
        f.pot += share(std::fabs(all_.pot[body] - sample_.pot[k]), std::fabs(sample_.pot[k])) / n;
    }
    f.acc = spread_of(acc);
    return f;
}

void head(const Options &o, Output &output)
{
    if (o.csv) {
        std::string line = "model,N,theta,mac,multipole,repeats,";
        for (const char *part : {"build", "refresh", "walk", "step"})
            line += text("%s,%s_min,%s_max,", part, part, part);
        return output.line(line + "direct,per_body,mean,median,p99,pot,devices,walk_speed_up,"
                                  "walk_efficiency,step_speed_up,step_efficiency");
    }
    output.line(
        "# ms (median, and half the range over the repeats in %): build or refresh the tree, "
        "walk it,");
    output.line("# step: send all, refresh, walk; direct: by direct sums");
    output.line("# errors: |da|/|a| mean, median, 99 % are below; |dpot/pot| mean");
    std::string line =
        "  model            N theta mac          mp        build      refresh         walk"
        "         step    direct sums/body    mean  median     99 %     pot";
    if (o.devices.size() > 1) {
        output.line("# speed-up of walk and step over the first list of devices, efficiency in %");
        line += "  devices      walk  eff %   step  eff %";
    }
    output.line(line);
}

std::string cell(const Timing &t, bool csv)
{
    if (csv) return text("%.4g,%.4g,%.4g,", t.median, t.min, t.max);
    const double spread = t.median > 0 ? 50 * (t.max - t.min) / t.median : 0;
    return text(" %8.4g %2.0f%%", 1e3 * t.median, spread);
}

// The cells of a row about devices, behind its other cells.
std::string devices_cells(const std::string &list, int devices, double walk, double step,
                          const First &first, const Options &o)
{
    if (!o.csv && o.devices.size() < 2) return "";
    const bool differs = devices != first.devices;
    std::string line =
        o.csv ? text(",%d", devices) : text(differs ? "  %-8s" : "  %s", list.c_str());
    if (!differs) return line + (o.csv ? ",,,," : "");
    for (const auto &[seconds, first_seconds] : {std::pair{walk, first.walk}, {step, first.step}}) {
        const SpeedUp s = speed_up(seconds, devices, first_seconds, first.devices);
        line += text(o.csv ? ",%.4g,%.4g" : " %6.2f %6.1f", s.factor, s.efficiency);
    }
    return line;
}

void row(Bench &bench, const Setting &s, const std::string &model, int n, double direct,
         const std::string &list, FirstRows &first_rows, const Options &o, Output &output)
{
    bench.choose(s);
    std::vector<double> build, refresh, walk, step;
    for (Repeats repeats(o); repeats.another();) {
        const Parts p = bench.measure();
        build.push_back(p.build);
        refresh.push_back(p.refresh);
        walk.push_back(p.walk);
        step.push_back(p.step);
    }
    std::string line = o.csv ? text("%s,%d,%g,%s,%d,%zu,", model.c_str(), n, s.theta, s.mac.c_str(),
                                    s.multipole, build.size())
                             : text("  %-9s %8d %5g %-12s %2d", model.c_str(), n, s.theta,
                                    s.mac.c_str(), s.multipole);
    for (const auto *part : {&build, &refresh, &walk, &step}) line += cell(timing_of(*part), o.csv);
    const Figures f = bench.errors();
    line += o.csv ? text("%.4g,%.0f,%.2e,%.2e,%.2e,%.2e", direct, bench.interactions(), f.mean,
                         f.acc.median, f.acc.p99, f.pot)
                  : text(" %9.4g %9.0f %7.1e %7.1e %8.1e %7.1e", 1e3 * direct, bench.interactions(),
                         f.mean, f.acc.median, f.acc.p99, f.pot);
    const double walked = timing_of(walk).median, stepped = timing_of(step).median;
    const First &first =
        first_rows
            .try_emplace({s.theta, s.mac, s.multipole}, First{walked, stepped, bench.devices()})
            .first->second;
    output.line(line + devices_cells(list, bench.devices(), walked, stepped, first, o));
}

// The rows of one model, N and list of devices.
void rows_of(Bench &bench, const std::string &model, int n, const std::string &list,
             FirstRows &first_rows, const Options &o, Output &output)
{
    bench.load(model, n);
    const double direct = bench.direct();
    for (const std::string &mac : o.macs)
        for (int multipole : o.multipoles)
            for (double theta : o.thetas)
                row(bench, {theta, mac, multipole}, model, n, direct, list, first_rows, o, output);
}

}  // namespace

void run_tree(const Options &options, Output &output, g6tools::LibraryLog &log)
{
    const Library library(options.libraries[0]);
    if (!library.has_settings()) throw Failure("--tree needs libg6gpu");
    log.listen(library.set_log);
    int id = 0;
    for (const auto &[key, values] :
         {std::pair{"backend", options.backends}, std::pair{"precision", options.precisions}})
        if (!values.empty() && library.set_option(id, key, values[0].c_str()) != G6_OK)
            throw Failure(std::string("--") + key + ": " + library.last_error());
    library.set_option(id, "mode", "treewalk");
    Bench bench(options, library);
    std::vector<std::string> lists = options.devices;
    if (lists.empty()) lists = {library.setting("devices")};
    for (const std::string &list : lists) {
        bench.use_devices(list);
        library.close(&id);
        library.open(&id);
        if (!options.devices.empty()) library.check_devices(list, log.device());
        need_settings(options, log);
        output.line("# " + library.describe(log.device()));
    }
    head(options, output);
    for (const std::string &model : options.models)
        for (int n : options.nj) {
            FirstRows first_rows;
            for (const std::string &list : lists) {
                bench.use_devices(list);
                rows_of(bench, model, n, list, first_rows, options, output);
            }
        }
    library.close(&id);
}

}  // namespace g6bench
