// SPDX-License-Identifier: MIT
// A program that libg6gpu.a was linked into may lie anywhere: `make install` puts this object into
// the installed archive, compiled anew with the folder of the backends.
#include "loader.h"

#ifndef G6_INSTALLED_BACKENDS
#define G6_INSTALLED_BACKENDS ""
#endif

namespace g6 {

const char *installed_backends()
{
    return G6_INSTALLED_BACKENDS;
}

}  // namespace g6
