// SPDX-License-Identifier: MIT
// Prints the result of each rule as text or as comma-separated values, and counts the results.
#include "report.h"

#include <cstdio>

namespace g6check {
namespace {

// A field of comma-separated values.
std::string field(const std::string &text)
{
    std::string out = "\"";
    for (char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
    return out + "\"";
}

const char *word(End end)
{
    return end == End::kPass ? "pass" : end == End::kFail ? "FAIL" : "not offered";
}

}  // namespace

void Report::head(const std::string &library) const
{
    std::printf(options_.csv ? "# %s\nrule,result,expected,got\n" : "%s\n", library.c_str());
}

void Report::group(const std::string &name) const
{
    if (!options_.csv && !options_.quiet) std::printf("\n%s\n", name.c_str());
}

void Report::line(const Rule &rule, const Outcome &o)
{
    ++(o.end == End::kPass ? passed_ : o.end == End::kFail ? failed_ : not_offered_);
    if (options_.quiet && o.end != End::kFail) return;
    if (options_.csv) {
        std::printf("%s,%s,%s,%s\n", rule.name, o.end == End::kFail ? "fail" : word(o.end),
                    field(o.expected).c_str(), field(o.got).c_str());
    } else {
        const bool absent = o.end == End::kNotOffered;
        std::printf("  %-11s  %-24s %s%s%s%s\n", word(o.end), rule.name, rule.reason,
                    absent ? " [" : "", absent ? o.got.c_str() : "", absent ? "]" : "");
        if (o.end == End::kFail)
            std::printf("      expected: %s\n      got:      %s\n", o.expected.c_str(),
                        o.got.c_str());
    }
    std::fflush(stdout);
}

void Report::summary() const
{
    std::printf("%s%d pass, %d fail, %d not offered\n", options_.csv ? "# " : "\n", passed_,
                failed_, not_offered_);
}

}  // namespace g6check
