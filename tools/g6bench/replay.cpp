// SPDX-License-Identifier: MIT
// Sets the environment of the recording, plays its calls one after another, and prints a table of
// times and one of differences.
#include "replay.h"

#include "differences.h"

#include "../common/resources.h"
#include "../common/text.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace g6bench {
namespace {

using g6tools::Recording;
using g6tools::text;

std::string variable(const std::string &key)
{
    std::string name = "G6_" + key;
    for (char &letter : name) letter = static_cast<char>(std::toupper(letter));
    return name;
}

// Settings of the command line, by key.
std::map<std::string, std::string> asked(const Options &options)
{
    std::map<std::string, std::string> settings;
    const std::pair<const char *, const std::vector<std::string> *> lists[] = {
        {"backend", &options.backends},
        {"precision", &options.precisions},
        {"mode", &options.modes},
        {"devices", &options.devices}};
    for (const auto &[key, values] : lists)
        if (!values->empty()) settings[key] = values->front();
    if (options.threads > 0) settings["threads"] = std::to_string(options.threads);
    if (options.npipes > 0) settings["npipes"] = std::to_string(options.npipes);
    return settings;
}

// Sets the environment of the replay: settings of the command line override variables that the user
// has set, and both override what was recorded.  Returns the keys of the overriding settings.
std::set<std::string> set_environment(const Options &options, const Recording &recording)
{
    std::set<std::string> fixed;
    for (const auto &[key, value] : asked(options)) {
        setenv(variable(key).c_str(), value.c_str(), 1);
        fixed.insert(key);
    }
    for (const auto &[key, value] : recording.settings()) {
        if (key == "version" || key == "log" || key == "stats" || key == "trace") continue;
        if (const char *own = std::getenv(variable(key).c_str()); own && *own) fixed.insert(key);
        if (!value.empty()) setenv(variable(key).c_str(), value.c_str(), 0);
    }
    return fixed;
}

std::string settings_line(const Recording &recording)
{
    std::string line = "# recorded with";
    for (const auto &[key, value] : recording.settings())
        if (key == "version" || key == "backend" || key == "precision" || key == "mode" ||
            key == "npipes" || key == "threads")
            line += " " + key + " " + value + ",";
    if (line.back() == ',') line.pop_back();
    return line;
}

void print_head(const Recording &recording, Output &output)
{
    output.line(text("# g6bench %d.%d.%d, replay of %s", G6_VERSION_MAJOR, G6_VERSION_MINOR,
                     G6_VERSION_PATCH, recording.file().c_str()));
    output.line(text("# host: %s, %u hardware threads", g6tools::processor_name().c_str(),
                     std::thread::hardware_concurrency()));
    output.line(settings_line(recording));
    output.line(text("# %llu calls%s", static_cast<unsigned long long>(recording.calls()),
                     recording.complete() ? ""
                                          : "; the program was killed or still runs: its last "
                                            "calls are not in the file"));
}

std::string times_line(const char *name, const CallTimes &t, bool csv)
{
    const double recorded = t.all(t.recorded), replayed = t.played ? t.all(t.replayed) : 0;
    if (csv)
        return text("%s,%llu,%llu,%.9g,%.9g", name, static_cast<unsigned long long>(t.calls),
                    static_cast<unsigned long long>(t.played), recorded, replayed);
    const std::string line =
        text("%-36s %10llu %14.3f", name, static_cast<unsigned long long>(t.calls), recorded * 1e3);
    if (!t.played) return line + "      not played";
    return line + text(" %14.3f %9.2f", replayed * 1e3, recorded > 0 ? replayed / recorded : 0.0);
}

void print_times(const Comparison &comparison, bool csv, Output &output)
{
    output.line(csv ? "call,calls,played,recorded_s,replayed_s"
                    : text("%-36s %10s %14s %14s %9s", "call", "calls", "recorded[ms]",
                           "replayed[ms]", "ratio"));
    CallTimes sum;
    for (const auto &[kind, t] : comparison.times) {
        output.line(times_line(g6::trace::find_kind(static_cast<int>(kind))->name, t, csv));
        if (!t.played) continue;
        sum.calls += t.calls, sum.played += t.played;
        sum.recorded += t.all(t.recorded), sum.replayed += t.all(t.replayed);
    }
    sum.timed = sum.calls;
    output.line(times_line(csv ? "sum" : "sum of those played", sum, csv));
}

void print_matches(const char *name, const Matches &m, bool csv, Output &output)
{
    if (!m.compared) return;
    const auto compared = static_cast<unsigned long long>(m.compared),
               same = static_cast<unsigned long long>(m.compared - m.different),
               call = static_cast<unsigned long long>(m.call);
    output.line(csv           ? text("%s,%llu,%llu,,,%llu", name, compared, same, call)
                : m.different ? text("%-20s %12llu %12llu %10s %10s %12llu", name, compared, same,
                                     "", "", call)
                              : text("%-20s %12llu %12llu", name, compared, same));
}

void print_differences(Comparison &comparison, bool csv, Output &output)
{
    output.line(csv ? "result,compared,same,median,largest,call"
                    : text("%-20s %12s %12s %10s %10s %12s", "result", "compared", "same bits",
                           "median", "largest", "in call"));
    for (const char *name : {"acc", "jerk", "pot", "predicted x", "predicted v"}) {
        const auto place = comparison.differences.find(name);
        if (place == comparison.differences.end()) continue;
        Differences &d = place->second;
        const auto compared = static_cast<unsigned long long>(d.compared),
                   same = static_cast<unsigned long long>(d.equal),
                   call = static_cast<unsigned long long>(d.call);
        const double median = d.median();
        output.line(
            csv ? text("%s,%llu,%llu,%.3g,%.3g,%llu", name, compared, same, median, d.largest, call)
            : d.call ? text("%-20s %12llu %12llu %10.1e %10.1e %12llu", name, compared, same,
                            median, d.largest, call)
                     : text("%-20s %12llu %12llu", name, compared, same));
    }
    print_matches("nearest neighbour", comparison.nearest, csv, output);
    print_matches("neighbour lists", comparison.lists, csv, output);
    print_matches("status", comparison.status, csv, output);
}

}  // namespace

void run_replay(const Options &options, Output &output, g6tools::LibraryLog &log)
{
    Recording recording(options.replay);
    const std::set<std::string> fixed = set_environment(options, recording);
    Player player(options.libraries.front(), fixed);
    player.report_to(log);
    print_head(recording, output);
    Comparison comparison(player.is_own());
    RecordedCall call;
    while (recording.next(call)) comparison.add(call, player.play(call));
    output.line("# replayed on " + player.describe());
    need_settings(options, log);
    if (!options.csv) output.line("");
    print_times(comparison, options.csv, output);
    if (!options.csv) output.line("");
    print_differences(comparison, options.csv, output);
}

}  // namespace g6bench
