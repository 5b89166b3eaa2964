// SPDX-License-Identifier: MIT
// Turns "NAME device 0,1", as the library logs it, into the numbers and names of these devices.
#include "device_text.h"

#include <algorithm>
#include <sstream>
#include <vector>

namespace g6tools {
namespace {

// Number of a backend by its name, -1 when there is none.
int backend_number(const std::string &name, decltype(&g6_get_backend_info) backend_info)
{
    g6_backend_info b{};
    b.size = sizeof b;
    for (int n = 0; backend_info(n, &b) == G6_OK; n++)
        if (name == b.name) return n;
    return -1;
}

}  // namespace

std::string device_text(const std::string &computing, decltype(&g6_get_backend_info) backend_info,
                        decltype(&g6_get_device_info) device_info)
{
    const std::string mark = " device ";
    const std::size_t at = computing.find(mark);
    if (at == std::string::npos || !backend_info || !device_info) return "";
    const int backend = backend_number(computing.substr(0, at), backend_info);
    const std::string numbers = computing.substr(at + mark.size());
    std::string text = numbers;
    std::vector<std::string> names;
    std::istringstream list(numbers);
    for (std::string number; std::getline(list, number, ',');) {
        g6_device_info d{};
        d.size = sizeof d;
        if (backend < 0 || device_info(backend, std::atoi(number.c_str()), &d) != G6_OK) continue;
        const std::string name = d.name + (*d.notes ? std::string(" (") + d.notes + ")" : "");
        if (std::count(names.begin(), names.end(), name)) continue;
        text += (names.empty() ? " " : ", ") + name;
        names.push_back(name);
    }
    return text;
}

}  // namespace g6tools
