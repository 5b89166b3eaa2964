// SPDX-License-Identifier: MIT
// Descriptions of the backends and devices, as the library gives them.
#pragma once

#include "include/g6lib.h"

#include <string>
#include <vector>

namespace g6test {

// A struct of g6lib.h, which has its own size as its first member.
template <class T> T sized()
{
    T t{};
    t.size = sizeof t;
    return t;
}

inline std::vector<g6_backend_info> all_backends()
{
    std::vector<g6_backend_info> found;
    auto info = sized<g6_backend_info>();
    while (g6_get_backend_info(int(found.size()), &info) == 0) found.push_back(info);
    return found;
}

// "" when the backend can compute here, else why not.
inline std::string why_not(const std::string &backend)
{
    for (const g6_backend_info &b : all_backends())
        if (b.name == backend) return b.reason;
    return "not built";
}

// The descriptions of a backend's devices.
inline std::vector<g6_device_info> devices_of(const std::string &backend)
{
    const std::vector<g6_backend_info> backends = all_backends();
    std::vector<g6_device_info> found;
    auto info = sized<g6_device_info>();
    for (int n = 0; n < int(backends.size()); ++n)
        while (backends[n].name == backend && g6_get_device_info(n, int(found.size()), &info) == 0)
            found.push_back(info);
    return found;
}

}  // namespace g6test
