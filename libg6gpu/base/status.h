// SPDX-License-Identifier: MIT
// Errors and talk.  Inside the library errors are thrown as Error; guard() turns them into a status
// code at the C edge and keeps the text for g6_last_error().
//
// Invariants of the log
//  * By default (G6_LOG=error) stderr has one line for each kind of event that makes results wrong,
//    was refused, or cost a device: codes ignore status codes.  Further events of a kind are counted
//    and told at g6_close() and at the end of the process.  Two events are of one kind when the same
//    call gave the same status.
//  * A line for stderr appears at once.  A line for the user's function waits until the outermost
//    call of the interface on its thread ends; then that thread holds no lock of the library and
//    has no work half done, and the function may make any call.
//  * Calls that the function makes log nothing, and leave g6_last_error() as it was for the caller
//    of the library.
//  * When set_log_function() returns, the earlier function runs in no thread and is not called any
//    more; only a function that itself sets another does not wait for those in other threads.
#pragma once

#include "../../include/g6lib.h"

#include <exception>
#include <new>
#include <string>

namespace g6 {

#define G6_PRINTF(f, a) __attribute__((format(printf, f, a)))

class Error : public std::exception {
public:
    // text: what failed, where, and what to do about it.
    Error(int status, const char *format, ...) G6_PRINTF(3, 4);
    int status() const { return status_; }
    const char *what() const noexcept override { return text_.c_str(); }

private:
    int status_;
    std::string text_;
};

enum LogLevel { kLogNone = 0, kLogError = 1, kLogWarn = 2, kLogInfo = 3, kLogDebug = 4 };

// One line, without newline.  Costs a comparison when the level is off.  Throws nothing: without
// memory the line is lost.
void log(LogLevel level, const char *format, ...) G6_PRINTF(2, 3);
bool log_wanted(LogLevel level);
// The level that G6_LOG named.
void set_log_level(LogLevel level);
// Reads G6_LOG, the first time: it counts from the first line on, whatever call makes it.  The
// settings define this function (settings/config.cpp).
void read_log_level() noexcept;
// A function in place of stderr; null: back to stderr and the level of G6_LOG.
void set_log_function(g6_log_function function, int level, void *user);

// Lasts as long as a call of the interface, or several that are one for the caller.
class CallScope {
public:
    CallScope() noexcept;
    ~CallScope();
    CallScope(const CallScope &) = delete;
    CallScope &operator=(const CallScope &) = delete;
};

const char *last_error();
// Keeps text as the thread's last error, logs it, returns status.  where: a string literal.
int report(const char *where, int status, const char *text) noexcept;
// The same for a refusal that a client may meet a million times: some ten nanoseconds, as long as
// nobody reads the text.  format: a literal with one %d.
int refuse(const char *where, int status, const char *format, int number) noexcept;
// Tells how many events of each kind stderr has not seen: all of them at the end of the process, else
// only of kinds that have become ten times as many, for codes that open and close in every step.
void tell_counts(bool at_end) noexcept;

// Runs f, which returns a status; no exception leaves.  For calls that hold no lock and have
// no work half done when they log: these need no CallScope.
template <class F> int guard_quick(const char *where, F &&f) noexcept
{
    try {
        return f();
    } catch (const Error &e) {
        return report(where, e.status(), e.what());
    } catch (const std::bad_alloc &) {
        return report(where, G6_ERR_MEMORY, "host memory exhausted; use fewer particles");
    } catch (const std::exception &e) {
        return report(where, G6_ERR_INTERNAL, e.what());
    } catch (...) {
        return report(where, G6_ERR_INTERNAL, "unknown exception");
    }
}

// The same for all other calls.
template <class F> int guard(const char *where, F &&f) noexcept
{
    const CallScope scope;
    return guard_quick(where, f);
}

}  // namespace g6
