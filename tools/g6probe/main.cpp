// SPDX-License-Identifier: MIT
// g6probe FILE: loads the backend in this file, starts its driver, and says on standard output
// whether there is a GPU.  The library starts it before it starts the driver itself
// (libg6gpu/core/driver_probe.h): a driver that ends the program ends this one.
#include "libg6gpu/core/backend_file.h"
#include "libg6gpu/core/driver_probe.h"

#include <cstdio>
#include <sys/resource.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: g6probe FILE\n"
                             "Starts the driver of a backend of libg6gpu, which calls it.\n");
        return 2;
    }
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);                     // a driver that aborts here is expected
    alarm(2 * static_cast<unsigned>(g6::kProbeSeconds));  // when nobody waits any more

    // A file that is refused starts no driver: the library finds the reason itself.
    std::string reason;
    const g6::Backend *entry = g6::open_entry(argv[1], reason);
    const char *why = nullptr;
    const bool gpu = entry && g6::has_gpu(*entry, entry->count(&why));
    std::printf("\n%s%s\n", g6::kProbeAnswer, gpu ? g6::kProbeGpu : g6::kProbeNoGpu);
    std::fflush(stdout);
    _exit(0);  // what a driver does at its end is of no interest
}
