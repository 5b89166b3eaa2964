// SPDX-License-Identifier: MIT
// Texts that a backend returns and that stay valid, such as the reason of a refusal.  A second
// thread would overwrite a single buffer.  Thread-local buffers would not do either: the loader of
// shared objects ends the process when it lacks memory for them.
#pragma once

#include <mutex>
#include <set>
#include <string>

namespace g6 {

// A copy that lives as long as the process.  Equal texts share one copy.
inline const char *kept_text(const char *text) noexcept
{
    try {
        static auto *mutex = new std::mutex;
        static auto *texts = new std::set<std::string>;
        const std::lock_guard<std::mutex> lock(*mutex);
        return texts->insert(text).first->c_str();
    } catch (...) {
        return "host memory exhausted";
    }
}

}  // namespace g6
