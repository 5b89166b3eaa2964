// SPDX-License-Identifier: MIT
// The folder of the installed backends, for programs that contain libg6gpu.a.  Such a program may
// lie anywhere, so the folder cannot be found from the program's own path.  `make install` compiles
// this file with G6_INSTALLED_BACKENDS set to the folder, and puts the object into the installed
// archive.  In the build folder the text is empty.
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
