// SPDX-License-Identifier: MIT
// The reader of recorded sessions: it returns what was written; a file that was cut off or changed
// gives a message, never a crash.
#include "tools/common/recording.h"
#include "tests/folder.h"
#include "tests/recording.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <random>

namespace g6test {
namespace {

using g6::trace::Kind;
using g6tools::RecordedCall;
using g6tools::Recording;

void write_bytes(const std::string &path, const std::string &bytes)
{
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// A block of two i-particles; the second chunk has its lasthalf, without arguments.
std::vector<std::vector<Record>> small_session()
{
    using g6::trace::array;
    using g6::trace::rows;
    using g6::trace::vec3;
    const double x[2][3] = {{1, 2, 3}, {4, 5, 6}}, v[2][3] = {}, h2[2] = {0.25, 0.5}, eps2 = 0.125;
    const double acc[2][3] = {{7, 8, 9}, {10, 11, 12}}, pot[2] = {-1, -2};
    const int index[2] = {3, 4}, nearest[2] = {4, 3};
    Record last =
        record(Kind::kLasthalf2, 0, 0, rows(acc, 2), rows(v, 2), array(pot, 2), array(nearest, 2));
    last.flags = g6::trace::kSameInputs;
    return {{record(Kind::kOpen, 0, 0),
             record(Kind::kSetJ, 0, 0, 5, 3, 0.5, 0.25, 1.5, vec3(v[0]), vec3(v[0]), vec3(v[0]),
                    vec3(v[1]), vec3(x[1])),
             record(Kind::kFirsthalf, 0, 0, 6, 2, array(index, 2), rows(x, 2), rows(v, 2),
                    array(&eps2, 1), array(h2, 2), rows(nullptr, 2))},
            {last, record(Kind::kSetOption, 0, -2, "mode", "foo")}};
}

// Reads everything; the number of calls, and the message of the Failure that ended the reading.
struct Reading {
    std::uint64_t calls = 0;
    std::string failure;
    bool complete = false;
};
Reading read(const std::string &file)
{
    Reading r;
    try {
        Recording recording(file);
        r.complete = recording.complete();
        RecordedCall call;
        while (recording.next(call)) r.calls++;
    } catch (const g6tools::Failure &error) {
        r.failure = error.what();
        EXPECT_GT(r.failure.size(), 20u);
    }
    return r;
}

TEST(Recording, gives_back_what_was_written)
{
    const Folder folder;
    write_recording(folder / "a", small_session());
    Recording recording(folder / "a");
    EXPECT_TRUE(recording.complete());
    EXPECT_EQ(recording.calls(), 5u);
    ASSERT_EQ(recording.settings().size(), 2u);
    EXPECT_EQ(recording.settings()[1].second, "cpu");
    RecordedCall c;
    ASSERT_TRUE(recording.next(c));
    EXPECT_STREQ(c.name(), "g6_open");
    ASSERT_TRUE(recording.next(c));
    EXPECT_EQ(c.i, (std::vector<int>{5, 3}));
    EXPECT_EQ(c.d, (std::vector<double>{0.5, 0.25, 1.5}));
    EXPECT_EQ(c.doubles[4].v, (std::vector<double>{4, 5, 6}));
    EXPECT_EQ(c.doubles[0].v, (std::vector<double>{0, 0, 0}));
    ASSERT_TRUE(recording.next(c));
    EXPECT_TRUE(c.doubles[g6tools::kOld].null);
    ASSERT_TRUE(recording.next(c));
    // The arguments are those of the firsthalf.
    EXPECT_EQ(c.number, 4u);
    EXPECT_EQ(c.i, (std::vector<int>{6, 2}));
    EXPECT_EQ(c.ints[g6tools::kIndex].v, (std::vector<int>{3, 4}));
    EXPECT_EQ(c.ints[g6tools::kNearest].v, (std::vector<int>{4, 3}));
    EXPECT_EQ(c.doubles[g6tools::kXi].v, (std::vector<double>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(c.doubles[g6tools::kH2].v, (std::vector<double>{0.25, 0.5}));
    EXPECT_EQ(c.doubles[g6tools::kAcc].v, (std::vector<double>{7, 8, 9, 10, 11, 12}));
    EXPECT_EQ(c.doubles[g6tools::kPot].v, (std::vector<double>{-1, -2}));
    ASSERT_TRUE(recording.next(c));
    EXPECT_EQ(c.status, -2);
    EXPECT_EQ(c.text(1), "foo");
    EXPECT_FALSE(recording.next(c));
}

// Arrays of zeros have no elements in the file; -0 is no zero, and NULL is another thing.
TEST(Recording, zeros_nulls_and_signed_zeros_stay_apart)
{
    const Folder folder;
    const double zeros[3] = {0, 0, 0}, negative[3] = {0, -0.0, 0};
    using g6::trace::vec3;
    write_recording(folder / "a", {{record(Kind::kGetJ, 0, 0, 1, vec3(zeros), vec3(negative),
                                           vec3(nullptr), vec3(zeros), vec3(zeros), vec3(zeros))}});
    Recording recording(folder / "a");
    RecordedCall c;
    ASSERT_TRUE(recording.next(c));
    EXPECT_EQ(c.doubles[0].size(), 3u);
    EXPECT_FALSE(c.doubles[0].null);
    EXPECT_TRUE(std::signbit(c.doubles[1].v[1]));
    EXPECT_TRUE(c.doubles[2].null);
}

TEST(Recording, a_file_that_is_cut_off_anywhere_gives_the_calls_of_its_complete_chunks)
{
    const Folder folder;
    write_recording(folder / "a", small_session());
    const std::string whole = bytes_of(folder / "a");
    std::uint64_t most = 0;
    for (std::size_t n = 0; n < whole.size(); n += 3) {
        SCOPED_TRACE(n);
        write_bytes(folder / "part", whole.substr(0, n));
        const Reading r = read(folder / "part");
        EXPECT_FALSE(r.complete);
        EXPECT_EQ(r.failure.empty(), n >= sizeof(g6::trace::FileHead)) << r.failure;
        EXPECT_TRUE(r.calls == 0 || r.calls == 3 || r.calls == 5) << r.calls;
        EXPECT_GE(r.calls, most);
        most = std::max(most, r.calls);
    }
    EXPECT_EQ(most, 5u);
    EXPECT_TRUE(read(folder / "a").complete);
}

TEST(Recording, a_changed_byte_is_noticed_or_without_effect)
{
    const Folder folder;
    write_recording(folder / "a", small_session());
    const std::string whole = bytes_of(folder / "a");
    for (std::size_t n = 0; n < whole.size(); n += 3) {
        SCOPED_TRACE(n);
        std::string bytes = whole;
        bytes[n] = static_cast<char>(bytes[n] ^ '\x81');
        write_bytes(folder / "changed", bytes);
        const Reading r = read(folder / "changed");
        EXPECT_LE(r.calls, 5u);
        EXPECT_TRUE(!r.failure.empty() || !r.complete || r.calls == 5);
    }
}

// As somebody would who wants to crash the reader: the checksums are right.
TEST(Recording, forged_records_end_in_a_message)
{
    const Folder folder;
    const auto session = small_session();
    std::vector<Record> all = session[0];
    all.insert(all.end(), session[1].begin(), session[1].end());
    const std::string good = payload_of(all);
    std::mt19937 random(1);
    int refused = 0;
    for (int run = 0; run < 300; run++) {
        std::string payload = good;
        const std::uint32_t changes = 1 + random() % 4;
        for (std::uint32_t k = 0; k < changes; k++)
            payload[random() % payload.size()] = static_cast<char>(random() % 3 ? random() : 0xff);
        const std::string name = folder / "forged";
        std::filesystem::remove(name);
        {
            g6::trace::TraceFile file(name);
            file.write(g6::trace::kCallsChunk, payload.data(), payload.size(), 1, all.size());
        }
        const Reading r = read(name);
        if (!r.failure.empty()) refused++;
    }
    EXPECT_GT(refused, 50);
}

TEST(Recording, a_file_of_another_kind_is_refused_by_what_it_is)
{
    const Folder folder;
    write_bytes(folder / "text", "a text of more than thirty-two bytes is no recording");
    EXPECT_NE(read(folder / "text").failure.find("no recorded session"), std::string::npos);
    EXPECT_NE(read(folder.path()).failure.find("no regular file"), std::string::npos);
    EXPECT_NE(read(folder / "absent").failure.find("No such file"), std::string::npos);
    write_recording(folder / "a", small_session());
    std::string bytes = bytes_of(folder / "a");
    bytes[8] = 3;
    write_bytes(folder / "b", bytes);
    EXPECT_NE(read(folder / "b").failure.find("version 3"), std::string::npos);
    bytes = bytes_of(folder / "a");
    std::swap(bytes[12], bytes[15]);
    write_bytes(folder / "c", bytes);
    EXPECT_NE(read(folder / "c").failure.find("order of bytes"), std::string::npos);
}

}  // namespace
}  // namespace g6test
