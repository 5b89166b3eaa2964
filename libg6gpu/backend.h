// SPDX-License-Identifier: MIT
// The contract between the core and a backend.  One Device object drives one device.
//
// Invariants
//  * Plain data crosses the line; no exception does.  Calls return DeviceStatus; error() has the
//  text.
//  * The core is the only caller, from one thread at a time per Device.
//  * Order of calls: reserve -> stage* -> start -> finish -> neighbours, any of them repeated or
//  left out.
//    Only finish() and neighbours() may wait.  start() may follow start(): the earlier block is
//    forgotten.
//  * A slot that was never staged since clear() is empty: it adds nothing and is nobody's
//  neighbour.
//  * j-particles change only through staged records, which take effect at the next start().
//  * The same state and the same block give the same bits again.
//  * After kLost or kOutOfMemory the core destroys the Device and reloads its own copy of the
//  j-particles elsewhere.
#pragma once

#include "../backends/common/records.h"

#include <cstdint>

namespace g6 {

constexpr int kBackendAbi = 1;

enum DeviceStatus : int {
    kDeviceOk = 0,
    kDeviceOutOfMemory = 1,  // this device cannot hold that many particles
    kDeviceLost = 2,         // sticky error: the device is of no more use
    kDeviceUnsupported = 3,  // wanted outputs or precision that this device does not offer
};

enum class Precision : int { kMixed = 0, kDouble = 1, kSingle = 2 };

// Bits of Block::want.  acc and pot are always computed.
enum Want : unsigned { kWantJerk = 1, kWantNearest = 2, kWantLists = 4 };

// How much of the predictor polynomial is not zero, over all j-particles of the cluster.
enum class Motion : int { kAtRest = 0, kCubic = 1, kQuartic = 2 };

// Factors that bring the cluster's lengths, masses and velocities near 1, so that float
// intermediates neither overflow nor vanish whatever the caller's units; powers of two, but for
// mass.  value_in_device_units = value * factor; all 1 in N-body units.
struct Scale {
    double length = 1, mass = 1, velocity = 1;
};

struct Block {
    double t;  // predict the j-particles to this time
    int nj;    // slots 0 ... nj-1 act
    int ni;
    const G6IRecord *i;  // [ni], readable until finish() returns
    unsigned want;       // Want bits
    int own_in_lists;    // neighbour lists hold entries with the i-particle's own index too
    Motion motion;
    Scale scale;  // results come back in the caller's units
};

// Neighbour lists of the last block: entries of i-particle k are index[offset[k]] ...
// index[offset[k+1]-1], ascending by slot.  Owned by the device, valid until its next start().
struct NeighbourView {
    const std::int64_t *offset;  // [ni+1]
    const int *index;
    const int *slot;
};

// Transfers and waits since the device was made, for tests and statistics.
struct DeviceCounters {
    std::uint64_t copies_up = 0, copies_down = 0, waits = 0, predictions = 0;
};

struct DeviceOptions {
    Precision precision = Precision::kMixed;
    int threads = 0;        // host threads, 0: the OpenMP default
    int use_snap = 1;       // 0 drops the a2by18 term of the predictor
    char isa[16] = "auto";  // instruction set of the cpu backend
};

struct DeviceInfo {
    char name[256];
    char notes[256];
    double memory_bytes, memory_free_bytes;
    int compute_units;
    int has_double;
    int is_cpu;  // an OpenCL platform that runs on the host: not chosen by "auto"
};

class Device {
public:
    virtual ~Device() = default;
    virtual const char *error() const = 0;
    // Slots 0 ... nj-1 exist afterwards; contents stay.
    virtual DeviceStatus reserve(int nj) = 0;
    // Room for n more records, to be filled before the next call; null when there is no memory.  A
    // slot may be staged once between two starts.
    virtual G6JRecord *stage(int n) = 0;
    virtual G6JPoint *stage_points(int n) = 0;
    // Applies what was staged, predicts if t or any j changed, and starts the sums.
    virtual DeviceStatus start(const Block &block) = 0;
    // Waits and writes sums[ni].
    virtual DeviceStatus finish(G6Sums *sums) = 0;
    // Lists of the last finished block, whether or not kWantLists was set (then they are ready
    // already).
    virtual DeviceStatus neighbours(NeighbourView *view) = 0;
    // Forgets all j-particles, keeps memory and context.
    virtual DeviceStatus clear() = 0;
    virtual DeviceCounters counters() const = 0;
};

// What a backend offers.  Members after abi may be read only when abi == kBackendAbi.
struct Backend {
    int abi;
    const char *name;
    // Number of devices, or -1 and a reason (text owned by the backend).
    int (*count)(const char **reason);
    DeviceStatus (*describe)(int device, DeviceInfo *info);
    // Null and a reason when the device cannot be opened.
    Device *(*open)(int device, const DeviceOptions *options, const char **reason);
};

// The one symbol that g6gpu/g6_NAME.so exports.
using BackendEntry = const Backend *(*)();
constexpr const char *kBackendEntryName = "g6_backend_entry";

}  // namespace g6
