// SPDX-License-Identifier: MIT
// Failures that a test asks for: G6_DEBUG=fault=phase:count:kind lets the count-th call of that
// phase fail on each device, and phase:count:kind:device on the device with this number.  A backend
// keeps one Fault for each device.  At the start of each phase it asks due(), and brings about the
// failure that due() names.  Without a fault, due() compares one number.
#pragma once

#include "config_text.h"

#include <algorithm>
#include <string>
#include <utility>

namespace g6 {

enum class FaultKind {
    kNone,
    kMemory,  // there seems to be no memory
    kTrap,    // a kernel ends the context
    kLost,    // the device seems to be gone
    kBuild,   // a kernel's text has an error
};

class Fault {
public:
    Fault() = default;
    Fault(std::string phase, int count, FaultKind kind, int device)
        : phase_(std::move(phase)), countdown_(count), kind_(kind), device_(device)
    {
    }
    bool is_for(int device) const { return device_ < 0 || device_ == device; }
    // The failure that this call of the phase must have, or kNone.
    FaultKind due(const char *phase)
    {
        if (countdown_ == 0 || phase_ != phase || --countdown_ > 0) return FaultKind::kNone;
        return kind_;
    }

private:
    std::string phase_;
    int countdown_ = 0;  // calls up to the failure; 0: none is to come
    FaultKind kind_ = FaultKind::kNone;
    int device_ = -1;  // its number; -1: any
};

// Reads "phase:count:kind" or "phase:count:kind:device".
inline bool parse_fault(const std::string &text, Fault &fault)
{
    const size_t first = text.find(':'), second = text.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) return false;
    const size_t third = std::min(text.find(':', second + 1), text.size());
    std::string phase, kind;
    int count = 0, device = -1;
    if (third < text.size() && !parse_int(text.substr(third + 1), 0, 1 << 20, device)) return false;
    if (!one_of(text.substr(0, first),
                {"open", "reserve", "stage", "start", "finish", "neighbours", "clear"}, phase) ||
        !parse_int(text.substr(first + 1, second - first - 1), 1, 1 << 30, count) ||
        !one_of(text.substr(second + 1, third - second - 1), {"memory", "trap", "lost", "build"},
                kind))
        return false;
    fault = Fault(phase, count,
                  kind == "memory" ? FaultKind::kMemory
                  : kind == "trap" ? FaultKind::kTrap
                  : kind == "lost" ? FaultKind::kLost
                                   : FaultKind::kBuild,
                  device);
    return true;
}

// The fault for the device with this number.  text: the value of the key "fault" of G6_DEBUG.
inline Fault fault_for(const std::string &text, int device)
{
    Fault fault;
    return parse_fault(text, fault) && fault.is_for(device) ? fault : Fault();
}

}  // namespace g6
