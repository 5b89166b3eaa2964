// SPDX-License-Identifier: MIT
// Computes one pair, so that "usable" is more than a driver's word.
#include "info.h"

#include "../common/library_log.h"

#include <g6lib.h>

#include <cmath>
#include <cstdio>

namespace g6info {
namespace {

constexpr int kErrors = 1, kWarnings = 2;  // levels of the library's log

void collect(int level, const char *line, void *user)
{
    auto *check = static_cast<Check *>(user);
    check->messages.emplace_back(line);
    if (level != kErrors) return;
    for (const std::string &text : g6tools::error_texts(line)) check->errors.push_back(text);
}

// Mass 4 at distance 2: acc = 4/2^2 = 1, pot = -4/2 = -2, within the roundings of float.
std::string compute_pair()
{
    const int id = 0;
    double zero[3] = {0, 0, 0}, place[3] = {2, 0, 0};
    double xi[1][3] = {{0, 0, 0}}, vi[1][3] = {{0, 0, 0}}, h2[1] = {0};
    double acc[1][3] = {{0, 0, 0}}, jerk[1][3] = {{0, 0, 0}}, pot[1] = {0};
    int index[1] = {2};
    g6_set_j_particle(id, 0, 1, 0, 0, 4, zero, zero, zero, zero, place);
    g6_set_ti(id, 0);
    g6calc_firsthalf(id, 1, 1, index, xi, vi, acc, jerk, pot, 0, h2);
    if (g6calc_lasthalf(id, 1, 1, index, xi, vi, 0, h2, acc, jerk, pot) != G6_OK)
        return g6_last_error();
    const double tolerance = 64.0 / (1 << 24);
    if (std::fabs(acc[0][0] - 1) < tolerance && std::fabs(pot[0] + 2) < tolerance) return "";
    char text[128];
    std::snprintf(text, sizeof text, "wrong force: acc %.9g instead of 1, pot %.9g instead of -2",
                  acc[0][0], pot[0]);
    return text;
}

}  // namespace

Check check()
{
    Check c;
    g6_set_log(collect, kWarnings, &c);
    if (g6_open(0) != G6_OK)
        c.problem = g6_last_error();
    else
        c.problem = compute_pair();
    c.good = c.problem.empty();
    if (c.good) c.division = division(0);
    // The name after the work: a failing backend may have been replaced by then.
    c.backend = g6_backend_name(0);
    char mode[32] = "";
    g6_get_option(0, "mode", mode, sizeof mode);
    for (const std::string &text : g6tools::idle_settings(mode)) {
        c.messages.push_back(text);
        c.errors.push_back(text);
    }
    g6_close(0);
    g6_set_log(nullptr, 0, nullptr);
    return c;
}

}  // namespace g6info
