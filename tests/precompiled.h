// SPDX-License-Identifier: MIT
// Precompiled header of the tests (tests/rules.mk): the headers that most of them include.  Each
// test includes what it uses all the same.
#include "tests/physics.h"

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
