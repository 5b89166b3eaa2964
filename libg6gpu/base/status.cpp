// SPDX-License-Identifier: MIT
// Keeps the last error of each thread, knows the kinds of events that stderr has a line of, and
// passes lines to stderr or to the user's log function.
#include "status.h"

#include "fork.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cxxabi.h>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <utility>

namespace g6 {
namespace {

constexpr size_t kMostText = 1024;

struct Line {
    LogLevel level;
    char text[kMostText];
    Line *next;
};

// The user's log function.
class LogTarget {
public:
    LogTarget(g6_log_function function, void *user) : function_(function), user_(user) {}
    void operator()(const Line &line) const { function_(line.level, line.text, user_); }
    // Threads of this process that are in the function; under Sink::mutex.  The threads of a parent
    // are not in its child, and never leave the function there.
    int &running()
    {
        if (std::exchange(generation_, fork_generation()) != fork_generation()) running_ = 0;
        return running_;
    }

private:
    const g6_log_function function_;
    void *const user_;
    unsigned generation_ = fork_generation();
    int running_ = 0;
};

// A kind of event that stderr has a line of.
struct Kind {
    const char *key = nullptr;  // the literal that names the call or the message
    int status = 0;
    std::uint64_t words = 0;  // hash of one of the first messages about settings; else 0
};

// FNV-1a, and never 0.
std::uint64_t hash_of(const char *text)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (; *text; text++) hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3u;
    return hash ? hash : 1;
}

struct Kinds {
    static constexpr int kMost = 64;
    // Messages about settings that are kinds of their own.  Further messages of a call are one
    // kind, so that a program that tries many values leaves room for other events.
    static constexpr int kMostSettings = 16;
    Kind kind[kMost];
    std::atomic<int> known{0};
    int settings = 0;  // kinds that are one message about a setting; under Sink::mutex

    bool has(const char *key, int status, std::uint64_t words = 0) const
    {
        const int n = known.load(std::memory_order_acquire);
        return std::any_of(kind, kind + n, [&](const Kind &k) {
            return k.key == key && k.status == status && k.words == words;
        });
    }
    // Adds the kind of an event, under Sink::mutex.  False when it is known, and when there are too
    // many kinds.
    bool add(const char *key, int status, const char *text)
    {
        std::uint64_t words = status == G6_ERR_OPTION ? hash_of(text) : 0;
        if (has(key, status, words)) return false;
        if (words && settings == kMostSettings && has(key, status, words = 0)) return false;
        const int n = known.load(std::memory_order_relaxed);
        if (n == kMost) return false;
        kind[n] = {key, status, words};
        settings += words != 0;
        known.store(n + 1, std::memory_order_release);
        return true;
    }
};

// Where lines go.
struct Sink {
    Sink() { renew_in_children(returned); }
    std::mutex mutex;  // never held while the function runs
    std::condition_variable returned;
    std::shared_ptr<LogTarget> target;  // null: stderr
    int stderr_level = kLogError;
    std::atomic<int> level{kLogError};
    std::atomic<bool> has_function{false};
    Kinds kinds;
};

Sink &sink()
{
    return of_process<Sink>();
}

// Made while the library is loaded (fork.h).
[[maybe_unused]] const bool g_made = (sink(), true);

// Whether stderr gets each line, of errors too.
bool tells_all()
{
    return sink().has_function || sink().level.load(std::memory_order_relaxed) == kLogDebug;
}

// What the log keeps for one thread.  Plain data: no destructor has to run at the end of the thread
// or the program.
struct ThreadErrors {
    char last_error[kMostText];
    // A refusal whose text nobody has asked for yet.
    struct {
        const char *where, *format;
        int number;
    } refusal;
    int calls;              // of the interface, one within the other
    bool in_function;       // the user's function is at work
    Line *first, **behind;  // lines that wait; behind: the link after the last one
};
thread_local ThreadErrors t_thread;

void print(LogLevel level, const char *text)
{
    constexpr const char *names[] = {"none", "error", "warn", "info", "debug"};
    std::fprintf(stderr, "g6gpu %s: %s\n", names[level], text);
}

// Counts a thread that is in the user's function, which may end the thread.  The constructor gets
// the locked mutex of the sink and unlocks it before the function runs.
class TargetInUse {
public:
    TargetInUse(std::shared_ptr<LogTarget> target, std::unique_lock<std::mutex> &lock)
        : target_(std::move(target))
    {
        target_->running()++;
        lock.unlock();
    }
    ~TargetInUse()
    {
        const std::lock_guard<std::mutex> lock(sink().mutex);
        if (generation_ == fork_generation()) target_->running()--;
        sink().returned.notify_all();
    }
    TargetInUse(const TargetInUse &) = delete;
    TargetInUse &operator=(const TargetInUse &) = delete;
    const LogTarget &target() const { return *target_; }

private:
    const std::shared_ptr<LogTarget> target_;
    const unsigned generation_ = fork_generation();
};

// no_sanitize: glibc ends a thread by an exception that has no object.  The handler's reference is
// then null; the handler does not use it, but GCC's -fsanitize=null reports it.
__attribute__((no_sanitize("null"))) void pass_on(const Line &line)
{
    Sink &s = sink();
    std::unique_lock<std::mutex> lock(s.mutex);
    if (line.level > s.level) return;
    if (!s.target) return print(line.level, line.text);
    const TargetInUse call(s.target, lock);
    try {
        call.target()(line);
        // The function may have changed whether the thread can be cancelled.
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
#ifdef __GLIBCXX__  // libc++ has no name for this exception: there the program ends
    } catch (const abi::__forced_unwind &) {
        throw;  // the thread ends, and glibc wants to go on unwinding
#endif
    } catch (...) {  // of no interest to the caller of the library
    }
}

// The thread's state while the user's function runs.
class InFunction {
public:
    InFunction()
    {
        std::memcpy(last_error_, last_error(), sizeof last_error_);  // makes a refusal's text, too
        t_thread.in_function = true;
    }
    ~InFunction()
    {
        ThreadErrors &t = t_thread;
        while (next()) {  // drops the lines that are left where the function ended the thread
        }
        t.in_function = false;
        std::memcpy(t.last_error, last_error_, sizeof last_error_);
        t.refusal.format = nullptr;
    }
    InFunction(const InFunction &) = delete;
    InFunction &operator=(const InFunction &) = delete;
    // Takes the line that has waited longest out of the list; null: there is none.
    static std::unique_ptr<Line> next()
    {
        std::unique_ptr<Line> line(t_thread.first);
        if (line) t_thread.first = line->next;
        return line;
    }

private:
    char last_error_[kMostText];
};

void pass_on_waiting_lines()
{
    const InFunction in_function;
    while (const std::unique_ptr<Line> line = InFunction::next()) pass_on(*line);
}

void add_waiting_line(LogLevel level, const char *text)
{
    ThreadErrors &t = t_thread;
    Line *line = new (std::nothrow) Line;
    if (!line) return;
    line->level = level;
    line->next = nullptr;
    std::snprintf(line->text, sizeof line->text, "%s", text);
    *(t.first ? t.behind : &t.first) = line;
    t.behind = &line->next;
}

enum class Way { kNone, kStderr, kFunction };

// Where a line goes; level and target are read under one lock.  key, status: the kind of an error,
// which has one line on stderr.
Way way_of(LogLevel level, const char *key, int status, const char *text)
{
    Sink &s = sink();
    std::lock_guard<std::mutex> lock(s.mutex);
    if (level > s.level) return Way::kNone;
    if (s.target) return Way::kFunction;
    const bool has_one_line = level == kLogError && !tells_all();
    return has_one_line && !s.kinds.add(key, status, text) ? Way::kNone : Way::kStderr;
}

// Sends a line where lines of its level go.  The caller has a CallScope.
void say(LogLevel level, const char *key, int status, const char *text) noexcept
{
    const Way way = way_of(level, key, status, text);
    if (way == Way::kStderr) print(level, text);
    if (way == Way::kFunction) add_waiting_line(level, text);
}

}  // namespace

bool log_wanted(LogLevel level)
{
    return level <= sink().level.load(std::memory_order_relaxed);
}

void log(LogLevel level, const char *format, ...)
{
    if (!log_wanted(level) || t_thread.in_function) return;
    const CallScope scope;
    char text[kMostText];
    va_list args;
    va_start(args, format);
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say(level, format, G6_OK, text);
}

CallScope::CallScope() noexcept
{
    if (t_thread.calls++ == 0) pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state_);
}

// A thread that ends in the user's function leaves this destructor with cancellation off.  This
// changes nothing, since the thread is ending.
CallScope::~CallScope() noexcept(false)
{
    ThreadErrors &t = t_thread;
    if (--t.calls > 0) return;
    if (t.first && !t.in_function) pass_on_waiting_lines();
    pthread_setcancelstate(cancel_state_, nullptr);
}

bool in_call_scope() noexcept
{
    return t_thread.calls > 0;
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
    std::shared_ptr<LogTarget> target;
    if (function) target = std::make_shared<LogTarget>(function, user);
    Sink &s = sink();
    std::unique_lock<std::mutex> lock(s.mutex);
    s.target.swap(target);
    s.has_function = function != nullptr;
    s.level = function ? level : s.stderr_level;
    if (target && !t_thread.in_function)
        s.returned.wait(lock, [&] { return target->running() == 0; });
}

const char *status_text(int status)
{
    switch (status) {
#define G6_STATUS_CASE(code, value, text, remedy)                                                  \
    case code: return text;
        G6_STATUS_TABLE(G6_STATUS_CASE)
#undef G6_STATUS_CASE
    }
    return "unknown status";
}

const char *last_error()
{
    ThreadErrors &t = t_thread;
    if (t.refusal.format) {
        char text[kMostText / 2];
        std::snprintf(text, sizeof text, t.refusal.format, t.refusal.number);
        std::snprintf(t.last_error, kMostText, "%s: %s", t.refusal.where, text);
        t.refusal.format = nullptr;
    }
    return t.last_error;
}

int keep_error(const char *where, int status, const char *text) noexcept
{
    ThreadErrors &t = t_thread;
    t.refusal.format = nullptr;
    std::snprintf(t.last_error, kMostText, "%s: %s", where, text);
    return status;
}

int log_kept_error(const char *where, int status)
{
    const CallScope scope;
    read_log_level();
    if (log_wanted(kLogError) && !t_thread.in_function)
        say(kLogError, where, status, t_thread.last_error);
    return status;
}

int report(const char *where, int status, const char *text)
{
    return log_kept_error(where, keep_error(where, status, text));
}

int report_lines(const char *where, int status, const std::string &lines)
{
    for (size_t at = 0; at < lines.size();) {
        const size_t end = std::min(lines.find('\n', at), lines.size());
        report(where, status, lines.substr(at, end - at).c_str());
        at = end + 1;
    }
    return keep_error(where, status, lines.c_str());
}

int refuse(const char *where, int status, const char *format, int number)
{
    t_thread.refusal = {where, format, number};
    if (!log_wanted(kLogError) || (!tells_all() && sink().kinds.has(where, status))) return status;
    char text[kMostText / 2];
    std::snprintf(text, sizeof text, format, number);
    return report(where, status, text);
}

}  // namespace g6
