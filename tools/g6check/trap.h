// SPDX-License-Identifier: MIT
// This program defines the plain g6_ names itself, as ph4 does.  Where a library forwards its
// Fortran names to its plain ones, its calls arrive at these functions instead.  They note their
// names and pass the call on to the library's function, so that other rules are not affected.
#pragma once

#include "../common/shared_library.h"

#include <string>

namespace g6check::trap {

// The library to which calls are passed on.
void set_library(const g6tools::SharedLibrary *library);
// Names that were reached, each with a blank before it.
std::string called();

}  // namespace g6check::trap
