// SPDX-License-Identifier: MIT
// Asks the library how many devices share blocks of several sizes, and prints the answers as a
// table.
#include "info.h"

#include <g6lib.h>

#include <cstdio>

namespace g6info {

Division division(int id)
{
    Division d;
    g6_stats stats{};
    stats.size = sizeof stats;
    if (g6_get_stats(id, &stats) != G6_OK || stats.devices < 2) return d;
    d.devices = stats.devices;
    for (int nj : {16384, 131072, 1048576}) {
        Division::Row row{nj, {}};
        for (int ni : kBlockSizes) row.devices.push_back(g6_devices_for(id, nj, ni));
        row.devices.push_back(g6_devices_for(id, nj, nj));
        d.rows.push_back(row);
    }
    return d;
}

void print_division(const Division &division)
{
    if (division.rows.empty()) return;
    std::printf("\nDevices, of %d, that share a block of n i-particles over N j-particles\n",
                division.devices);
    std::printf("  %9s", "N");
    for (int n : kBlockSizes) std::printf("  %9s", ("n = " + std::to_string(n)).c_str());
    std::printf("  %9s\n", "n = N");
    for (const Division::Row &row : division.rows) {
        std::printf("  %9d", row.nj);
        for (int devices : row.devices) std::printf("  %9d", devices);
        std::printf("\n");
    }
}

}  // namespace g6info
