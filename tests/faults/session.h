// SPDX-License-Identifier: MIT
// A client for a library that is short of memory or whose driver fails: each call must give its
// right result, or a status with a text and outputs of zero; and the call must be right again once
// nothing fails.
#pragma once

#include "tests/blocks.h"

#include <functional>
#include <string>
#include <vector>

namespace g6test {

enum class Sending { kSingle, kBulk, kPoints };

struct Session {
    const char *name;
    const char *backend, *devices;
    const char *folder;  // of loadable backends, below the build folder; "": none
    const char *mode;
    int threads, bodies;
    Sending sending = Sending::kSingle;
    const char *other_mode = "";  // goes there and back
    const char *debug = "";       // G6_DEBUG
    bool of_one_cluster = false;  // without the calls that concern the whole process
    bool points = false;          // makes calls of the GRAPE-5, too
    bool host_sums = false;       // has a block that the host sums, too
    bool in_place = false;        // in one process, when asked for by name: MPI starts only once
};

const std::vector<Session> &sessions();

// What fails while a session is gone through.
struct Failures {
    std::function<bool()> met;  // whether something has failed
    std::function<void()> end;  // nothing fails any more; null: only the session's end is the end
    bool lasting = false;       // until the session's end: what fails is not called again
};

// One way through a session.
class Client {
public:
    // What the blocks of a session should give, found without the library.
    using Answers = std::vector<std::vector<Expected>>;

    explicit Client(const Session &session, Failures failures = {})
        : session_(session), failures_(std::move(failures)), patient_(!failures_.lasting)
    {
    }
    static Answers answers(const Session &session);
    // Returns what was wrong, "" when nothing was.
    std::string run(const Answers &answers);
    int statuses() const { return statuses_; }                  // calls that were refused
    std::string last_backend() const { return last_backend_; }  // before the last close

private:
    void go_through();
    void set_up();
    void write_all(unsigned seed);
    void write(int first, int n);
    void send(int first, int n);
    void set_time(double ti);
    void grow(int n);
    void live_in(const char *precision, unsigned seed);
    void block(int first, int n, bool nearest, double error = 0);
    void check(const IBlock &block, double error);
    void check_written(const IBlock &block, double error);
    void check_zeros();
    void lists(const IBlock &block);
    void low_level(int first, int n);
    void points(int n);
    void host_sums();
    void ask();
    void ask_about_all();
    void close();
    void option(const char *key, const char *value);
    template <class F> bool call(const char *what, F &&f);
    void wrong(const std::string &what);
    int nj() const { return static_cast<int>(bodies_.size()); }

    const Session &session_;
    const Failures failures_;
    const Answers *answers_ = nullptr;
    Answers *noted_ = nullptr;  // to be filled, without calls
    std::string problem_;
    size_t block_ = 0;     // number of the next one
    bool known_ = true;    // every call so far has done its work
    bool certain_ = true;  // else: written_, written_ti_ and the settings are what they should be
    bool patient_;         // what fails is called again
    int statuses_ = 0;
    std::string last_backend_;

    std::vector<Body> bodies_;
    double ti_ = 0;
    Memory written_;  // by calls that returned 0
    double written_ti_ = 0;
    Output out_{0};
};

}  // namespace g6test
