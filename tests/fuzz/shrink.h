// SPDX-License-Identifier: MIT
// A failing sequence made short: calls left out, blocks made smaller, numbers made plain, as long
// as it fails in the same way (delta debugging: Zeller & Hildebrandt 2002).
#pragma once

#include "process.h"

namespace g6fuzz {

class Shrinker {
public:
    Shrinker(Processes &processes, const Ending &ending, double seconds);
    std::vector<Call> shrink(std::vector<Call> calls);
    const Ending &ending() const { return ending_; }

private:
    bool fails(const std::vector<Call> &calls);
    bool out_of_time() const;
    void drop_calls(std::vector<Call> &calls);
    void drop_targets(std::vector<Call> &calls);
    void make_plain(std::vector<Call> &calls);

    Processes &processes_;
    const std::string kind_;
    Ending ending_;
    double end_;
};

std::vector<Call> read_calls(const std::string &file);
void write_calls(const std::string &file, const std::vector<Call> &calls, const std::string &head);

}  // namespace g6fuzz
