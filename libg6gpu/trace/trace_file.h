// SPDX-License-Identifier: MIT
// The file of a recording, chunk by chunk (format.h).
//
// Invariant: the file ends with a complete chunk whenever write() has returned, or has thrown and
// the file can be cut.
#pragma once

#include "format.h"
#include "../settings/files.h"

#include <string>

namespace g6::trace {

class TraceFile {
public:
    // Makes a new file of this name, or of NAME.PROCESS when there is one.  Throws Error.
    explicit TraceFile(const std::string &name);

    // first_call, calls: of a chunk of calls.  Throws Error when the file cannot be written.
    void write(ChunkType type, const void *payload, std::size_t bytes, std::uint64_t first_call,
               std::uint64_t calls);
    // Writes the end.
    void close();

private:
    void put(const void *from, std::size_t bytes);
    [[noreturn]] void fail(const char *why);

    std::string name_;
    Descriptor file_;
    std::uint64_t offset_ = 0;  // of the end of the last complete chunk
    std::uint64_t next_call_ = 1;
};

}  // namespace g6::trace
