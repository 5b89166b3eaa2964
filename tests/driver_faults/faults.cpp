// SPDX-License-Identifier: MIT
// DRIVER_FAULTS=kind:k in the environment calls arm() when the process starts, so calls that a
// process makes only once can fail too.
#include "faults.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

namespace g6::faults {
namespace {

std::atomic<int> g_kind{kNone};
std::atomic<long> g_k{0}, g_calls{0}, g_live[2];
std::atomic<int> g_gone_device{-1};  // of kGoneAlone; -1: none yet
std::atomic<bool> g_armed{false}, g_new_context{false};
std::atomic<const char *> g_failed{""};
std::mutex g_mutex;
std::vector<const char *> g_names;

__attribute__((constructor)) void arm_from_environment()
{
    int kind = 0;
    long k = 0;
    const char *text = std::getenv("DRIVER_FAULTS");
    if (text && std::sscanf(text, "%d:%ld", &kind, &k) == 2) g6_faults_arm(kind, k);
}

Kind decide(const char *call, bool releases)
{
    if (!g_armed) return kNone;
    const long n = ++g_calls, k = g_k;
    const Kind kind = static_cast<Kind>(g_kind.load());
    if (kind == kNone) {
        const std::lock_guard<std::mutex> lock(g_mutex);
        g_names.push_back(call);
        return kNone;
    }
    if (kind == kGoneAlone && n == k) g_gone_device = device_of_caller();
    if (n > k && !std::strcmp(call, "clCreateContext")) g_new_context = true;
    const bool lasts = kind == kGone ||
                       (kind == kGoneAlone && g_gone_device == device_of_caller()) ||
                       (kind == kContext && !g_new_context);
    const bool fails = lasts && !releases ? n >= k : n == k;
    if (!fails) return kNone;
    const char *none = g_failed;
    if (!*none) g_failed = call;
    return kind;
}

}  // namespace

Kind failure(const char *call)
{
    return decide(call, false);
}
Kind failure_of_release(const char *call)
{
    return decide(call, true);
}
bool armed()
{
    return g_armed;
}
void made(Object object)
{
    g_live[object]++;
}
void released(Object object)
{
    g_live[object]--;
}

}  // namespace g6::faults

using namespace g6::faults;

void g6_faults_arm(int kind, long k)
{
    g_kind = kind;
    g_k = k;
    g_calls = 0;
    g_gone_device = -1;
    g_new_context = false;
    g_names.clear();
    g_failed = "";
    g_armed = true;
}

long g6_faults_disarm(void)
{
    g_armed = false;
    return g_calls;
}

const char *g6_faults_failed(void)
{
    return g_failed;
}

long g6_faults_live(int object)
{
    return g_live[object];
}

const char *g6_faults_name(long k)
{
    const std::lock_guard<std::mutex> lock(g_mutex);
    return k >= 1 && k <= static_cast<long>(g_names.size()) ? g_names[static_cast<size_t>(k) - 1]
                                                            : "";
}
