// SPDX-License-Identifier: MIT
// Makes a text as printf() does.
#pragma once

#include <string>

namespace g6tools {

__attribute__((format(printf, 1, 2))) std::string text(const char *format, ...);

}  // namespace g6tools
