// SPDX-License-Identifier: MIT
// This program defines the plain g6_ names itself, as ph4 does.  If a library's Fortran names call
// its plain names, the functions here get these calls.  They note the call and pass it on to the
// library's own function, so the other rules do not fail for this reason.
#pragma once

#include "../common/shared_library.h"

#include <string>

namespace g6check::trap {

// The library that the calls are passed on to.
void set_library(const g6tools::SharedLibrary *library);
// Plain names that were called, each with a blank before it.
std::string called();

}  // namespace g6check::trap
