// SPDX-License-Identifier: MIT
// Lets every test program start from the library's own defaults, whatever G6_* variables the user
// has, and find the loadable backends of its own build folder.  A constructor of high priority does
// this before the library can read a setting.
#include "folder.h"
#include "leaks.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

__attribute__((constructor(101))) void start_from_defaults()
{
    std::vector<std::string> names;
    for (char **e = environ; e && *e; ++e) {
        if (std::strncmp(*e, "G6_", 3) == 0) names.emplace_back(*e, std::strcspn(*e, "="));
    }
    for (const std::string &name : names) unsetenv(name.c_str());
    setenv("G6_BACKEND_DIR", (g6test::build_folder() + "/lib/g6gpu").c_str(), 1);
    // PoCL takes a minute for kernels that it optimises.  make check-long lets it.
    const char *all_cases = std::getenv("LONG");
    const bool optimises = all_cases && *all_cases;
    if (!optimises) setenv("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable", 0);
    // Compiled kernels: those of the tests stay in their build folder, and outlive a test.
    setenv("XDG_CACHE_HOME",
           (g6test::build_folder() + (optimises ? "/cache-long" : "/cache")).c_str(), 1);
}

}  // namespace
