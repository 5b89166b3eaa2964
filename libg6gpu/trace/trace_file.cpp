// SPDX-License-Identifier: MIT
// Creates a file that did not exist, appends chunks, and cuts off a chunk that could not be written
// completely.
#include "trace_file.h"

#include "../base/status.h"

#include <ctime>
#include <fcntl.h>
#include <sys/resource.h>

namespace g6::trace {
namespace {

constexpr int kMostNames = 1000;

// Creates a file with a descriptor beyond stderr's: where the client's caller has closed stdout,
// the file could get its descriptor, and the client would print into the file.
int create(const std::string &name)
{
    const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 || file > STDERR_FILENO) return file;
    const int beyond = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int error = errno;
    close(file);
    if (beyond < 0) unlink(name.c_str());
    errno = error;
    return beyond;
}

// Makes NAME, NAME.PROCESS, NAME.PROCESS.2 ... whichever is not there yet; name receives which.
int create_new(std::string &name)
{
    const std::string asked = name;
    int file = create(asked);
    if (file < 0 && errno == EEXIST) {
        if (const std::string what = not_regular(asked); !what.empty())
            throw Error(G6_ERR_ARGUMENT, "%s cannot be written: %s", asked.c_str(), what.c_str());
        const std::string of_process = asked + "." + std::to_string(getpid());
        for (int k = 1; file < 0 && k <= kMostNames; k++) {
            name = k == 1 ? of_process : of_process + "." + std::to_string(k);
            file = create(name);
            if (file < 0 && errno != EEXIST) break;
        }
    }
    if (file < 0)
        throw Error(G6_ERR_ARGUMENT, "%s cannot be written: %s", name.c_str(),
                    std::strerror(errno));
    if (name != asked)
        log(kLogError, "G6_TRACE: %s exists; the calls of this process are recorded in %s",
            asked.c_str(), name.c_str());
    return file;
}

}  // namespace

TraceFile::TraceFile(const std::string &name) : name_(name), file_(create_new(name_))
{
    FileHead head{};
    std::memcpy(head.magic, kMagic, sizeof kMagic);
    head.version = kVersion;
    head.byte_order = kByteOrder;
    head.unix_seconds = static_cast<std::uint64_t>(std::time(nullptr));
    head.process = static_cast<std::uint64_t>(getpid());
    put(&head, sizeof head);
    offset_ = sizeof head;
}

void TraceFile::write(ChunkType type, const void *payload, std::size_t bytes,
                      std::uint64_t first_call, std::uint64_t calls)
{
    if (!file_) return;
    ChunkHead head{kChunkMark, type, bytes, first_call, calls, 0};
    head.checksum = checksum(head, payload);
    put(&head, sizeof head);
    put(payload, bytes);
    if (type == kCallsChunk) next_call_ = first_call + calls;
    offset_ += sizeof head + bytes;
}

void TraceFile::close()
{
    if (!file_) return;
    write(kEndChunk, "", 0, next_call_, 0);
    if (!file_.close()) fail(std::strerror(errno));
}

void TraceFile::put(const void *from, std::size_t bytes)
{
    // A write beyond the limit would send a signal that ends the process.
    struct rlimit limit;
    const off_t at = lseek(file_.number(), 0, SEEK_CUR);
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        static_cast<rlim_t>(at) + bytes > limit.rlim_cur)
        fail("the limit of the size of files (ulimit -f) is reached");
    if (!write_all(file_.number(), from, bytes)) fail(std::strerror(errno));
}

// Cuts off what was written of an incomplete chunk.
void TraceFile::fail(const char *why)
{
    const std::string text = why;
    if (file_ && ftruncate(file_.number(), static_cast<off_t>(offset_)) == 0) file_.close();
    throw Error(G6_ERR_ARGUMENT, "%s: %s", name_.c_str(), text.c_str());
}

}  // namespace g6::trace
