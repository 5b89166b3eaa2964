// SPDX-License-Identifier: MIT
// Makes the plain C functions of the rows of names.h, names_2002.h and grape5_names.h.  Each of
// these lists has an object file of its own, so that the static archive can be linked with an
// application that defines names of one list itself.
#pragma once

namespace {

inline int value(int number)
{
    return number;
}
inline double value(double number)
{
    return number;
}
inline const double *pointer(const double &number)
{
    return &number;
}

}  // namespace

#define INT(name) int name
#define REAL(name) double name
#define CALL(name, parameters, result)                                                             \
    int name parameters                                                                            \
    {                                                                                              \
        return result;                                                                             \
    }
#define VOID_CALL(name, parameters, work)                                                          \
    void name parameters                                                                           \
    {                                                                                              \
        work;                                                                                      \
    }
