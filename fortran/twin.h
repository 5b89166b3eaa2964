// SPDX-License-Identifier: MIT
// Makes Fortran twins: for each name of the rows of libg6gpu/api/names.h and of the other lists,
// name_ with every scalar by pointer, and its alias name__ for g77, which appends two underscores
// to a name that contains one.
//
// Invariants
//  * No twin calls an exported name: applications define the plain names themselves and forward
//    them to the twins.  Twins and plain names both call the functions of libg6gpu/api/calls.h, or
//    those of grape5_calls.h beside it.
//  * The twins of each list have an object file of their own: an application that defines the plain
//    names takes only this object from the static archive.
//  * Every twin returns an int, also where the plain call is void: a caller that declared a
//    subroutine ignores it.
//  * A null scalar counts as 0: some callers pass 0 for the cluster id.
#pragma once

#include "../include/g6lib.h"

namespace {

inline int value(const int *p)
{
    return p ? *p : 0;
}
inline double value(const double *p)
{
    return p ? *p : 0.0;
}
inline const double *pointer(const double *p)
{
    static constexpr double zero = 0;
    return p ? p : &zero;
}

}  // namespace

#define INT(name) int *name
#define REAL(name) double *name
#define CALL(name, parameters, result)                                                             \
    G6_API int name##_ parameters;                                                                 \
    G6_API int name##__ parameters __attribute__((alias(#name "_")));                              \
    int name##_ parameters                                                                         \
    {                                                                                              \
        return result;                                                                             \
    }
#define VOID_CALL(name, parameters, work) CALL(name, parameters, (work, static_cast<int>(G6_OK)))
