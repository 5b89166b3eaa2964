// SPDX-License-Identifier: MIT
// Recorded calls for tests of the tools that read recordings.  They are made as the library makes
// them and written into a file.
#pragma once

#include "libg6gpu/trace/fields.h"
#include "libg6gpu/trace/trace_file.h"

#include <string>
#include <vector>

namespace g6test {

struct Record {
    g6::trace::Kind kind;
    g6::trace::Fields fields;
    int id = 0, status = 0;
    unsigned flags = 0;
};

template <class... Values>
Record record(g6::trace::Kind kind, int id, int status, const Values &...values)
{
    Record r{kind, {}, id, status, 0};
    r.fields.add(values...);
    return r;
}

inline std::string payload_of(const std::vector<Record> &records)
{
    std::string payload;
    for (const Record &r : records) {
        g6::trace::RecordHead head{};
        head.bytes = static_cast<std::uint32_t>(sizeof head + r.fields.size());
        head.kind = r.kind;
        head.flags = static_cast<std::uint8_t>(r.flags);
        head.id = r.id;
        head.status = r.status;
        head.ns = 1000;
        payload.append(reinterpret_cast<const char *>(&head), sizeof head);
        payload.append(r.fields.data(), r.fields.size());
    }
    return payload;
}

// One chunk for each list of records.
inline void write_recording(const std::string &name, const std::vector<std::vector<Record>> &chunks,
                            bool complete = true)
{
    g6::trace::TraceFile file(name);
    const std::string settings = "version=1.0.0\nbackend=cpu\n";
    file.write(g6::trace::kSettingsChunk, settings.data(), settings.size(), 1, 0);
    std::uint64_t first = 1;
    for (const auto &records : chunks) {
        const std::string payload = payload_of(records);
        file.write(g6::trace::kCallsChunk, payload.data(), payload.size(), first, records.size());
        first += records.size();
    }
    if (complete) file.close();
}

}  // namespace g6test
