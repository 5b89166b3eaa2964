// SPDX-License-Identifier: MIT
// The file of a recording, chunk by chunk (format.h).
//
// Invariant: the file ends with a complete chunk when write() has returned, and also when write()
// has thrown, if the system can cut off the incomplete chunk.
#pragma once

#include "format.h"
#include "../settings/files.h"

#include <string>

namespace g6::trace {

class TraceFile {
public:
    // Makes a new file NAME, or NAME.PROCESS when NAME exists.  Throws Error.
    explicit TraceFile(const std::string &name);

    // Appends a chunk; first_call, calls: see ChunkHead.  Throws Error when it cannot be written.
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
