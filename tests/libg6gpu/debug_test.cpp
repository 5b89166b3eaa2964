// SPDX-License-Identifier: MIT
// G6_DEBUG: its keys, refused values, what the core and the devices get of it, faults on request.
#include "libg6gpu/settings/debug.h"
#include "settings.h"

#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace g6test {
namespace {

using g6::Config;
using g6::FaultKind;

std::vector<std::string> words_of(const std::string &text)
{
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

std::string problems_with(const std::string &text)
{
    const Variable debug("G6_DEBUG", text);
    std::string problems;
    g6::config_from_environment(&problems);
    return problems;
}

TEST(Debug, values_within_the_limits_are_taken)
{
    std::vector<std::string> pairs =
        words_of("leaf=1 leaf=1024 rebuild=1 rebuild=1000000 rebuild=auto isa=generic isa=avx2 "
                 "isa=AVX512 isa=auto together=0 slices=1 slices=65535 cuda_tensor=0 cuda_shape=0 "
                 "cuda_shape=6 cuda_few=0 cuda_few=64 cuda_stay=0 cuda_group=64 cuda_link=0 "
                 "opencl_shape=32x4x2 opencl_shape=16x1x16 opencl_fp64=0 "
                 "fault=start:3:trap fault=open:1:build opencl_options=");
    pairs.push_back("opencl_options=-cl-opt-disable -DA=1");
    for (const std::string &good : pairs) {
        Config c;
        EXPECT_NO_THROW(g6::set_option(c, "debug", good)) << good;
        EXPECT_EQ(c.debug, good);
    }
}

TEST(Debug, values_that_do_not_fit_are_named_with_those_that_do)
{
    for (const std::string &bad :
         words_of("leaf=0 leaf=1025 leaf=3.5 leaf= rebuild=0 rebuild=1000001 rebuild=-1 isa=mmx "
                  "slices=0 slices=65536 slices=1.5 slices=lots cuda_tensor=2 cuda_shape=-1 "
                  "cuda_shape=7 cuda_few=257 cuda_stay=2 cuda_group=0 cuda_group=8x cuda_link=2 "
                  "opencl_shape=32x4 opencl_shape=32x4x2x1 opencl_shape=24x1x1 opencl_shape=8x1x4 "
                  "opencl_shape=65536x65536x1 opencl_fp64=off "
                  "fault=start fault=begin:1:trap fault=start:0:trap fault=start:1:crash "
                  "fault=start:x:lost")) {
        EXPECT_EQ(refusal("debug", bad), G6_ERR_OPTION) << bad;
        const std::string said = problems_with(bad);
        EXPECT_EQ(said.find("G6_DEBUG=" + bad + ": " + bad + " is not one of: "), 0u) << said;
    }
    EXPECT_EQ(problems_with("leaf=0"),
              "G6_DEBUG=leaf=0: leaf=0 is not one of: 1 to 1024; using none");
}

TEST(Debug, keys_that_are_misspelt_are_named_with_those_that_there_are)
{
    for (const char *bad : {"laef", "laef=8", "slices=2,laef=8", ",", "=8", "G6_LEAF=8"}) {
        const std::string said = problems_with(bad);
        EXPECT_NE(said.find("there is no key \""), std::string::npos) << said;
        EXPECT_NE(said.find("known: leaf, rebuild, isa, divide, "), std::string::npos) << said;
        EXPECT_EQ(refusal("debug", bad), G6_ERR_OPTION) << bad;
    }
}

TEST(Debug, one_bad_pair_refuses_the_whole_text)
{
    Config c;
    g6::set_option(c, "debug", "leaf=8");
    EXPECT_THROW(g6::set_option(c, "debug", "leaf=4,slices=0"), g6::Error);
    EXPECT_EQ(c.debug, "leaf=8");
    EXPECT_EQ(c.walk.leaf, 8);
}

// Else a change of the tree's leaves would open the devices anew.
TEST(Debug, devices_get_what_concerns_them)
{
    Config c;
    g6::set_option(c, "debug", " LEAF = 8 , slices = 2, rebuild=auto,isa=avx2");
    EXPECT_EQ(c.debug, "leaf=8,slices=2,rebuild=auto,isa=avx2");
    EXPECT_EQ(c.device_debug, "slices=2,isa=avx2");
    EXPECT_EQ(g6::debug_number(c.device_debug, "slices", 0), 2);
    EXPECT_EQ(g6::debug_number(c.device_debug, "cuda_few", 3), 3);
    EXPECT_EQ(g6::debug_value(c.device_debug, "isa"), "avx2");
    EXPECT_EQ(g6::debug_value(c.device_debug, "fault"), "");
}

TEST(Debug, options_of_a_compiler_reach_to_the_end)
{
    const std::string options = "-DF(a,b)=(a)*(b) -DN=1,slices=9";
    Config c;
    g6::set_option(c, "debug", "slices=2,opencl_options= " + options);
    EXPECT_EQ(g6::debug_value(c.device_debug, "opencl_options"), options);
    EXPECT_EQ(g6::debug_number(c.device_debug, "slices", 0), 2);
}

// The page has the keys and values of the code's table, row after row.
TEST(Debug, the_page_has_the_table)
{
    std::ifstream page("docs/debug.md");
    if (!page) GTEST_SKIP() << "the current folder is not that of the source";
    std::vector<std::string> rows;
    for (std::string line; std::getline(page, line);)
        if (line.rfind("| ", 0) == 0) rows.push_back(line);
    ASSERT_EQ(rows.size(), std::size(g6::kDebugRows) + 1);  // and the header
    for (size_t k = 0; k < std::size(g6::kDebugRows); k++) {
        const g6::DebugRow &row = g6::kDebugRows[k];
        EXPECT_EQ(rows[k + 1].rfind(std::string("| ") + row.key + " | " + row.values + " | ", 0),
                  0u);
    }
}

TEST(Fault, is_due_at_the_call_that_it_counts_to)
{
    g6::Fault fault;
    ASSERT_TRUE(g6::parse_fault("start:2:lost", fault));
    EXPECT_EQ(fault.due("start"), FaultKind::kNone);
    EXPECT_EQ(fault.due("finish"), FaultKind::kNone);
    EXPECT_EQ(fault.due("start"), FaultKind::kLost);
    EXPECT_EQ(fault.due("start"), FaultKind::kNone);
    EXPECT_EQ(g6::Fault().due("start"), FaultKind::kNone);
}

TEST(Fault, may_be_of_one_device_alone)
{
    EXPECT_EQ(g6::fault_for("start:1:lost:2", 2).due("start"), FaultKind::kLost);
    EXPECT_EQ(g6::fault_for("start:1:lost:2", 1).due("start"), FaultKind::kNone);
    EXPECT_EQ(g6::fault_for("start:1:lost", 1).due("start"), FaultKind::kLost);
    g6::Fault fault;
    for (const char *bad : {"start:1:lost:", "start:1:lost:x", "start:1:lost:-1", "start:1:"})
        EXPECT_FALSE(g6::parse_fault(bad, fault)) << bad;
}

TEST(Fault, is_of_the_kind_that_was_asked_for)
{
    const std::pair<const char *, FaultKind> kinds[] = {{"memory", FaultKind::kMemory},
                                                        {"trap", FaultKind::kTrap},
                                                        {"lost", FaultKind::kLost},
                                                        {"build", FaultKind::kBuild}};
    for (const auto &[name, kind] : kinds) {
        g6::Fault fault;
        ASSERT_TRUE(g6::parse_fault(std::string("clear:1:") + name, fault)) << name;
        EXPECT_EQ(fault.due("clear"), kind) << name;
    }
}

}  // namespace
}  // namespace g6test
