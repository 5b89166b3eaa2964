// SPDX-License-Identifier: MIT
// This program defines the plain g6_ names itself, as ph4 does.  A library that forwards its
// Fortran names to its plain ones then arrives here instead: that is noted, and the call goes on to
// the library's own, so that the other rules are judged for themselves.
#pragma once

#include "../common/shared_library.h"

#include <string>

namespace g6check::trap {

// Where the calls go on to.
void set_library(const g6tools::SharedLibrary *library);
// Names that were reached, each with a blank before it.
std::string called();

}  // namespace g6check::trap
