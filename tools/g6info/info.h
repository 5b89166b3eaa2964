// SPDX-License-Identifier: MIT
// The parts of g6info's page, in the order of their printing; all on stdout.
#pragma once

#include <string>
#include <vector>

namespace g6info {

// How many of the devices in use would compute a block of n i-particles over N j-particles, for a
// few N and n.
struct Division {
    struct Row {
        int nj;
        std::vector<int> devices;  // for each n of kBlockSizes, then for n = nj
    };
    int devices = 1;        // in use
    std::vector<Row> rows;  // none for a single device
};
constexpr int kBlockSizes[] = {16, 256, 1024, 16384};

// One force computed with the settings in force, before anything is printed.
struct Check {
    bool good = false;
    std::string backend;
    std::string problem;                // why not good
    std::vector<std::string> messages;  // what the library had to say: errors and warnings
    std::vector<std::string> errors;    // the errors among them, as settings that are not in force
    Division division;
};

Check check();
Division division(int id);
void print_library();
void print_backends();
void print_settings();
void print_check(const Check &check);
void print_division(const Division &division);

}  // namespace g6info
