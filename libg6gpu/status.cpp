// SPDX-License-Identifier: MIT
#include "status.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <mutex>

namespace g6 {
namespace {

std::string format_text(const char *format, va_list args)
{
    char text[1024];
    std::vsnprintf(text, sizeof text, format, args);
    return text;
}

// Plain storage: no destructor runs at thread or program end.
thread_local char t_last_error[1024];

struct Sink {
    std::mutex mutex;
    g6_log_function function = nullptr;
    void *user = nullptr;
    int stderr_level = kLogNone;
    std::atomic<int> level{kLogNone};
};

Sink &sink()
{
    static Sink *s = new Sink;  // outlives every static destructor
    return *s;
}

constexpr const char *kLevelNames[] = {"none", "error", "warn", "info", "debug"};

}  // namespace

Error::Error(int status, const char *format, ...) : status_(status)
{
    va_list args;
    va_start(args, format);
    text_ = format_text(format, args);
    va_end(args);
}

bool log_wanted(LogLevel level)
{
    return level <= sink().level.load(std::memory_order_relaxed);
}

void log(LogLevel level, const char *format, ...)
{
    if (!log_wanted(level)) return;
    va_list args;
    va_start(args, format);
    const std::string line = format_text(format, args);
    va_end(args);
    Sink &s = sink();
    std::lock_guard<std::mutex> lock(s.mutex);
    if (s.function)
        s.function(level, line.c_str(), s.user);
    else
        std::fprintf(stderr, "g6gpu %s: %s\n", kLevelNames[level], line.c_str());
}

void set_log_level(LogLevel level)
{
    Sink &s = sink();
    std::lock_guard<std::mutex> lock(s.mutex);
    s.stderr_level = level;
    if (!s.function) s.level = level;
}

void set_log_function(g6_log_function function, int level, void *user)
{
    Sink &s = sink();
    std::lock_guard<std::mutex> lock(s.mutex);
    s.function = function;
    s.user = user;
    s.level = function ? level : s.stderr_level;
}

const char *last_error()
{
    return t_last_error;
}

int report(const char *where, int status, const char *text) noexcept
{
    std::snprintf(t_last_error, sizeof t_last_error, "%s: %s", where, text);
    try {
        log(kLogError, "%s", t_last_error);
    } catch (...) {  // no memory for the line: the text above is kept
    }
    return status;
}

}  // namespace g6
