// SPDX-License-Identifier: MIT
// What a library reports by g6_set_log() while a tool uses it.  A tool tells its user of settings
// that are unknown or not possible even with G6_LOG=none.  So it must listen before it opens a
// cluster, at which the library reads its settings.
#pragma once

#include <g6lib.h>

#include <mutex>
#include <string>
#include <vector>

namespace g6tools {

// The single errors of one line of the log, without the name of the call that reported them.
std::vector<std::string> error_texts(const std::string &line);

// One sentence for each setting of trees in the environment that has no effect, since the library's
// mode computes direct sums.
std::vector<std::string> idle_settings(const std::string &mode);

class LibraryLog {
public:
    // echo: name of the tool, under which each error goes to stderr at once; "": errors are only
    // kept.  Lines of lower levels go to stderr as far as G6_LOG asks for them.
    explicit LibraryLog(std::string echo = "");
    ~LibraryLog();
    LibraryLog(const LibraryLog &) = delete;
    LibraryLog &operator=(const LibraryLog &) = delete;

    // set_log: the library's own g6_set_log; null for a library that has none.
    void listen(decltype(&g6_set_log) set_log);

    // Adds each text as an error of the library.
    void add_errors(const std::vector<std::string> &texts);

    // The errors so far, each text once, without the name of the call that reported it.
    std::vector<std::string> errors() const;
    // What the library computes on, as "cuda device 0,1"; "" when it has not said so.
    std::string device() const;

private:
    static void collect(int level, const char *line, void *user);
    void add(int level, const std::string &line);
    void add_error(const std::string &text);

    const std::string echo_;
    const int level_;  // G6_LOG as a number
    mutable std::mutex mutex_;
    std::vector<decltype(&g6_set_log)> libraries_;
    std::vector<std::string> errors_;
    std::string device_;
};

}  // namespace g6tools
