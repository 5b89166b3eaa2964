// SPDX-License-Identifier: MIT
// Prints how often each call was made and refused, and how many results of each kind were checked.
#include "report.h"

#include <cstdio>

namespace g6fuzz {
namespace {

const char *const kKindNames[kKinds] = {"forces, direct, mixed",
                                        "forces, direct, double",
                                        "forces, walk that is direct",
                                        "forces, walk, mixed",
                                        "forces, walk, double",
                                        "nearest neighbours",
                                        "neighbour lists",
                                        "entries of lists",
                                        "predictions",
                                        "pairs",
                                        "forces of g5 calls",
                                        "forces beyond the contract",
                                        "blocks",
                                        "errors held"};

}  // namespace

double total_calls(const Counters &counters)
{
    double sum = 0;
    for (const auto &op : counters.made)
        for (double n : op) sum += n;
    return sum;
}

void print_table(const Counters &counters)
{
    std::printf("%-42s %12s %12s %12s %12s\n", "call", "made", "by twins", "without id", "refused");
    for (int op = 0; op < kOps; op++) {
        double made = 0, twins = 0, all = 0, refused = 0;
        for (int f = 0; f < kForms; f++) {
            const double n = counters.made[op][f];
            made += n, refused += counters.refused[op][f];
            if (is_twin(static_cast<Form>(f))) twins += n;
            if (is_all(static_cast<Form>(f))) all += n;
        }
        std::printf("%-42s %12.0f %12.0f %12.0f %12.0f\n",
                    name_of(static_cast<Op>(op), Form::kPlain).c_str(), made, twins, all, refused);
    }
    std::printf("\n%-42s %12s\n", "checked", "number");
    for (int k = 0; k < kKinds; k++)
        std::printf("%-42s %12.0f\n", kKindNames[k], counters.kinds[k]);
}

std::vector<std::string> never_made(const Counters &counters, bool faults)
{
    std::vector<std::string> names;
    for (int op = 0; op < kOps; op++)
        for (int f = 0; f < kForms; f++) {
            const Op o = static_cast<Op>(op);
            const Form form = static_cast<Form>(f);
            if (!has_form(o, form) || counters.made[op][f] > 0) continue;
            if (!is_call(o) && !faults) continue;
            names.push_back(name_of(o, form));
        }
    return names;
}

}  // namespace g6fuzz
