// SPDX-License-Identifier: MIT
// Makes the calls of a recorded session on a library, through the Fortran names that every GRAPE-6
// library has, and through C names where the interface has no others.
#pragma once

#include "../common/library_log.h"
#include "../common/recording.h"

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace g6bench {

using g6tools::RecordedCall;

// What a call gave back.  The arrays have the lengths of the recorded ones.
struct Replayed {
    int status = 0;
    double seconds = 0;
    std::vector<std::vector<double>> doubles;  // those behind the bar of the kind's row
    std::vector<int> nearest, list;
};

class Player {
public:
    // file: as for SharedLibrary.  skipped: keys of settings whose g6_set_option() is left out.
    Player(const std::string &file, std::set<std::string> skipped);

    const std::string &file() const { return library_.file(); }
    // Whether it is libg6gpu, whose status codes mean something in every call.
    bool is_own() const { return library_.symbol("g6_version") != nullptr; }
    // Lets the log collect what the library reports from here on.
    void report_to(g6tools::LibraryLog &log) const;
    // Version and backend, once a cluster is open.
    std::string describe() const;

    // Nothing when the library lacks the call, or the call is left out.
    std::optional<Replayed> play(RecordedCall &call);

private:
    template <class... Args> bool make(const RecordedCall &c, const char *name, Args... args);
    template <class... Args> bool make_c(const char *name, Args... args);
    template <class... Args> void timed(int (*function)(Args...), Args... args);
    void *find(const std::string &name);
    bool play_write(RecordedCall &c);
    bool play_half(RecordedCall &c);
    bool play_list(RecordedCall &c);
    bool play_pipes(RecordedCall &c);
    bool play_setting(RecordedCall &c);
    bool play_other(RecordedCall &c);
    bool ask(int id);

    g6tools::SharedLibrary library_;
    const std::set<std::string> skipped_;
    std::unordered_map<std::string, void *> known_;
    Replayed result_;
    int any_id_ = 0;
    int most_pipes_ = 0;  // pipes of any cluster, at most; a refused g6_get_force() records fewer
    // Outputs that are not compared, and hints for libraries that read them.
    std::vector<double> zeros_;
    std::vector<float> distances_;
    std::vector<int> flags_;
};

}  // namespace g6bench
