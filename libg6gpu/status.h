// SPDX-License-Identifier: MIT
// Errors and talk.  Inside the library errors are thrown as Error; guard() turns them into a status
// code at the C edge and keeps the text for g6_last_error().  Nothing is printed unless G6_LOG or a
// callback asks for it.
#pragma once

#include "../include/g6lib.h"

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

// One line, without newline.  Costs a comparison when the level is off.
void log(LogLevel level, const char *format, ...) G6_PRINTF(2, 3);
bool log_wanted(LogLevel level);
// The level that G6_LOG named.
void set_log_level(LogLevel level);
// Callback in place of stderr; null: back to stderr and the level of G6_LOG.
void set_log_function(g6_log_function function, int level, void *user);

const char *last_error();
// Keeps text as the thread's last error, logs it, returns status.
int report(const char *where, int status, const char *text) noexcept;

// Runs f, which returns a status; no exception leaves.
template <class F> int guard(const char *where, F &&f) noexcept
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

}  // namespace g6
