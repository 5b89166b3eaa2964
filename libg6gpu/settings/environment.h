// SPDX-License-Identifier: MIT
// Variables of the environment that name a file or a folder.  A process with more rights than the
// user who started it (setuid, setgid, file capabilities) must not take such a name from the user:
// the library would load code, or read and write files, with rights that the user lacks.
// Backends may include this header.
#pragma once

#include <cstdlib>
#include <unistd.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

namespace g6 {

inline bool has_more_rights_than_user()
{
#ifdef __linux__
    return getauxval(AT_SECURE) != 0;  // what secure_getenv() of glibc and musl asks, too
#else
    return getuid() != geteuid() || getgid() != getegid();
#endif
}

// As getenv(), but null in a process with more rights than its user.
inline const char *trusted_variable(const char *name)
{
    return has_more_rights_than_user() ? nullptr : std::getenv(name);
}

}  // namespace g6
