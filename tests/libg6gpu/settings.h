// SPDX-License-Identifier: MIT
// Settings for the duration of a test: environment variables, and a file.
#pragma once

#include "libg6gpu/base/status.h"
#include "libg6gpu/settings/config.h"
#include "tests/folder.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

namespace g6test {

// One G6_* variable for the length of a test.
class Variable {
public:
    Variable(const char *name, const std::string &value) : name_(name)
    {
        setenv(name, value.c_str(), 1);
    }
    ~Variable() { unsetenv(name_); }

private:
    const char *name_;
};

// G6_CONFIG names a file with a given text.
class SettingsFile {
public:
    explicit SettingsFile(const std::string &text) { std::ofstream(path()) << text; }
    std::string path() const { return folder_ / "settings"; }

private:
    const Folder folder_;
    const Variable variable_{"G6_CONFIG", path()};
};

// What g6_set_option() returns for this value.
inline int refusal(const std::string &key, const std::string &value)
{
    g6::Config config;
    try {
        g6::set_option(config, key, value);
    } catch (const g6::Error &e) {
        EXPECT_NE(std::string(e.what()).find(key), std::string::npos) << e.what();
        return e.status();
    }
    return G6_OK;
}

}  // namespace g6test
