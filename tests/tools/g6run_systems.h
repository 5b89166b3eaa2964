// SPDX-License-Identifier: MIT
// Particles and files for the tests of g6run.
#pragma once

#include "tests/folder.h"
#include "tests/reference.h"
#include "tools/g6run/error.h"
#include "tools/g6run/gravity.h"
#include "tools/g6run/hdf5_file.h"
#include "tools/g6run/snapshot.h"

#include <gtest/gtest.h>

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

// A test with a file in a folder of its own.
class InFolder : public testing::Test {
protected:
    const Folder folder;
    const std::string path = folder / "a";
};

// The text of the Error that `action` throws, and its status; "" without one.
template <class Action> std::string error_of(Action &&action, int *status = nullptr)
{
    try {
        action();
    } catch (const g6run::Error &error) {
        if (status) *status = error.status();
        return error.what();
    }
    return "";
}

// Bodies at rest for the long-double sums of tests/reference.h; body k has the index k.
inline g6test::Memory memory_of(const std::vector<std::array<double, 3>> &x,
                                const std::vector<double> &mass)
{
    g6test::Memory memory;
    for (std::size_t k = 0; k < x.size(); k++) {
        g6test::Body &b = memory[static_cast<int>(k)];
        b.index = static_cast<int>(k), b.mass = mass[k], b.x = x[k];
    }
    return memory;
}

// What the others do to body k.  The softening of a pair is the sum of eps2 and of that of the
// other body.
inline g6test::Expected pull_on(const g6test::Memory &memory, int k, double eps2,
                                const g6test::Softenings &others = {})
{
    return g6test::evaluate(memory, static_cast<int>(memory.size()), 0,
                            {k, memory.at(k).x, {}, eps2, 0}, others);
}

inline void expect_in(const std::string &part, const std::string &text)
{
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

template <class Action> void expect_error(const std::string &part, Action &&action)
{
    expect_in(part, error_of(action));
}

inline g6run::Snapshot table_of(const std::string &text)
{
    const Folder folder;
    std::ofstream(folder / "a.txt") << text;
    return g6run::read_snapshot(folder / "a.txt");
}

// What reading a table of this text says, without the file's path in front.
inline std::string refusal(const std::string &text)
{
    const std::string error = error_of([&] { table_of(text); });
    const std::size_t at = error.find("/a.txt:");
    EXPECT_NE(at, std::string::npos) << error;
    return at < error.size() ? error.substr(at + 6) : error;
}

inline g6run::Handle reopened(const std::string &path)
{
    return {H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, path};
}

// Deletes attributes of a group in a file, and puts a value in the place of the first one.
template <class T>
void replace_attributes(const std::string &path, const char *group,
                        const std::vector<const char *> &names, const T &value)
{
    const g6run::Handle file = reopened(path);
    for (const char *name : names) ASSERT_GE(H5Adelete_by_name(file, group, name, H5P_DEFAULT), 0);
    g6run::Group(g6run::Handle(H5Gopen2(file, group, H5P_DEFAULT), H5Gclose, group), "")
        .put(names[0], value);
}

// Writes all numbers of a data set anew.
inline void overwrite(const std::string &path, const char *data, const std::vector<double> &values)
{
    const g6run::Handle file = reopened(path);
    const g6run::Handle set(H5Dopen2(file, data, H5P_DEFAULT), H5Dclose, data);
    ASSERT_GE(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
}

}  // namespace g6runtest
