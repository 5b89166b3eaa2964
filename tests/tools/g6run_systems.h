// SPDX-License-Identifier: MIT
// Particles and files for the tests of g6run.
#pragma once

#include "tests/folder.h"
#include "tools/g6run/error.h"
#include "tools/g6run/gravity.h"
#include "tools/g6run/snapshot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace g6runtest {

using g6run::Body;

inline Body body(double mass, std::array<double, 3> x, std::array<double, 3> v)
{
    Body b;
    b.mass = mass;
    for (int d = 0; d < 3; d++) {
        b.x[d] = x[d];
        b.v[d] = v[d];
    }
    return b;
}

inline bool same_bits(const Body &a, const Body &b)
{
    return std::memcmp(&a, &b, sizeof a) == 0;
}

inline void expect_same_bits(const std::vector<Body> &a, const std::vector<Body> &b)
{
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); k++) ASSERT_TRUE(same_bits(a[k], b[k])) << "body " << k;
}

using g6test::Folder;

// The text of the Error that `action` throws, "" without one.
template <class Action> std::string error_of(Action &&action)
{
    try {
        action();
    } catch (const g6run::Error &error) {
        return error.what();
    }
    return "";
}

inline bool contains(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

// What reading a table of this text says, without the file's path in front.
inline std::string refusal(const std::string &text)
{
    const Folder folder;
    const std::string path = folder / "a.txt";
    std::ofstream(path) << text;
    const std::string error = error_of([&] { g6run::read_snapshot(path); });
    EXPECT_EQ(error.rfind(path + ":", 0), 0u) << error;
    return error.size() > path.size() ? error.substr(path.size()) : error;
}

}  // namespace g6runtest
