// SPDX-License-Identifier: MIT
// g6run: a block-time-step Hermite integrator on the calls of a GRAPE-6.
// Exit status: enum ExitStatus.
#include "error.h"
#include "run.h"
#include "stop.h"

#include <cstdio>
#include <new>

int main(int argc, char **argv)
{
    using namespace g6run;
    try {
        Options options;
        int status = kExitOk;
        if (!parse(argc, argv, options, status)) return status;
        catch_stop_signals();
        return run(options);
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
