// SPDX-License-Identifier: MIT
// Times block steps, the force alone, or the loading of all particles.  Each measurement repeats
// after a warm-up for the time that the options allow, and the median counts.
#include "measure.h"

#include "check.h"

#include <algorithm>
#include <cmath>

namespace g6bench {
namespace {

using g6tools::Clock;

// Calls once(), which returns its own duration, as the options say.  The warm-up brings up
// clock rates, threads and memory, and lets a library learn which outputs are collected.
template <class Once> Timing repeat(const Options &options, const Once &once)
{
    constexpr int kWarmUps = 2;
    const Clock clock;
    for (int k = 0; k < kWarmUps || clock.seconds() < options.seconds / 10; k++) {
        once();
        if (clock.seconds() > 10 * options.seconds) break;
    }
    std::vector<double> taken;
    for (Repeats repeats(options); repeats.another();) taken.push_back(once());
    return timing_of(std::move(taken));
}

StepParts medians_of(std::vector<StepParts> &all)
{
    StepParts medians;
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    for (const auto part : {&StepParts::send, &StepParts::first, &StepParts::last}) {
        std::nth_element(all.begin(), middle, all.end(),
                         [&](const StepParts &a, const StepParts &b) { return a.*part < b.*part; });
        medians.*part = (*middle).*part;
    }
    return medians;
}

// The column's cluster, open and loaded for the time of one row.
class Session {
public:
    Session(Column &column, const Work &work) : column_(column)
    {
        column_.open();
        column_.load(work);
    }
    ~Session() { column_.close(); }
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;

private:
    Column &column_;
};

}  // namespace

SpeedUp speed_up(double seconds, int devices, double first_seconds, int first_devices)
{
    const double factor = first_seconds / seconds;
    return {factor, 100 * factor * first_devices / devices};
}

Timing timing_of(std::vector<double> seconds)
{
    std::sort(seconds.begin(), seconds.end());
    return {static_cast<int>(seconds.size()), seconds.front(), seconds[seconds.size() / 2],
            seconds.back()};
}

bool Repeats::another()
{
    constexpr int kMost = 1000000;
    const int done = done_++;
    if (options_.repeat > 0) return done < options_.repeat;
    const double spent = clock_.seconds();
    return done < 1 || (done < 3 && spent < 10 * options_.seconds) ||
           (spent < options_.seconds && done < kMost);
}

Spread spread_of(std::vector<double> &values)
{
    if (values.empty()) return {};
    // A NaN counts as an infinite error, since sort() could not place it.
    for (double &v : values)
        if (std::isnan(v)) v = HUGE_VAL;
    std::sort(values.begin(), values.end());
    const auto n = values.size();
    return {values[n / 2], values[(99 * n + 99) / 100 - 1], values.back()};
}

// About 20 neighbours at the density inside the half-mass radius 0.77: N/2 bodies in a volume of
// 1.9, so that 0.26 N 4 pi/3 r^3 = 20.
double neighbour_radius2(const Options &options, int nj)
{
    if (options.h2 >= 0) return options.h2;
    return options.lists ? std::pow(18.3 / nj, 2.0 / 3) : 0;
}

Cell measure_steps(Column &column, Work &work, int n, const Options &options)
{
    const double eps2 = options.eps * options.eps, h2 = neighbour_radius2(options, work.nj());
    Session session(column, work);
    Results results;
    results.resize(n);
    std::vector<StepParts> all;
    auto step = [&] {
        Block block = work.next_block(n, h2);
        all.push_back(column.play(block, work.nj(), eps2, true, results));
        return all.back().sum();
    };
    Cell cell;
    cell.timing = repeat(options, step);
    all.erase(all.begin(), all.end() - cell.timing.repeats);  // the warm-up
    cell.parts = medians_of(all);
    if (!options.check) return cell;
    Checker checker(column, eps2);
    for (int k = 0; k < 16 && checker.samples() < options.samples; k++) {
        Block block = work.next_block(n, h2);
        column.play(block, work.nj(), eps2, true, results);
        checker.add(work, block, results, options.samples - checker.samples());
    }
    cell.errors = checker.errors();
    return cell;
}

Cell measure_kernel(Column &column, Work &work, const Options &options)
{
    const double eps2 = options.eps * options.eps, h2 = neighbour_radius2(options, work.nj());
    Session session(column, work);
    Results results;
    results.resize(work.nj());
    Block block = work.whole(h2);
    Cell cell;
    cell.timing = repeat(options, [&] {
        const Clock clock;
        column.play(block, work.nj(), eps2, false, results);
        return clock.seconds();
    });
    if (!options.check) return cell;
    Checker checker(column, eps2);
    checker.add(work, block, results, options.samples);
    cell.errors = checker.errors();
    return cell;
}

Cell measure_load(Column &column, const Work &work, const Options &options)
{
    Session session(column, work);
    Cell cell;
    cell.timing = repeat(options, [&] {
        const Clock clock;
        column.load(work);
        return clock.seconds();
    });
    return cell;
}

}  // namespace g6bench
