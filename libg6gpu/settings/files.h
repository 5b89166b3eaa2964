// SPDX-License-Identifier: MIT
// Reading and writing of regular files.  A name may lead to anything else: a FIFO, on which open()
// waits for a writer, a device without an end, a folder.  Backends may include this header.
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

// "" for a regular file, else what it is.
inline std::string not_regular(const struct stat &file)
{
    if (S_ISREG(file.st_mode)) return "";
    return S_ISDIR(file.st_mode) ? "it is a folder" : "it is no regular file";
}

// The same for what a path leads to; symbolic links are followed.  Opens nothing.
inline std::string not_regular(const std::string &path)
{
    struct stat file;
    return stat(path.c_str(), &file) == 0 ? not_regular(file) : std::strerror(errno);
}

// Number of bytes read: fewer than wanted only at the end of the file; -1: an error.
inline ssize_t read_all(int descriptor, void *to, size_t wanted)
{
    size_t done = 0;
    while (done < wanted) {
        const ssize_t n = read(descriptor, static_cast<char *>(to) + done, wanted - done);
        if (n == 0) break;
        if (n < 0 && errno != EINTR) return -1;
        if (n > 0) done += static_cast<size_t>(n);
    }
    return static_cast<ssize_t>(done);
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
