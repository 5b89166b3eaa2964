// SPDX-License-Identifier: MIT
// g6test-driver-faults reserve FILE: see reserve.h.
// g6test-driver-faults BACKEND [--stride N] [--few] [--call NAME] [--session NAME] [--fault NAME]:
// repeats sessions in which the k-th driver call fails, and prints a table of what followed.
// --stride: k is every N-th number, of all calls or of the calls of one function.  --few: in some
// of the sessions, one call in the middle fails for each function.
//
// The program starts itself as a child for the work ("child ..."), so that a crash, a hang or an
// exit costs only one k: the child prints each k before it tries it, and the next child goes on
// with the k behind it.  A child that a failure has left without the backend ends, too.  After each
// failure the same session runs without a failure.  In the session "start" the first calls of a new
// process fail, which look for devices and build programs.
#include "faults.h"
#include "reserve.h"
#include "tests/faults/session.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace g6test;

constexpr const char *kSessions[] = {"hermite", "treewalk", "treeonly"};
constexpr const char *kKinds[] = {"none", "memory", "lost", "gone", "alone", "late", "context"};
constexpr const char *kReads = "clEnqueueReadBuffer";  // of these calls kLate takes each
constexpr unsigned kSeconds = 100;  // that a session may take, under compute-sanitizer too
enum Exit { kGood = 0, kWithoutBackend = 3, kWithoutWrapper = 4 };

// ---- the child ----------------------------------------------------------------------------------

// In the process already (LD_PRELOAD), or in the backend's file, which the library loads too.
struct Wrapper {
    decltype(&g6_faults_arm) arm = nullptr;
    decltype(&g6_faults_disarm) disarm = nullptr;
    decltype(&g6_faults_failed) failed = nullptr;
    decltype(&g6_faults_live) live = nullptr;
    decltype(&g6_faults_name) name = nullptr;

    explicit Wrapper(const std::string &backend)
    {
        void *place = RTLD_DEFAULT;
        const char *folder = std::getenv("G6_BACKEND_DIR");
        const std::string file = std::string(folder ? folder : ".") + "/g6_" + backend + ".so";
        if (!dlsym(place, "g6_faults_arm") && !(place = dlopen(file.c_str(), RTLD_NOW))) return;
        const auto get = [&](auto &function, const char *symbol) {
            function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(place, symbol));
        };
        get(arm, "g6_faults_arm");
        get(disarm, "g6_faults_disarm");
        get(failed, "g6_faults_failed");
        get(live, "g6_faults_live");
        get(name, "g6_faults_name");
    }
};

void say(const char *what, long k, const std::string &text)
{
    std::printf("%s %ld %s\n", what, k, text.c_str());
    std::fflush(stdout);
}

struct Task {
    std::string backend, session;
    int kind;
};

struct Outcome {
    std::vector<std::string> problems;  // empty: all right, or refused with a status and its text
    int statuses = 0;                   // calls that were refused
    std::string backend;                // that computed last
};

// Goes through a session: direct sums, a tree or point masses; "shared": direct sums that are
// divided among all devices.  Then the cpu computes, so that the library closes the device and
// releases all that it held there.
Outcome run_session(const std::string &name, const std::string &backend, int kind)
{
    const bool shared = name == "shared", points = name == "treeonly";
    const std::string mode = shared || name == "start" ? "hermite" : name;
    Session session{name.c_str(), backend.c_str(), shared ? "all" : "0", "", mode.c_str(), 2, 120};
    session.sending = points ? Sending::kPoints : Sending::kSingle;
    session.debug = shared ? "divide=i" : "";
    session.of_one_cluster = true;
    Failures failures;
    if (kind != g6::faults::kNone) failures.met = [] { return true; };
    failures.lasting = kind == g6::faults::kGone;
    Client client(session, failures);
    std::vector<std::string> lines;
    const auto take = [](int, const char *line, void *to) {
        static_cast<std::vector<std::string> *>(to)->push_back(line);
    };
    g6_set_log(take, 2, &lines);
    Outcome o;
    if (const std::string wrong = client.run(Client::answers(session)); !wrong.empty())
        o.problems.push_back(wrong);
    o.statuses = client.statuses();
    o.backend = client.last_backend();
    const Session on_cpu{"cpu", "cpu", "", "", "hermite", 2, 120, Sending::kSingle, "", "", true};
    if (const std::string wrong = Client(on_cpu, failures).run(Client::answers(on_cpu));
        !wrong.empty())
        o.problems.push_back("on the cpu: " + wrong);
    g6_set_log(nullptr, 1, nullptr);
    if (o.backend != backend && lines.empty())
        o.problems.push_back("went to " + o.backend + " without a word");
    // One failure, beside the precision that a device without doubles refuses.
    const auto failures_told =
        std::count_if(lines.begin(), lines.end(), [](const std::string &line) {
            return line.find("cl_khr_fp64") == std::string::npos;
        });
    if (kind == g6::faults::kContext && failures_told > 1)
        o.problems.push_back("the device was not opened with another context");
    for (const std::string &line : lines)
        if (line.find(backend) == std::string::npos)
            o.problems.push_back("unrelated message \"" + line + "\"");
    return o;
}

void try_one(const Wrapper &w, const Task &t, long k, bool armed)
{
    say("try", k, "");
    alarm(kSeconds);
    if (!armed) w.arm(t.kind, k);
    Outcome o = run_session(t.session, t.backend, t.kind);
    w.disarm();
    alarm(0);
    const std::string failed = w.failed();
    if (const long held = w.live(g6::faults::kHeld))
        o.problems.push_back(std::to_string(held) + " driver objects are left over");
    for (const std::string &p : o.problems) say("bad", k, failed + ": " + p);
    say(failed.empty() ? "unmet" : o.statuses ? "status" : "right", k, o.backend);
}

// Names of all calls of a session.
void list_calls(const Wrapper &w, const Task &t)
{
    w.arm(g6::faults::kNone, 0);
    const Outcome o = run_session(t.session, t.backend, g6::faults::kNone);
    const long calls = w.disarm();
    for (long k = 1; k <= calls; k++) say("call", k, w.name(k));
    for (const std::string &p : o.problems) say("bad", 0, "without any failure: " + p);
    if (o.backend != t.backend) say("bad", 0, "the backend is not there");
}

// ks: numbers of calls, with commas between them; none: lists the calls.
int run_child(const Task &t, const char *ks)
{
    const Wrapper w(t.backend);
    if (!w.arm) return kWithoutWrapper;
    if (t.session == "start") {
        *ks ? try_one(w, t, std::atol(ks), true) : list_calls(w, t);
        return kGood;
    }
    run_session(t.session, t.backend, g6::faults::kNone);  // programs are built once
    if (!*ks) return list_calls(w, t), kGood;
    const long kept = w.live(g6::faults::kKept);
    while (*ks) {
        char *end = nullptr;
        const long k = std::strtol(ks, &end, 10);
        ks = *end ? end + 1 : end;
        try_one(w, t, k, false);
        const Outcome after = run_session(t.session, t.backend, g6::faults::kNone);
        for (const std::string &p : after.problems) say("bad", k, "the session after it: " + p);
        if (w.live(g6::faults::kKept) > kept) say("bad", k, "a context or program is left over");
        if (after.backend != t.backend) return kWithoutBackend;
    }
    return kGood;
}

// ---- the parent ---------------------------------------------------------------------------------

struct Options {
    std::string program, backend, session, fault, call;
    long stride = 1;
    bool few = false;
};

struct Row {
    long tried = 0, right = 0, statuses = 0, unmet = 0, bad = 0;
    long last = 0;          // k that was tried last
    bool last_bad = false;  // is counted
    std::vector<std::string> calls;
};

void take_line(const std::string &line, Row &row)
{
    char word[16];
    long number = 0;
    int at = 0;
    if (std::sscanf(line.c_str(), "%15s %ld %n", word, &number, &at) < 2) return;
    const std::string what = word, text = line.substr(static_cast<size_t>(at));
    if (what == "call") row.calls.push_back(text);
    if (what == "try") {
        row.last = number;
        row.last_bad = false;
        row.tried++;
    }
    row.right += what == "right";
    row.statuses += what == "status";
    row.unmet += what == "unmet";
    if (what != "bad") return;
    row.bad += !row.last_bad;
    row.last_bad = true;
    std::printf("  call %ld, %s\n", number, text.c_str());
}

// Runs a child and adds what it says; returns its exit code, or -1 when it was killed.
int run(const Options &o, const Task &t, const std::vector<long> &ks, Row &row)
{
    std::string list;
    for (long k : ks) list += (list.empty() ? "" : ",") + std::to_string(k);
    std::string command = "exec " + o.program + " child " + t.backend + " " + t.session + " " +
                          std::to_string(t.kind) + " '" + list + "'";
    if (t.session == "start" && !ks.empty())
        command = "DRIVER_FAULTS=" + std::to_string(t.kind) + ":" + list + " " + command;
    FILE *pipe = popen(command.c_str(), "r");
    if (!pipe) return -1;
    char line[4096];
    while (std::fgets(line, sizeof line, pipe)) {
        line[std::strcspn(line, "\n")] = '\0';
        take_line(line, row);
    }
    const int status = pclose(pipe);
    return WIFEXITED(status) && WEXITSTATUS(status) < 128 ? WEXITSTATUS(status) : -1;
}

// All ks of one session and kind.
Row run_row(const Options &o, const Task &t, std::vector<long> ks)
{
    Row row;
    while (!ks.empty() && row.bad < 30) {
        // A process for each where its first calls fail.
        const std::vector<long> now(ks.begin(), t.session == "start" ? ks.begin() + 1 : ks.end());
        row.last = 0;
        const int code = run(o, t, now, row);
        if (code != kGood && code != kWithoutBackend) {
            row.bad += !row.last_bad;
            std::printf("  call %ld: the process %s\n", row.last,
                        code < 0 ? "crashed or hung" : "ended by itself");
            if (row.last == 0) break;
        }
        ks.erase(ks.begin(), std::upper_bound(ks.begin(), ks.end(), row.last));
    }
    return row;
}

// Of each function the call in the middle.
std::vector<long> one_of_each(const std::vector<std::string> &calls)
{
    std::map<std::string, std::vector<long>> places;
    for (size_t k = 0; k < calls.size(); k++) places[calls[k]].push_back(static_cast<long>(k) + 1);
    std::vector<long> ks;
    for (const auto &[name, all] : places) ks.push_back(all[all.size() / 2]);
    std::sort(ks.begin(), ks.end());
    return ks;
}

// False when something was bad.
bool run_session_rows(const Options &o, const std::string &session)
{
    // Calls of a process that has made the session before, or those that only a new one makes.
    Row warm, first;
    run(o, {o.backend, session == "start" ? "hermite" : session, g6::faults::kNone}, {}, warm);
    std::vector<std::string> calls = warm.calls;
    if (session == "start") {
        run(o, {o.backend, session, g6::faults::kNone}, {}, first);
        calls = first.calls;
        calls.resize(calls.size() - std::min(calls.size(), warm.calls.size()));
    }
    if (warm.bad + first.bad > 0 || calls.empty()) {
        std::printf("%s: no such backend, or wrong without any failure\n", o.backend.c_str());
        return false;
    }
    long bad = 0;
    for (int kind = 1; kind <= g6::faults::kContext; kind++) {
        const bool is_late = kind == g6::faults::kLate;
        const bool asked =
            o.fault.empty() ? kind != g6::faults::kGoneAlone : o.fault == kKinds[kind];
        // A message of each device of several; and a new process has made no context yet.
        const bool is_meant = kind != g6::faults::kContext ||
                              (o.backend == "opencl" && session != "start" && session != "shared");
        if (!asked || !is_meant) continue;
        const std::string call = is_late ? kReads : o.call;
        std::vector<long> ks = one_of_each(calls);
        if (!o.few || is_late) {
            ks.clear();
            long left = is_late ? 0 : kind - 1;  // calls to pass over
            for (std::size_t k = 0; k < calls.size(); k++) {
                if ((!call.empty() && calls[k] != call) || left-- > 0) continue;
                ks.push_back(static_cast<long>(k) + 1);
                left = o.stride - 1;
            }
            if (ks.empty()) continue;
        }
        const Row row = run_row(o, {o.backend, session, kind}, ks);
        std::printf("%-8s %-9s %-7s %7zu %7ld %7ld %7ld %7ld %5ld\n", o.backend.c_str(),
                    session.c_str(), kKinds[kind], calls.size(), row.tried, row.right, row.statuses,
                    row.unmet, row.bad);
        std::fflush(stdout);
        bad += row.bad;
    }
    return bad == 0;
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc == 6 && !std::strcmp(argv[1], "child"))
        return run_child({argv[2], argv[3], std::atoi(argv[4])}, argv[5]);
    if (argc == 3 && !std::strcmp(argv[1], "reserve")) return check_reserve(argv[2]);
    Options o;
    o.program = argv[0];
    for (int a = 1; a < argc; a++) {
        const std::string word = argv[a];
        const auto value = [&] { return a + 1 < argc ? argv[++a] : ""; };
        if (word == "--stride")
            o.stride = std::max(1L, std::atol(value()));
        else if (word == "--few")
            o.few = true;
        else if (word == "--call")
            o.call = value();
        else if (word == "--session")
            o.session = value();
        else if (word == "--fault")
            o.fault = value();
        else
            o.backend = word;
    }
    if (o.backend.empty()) {
        std::fprintf(stderr,
                     "usage: %s BACKEND [--stride N] [--few] [--call NAME] "
                     "[--session NAME] [--fault NAME]\n",
                     argv[0]);
        return 2;
    }
    std::printf("%-8s %-9s %-7s %7s %7s %7s %7s %7s %5s\n", "backend", "session", "fault", "calls",
                "tried", "right", "status", "unmet", "bad");
    std::vector<std::string> sessions(std::begin(kSessions), std::end(kSessions));
    sessions.push_back("start");
    if (o.few) sessions = {"hermite", "treewalk", "start"};
    if (!o.session.empty()) sessions = {o.session};
    bool good = true;
    for (const std::string &session : sessions) good = run_session_rows(o, session) && good;
    return good ? 0 : 1;
}
