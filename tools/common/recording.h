// SPDX-License-Identifier: MIT
// A recorded session (G6_TRACE) for the tools: its calls one after another.
//
// Invariants
//  * Whatever bytes the file has, reading gives consistent calls, whose arrays have the lengths
//    that the call's counts say or are NULL, or it throws a Failure.
//  * A file that was cut off, because its client was killed, gives all calls of complete chunks.
#pragma once

#include "shared_library.h"

#include "../../libg6gpu/trace/format.h"

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace g6tools {

template <class T> struct RecordedArray {
    bool null = true;
    std::vector<T> v;
    T *data() { return null ? nullptr : v.data(); }
    const T *data() const { return null ? nullptr : v.data(); }
    std::size_t size() const { return v.size(); }
};

// Each type of numbers and arrays has a list of its own, in the order of the letters of the kind's
// row (format.h): results stand behind arguments.
struct RecordedCall {
    std::uint64_t number = 0;  // of the call; the first is 1
    g6::trace::Kind kind{};
    unsigned flags = 0, thread = 0;
    int id = 0, status = 0;
    std::uint64_t start_ns = 0, ns = 0;
    std::vector<int> i;
    std::vector<double> d;
    std::vector<RecordedArray<int>> ints;
    std::vector<RecordedArray<double>> doubles;
    std::vector<RecordedArray<float>> floats;
    std::vector<RecordedArray<char>> texts;

    bool has(unsigned flag) const { return (flags & flag) != 0; }
    const char *name() const;
    std::string text(std::size_t k) const { return {texts[k].v.begin(), texts[k].v.end()}; }
};

// Places of arrays in the calls of a block: of ints and of doubles.
constexpr std::size_t kIndex = 0, kNearest = 1;
constexpr std::size_t kXi = 0, kVi = 1, kEps2 = 2, kH2 = 3, kAcc = 4, kJerk = 5, kPot = 6;
constexpr std::size_t kOld = 4;  // of a firsthalf

bool is_firsthalf(g6::trace::Kind kind);
bool is_lasthalf(g6::trace::Kind kind);

class Recording {
public:
    // Throws Failure when the file is no recording.
    explicit Recording(const std::string &file);

    const std::string &file() const { return name_; }
    // Calls in complete chunks.
    std::uint64_t calls() const { return calls_; }
    // Whether the client ended the recording by ending itself.
    bool complete() const { return complete_; }
    // key and value of the settings of the process that was recorded, and "version".
    const std::vector<std::pair<std::string, std::string>> &settings() const { return settings_; }

    // The next call; false after the last one.  Throws Failure for a damaged chunk or record.
    bool next(RecordedCall &call);

private:
    struct Chunk {
        std::uint64_t offset;
        g6::trace::ChunkHead head;
    };
    struct Close {
        void operator()(std::FILE *f) const { std::fclose(f); }
    };

    bool read(std::uint64_t offset, void *to, std::size_t bytes);
    bool read_head(std::uint64_t offset, g6::trace::ChunkHead &head);
    std::string payload_of(const Chunk &chunk);
    void scan();
    void add_chunk(std::uint64_t offset, const g6::trace::ChunkHead &head);
    void read_settings(const Chunk &chunk);
    void parse(const g6::trace::RecordHead &head, const char *at, const char *end,
               RecordedCall &call);
    [[noreturn]] void damaged(const std::string &what) const;

    std::string name_;
    std::unique_ptr<std::FILE, Close> file_;
    std::uint64_t bytes_ = 0, calls_ = 0, number_ = 0;
    bool complete_ = false;
    std::vector<Chunk> chunks_;  // of calls
    std::vector<std::pair<std::string, std::string>> settings_;
    std::size_t next_chunk_ = 0, at_ = 0;
    std::string payload_;
    std::map<std::pair<bool, int>, RecordedCall> first_;  // last firsthalf, by id
};

}  // namespace g6tools
