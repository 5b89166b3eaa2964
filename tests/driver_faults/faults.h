// SPDX-License-Identifier: MIT
// Driver calls that fail on purpose.  A wrapper of a driver's interface gets all calls and decides
// for each whether it fails; the test program controls the wrapper.
//
// The wrapper of OpenCL is a shared object for LD_PRELOAD (opencl_calls.cpp); the wrapper of CUDA
// is a part of a test build of g6_cuda.so (cuda_calls.cpp).  Only calls between arm() and disarm()
// are counted.
#pragma once

namespace g6::faults {

// What the k-th call does instead of its work.
enum Kind : int {
    kNone = 0,       // its work: calls are only counted
    kMemory = 1,     // it fails as if memory were short
    kLost = 2,       // it fails as a device does that is lost; those after it work
    kGone = 3,       // so do all after it but those that release something
    kGoneAlone = 4,  // as kGone, but calls for other devices work
    kLate = 5,       // it succeeds, but the transfer that it has queued fails
    kContext = 6,    // as kGone, until OpenCL makes another context
};

// Driver objects of which nothing may be left over when the device is closed, and those that stay.
enum Object : int { kHeld = 0, kKept = 1 };

// For wrappers.  The kind of failure that this call is to have, or kNone.
Kind failure(const char *call);
// The same for a call that releases something: it does its work first, and never fails for kGone.
Kind failure_of_release(const char *call);
bool armed();
// Each wrapper defines this: the device of the calling thread.
int device_of_caller();
void made(Object object);
void released(Object object);

}  // namespace g6::faults

extern "C" {
#define G6_FAULTS_API __attribute__((visibility("default")))
G6_FAULTS_API void g6_faults_arm(int kind, long k);
// Returns how many calls there were.
G6_FAULTS_API long g6_faults_disarm(void);
// The call that failed first since arm(), or "".
G6_FAULTS_API const char *g6_faults_failed(void);
// Driver objects that live.
G6_FAULTS_API long g6_faults_live(int object);
// Name of the k-th call since arm(), k = 1, 2, ..., where none was to fail.
G6_FAULTS_API const char *g6_faults_name(long k);
}
