// SPDX-License-Identifier: MIT
// g6check: does a GRAPE-6 library, or a recorded client, keep the rules of the interface?
#include "codes.h"
#include "report.h"
#include "session.h"
#include "soak.h"

#include "../common/standard_output.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace {

using namespace g6check;

bool wanted(const Options &options, const Group &group, const Rule &rule)
{
    if (options.computing && rule.traits & kShared) return false;
    const auto is = [&](const std::string &name) {
        return name == rule.name || name == group.name;
    };
    return options.only.empty() || std::any_of(options.only.begin(), options.only.end(), is);
}

// Groups with the rules that were asked for.  Throws Failure for a name that is no rule.
std::vector<Group> chosen(const Options &options)
{
    std::vector<Group> groups = all_rules();
    for (const std::string &name : options.only) {
        const bool known = std::any_of(groups.begin(), groups.end(), [&](const Group &g) {
            return name == g.name || std::any_of(g.rules.begin(), g.rules.end(),
                                                 [&](const Rule &r) { return name == r.name; });
        });
        if (!known)
            throw g6tools::Failure("no rule \"" + name + "\"; g6check --list lists the rules");
    }
    for (Group &g : groups)
        g.rules.erase(std::remove_if(g.rules.begin(), g.rules.end(),
                                     [&](const Rule &r) { return !wanted(options, g, r); }),
                      g.rules.end());
    groups.erase(std::remove_if(groups.begin(), groups.end(),
                                [](const Group &g) { return g.rules.empty(); }),
                 groups.end());
    return groups;
}

void list(const std::vector<Group> &groups)
{
    for (const Group &g : groups) {
        std::printf("%s\n", g.name);
        for (const Rule &r : g.rules)
            std::printf("  %-24s %-4s  %s\n", r.name, r.traits & kShared ? "once" : "", r.reason);
    }
}

void print_codes(const Options &options)
{
    try {
        std::printf("\n%s\n", ask(options.library, options.timeout, codes_that_run).c_str());
    } catch (const g6tools::Failure &error) {
        std::printf("\ncodes that would run: not known, %s\n", error.what());
    }
}

// The first line describes the library; each other line is an error that it reported.
std::string described(const Library &library)
{
    g6tools::LibraryLog log;
    library.report_to(log);
    std::string text = library.describe();
    for (const std::string &error : log.errors()) text += "\n" + error;
    return text;
}

int check(const Options &options, const std::vector<Group> &groups)
{
    std::istringstream lines(ask(options.library, options.timeout, described));
    std::string description;
    std::getline(lines, description);
    bool refused = false;
    for (std::string error; std::getline(lines, error); refused = true)
        std::fprintf(stderr, "g6check: %s\n", error.c_str());
    if (refused && options.strict) return 2;
    Report report(options);
    report.head(description);
    std::vector<const Rule *> rules;
    std::vector<const Group *> begins;  // the group that begins with the rule, or null
    for (const Group &g : groups)
        for (const Rule &r : g.rules) {
            begins.push_back(&r == &g.rules.front() ? &g : nullptr);
            rules.push_back(&r);
        }
    run_rules(rules, options.library, {options.timeout, options.jobs},
              [&](size_t k, const Outcome &outcome) {
                  if (begins[k]) report.group(begins[k]->name);
                  report.line(*rules[k], outcome);
              });
    if (!options.csv && !options.quiet && options.only.empty()) print_codes(options);
    report.summary();
    return report.failed() ? 1 : 0;
}

// The status, unless something that was printed is lost.
int after_output(int status)
{
    return g6tools::output_written("g6check") ? status : g6tools::kOutputLost;
}

}  // namespace

int main(int argc, char **argv)
{
    g6tools::hold_standard_descriptors();
    Options options;
    int status = 0;
    if (!parse(argc, argv, options, status)) return status;
    std::vector<Group> groups;
    try {
        groups = chosen(options);
    } catch (const g6tools::Failure &error) {
        std::fprintf(stderr, "g6check: %s\n", error.what());
        return 2;
    }
    if (options.list) return list(groups), after_output(0);
    try {
        if (!options.trace.empty()) return after_output(check_session(options));
        return after_output(options.soak > 0 ? soak(options) : check(options, groups));
    } catch (const g6tools::Failure &error) {
        std::fprintf(stderr, "g6check: %s\n", error.what());
        return 3;
    }
}
