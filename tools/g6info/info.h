// SPDX-License-Identifier: MIT
// The parts of g6info's page, in the order of their printing; all on stdout.
#pragma once

#include <string>
#include <vector>

namespace g6info {

// One force computed with the settings in force, before anything is printed.
struct Check {
    bool good = false;
    std::string backend;
    std::string problem;                // why not good
    std::vector<std::string> messages;  // what the library had to say: errors and warnings
    std::vector<std::string> errors;    // the errors among them, as settings that are not in force
};

Check check();
void print_library();
void print_backends();
void print_settings();
void print_check(const Check &check);

}  // namespace g6info
