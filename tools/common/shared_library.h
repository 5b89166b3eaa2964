// SPDX-License-Identifier: MIT
// A library opened at run time.  No other library of the process sees its names, since two GRAPE
// libraries have the same names.  It is never closed: libraries with threads or devices of their
// own rarely survive being closed.
#pragma once

#include <stdexcept>
#include <string>

namespace g6tools {

// A message for the user: what, where, what to do.
struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class SharedLibrary {
public:
    // file: a path, or "own" for the libg6gpu that belongs to this program.  Throws Failure.
    explicit SharedLibrary(const std::string &file);
    SharedLibrary(const SharedLibrary &) = delete;
    SharedLibrary &operator=(const SharedLibrary &) = delete;

    // The file that was opened, links resolved.
    const std::string &file() const { return file_; }
    // Null when the library lacks the name.
    void *symbol(const char *name) const;
    template <class Function> bool find(const char *name, Function &function) const
    {
        function = reinterpret_cast<Function>(symbol(name));
        return function != nullptr;
    }

private:
    void *handle_;
    std::string file_;
};

}  // namespace g6tools
