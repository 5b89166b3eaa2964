// SPDX-License-Identifier: MIT
// Makes a call to the library, in any of its forms, and returns all that the library answered.
#pragma once

#include "call.h"

#include <string>

namespace g6fuzz {

// Values that no result has: what the library left alone is seen.
constexpr double kUntouched = -12345.678;
constexpr int kUntouchedInt = -987654321;

// Outputs have one row more than the call may write.
struct Answer {
    int status = 0;
    bool has_status = true;
    int rows = 0;                                                  // of the outputs below
    const double *acc = nullptr, *jerk = nullptr, *pot = nullptr;  // null: not given
    const int *nearest = nullptr, *flag = nullptr;
    const float *distance = nullptr;
    const double *x = nullptr, *v = nullptr;  // predicted
    int length = kUntouchedInt;               // *nblen
    const int *list = nullptr;
    // Of calls that give one, g6_last_error() where the status is not 0, and of g6_get_stats() the
    // library's last line about a device that it has lost.
    std::string text;
    double numbers[16] = {};  // of a struct
    std::string complaint;    // what the call did that no call may do; "" when it did not
};

class Library {
public:
    Library();
    ~Library();
    Library(const Library &) = delete;
    Library &operator=(const Library &) = delete;

    // Listens to the library's errors.  The environment must be as the calls shall find it.
    void hear_errors();
    // rows: i-particles that the low-level group holds, by the model.  Valid until the next call.
    const Answer &make(const Call &call, int rows);

private:
    struct Space;
    void dispatch(const Call &call, int rows);
    void call_block(const Call &call);
    void call_force(const Call &call, int rows);
    void call_list(const Call &call);
    void call_prediction(const Call &call);
    void call_particle(const Call &call);
    void call_simple(const Call &call);
    void call_text(const Call &call);
    void call_struct(const Call &call);
    static void take_line(int level, const char *line, void *self);

    Space *space_;
    Answer answer_;
    bool traps_ = false;
    bool nested_ = false, talks_ = false;
    std::string lost_;  // the library's last line about a device that it has lost
};

}  // namespace g6fuzz
