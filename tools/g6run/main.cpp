// SPDX-License-Identifier: MIT
// g6run: integrates star clusters, galaxies and spheres of the universe with forces from libg6gpu.
// The schemes are a Hermite scheme with block steps, and leapfrogs with equal or block steps.  The
// exit status is one of enum ExitStatus.
#include "error.h"
#include "run.h"
#include "start.h"

#include "../common/standard_output.h"

#include <cstdio>
#include <cstdlib>
#include <new>

int main(int argc, char **argv)
{
    g6tools::hold_standard_descriptors();
    using namespace g6run;
    try {
        Options options;
        int status = kExitOk;
        if (!parse(argc, argv, options, status)) return status;
        setenv("G6_LOG", "none", 0);  // g6run itself reports what the library refuses
        choose_restart(options);
        status = run(options);
        // The table has already reported lost output.
        if (g6tools::output_lost() && status == kExitOk) status = kExitRunTime;
        return status;
    } catch (const Error &error) {
        std::fprintf(stderr, "g6run: %s\n", error.what());
        return error.status();
    } catch (const std::bad_alloc &) {
        std::fprintf(stderr, "g6run: out of memory; use fewer particles\n");
    } catch (const std::exception &error) {
        std::fprintf(stderr, "g6run: %s\n", error.what());
    }
    return kExitRunTime;
}
