// SPDX-License-Identifier: MIT
// The devices that compute, as text for the head of a tool's table.
#pragma once

#include <g6lib.h>

#include <string>

namespace g6tools {

// Makes "0,1 NVIDIA H200" of "cuda device 0,1" (LibraryLog::device()): the numbers of the devices,
// then their names, each name once.  The functions are those of the library that computes.
std::string device_text(const std::string &computing, decltype(&g6_get_backend_info) backend_info,
                        decltype(&g6_get_device_info) device_info);

}  // namespace g6tools
