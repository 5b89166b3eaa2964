// SPDX-License-Identifier: MIT
#include "status.h"

#include <atomic>
#include <condition_variable>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <unistd.h>

namespace g6 {
namespace {

constexpr size_t kMostText = 1024;

// Where the user wants the lines.
struct Target {
    g6_log_function function;
    void *user;
    pid_t process;    // that set it
    int running = 0;  // threads in the function, under Sink::mutex
};

struct Sink {
    std::mutex mutex;  // never held while the function runs
    std::condition_variable returned;
    std::shared_ptr<Target> target;  // null: stderr
    int stderr_level = kLogNone;
    std::atomic<int> level{kLogNone};
};

Sink &sink()
{
    static Sink *s = new Sink;  // outlives every static destructor
    return *s;
}

struct Line {
    LogLevel level;
    char text[kMostText];
    Line *next;
};

// Plain storage: no destructor runs at thread or program end, when no line waits.
struct Thread {
    char last_error[kMostText];
    int calls;              // of the interface, one within the other
    bool in_function;       // the user's function is at work
    Line *first, **behind;  // lines that wait; behind: the link after the last one
};
thread_local Thread t_thread;

void print(LogLevel level, const char *text)
{
    constexpr const char *names[] = {"none", "error", "warn", "info", "debug"};
    std::fprintf(stderr, "g6gpu %s: %s\n", names[level], text);
}

void pass_on(const Line &line)
{
    Sink &s = sink();
    std::unique_lock<std::mutex> lock(s.mutex);
    const std::shared_ptr<Target> target = s.target;
    if (line.level > s.level) return;
    if (!target) return print(line.level, line.text);
    target->running++;
    lock.unlock();
    try {
        target->function(line.level, line.text, target->user);
    } catch (...) {  // of no interest to the caller of the library
    }
    lock.lock();
    target->running--;
    s.returned.notify_all();
}

void pass_on_waiting_lines()
{
    Thread &t = t_thread;
    char kept[kMostText];
    std::memcpy(kept, t.last_error, sizeof kept);
    t.in_function = true;
    while (const std::unique_ptr<Line> line{t.first}) {
        t.first = line->next;
        pass_on(*line);
    }
    t.in_function = false;
    std::memcpy(t.last_error, kept, sizeof kept);
}

void add_waiting_line(LogLevel level, const char *text)
{
    Thread &t = t_thread;
    Line *line = new (std::nothrow) Line;
    if (!line) return;
    line->level = level;
    line->next = nullptr;
    std::snprintf(line->text, sizeof line->text, "%s", text);
    *(t.first ? t.behind : &t.first) = line;
    t.behind = &line->next;
}

enum class Way { kNone, kStderr, kFunction };

// Where a line goes, by level and target of one moment.
Way way_of(LogLevel level)
{
    Sink &s = sink();
    std::lock_guard<std::mutex> lock(s.mutex);
    return level > s.level ? Way::kNone : s.target ? Way::kFunction : Way::kStderr;
}

}  // namespace

Error::Error(int status, const char *format, ...) : status_(status)
{
    va_list args;
    char text[kMostText];
    va_start(args, format);
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    text_ = text;
}

bool log_wanted(LogLevel level)
{
    return level <= sink().level.load(std::memory_order_relaxed);
}

void log(LogLevel level, const char *format, ...)
{
    if (!log_wanted(level) || t_thread.in_function) return;
    char text[kMostText];
    va_list args;
    va_start(args, format);
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const Way way = way_of(level);
    if (way == Way::kStderr) print(level, text);
    if (way == Way::kFunction) add_waiting_line(level, text);
    if (t_thread.first && t_thread.calls == 0) pass_on_waiting_lines();
}

CallScope::CallScope() noexcept
{
    t_thread.calls++;
}

CallScope::~CallScope()
{
    if (--t_thread.calls == 0 && t_thread.first && !t_thread.in_function) pass_on_waiting_lines();
}

void set_log_level(LogLevel level)
{
    Sink &s = sink();
    std::lock_guard<std::mutex> lock(s.mutex);
    s.stderr_level = level;
    if (!s.target) s.level = level;
}

void set_log_function(g6_log_function function, int level, void *user)
{
    std::shared_ptr<Target> target;
    if (function) target = std::make_shared<Target>(Target{function, user, getpid()});
    Sink &s = sink();
    std::unique_lock<std::mutex> lock(s.mutex);
    s.target.swap(target);
    s.level = function ? level : s.stderr_level;
    // Threads of a parent process do not go on here.
    const bool may_run = target && target->process == getpid();
    if (may_run && !t_thread.in_function)
        s.returned.wait(lock, [&] { return target->running == 0; });
}

const char *last_error()
{
    return t_thread.last_error;
}

int report(const char *where, int status, const char *text) noexcept
{
    std::snprintf(t_thread.last_error, kMostText, "%s: %s", where, text);
    log(kLogError, "%s", t_thread.last_error);
    return status;
}

}  // namespace g6
