// SPDX-License-Identifier: MIT
// Errors and messages.  Inside the library errors are thrown as Error.  At the C edge guard() turns
// them into a status and keeps the text for g6_last_error().
//
// Invariants of the log
//  * By default (G6_LOG=error) stderr gets one line for each kind of event that makes results
//    wrong, was refused, or cost a device, because many codes ignore status codes.  Two events are
//    of one kind when the same call gave the same status.  Refused settings are of one kind only if
//    the message is the same, too; after sixteen such messages the message does not count.
//  * A line for stderr appears at once.  A line for the user's function waits until the outermost
//    call of the interface on its thread ends.  The thread then holds no lock of the library and
//    has no work half done, so that the function may make any call.
//  * Calls that the function makes log nothing, and leave g6_last_error() as it was for the caller
//    of the library.
//  * When set_log_function() returns, the earlier function runs in no thread, and no thread will
//    call it.  There is one exception: a set_log_function() that the user's function itself calls
//    does not wait for other threads.
//  * No thread is cancelled inside a CallScope: glibc unwinds the stack of a thread that ends, and
//    ends the process where the unwinding meets a noexcept function or a catch (...) that
//    does not rethrow.
//    A call without a CallScope logs nothing while it works, and comes to no cancellation point.
//    It may take memory, lock mutexes and run loops on the pool's threads, but it opens, reads and
//    writes no file, and calls no driver.
//  * The user's function may end its thread by pthread_exit().  The unwinding then starts in the
//    destructor of the outermost CallScope.  So no function between this destructor and the caller
//    of the library is noexcept.  Lines behind the one for which the function ended its thread are
//    lost.
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

// Logs one line, without newline.  Costs a comparison when the level is off.  Throws nothing: when
// memory is short the line is lost.
void log(LogLevel level, const char *format, ...) G6_PRINTF(2, 3);
bool log_wanted(LogLevel level);
// Sets the level that G6_LOG names.
void set_log_level(LogLevel level);
// Reads G6_LOG at its first call, so that even the first line of a program obeys it.  Defined by
// the settings (settings/config.cpp).
void read_log_level() noexcept;
// A function in place of stderr; null: back to stderr and the level of G6_LOG.
void set_log_function(g6_log_function function, int level, void *user);

// An object of this class lives as long as one call of the interface, or as several calls that are
// one for the caller.  Lines for the user's function wait for the end of the outermost one.
class CallScope {
public:
    CallScope() noexcept;
    // Throws where the user's function ends its thread.  No exception destroys an outermost
    // CallScope: guard() and guard_quick() have caught it.
    ~CallScope() noexcept(false);
    CallScope(const CallScope &) = delete;
    CallScope &operator=(const CallScope &) = delete;

private:
    int cancel_state_ = 0;  // of the thread, outside the outermost scope
};
// Whether the calling thread is inside a CallScope.
bool in_call_scope() noexcept;

// The text of the table of status codes in g6lib.h.
const char *status_text(int status);
const char *last_error();
// Keeps text as the thread's last error, and returns status.  where: a string literal.
int keep_error(const char *where, int status, const char *text) noexcept;
// Logs the error that was kept last, and returns status.
int log_kept_error(const char *where, int status);
// keep_error() and log_kept_error() together.
int report(const char *where, int status, const char *text);
// Each line of a text is an event of its own; the last error has all lines.
int report_lines(const char *where, int status, const std::string &lines);
// As report(), for a refusal that a client may meet a million times.  It takes some ten
// nanoseconds, because the text is made only when somebody reads it.  format: a literal with one
// %d.
int refuse(const char *where, int status, const char *format, int number);

// Runs f, which returns a status; turns any exception into a status.  This form, without a
// CallScope, is for an f that does not log and has no cancellation point.
template <class F> int guard_quick(const char *where, F &&f)
{
    int status;
    try {
        return f();
    } catch (const Error &e) {
        status = keep_error(where, e.status(), e.what());
    } catch (const std::bad_alloc &) {
        status = keep_error(where, G6_ERR_MEMORY, "host memory exhausted; use fewer particles");
    } catch (const std::exception &e) {
        status = keep_error(where, G6_ERR_INTERNAL, e.what());
    } catch (...) {
        status = keep_error(where, G6_ERR_INTERNAL, "an unknown exception was thrown");
    }
    // Outside the handlers, because logging may end the thread, which must not happen while an
    // exception is handled.
    return log_kept_error(where, status);
}

// As guard_quick(), in a CallScope, for an f that may log or has a cancellation point.
template <class F> int guard(const char *where, F &&f)
{
    const CallScope scope;
    return guard_quick(where, f);
}

}  // namespace g6
