// SPDX-License-Identifier: MIT
// Goes through sessions of calls in processes of their own, each time with another request for
// memory or a thread refused, and counts those that end badly: a crash, an exit, a hang, a status
// of 0 with a wrong result, an error without a text, something lost or leaked.
//
//   g6test-faults                            all sessions, every request: make faults
//   g6test-faults --every 50                 each 50th request
//   g6test-faults --session NAME --spell one|error|long|leak [--k K]   a part of this; --k: prints
//                                            the callers of a refused request, and of a crash
//   g6test-faults --list                     names of the sessions
//   mpirun -n 1 g6test-faults --session workers --spell one|error : -n 1 g6worker    in one process
#include "session.h"
#include "shortage/shortage.h"
#include "tests/folder.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace g6test {
namespace {

constexpr unsigned kPatience = 60;  // seconds for one way through a session
constexpr int kShown = 5;           // bad outcomes of one row

enum class Test { kOne, kAnError, kLong, kLeak };
constexpr const char *kTests[] = {"one", "error", "long", "leak"};

struct Options {
    std::string session, test;
    long k = 0, every = 1;
};

void start_from_defaults(const Session &s)
{
    const std::string build = build_folder();
    setenv("G6_BACKEND_DIR", *s.folder ? (build + "/" + s.folder).c_str() : "/nowhere", 1);
    if (s.points) setenv("G6_BACKEND", s.backend, 1);
    setenv("XDG_CACHE_HOME", (build + "/cache").c_str(), 1);
}

// ---- in the child -------------------------------------------------------------------------------

// What the child tells its parent.
struct Report {
    long requests;
    char text[400];
};

void tell(int to, const std::string &text)
{
    Report r{requests(), ""};
    std::snprintf(r.text, sizeof r.text, "%s", text.c_str());
    if (write(to, &r, sizeof r) != static_cast<ssize_t>(sizeof r)) _exit(9);
}

void show_crash(int number)
{
    write_callers();
    signal(number, SIG_DFL);
    raise(number);
}

// Memory that is held after the session, when one request of each way through it is refused.
std::string leaked(const Session &s, long k, const Client::Answers &answers)
{
    constexpr int kWarm = 2, kRounds = 4;
    for (int w = 0; w < kWarm; ++w)
        if (const std::string text = Client(s).run(answers); !text.empty()) return text;
    long held[kRounds];
    for (long &h : held) {
        refuse(k ? Refusal::kOnce : Refusal::kNone, k, false);
        std::string text = Client(s, {refused, nullptr}).run(answers);
        refuse_no_more();
        if (text.empty()) text = Client(s).run(answers);
        if (!text.empty()) return text;
        h = pieces();
    }
    const long more = held[kRounds - 1] - held[1];
    return more < kRounds - 2 ? "" : std::to_string(more) + " pieces of memory leaked";
}

// What is wrong with a way through a session when its k-th request is refused, or all from it on
// until a call returns an error, or until the session's end; then it is gone through once more.
std::string way_through(const Session &s, Test test, long k, bool trace,
                        const Client::Answers &answers)
{
    refuse(k == 0               ? Refusal::kNone
           : test == Test::kOne ? Refusal::kOnce
                                : Refusal::kFromThenOn,
           k, trace);
    Failures failures{refused, nullptr, test == Test::kLong};
    if (test == Test::kAnError) failures.end = refuse_no_more;
    std::string text = Client(s, failures).run(answers);
    refuse_no_more();
    if (text.empty() && test == Test::kLong) text = Client(s).run(answers);
    return text;
}

[[noreturn]] void run_child(const Session &s, Test test, long k, bool trace,
                            const Client::Answers &answers, int to)
{
    alarm(kPatience);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    if (trace)
        for (int number : {SIGSEGV, SIGABRT, SIGBUS, SIGALRM}) signal(number, show_crash);
    else if (!freopen("/dev/null", "w", stderr))
        _exit(9);
    start_from_defaults(s);
    tell(to, test == Test::kLeak ? leaked(s, k, answers) : way_through(s, test, k, trace, answers));
    exit(0);  // with all that the library does at the end of a process
}

// ---- in the parent ------------------------------------------------------------------------------

struct Child {
    long k;
    int from;
};

struct Row {
    const Session &session;
    Test test;
    const Client::Answers &answers;
    bool trace = false;
    long requests = 0, runs = 0, bad = 0;
    std::map<pid_t, Child> children{};
};

void start(Row &row, long k)
{
    int ends[2];
    if (pipe(ends) != 0) return perror("pipe"), exit(2);
    std::fflush(stdout);
    const pid_t child = fork();
    if (child < 0) return perror("fork"), exit(2);
    if (child == 0) {
        close(ends[0]);
        run_child(row.session, row.test, k, row.trace, row.answers, ends[1]);
    }
    close(ends[1]);
    row.children[child] = {k, ends[0]};
}

std::string outcome(int status, bool told, const Report &report)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) return "it hangs";
    if (WIFSIGNALED(status)) return "killed by signal " + std::to_string(WTERMSIG(status));
    if (!told) return "the process was ended, status " + std::to_string(WEXITSTATUS(status));
    if (WEXITSTATUS(status)) return "exit status " + std::to_string(WEXITSTATUS(status));
    return report.text;
}

void note(Row &row, long k, const std::string &text)
{
    row.runs++;
    if (!text.empty() && row.bad++ < kShown)
        std::printf("  %s, %s, request %ld: %s\n", row.session.name,
                    kTests[static_cast<int>(row.test)], k, text.c_str());
}

// Waits for one child; returns the requests that it made.
long collect(Row &row)
{
    int status = 0;
    const pid_t pid = wait(&status);
    const auto place = row.children.find(pid);
    if (place == row.children.end()) return 0;
    Report report{};
    const bool told =
        read(place->second.from, &report, sizeof report) == static_cast<ssize_t>(sizeof report);
    close(place->second.from);
    note(row, place->second.k, outcome(status, told, report));
    row.children.erase(place);
    return report.requests;
}

void print(const Row &row, const char *end)
{
    std::printf("%-12s %-6s %8ld %8ld %5ld%s", row.session.name, kTests[static_cast<int>(row.test)],
                row.requests, row.runs, row.bad, end);
    std::fflush(stdout);
}

// First without refusals, which counts the requests.
void run(Row &row, const Options &options)
{
    const long jobs = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
    start(row, 0);
    row.requests = collect(row);
    row.trace = options.k > 0;
    const long first = options.k > 0       ? options.k
                       : options.every > 1 ? options.every / 2
                                           : 1,
               last = options.k > 0 ? options.k : row.requests;
    for (long k = first; k <= last; k += options.every) {
        while (static_cast<long>(row.children.size()) >= jobs) collect(row);
        start(row, k);
        if (isatty(1) && k % 10 == 0) print(row, "\r");
    }
    while (!row.children.empty()) collect(row);
    print(row, "\n");
}

// Without children, until a way has no request more.
void run_in_place(Row &row, const Options &options)
{
    note(row, 0, way_through(row.session, row.test, 0, false, row.answers));
    for (bool some = true; some; some = refused()) {
        row.requests += options.every;
        note(row, row.requests,
             way_through(row.session, row.test, row.requests, false, row.answers));
    }
    print(row, "\n");
}

bool usable(const Session &s)
{
    return !*s.folder || access((build_folder() + "/" + s.folder).c_str(), R_OK) == 0;
}

int run_all(const Options &options)
{
    std::printf("%-12s %-6s %8s %8s %5s\n", "session", "spell", "requests", "runs", "bad");
    long bad = 0, runs = 0;
    for (const Session &s : sessions()) {
        if (options.session.empty() ? s.in_place : options.session != s.name) continue;
        if (!usable(s)) {
            std::printf("%-12s left out: no folder %s\n", s.name, s.folder);
            continue;
        }
        const Client::Answers answers = Client::answers(s);
        for (Test test : {Test::kOne, Test::kAnError, Test::kLong, Test::kLeak}) {
            const char *name = kTests[static_cast<int>(test)];
            if (!options.test.empty() && options.test != name) continue;
            // Only one thread, and no driver, holds the same number of pieces each time.
            if (test == Test::kLeak && (s.threads > 1 || *s.folder)) continue;
            Row row{s, test, answers};
            s.in_place ? run_in_place(row, options) : run(row, options);
            bad += row.bad;
            runs += row.runs;
        }
    }
    std::printf("%ld runs, %ld bad\n", runs, bad);
    return bad || !runs;
}

}  // namespace
}  // namespace g6test

int main(int argc, char **argv)
{
    using namespace g6test;
    Options options;
    for (int a = 1; a < argc; a += 2) {
        const std::string name = argv[a], value = a + 1 < argc ? argv[a + 1] : "";
        if (name == "--list") {
            for (const Session &s : sessions()) std::printf("%s\n", s.name);
            return 0;
        }
        if (name == "--session")
            options.session = value;
        else if (name == "--spell")
            options.test = value;
        else if (name == "--k")
            options.k = std::atol(value.c_str());
        else if (name == "--every")
            options.every = std::max(1L, std::atol(value.c_str()));
        else
            return std::fprintf(stderr, "%s: see the head of tests/faults/main.cpp\n", argv[a]), 2;
    }
    return run_all(options);
}
