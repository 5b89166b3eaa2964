// SPDX-License-Identifier: MIT
// Collects the error lines of a library's log, and finds G6_* variables that have no effect in the
// present mode.
#include "library_log.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace g6tools {
namespace {

constexpr const char *kLevels[] = {"none", "error", "warn", "info", "debug"};
constexpr int kError = 1, kInfo = 3;

int level_of_environment()
{
    const char *name = std::getenv("G6_LOG");
    for (int level = 0; name && level < 5; level++)
        if (std::string(kLevels[level]) == name) return level;
    return kError;
}

}  // namespace

std::vector<std::string> error_texts(const std::string &line)
{
    const std::string call = "g6_open: ";
    std::istringstream lines(line.rfind(call, 0) == 0 ? line.substr(call.size()) : line);
    std::vector<std::string> texts;
    for (std::string text; std::getline(lines, text);) texts.push_back(text);
    return texts;
}

std::vector<std::string> idle_settings(const std::string &mode)
{
    std::vector<std::string> texts;
    if (mode == "treewalk") return texts;
    for (const char *name : {"G6_THETA", "G6_MAC", "G6_MULTIPOLE", "G6_DIRECT"})
        if (const char *value = std::getenv(name); value && *value)
            texts.push_back(name + std::string(" has no effect: direct sums have no tree; "
                                               "G6_MODE=treewalk has"));
    return texts;
}

LibraryLog::LibraryLog(std::string echo) : echo_(std::move(echo)), level_(level_of_environment()) {}

LibraryLog::~LibraryLog()
{
    for (auto set_log : libraries_) set_log(nullptr, 0, nullptr);
}

void LibraryLog::listen(decltype(&g6_set_log) set_log)
{
    if (!set_log || std::count(libraries_.begin(), libraries_.end(), set_log)) return;
    set_log(collect, std::max(level_, kInfo), this);
    libraries_.push_back(set_log);
}

void LibraryLog::collect(int level, const char *line, void *user)
{
    static_cast<LibraryLog *>(user)->add(level, line);
}

void LibraryLog::add(int level, const std::string &line)
{
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::string computing = "computing on ";
    const std::size_t at = line.find(computing);
    if (level == kInfo && at != std::string::npos) device_ = line.substr(at + computing.size());
    if (level > kError) {
        if (level <= level_)
            std::fprintf(stderr, "g6gpu %s: %s\n", kLevels[std::min(level, 4)], line.c_str());
        return;
    }
    for (const std::string &text : error_texts(line)) add_error(text);
}

void LibraryLog::add_errors(const std::vector<std::string> &texts)
{
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const std::string &text : texts) add_error(text);
}

void LibraryLog::add_error(const std::string &text)
{
    if (std::count(errors_.begin(), errors_.end(), text)) return;
    errors_.push_back(text);
    if (!echo_.empty()) std::fprintf(stderr, "%s: %s\n", echo_.c_str(), text.c_str());
}

std::vector<std::string> LibraryLog::errors() const
{
    const std::lock_guard<std::mutex> lock(mutex_);
    return errors_;
}

std::string LibraryLog::device() const
{
    const std::lock_guard<std::mutex> lock(mutex_);
    return device_;
}

}  // namespace g6tools
