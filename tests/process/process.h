// SPDX-License-Identifier: MIT
// Base of the tests that start g6test-probe, as a process reads its settings only at its start.
#pragma once

#include "tests/folder.h"
#include "tests/info.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace g6test {

struct Result {
    int exit_code = -1;
    std::string out, err;
    bool tells(const std::string &part) const { return err.find(part) != std::string::npos; }
    bool says(const std::string &part) const { return (" " + out).find(part) != std::string::npos; }
};

// For a shell: the path of a program beside this one.
inline std::string program_beside(const std::string &name)
{
    return "'" + build_folder() + "/bin/" + name + "'";
}

// The variable that names the drivers of OpenCL to ocl-icd, which cuts it at the first colon while
// it reads it: children would get the rest of it.  So this is read before any driver is loaded.
inline const std::string kOpenClDrivers = [] {
    const char *drivers = std::getenv("OCL_ICD_FILENAMES");
    return drivers ? "'OCL_ICD_FILENAMES=" + std::string(drivers) + "' " : std::string();
}();

class Process : public testing::Test {
protected:
    // Starts the probe in an empty folder with the given G6_* variables and no others.  A probe
    // that hangs ends with exit code 124.
    Result probe(const std::string &variables, const std::string &what = "run") const
    {
        const std::string command = "cd " + folder + " && env -u G6_BACKEND_DIR -u G6_THREADS " +
                                    kOpenClDrivers + variables + " timeout 300 " +
                                    program_beside("g6test-probe") + " " + what + " 2>err";
        Result r;
        FILE *pipe = popen(command.c_str(), "r");
        if (!pipe) return r;
        std::array<char, 4096> buffer;
        for (size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
            r.out.append(buffer.data(), n);
        const int status = pclose(pipe);
        r.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        r.err = bytes_of(folder + "/err");
        EXPECT_EQ(std::count(r.out.begin(), r.out.end(), '\n'), 1)
            << "the library printed: " << r.out;
        EXPECT_EQ(r.exit_code, 0) << r.err;
        return r;
    }
    void write(const std::string &name, const std::string &text) const
    {
        std::ofstream(folder + "/" + name) << text;
    }

    const Folder own;
    const std::string &folder = own.path();
};

// The probe: a unit mass of index 7 at x = 2, and its own particle of index 5 at the origin.
constexpr const char *kRight = " acc=0.2500 nearest=7 ";

}  // namespace g6test
