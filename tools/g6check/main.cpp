// SPDX-License-Identifier: MIT
// g6check: does a GRAPE-6 library keep the rules of that machine's interface?
#include "report.h"

#include <algorithm>
#include <cstdio>

namespace {

using namespace g6check;

bool wanted(const Options &options, const Group &group, const Rule &rule)
{
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
        for (const Rule &r : g.rules) std::printf("  %-24s %s\n", r.name, r.reason);
    }
}

int check(const Options &options, const std::vector<Group> &groups)
{
    Report report(options);
    report.head(describe(options.library, options.timeout));
    for (const Group &g : groups) {
        report.group(g.name);
        for (const Rule &r : g.rules) report.line(r, run_rule(r, options.library, options.timeout));
    }
    report.summary();
    return report.failed() ? 1 : 0;
}

}  // namespace

int main(int argc, char **argv)
{
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
    if (options.list) return list(groups), 0;
    try {
        return check(options, groups);
    } catch (const g6tools::Failure &error) {
        std::fprintf(stderr, "g6check: %s\n", error.what());
        return 3;
    }
}
