// SPDX-License-Identifier: MIT
// What most tests include, in a form that the compiler reads quickly (tests/rules.mk).  Each test still
// names what it needs.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <string>
#include <thread>
#include <vector>
