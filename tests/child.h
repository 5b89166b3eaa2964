// SPDX-License-Identifier: MIT
// Makes a test in a child of fork().
#pragma once

#include <sys/wait.h>
#include <unistd.h>

namespace g6test {

// Whether is_good() returns true in a child, within so many seconds.
template <class Work> bool good_in_a_child(const Work &is_good, unsigned patience = 60)
{
    const pid_t child = fork();
    if (child == 0) {
        alarm(patience);
        _exit(is_good() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status == 0;
}

}  // namespace g6test
