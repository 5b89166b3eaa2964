// SPDX-License-Identifier: MIT
// Tries shorter or simpler sequences, each in a process of its own, and keeps those that fail with
// the same call and the same kind of complaint.
#include "shrink.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <stdexcept>

namespace g6fuzz {
namespace {

double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Takes i-particle n out of the arrays of a half; false when it has none.
bool drop_target(Call &c, int n)
{
    const bool first = is_firsthalf(c.op);
    if ((!first && !is_lasthalf(c.op)) || c.i[1] <= n) return false;
    const bool each = c.op == Op::firsthalf0 || c.op == Op::lasthalf0;
    const auto erase = [&](auto &array, int width) {
        auto &v = array.v;
        if (static_cast<int>(v.size()) >= (n + 1) * width)
            v.erase(v.begin() + n * width, v.begin() + (n + 1) * width);
    };
    erase(c.ia[0], 1);
    erase(c.da[0], 3), erase(c.da[1], 3);
    if (first) erase(c.da[2], 3), erase(c.da[3], 3), erase(c.da[4], 1);
    const size_t next = first ? 5 : 2;
    if (each && c.da[next].v.size() > 1) erase(c.da[next], 1);
    erase(c.da[next + (each ? 1 : 0)], 1);
    c.i[1]--;
    return true;
}

// Calls f(number) for each floating-point number of a call.
template <class F> void each_number(Call &c, F &&f)
{
    for (double &d : c.d) f(d);
    for (auto &a : c.da)
        for (double &d : a.v) f(d);
}

}  // namespace

Shrinker::Shrinker(Processes &processes, const Ending &ending, double seconds)
    : processes_(processes), kind_(ending.kind()), ending_(ending), end_(now() + seconds)
{
}

bool Shrinker::out_of_time() const
{
    return now() > end_;
}

bool Shrinker::fails(const std::vector<Call> &calls)
{
    const Ending e = processes_.replay(calls);
    if (e.kind() != kind_) return false;
    ending_ = e;
    return true;
}

void Shrinker::drop_calls(std::vector<Call> &calls)
{
    for (size_t part = calls.size() / 2; part >= 1; part /= 2)
        for (size_t at = 0; at < calls.size() && !out_of_time();) {
            std::vector<Call> fewer(calls);
            const size_t last = std::min(at + part, calls.size());
            fewer.erase(fewer.begin() + static_cast<long>(at),
                        fewer.begin() + static_cast<long>(last));
            if (fails(fewer))
                calls = fewer;
            else
                at += part;
        }
}

// Takes the same i-particle out of all blocks, since both halves of a block must have the same
// ones.
void Shrinker::drop_targets(std::vector<Call> &calls)
{
    int most = 0;
    for (const Call &c : calls)
        if (is_firsthalf(c.op) || is_lasthalf(c.op)) most = std::max(most, c.i[1]);
    for (int n = most - 1; n >= 0 && !out_of_time(); n--) {
        std::vector<Call> fewer(calls);
        bool any = false;
        for (Call &c : fewer) any = drop_target(c, n) || any;
        if (any && fails(fewer)) calls = fewer;
    }
}

void Shrinker::make_plain(std::vector<Call> &calls)
{
    for (size_t at = 0; at < calls.size() && !out_of_time(); at++) {
        const auto attempt = [&](auto &&change) {
            std::vector<Call> other(calls);
            change(other[at]);
            if (to_text(other[at]) == to_text(calls[at])) return;
            if (fails(other)) calls = other;
        };
        attempt([](Call &c) {
            if (!(traits_of(c.op) & kNoPlain))
                c.form = is_all(c.form) ? Form::kAllPlain : Form::kPlain;
            c.id = c.null_id ? 0 : c.id;
            c.null_id = false;
        });
        for (double digits : {0.0, 1.0, 100.0}) {
            attempt([&](Call &c) {
                each_number(c, [&](double &d) {
                    if (std::isfinite(d) && std::fabs(d) < 1e6)
                        d = digits > 0 ? std::round(d * digits) / digits : 0;
                });
            });
        }
        for (size_t k = 0; k < calls[at].da.size(); k++)
            attempt([&](Call &c) {
                for (double &d : c.da[k].v) d = 0;
            });
    }
}

std::vector<Call> Shrinker::shrink(std::vector<Call> calls)
{
    if (kind_.find("hangs") != std::string::npos) processes_.shorten_silence();
    drop_calls(calls);
    drop_targets(calls);
    drop_calls(calls);
    make_plain(calls);
    drop_calls(calls);
    fails(calls);  // sets ending_ to that of the shortened sequence
    return calls;
}

std::vector<Call> read_calls(const std::string &file)
{
    std::ifstream in(file);
    if (!in) throw std::runtime_error(file + " cannot be read");
    std::vector<Call> calls;
    for (std::string line; std::getline(in, line);)
        if (!line.empty() && line[0] != '#') calls.push_back(call_of(line));
    return calls;
}

void write_calls(const std::string &file, const std::vector<Call> &calls, const std::string &head)
{
    std::ofstream out(file);
    out << head;
    for (const Call &c : calls) out << to_text(c) << "\n";
}

}  // namespace g6fuzz
