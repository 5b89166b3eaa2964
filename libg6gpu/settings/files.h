// SPDX-License-Identifier: MIT
// Checks that a name leads to a regular file, and writes files.  A name may also lead to a FIFO, on
// which open() waits for a writer, to a device without an end, or to a folder.  Backends may
// include this header.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace g6 {

// Owns the number of an open file; -1: no file.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor &operator=(Descriptor &&) = delete;
    ~Descriptor() { close(); }

    int number() const { return number_; }
    explicit operator bool() const { return number_ >= 0; }
    // Returns false when the system could not write all that it had accepted.
    bool close()
    {
        const bool good = number_ < 0 || ::close(number_) == 0;
        number_ = -1;
        return good;
    }

private:
    int number_;
};

// "" if the path leads to a regular file; else what the path leads to, or why this is not known.
// Follows symbolic links and opens nothing.
inline std::string not_regular(const std::string &path)
{
    struct stat file;
    if (stat(path.c_str(), &file) != 0) return std::strerror(errno);
    if (S_ISREG(file.st_mode)) return "";
    return S_ISDIR(file.st_mode) ? "it is a folder" : "it is no regular file";
}

inline bool write_all(int descriptor, const void *from, size_t wanted)
{
    for (size_t done = 0; done < wanted;) {
        const ssize_t n = write(descriptor, static_cast<const char *>(from) + done, wanted - done);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) done += static_cast<size_t>(n);
    }
    return true;
}

}  // namespace g6
