// SPDX-License-Identifier: MIT
// Gives all calls of the recording to a SessionCheck, which judges them, and prints one line for
// each rule.
#include "session.h"

#include "session_check.h"

#include <cstdio>

namespace g6check {
namespace {

const char *word(const Finding &f, Grade grade)
{
    return f.count == 0 ? "kept" : grade == Grade::kBroken ? "BROKEN" : "here only";
}

void print_line(const SessionRuleRow &row, const Finding &f, const Options &options)
{
    const auto count = static_cast<unsigned long long>(f.count),
               first = static_cast<unsigned long long>(f.first);
    if (options.csv) {
        std::printf("%s,%s,%llu,%llu,%s,\"%s\"\n", row.name,
                    f.count && row.grade == Grade::kBroken ? "broken" : word(f, row.grade), count,
                    first, f.call.c_str(), f.detail.c_str());
        return;
    }
    if (f.count == 0 && options.quiet) return;
    std::printf("  %-10s %-22s %s\n", word(f, row.grade), row.name, row.what);
    if (f.count == 0) return;
    std::printf("      %llu time%s, first in call %llu, %s: %s\n      %s\n", count,
                count == 1 ? "" : "s", first, f.call.c_str(), f.detail.c_str(), row.remedy);
}

std::string version_of(const g6tools::Recording &recording)
{
    for (const auto &[key, value] : recording.settings())
        if (key == "version") return value;
    return "?";
}

}  // namespace

int check_session(const Options &options)
{
    g6tools::Recording recording(options.trace);
    SessionCheck check;
    g6tools::RecordedCall call;
    while (recording.next(call)) check.add(call);
    check.end();
    std::printf("%s%s: %llu calls, recorded with version %s%s\n", options.csv ? "# " : "",
                options.trace.c_str(), static_cast<unsigned long long>(recording.calls()),
                version_of(recording).c_str(),
                recording.complete() ? "" : "; the program was killed or still runs");
    std::printf(options.csv ? "rule,result,count,first,call,detail\n" : "\n");
    int broken = 0, here_only = 0;
    const auto &rows = session_rules();
    for (int k = 0; k < kSessionRules; k++) {
        const SessionRuleRow &row = rows[static_cast<std::size_t>(k)];
        const Finding &f = check.finding(static_cast<SessionRule>(k));
        if (f.count) ++(row.grade == Grade::kBroken ? broken : here_only);
        print_line(row, f, options);
    }
    std::printf("%s%d kept, %d broken, %d kept here only\n", options.csv ? "# " : "\n",
                kSessionRules - broken - here_only, broken, here_only);
    return broken ? 1 : 0;
}

}  // namespace g6check
