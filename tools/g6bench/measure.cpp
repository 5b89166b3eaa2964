// SPDX-License-Identifier: MIT
#include "measure.h"

#include "check.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace g6bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Calls once(), which returns its own duration, as the options say.  The warm-up brings up
// clock rates, threads and memory, and lets a library learn which outputs are collected.
template <class Once> Timing repeat(const Options &options, const Once &once)
{
    constexpr int kWarmUps = 2, kMost = 1000000;
    auto start = Clock::now();
    for (int k = 0; k < kWarmUps || seconds_since(start) < options.seconds / 10; k++) {
        once();
        if (seconds_since(start) > 10 * options.seconds) break;
    }
    // By time: for the given seconds, at least three repeats, unless those take ten times as long.
    std::vector<double> taken;
    start = Clock::now();
    auto go_on = [&] {
        const int done = static_cast<int>(taken.size());
        if (options.repeat > 0) return done < options.repeat;
        const double spent = seconds_since(start);
        return done < 1 || (done < 3 && spent < 10 * options.seconds) ||
               (spent < options.seconds && done < kMost);
    };
    while (go_on()) taken.push_back(once());
    Timing t;
    t.repeats = static_cast<int>(taken.size());
    std::sort(taken.begin(), taken.end());
    t.min = taken.front();
    t.median = taken[taken.size() / 2];
    t.max = taken.back();
    return t;
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

Spread spread_of(std::vector<double> &values)
{
    if (values.empty()) return {};
    // A NaN is the worst of all errors; sort() could not place it.
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
    auto step = [&] {
        Block block = work.next_block(n, h2);
        const auto start = Clock::now();
        column.play(block, work.nj(), eps2, true, results);
        return seconds_since(start);
    };
    Cell cell;
    cell.timing = repeat(options, step);
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
        const auto start = Clock::now();
        column.play(block, work.nj(), eps2, false, results);
        return seconds_since(start);
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
        const auto start = Clock::now();
        column.load(work);
        return seconds_since(start);
    });
    return cell;
}

}  // namespace g6bench
