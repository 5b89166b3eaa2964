// SPDX-License-Identifier: MIT
// Where the table goes.  Some GRAPE libraries print to stdout while they work, or end the program
// with exit().  So stdout is for the table alone (what libraries print goes to stderr), every line
// is flushed when it is complete, and an exit() from inside a library gives a message and status 3.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>

namespace g6bench {

// A line of the table that could not be written.
struct OutputLost : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Output {
public:
    // file: gets a copy; "" for none.  Throws Failure when it cannot be written.
    explicit Output(const std::string &file);
    ~Output();
    Output(const Output &) = delete;
    Output &operator=(const Output &) = delete;

    // Adds the newline.  Throws OutputLost.
    void line(const std::string &text);

private:
    std::FILE *screen_ = nullptr;
    std::FILE *copy_ = nullptr;
    std::string copy_name_;
};

}  // namespace g6bench
