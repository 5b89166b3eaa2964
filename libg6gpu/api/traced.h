// SPDX-License-Identifier: MIT
// The one place through which calls of the interface are recorded (G6_TRACE).
//
// Invariants
//  * A call that is not recorded runs work() and nothing else.
//  * The tracer reads no array that the call itself does not read, with one exception: it reads the
//    arguments of a lasthalf, to show whether the client has changed them since the firsthalf.
#pragma once

#include "../base/status.h"
#include "../core/cluster_id.h"
#include "../trace/recorder.h"

namespace g6 {

using trace::Fields;
using trace::Kind;

inline void no_fields(Fields &) {}

template <class Work, class Inputs, class Results>
[[gnu::noinline]] int recorded(Kind kind, ClusterId id, const Work &work, const Inputs &inputs,
                               const Results &results, unsigned flags)
{
    // Lines for the user's function wait until the call is recorded, so that calls which the
    // function makes have their place behind this one.
    const CallScope scope;
    const bool all = id == kAllId;
    trace::CallRecord record(kind, all ? 0 : static_cast<int>(id),
                             all ? flags | trace::kAllCluster : flags);
    record.begin(inputs);
    const int status = work();
    record.end(status, results);
    return status;
}

// Returns work(), which makes the call.  inputs(Fields &) adds the arguments, results(Fields &) the
// results, in the order of the kind's row in format.h.
template <class Work, class Inputs = void (&)(Fields &), class Results = void (&)(Fields &)>
int traced(Kind kind, ClusterId id, const Work &work, const Inputs &inputs = no_fields,
           const Results &results = no_fields, unsigned flags = 0)
{
    if (!trace::on()) return work();
    return recorded(kind, id, work, inputs, results, flags);
}

}  // namespace g6
