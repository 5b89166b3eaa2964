// SPDX-License-Identifier: MIT
// The formulas of a pair and of a cell in the host's doubles; included inside a namespace.
#define G6_FN inline
#define G6_REAL double
#define G6_FMA(a, b, c) std::fma(a, b, c)
#define G6_PAIR_SUMS PairSums
#include "../../libg6gpu/formulas/pair.h"
#include "../../libg6gpu/formulas/multipole.h"
#undef G6_FN
#undef G6_REAL
#undef G6_FMA
#undef G6_PAIR_SUMS
