// SPDX-License-Identifier: MIT
// The table of sessions.
#include "session.h"

namespace g6test {

// Two threads take part from about 4096 particles on.
const std::vector<Session> &sessions()
{
    constexpr int kFew = 500, kMany = 9000;
    constexpr const char *kNone = "", *kFakes = "test-backends/fakes",
                         *kOpenCl = "test-faults/opencl";
    static const std::vector<Session> all = {
        {"hermite", "cpu", "", kNone, "hermite", 1, kFew, Sending::kSingle, "treewalk"},
        {"hermite-2", "cpu", "", kNone, "hermite", 2, kMany},
        {"treewalk", "cpu", "", kNone, "treewalk", 1, kFew, Sending::kSingle, "hermite"},
        {"treewalk-2", "cpu", "", kNone, "treewalk", 2, kMany},
        {"treeonly", "cpu", "", kNone, "treeonly", 1, kFew, Sending::kPoints, "treewalk"},
        {"treeonly-2", "cpu", "", kNone, "treeonly", 2, kMany, Sending::kPoints},
        {"bulk", "cpu", "", kNone, "auto", 1, 5000, Sending::kBulk, "treewalk"},
        {"auto", "auto", "", kNone, "auto", 2, kFew, Sending::kBulk},
        {"host-sums", "cpu", "", kNone, "hermite", 1, kFew, Sending::kSingle, "", "", false, false,
         true},
        {"points", "fake", "0", kFakes, "hermite", 1, kFew, Sending::kSingle, "", "", false, true},
        {"fake", "fake", "0,1,2", kFakes, "hermite", 1, kFew, Sending::kSingle, "treewalk"},
        {"fake-tree", "fake", "0,1", kFakes, "treewalk", 1, kFew, Sending::kBulk, "hermite"},
        {"opencl", "opencl", "", kOpenCl, "hermite", 2, kFew, Sending::kSingle, "treewalk"},
        {"opencl-tree", "opencl", "", kOpenCl, "treewalk", 2, kFew, Sending::kBulk, "hermite"},
        {"workers", "mpi", "all", kNone, "hermite", 1, kFew, Sending::kSingle, "treewalk",
         "divide=i", true, false, false, true},
        {"workers-turned", "mpi", "1,0", kNone, "hermite", 1, kFew, Sending::kSingle, "treewalk",
         "divide=i", true, false, false, true},
    };
    return all;
}

}  // namespace g6test
