// SPDX-License-Identifier: MIT
// A client that knows what to ask of a library without memory: each call gives its right result, or
// a status with a text and outputs of zero; and the same call is right once there is memory again.
#pragma once

#include "shortage/shortage.h"
#include "tests/blocks.h"

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
    bool points = false;          // makes calls of the GRAPE-5, too
    bool host_sums = false;       // has a block that the host sums, too
};

const std::vector<Session> &sessions();

// How long memory is short.
enum class Spell {
    kOne,      // one request is refused
    kAnError,  // all are, until a call returns an error
    kLong,     // all are, until the session's end; then it is gone through once more
};

// One way through a session.
class Client {
public:
    // What the blocks of a session should give, found without the library.
    using Answers = std::vector<std::vector<Expected>>;

    Client(const Session &session, Spell spell) : session_(session), spell_(spell) {}
    static Answers answers(const Session &session);
    // Returns what was wrong, "" when nothing was.  What is refused must have been set.
    std::string run(const Answers &answers);
    // For a session without refusals.
    std::string run_with_memory(const Answers &answers);

private:
    void go_through();
    void set_up();
    void write_all(unsigned seed);
    void write(int first, int n);
    void send(int first, int n);
    void set_time(double ti);
    void block(int first, int n, bool nearest);
    void check(const IBlock &block);
    void check_written(const IBlock &block);
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
    const Spell spell_;
    const Answers *answers_ = nullptr;
    Answers *noted_ = nullptr;  // to be filled, without calls
    std::string problem_;
    size_t block_ = 0;     // number of the next one
    bool known_ = true;    // every call so far has done its work
    bool certain_ = true;  // else: written_, written_ti_ and the settings are what they should be
    bool patient_ = true;  // what fails is called again
    bool short_ = false;   // requests are refused

    std::vector<Body> bodies_;
    double ti_ = 0;
    Memory written_;  // by calls that returned 0
    double written_ti_ = 0;
    Output out_{0};
};

}  // namespace g6test
