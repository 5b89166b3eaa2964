// SPDX-License-Identifier: MIT
// Texts that a backend returns and keeps.  They are neither thread-local, for the loader of shared
// objects ends the process when it lacks memory for such storage, nor in one place, where a second
// thread would overwrite them.
#pragma once

#include <mutex>
#include <set>
#include <string>

namespace g6 {

// Lives as long as the process; equal texts are kept once.
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
