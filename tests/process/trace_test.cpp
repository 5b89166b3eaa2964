// SPDX-License-Identifier: MIT
// G6_TRACE in processes: which file a recording goes to, and that the client's results do not
// depend on the file.
#include "process.h"

#include "tools/common/recording.h"

#include <map>

namespace g6test {
namespace {

class Trace : public Process {
protected:
    // Calls of a recording, by name.
    std::map<std::string, int> calls(const std::string &name) const
    {
        g6tools::Recording recording(folder + "/" + name);
        EXPECT_TRUE(recording.complete());
        std::map<std::string, int> n;
        g6tools::RecordedCall call;
        while (recording.next(call)) n[call.name()]++;
        return n;
    }
    std::vector<std::string> recordings() const
    {
        std::vector<std::string> names;
        for (const auto &entry : std::filesystem::directory_iterator(folder))
            if (const std::string name = entry.path().filename(); name[0] == 't')
                names.push_back(name);
        std::sort(names.begin(), names.end());
        return names;
    }
    // The probe computes as without a recording, and stderr has one line with the text.
    void refused(const std::string &file, const std::string &text) const
    {
        const Result r = probe("G6_TRACE=" + file);
        EXPECT_TRUE(r.says(kRight)) << r.out;
        EXPECT_TRUE(r.tells(text)) << r.err;
        EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    }
};

// What tests/probe/probe.cpp does in run().
TEST_F(Trace, holds_the_calls_of_the_client_and_changes_nothing)
{
    const Result plain = probe("G6_BACKEND=cpu"), traced = probe("G6_BACKEND=cpu G6_TRACE=t");
    EXPECT_EQ(plain.out, traced.out);
    EXPECT_EQ(traced.err, "");
    auto n = calls("t");
    EXPECT_EQ(n["g6_open"], 1);
    EXPECT_EQ(n["g6_close"], 1);
    EXPECT_EQ(n["g6_set_j_particle"], 3);
    EXPECT_EQ(n["g6calc_firsthalf"], 2);
    EXPECT_EQ(n["g6calc_lasthalf2"], 2);
    EXPECT_EQ(n["g6_get_neighbour_list"], 1);
    EXPECT_EQ(n["g6_predict"], 1);
}

TEST_F(Trace, is_complete_when_the_client_ends_without_g6_close)
{
    probe("G6_TRACE=t", "leave");
    EXPECT_EQ(calls("t")["g6_close"], 0);
}

TEST_F(Trace, a_file_that_exists_is_left_alone)
{
    write("t", "precious");
    const Result r = probe("G6_TRACE=t");
    EXPECT_TRUE(r.says(kRight)) << r.out;
    EXPECT_EQ(bytes_of(folder + "/t"), "precious");
    const auto names = recordings();
    ASSERT_EQ(names.size(), 2u);
    EXPECT_EQ(calls(names[1])["g6_open"], 1);
    EXPECT_TRUE(r.tells("t exists; the calls of this process are recorded in " + names[1]))
        << r.err;
}

TEST_F(Trace, a_name_may_have_the_number_of_the_process)
{
    EXPECT_EQ(probe("G6_TRACE=t%p.%%p").err, "");
    EXPECT_EQ(probe("G6_TRACE=t%p.%%p").err, "");
    const auto names = recordings();
    ASSERT_EQ(names.size(), 2u);
    for (const std::string &name : names) {
        EXPECT_EQ(name.find_first_not_of("0123456789", 1), name.size() - 3) << name;
        EXPECT_EQ(name.substr(name.size() - 3), ".%p");
    }
}

// Messages to a descriptor that the client's caller has closed must not go into the recording.
TEST_F(Trace, is_kept_apart_from_a_closed_stderr)
{
    const std::string command = "cd " + folder +
                                " && G6_LOG=debug G6_BACKEND=cpu G6_TRACE=t timeout 300 " +
                                program_beside("g6test-probe") + " run >out 2>&-";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_NE(bytes_of(folder + "/out").find(kRight), std::string::npos);
    EXPECT_EQ(calls("t")["g6calc_firsthalf"], 2);
}

// The child computes after fork(), and ends by _exit().
TEST_F(Trace, a_child_of_fork_has_a_file_of_its_own)
{
    const Result r = probe("G6_BACKEND=cpu G6_TRACE=t", "forked");
    const auto names = recordings();
    ASSERT_EQ(names.size(), 2u) << r.err;
    EXPECT_EQ(calls("t")["g6calc_firsthalf"], 2);
    g6tools::Recording child(folder + "/" + names[1]);
    EXPECT_FALSE(child.complete());
    EXPECT_GT(child.calls(), 0u);
}

TEST_F(Trace, a_file_that_cannot_be_written_costs_one_line)
{
    refused("absent/t", "absent/t cannot be written: No such file or directory; this run is not "
                        "recorded");
    refused("/dev/full", "/dev/full cannot be written: it is no regular file");
    refused(folder, folder + " cannot be written: it is a folder");
}

// The settings of the process, by which a replay computes the same.
TEST_F(Trace, holds_the_settings)
{
    probe("G6_PRECISION=double G6_NPIPES=17 G6_TRACE=t");
    g6tools::Recording recording(folder + "/t");
    std::map<std::string, std::string> found;
    for (const auto &[key, value] : recording.settings()) found[key] = value;
    EXPECT_EQ(found["precision"], "double");
    EXPECT_EQ(found["npipes"], "17");
    EXPECT_EQ(found["profile"], "auto");
    EXPECT_EQ(found["version"], g6_version());
    EXPECT_EQ(found.count("trace"), 0u);
}

}  // namespace
}  // namespace g6test
