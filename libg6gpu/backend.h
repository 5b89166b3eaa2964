// SPDX-License-Identifier: MIT
// The contract between the core and a backend.  One Device object drives one device: it holds
// j-particles in numbered slots, and computes the sums over them for a block of i-particles.
//
// Invariants
//  * Plain data crosses this interface; no exception does.  A call that can fail returns a
//    DeviceStatus or a null pointer; error() has the text.
//  * The core is the only caller, from one thread at a time per Device.  Several devices may be
//    called at the same time.
//  * The calls come in the order reserve, stage, start, finish, neighbours.  Each of them may be
//    repeated or left out.
//  * Only finish() and neighbours() wait for the sums of their block.  Other calls may wait until
//    the device has read memory that they are about to overwrite.  So they may wait for a block
//    that nobody has finished.
//  * start() may follow start() without a finish(): the device forgets the earlier block.
//  * A slot that was never staged since clear() is empty: it adds nothing and is no neighbour.
//  * Rows that are staged, and slots that copy_from() names, take effect at the next start().
//    Apart from these only clear() changes j-particles.
//  * The same state and the same block give the same bits, whenever they are computed.
//  * After kDeviceLost from any call, and kDeviceOutOfMemory from any call but reserve(), the core
//    destroys the Device and sends the j-particles from the host's copy to another one.  After
//    kDeviceOutOfMemory from reserve() the device is as it was, and the core may ask for less.
//
// A block with Block::is_walk set is a Barnes-Hut sum.  Backend::tree says who makes the tree:
//  * kHostTree: the core does.  The device walks Block::tree and gets no staged rows.
//  * kOwnTree: the device does, from the staged rows (slot = address).
//
// Several devices may compute one block.  Each of them holds all j-particles.  Without
// Backend::shares_memory each device gets a part of the i-particles and is its own Block::lead, and
// the core brings the sums together.  With Backend::shares_memory:
//  * The core starts one of the devices first.  It is the leader, and Block::lead of all of them.
//    The others may start while the leader is starting, each on another thread: see StartGate.
//  * All read staged i-particles from the leader's memory and write sums to it.  The leader's
//    sums_memory() has the sums of the whole block once each of them has finished.
//  * For a direct sum each device gets its part of the i-particles.
//  * For a walk each device gets all of the i-particles and computes those of Block::part.  The
//    device finds this part itself: i-particles that are close in space walk together.  The
//    neighbour lists that it gives for i-particles of other parts are empty.  All devices must have
//    had the same j-particles and walks since clear(), so that their trees are the same.
#pragma once

#include "formulas/cells.h"
#include "formulas/records.h"
#include "formulas/rows.h"
#include "formulas/units.h"
#include "base/host_threads.h"
#include "base/thread_pool.h"

#include <atomic>
#include <cstdint>
#include <thread>

namespace g6 {

constexpr int kBackendAbi = 23;

// Most rows that lie staged at once: 1.2 GB.  When more rows are staged between two starts, a
// device takes in the earlier rows at once and reuses their memory: no row is lost, but
// stage_from() cannot find the earlier ones.  A device that sends rows in a message keeps all of
// them.
constexpr int most_staged(int words)
{
    return (1 << 23) / words * kRecordWords;
}
// Most rows (151 MB) that the core stages by one call.  Where other devices read the rows staged on
// a leader, the leader gets all rows by one call, up to most_staged().
constexpr int rows_at_once(int words)
{
    return (1 << 20) / words * kRecordWords;
}
// Rows or i-particles that the core writes before it lets the device take them in (send_staged(),
// send_i()), while the core writes the next ones.
constexpr int kSentAtOnce = 1 << 18;

enum DeviceStatus : int {
    kDeviceOk = 0,
    kDeviceOutOfMemory = 1,  // this device cannot hold that many particles
    kDeviceLost = 2,         // sticky error: the device is of no more use
    kDeviceUnsupported = 3,  // wanted outputs or precision that this device does not offer
};

enum class Precision : int { kMixed = 0, kDouble = 1, kSingle = 2 };

// Bits of Block::want.  acc and pot are always computed.
enum Want : unsigned { kWantJerk = 1, kWantNearest = 2, kWantLists = 4 };

// How much of the predictor polynomial may be other than zero, over all j-particles of the cluster.
enum class Motion : int { kAtRest = 0, kCubic = 1, kQuartic = 2 };

// Factors from the caller's units to a device's:
//     value in device units = value * factor
// They bring the cluster's typical length, mass and velocity near 1, so that intermediate values in
// float neither overflow nor vanish, whatever the caller's units.  All are 1 in N-body units.  They
// are powers of two, which rounds nothing; only mass may be any number.
//
// common_velocity, in the caller's units, is a velocity that all j-particles have in common, where
// it is large beside the differences of their velocities.  Forces depend on differences alone, so
// that devices measure velocities from common_velocity:
//     velocity in device units = (velocity - common_velocity) * factor
// Devices subtract it in double from the velocities of i-particles and of predicted j-particles,
// and round to float afterwards: the differences then lose no digits.  common_velocity is 0 where
// there is none, always in precision double and when no j-particle moves.
struct Scale {
    double length = 1, mass = 1, velocity = 1;
    double common_velocity[3] = {0, 0, 0};
};
inline bool operator==(const Scale &a, const Scale &b)
{
    const double *u = a.common_velocity, *v = b.common_velocity;
    return a.length == b.length && a.mass == b.mass && a.velocity == b.velocity && u[0] == v[0] &&
           u[1] == v[1] && u[2] == v[2];
}
inline G6IRecord in_device_units(const G6IRecord &i, const Scale &s)
{
    const double l = s.length;
    G6IRecord r = i;
    for (int c = 0; c < 3; c++) {
        r.x[c] *= l;
        r.v[c] = (r.v[c] - s.common_velocity[c]) * s.velocity;
    }
    r.eps2 *= l * l;
    r.h2 *= l * l;
    r.aold = static_cast<float>(static_cast<double>(r.aold) * s.mass / (l * l));
    return r;
}
// The units of the results of a device that computes in this scale.
inline G6Units units_of(const Scale &s)
{
    const double pot = s.length / s.mass, acc = s.length * pot;
    return {acc, acc * (s.length / s.velocity), pot, 1 / (s.length * s.length)};
}

// How a backend does mode treewalk.
enum class TreeSupport : int {
    kNone = 0,      // not at all: the core walks on the cpu backend
    kHostTree = 1,  // walks the core's tree
    kOwnTree = 2,   // builds, refreshes and walks a tree of its own
};

// Acceptance criteria: libg6gpu/formulas/tree.h has the formulas.
enum class Mac : int { kBh = 0, kBmax = 1, kMultipole = 2, kAcceleration = 3, kCombined = 4 };

struct Walk {
    Mac mac = Mac::kCombined;
    double theta = 0.6;  // > 0, or 0: every cell is opened
    int multipole = 0;   // 0: monopole, 2: quadrupole
    int leaf = 16;       // a cell with more bodies is divided
    int rebuild = 0;     // steps that one build of the tree serves; 0: decided by its cost
    // Error of a cell's acceleration that three criteria allow, relative to a typical acceleration
    // (kMultipole, kCombined) or to the particle's own (kAcceleration).  The error of a monopole
    // goes as 1/distance^4, so with theta^4 the distance at which a cell is accepted goes as
    // 1/theta.  theta = 0.7 gives the 0.005 of Springel (2005, MNRAS 364, 1105).
    double tolerance() const { return theta * theta * theta * theta / 48; }
};

// The core's tree at the time of the block, in device units.  Plain arrays, valid until the next
// start().  Its bodies are the j-particles of all slots 0 ... nj-1 that are not empty, in the order
// of their keys along the space-filling curve.  A place is a body's position in that order.
struct TreeView {
    int cells, bodies;
    const G6Cell *cell;             // [cells]
    const G6CellBox *box;           // [cells]
    const double (*velocity)[3];    // [cells] mean velocity; null when all is at rest
    const double (*quadrupole)[6];  // [cells] xx xy xz yy yz zz of sum m d d^T; null: monopole
    const double *x[3], *v[3];      // [bodies]; v null when all is at rest
    const double *mass;
    const int *index, *slot;
    // Keys of the bodies at the time of the last build, ascending (libg6gpu/tree/keys.h).
    const std::uint64_t *key;
    // The places of all bodies, sorted by index and then by place: for finding the bodies that have
    // a given index by bisection.
    const int *by_index;
    double corner[3], size;   // the root's cube
    std::uint64_t structure;  // changes with the order of bodies and the links
    std::uint64_t revision;   // changes with any value
};

// The sums of an i-particle on which nothing acts.
constexpr G6Sums kNoSums{{}, {}, 0, 0, -1, 0};

inline G6Sums sums_of(const G6Force &f)
{
    return {{f.acc[0], f.acc[1], f.acc[2]}, {}, f.pot, 0, -1, 0};
}

// The sums of a block in one of two forms.  forces: only of a block that wants neither kWantJerk
// nor kWantNearest.
struct SumsView {
    const G6Sums *sums = nullptr;     // [ni], or null
    const G6Force *forces = nullptr;  // [ni], or null
    explicit operator bool() const { return sums || forces; }
    G6Sums operator[](int i) const { return sums ? sums[i] : sums_of(forces[i]); }
};
// Memory of a device for the sums of a block.
struct SumsMemory {
    G6Sums *sums = nullptr;
    G6Force *forces = nullptr;
    operator SumsView() const { return {sums, forces}; }
};

// Where devices start at the same time, all but the leader wait here before they read anything of
// the leader.  The leader may open the gate as soon as it has launched the kernel that takes in the
// staged rows and has memory for the sums.  The core opens the gate once the leader has started.
class StartGate {
public:
    void open() { state_.store(kOpen, std::memory_order_release); }
    // The leader's start() has returned.
    void decide(bool has_started)
    {
        int shut = kShut;
        state_.compare_exchange_strong(shut, has_started ? kOpen : kLost);
    }
    // False: the leader has failed, and the device need not start.
    bool wait() const
    {
        int state;
        for (int k = 0; (state = state_.load(std::memory_order_acquire)) == kShut; k++)
            if (k >= 64) std::this_thread::yield();
        return state == kOpen;
    }

private:
    enum { kShut, kOpen, kLost };
    std::atomic<int> state_{kShut};
};

// What is asked of all devices of a block together.
struct BlockTask {
    double t;  // predict the j-particles to this time
    int nj;    // slots 0 ... nj-1 act; > 0
    // Number of slots that have been staged since clear(), those beyond nj included.  No slot
    // becomes empty, so the same slots act in blocks of equal nj and live.
    int live;
    // Number of i-particles of the block.  The order in which sums are formed follows from this
    // number and nj, so that an i-particle has the same sums, bit for bit, whatever part of the
    // i-particles a device gets.
    int whole_ni;
    // Bounds of the values of the i-particles, in the caller's units.
    double least_eps2;  // no eps2 is smaller
    double farthest;    // no |coordinate| is larger
    unsigned want;      // Want bits
    int own_in_lists;   // neighbour lists hold entries with the i-particle's own index too
    Motion motion;
    Scale scale;           // results come back in the caller's units
    bool is_walk = false;  // a Barnes-Hut sum; else a direct sum
    Walk walk;
    const TreeView *tree = nullptr;  // of a kHostTree backend in a walk
    // A large direct sum over j-particles in clumps that are far apart (core/clumps.h).
    bool clumped = false;
};

// The task, and what one device gets of it.
struct Block : BlockTask {
    int ni;  // > 0
    // [ni], readable until finish() returns.  Null when i_words is not 0: the device then reads the
    // staged i-particles.
    const G6IRecord *i;
    int first;  // the place of i[0] among the i-particles of Block::lead
    // `parts` devices compute the block, and this one is number `part` of the devices started.
    //  * A direct sum: the device computes all ni i-particles that it is given.
    //  * A walk: the device computes part number `part` of `parts` parts of the i-particles.  With
    //    part >= parts it computes none and only brings its tree up to date.
    int part, parts;
    // The leader of the block's devices.  Without Backend::shares_memory each device is its own.
    class Device *lead;
    // Words of each row of i-particles on Block::lead, where all whole_ni of them are staged
    // (Device::stage_i()); 0: none are staged there.
    int i_words;
    // With Backend::shares_memory: several devices of this process are started for the block.
    bool shared = false;
    StartGate *gate = nullptr;  // null: the leader has started, if this is another device
    bool leader_is_there() const { return !gate || gate->wait(); }
};

// Neighbour lists of the last block.  The list of i-particle k is
//     index[offset[k]] ... index[offset[k + 1] - 1]
// in the order of the slots; of a walk of a kOwnTree backend, in any order.  The device owns the
// arrays; they are valid until its next start().
struct NeighbourView {
    const std::int64_t *offset;  // [ni+1]
    const int *index;
    const int *slot;
};

// Transfers and waits since the device was made, for tests and statistics.
struct DeviceCounters {
    std::uint64_t copies_up = 0, copies_down = 0, waits = 0;
    std::uint64_t interactions = 0;  // pairs and cells that walks summed
    std::uint64_t tests = 0;         // cells that walks looked at
    // To and from other processes.
    std::uint64_t messages = 0, message_bytes = 0;
};
// Adds the counts of `c` to `sum`, or takes them away.
inline void add(DeviceCounters &sum, const DeviceCounters &c, bool takes_away = false)
{
    const std::uint64_t factor = takes_away ? -std::uint64_t{1} : 1;
    sum.copies_up += factor * c.copies_up;
    sum.copies_down += factor * c.copies_down;
    sum.waits += factor * c.waits;
    sum.interactions += factor * c.interactions;
    sum.tests += factor * c.tests;
    sum.messages += factor * c.messages;
    sum.message_bytes += factor * c.message_bytes;
}

struct DeviceOptions {
    Precision precision = Precision::kMixed;
    int threads = 0;  // host threads, 0: as many as the process has processors
    // The core's pool of threads, which the backend puts into loop_pool() for its own loops.
    const PoolTable *pool = &kThreadPool;
    // What developers ask of devices (settings/debug.h); may be read while the device is opened.
    const char *debug = "";
};

// The core chooses the number of devices for a block from these numbers (core/division.h).
struct DeviceSpeed {
    double pairs_per_us = 0;  // pair interactions of a direct sum in a microsecond; 0: unknown
    double start_us = 0;      // microseconds of the host's time to start it and collect its results
    double share_us = 0;      // microseconds that a share must take at least to fill the device
    // For a device that is reached by messages: microseconds there and back, and bytes that a
    // microsecond carries; 0: messages cost nothing.
    double round_trip_us = 0, bytes_per_us = 0;
};

struct DeviceInfo {
    char name[256];
    char notes[256];
    double memory_bytes, memory_free_bytes;
    int compute_units;
    int has_double;
    int is_cpu;  // an OpenCL platform that runs on the host: not chosen by "auto"
    DeviceSpeed speed;
    // The same text in two processes of one machine means the same piece of hardware; "": unknown.
    char identity[64];
};

class Device {
public:
    virtual ~Device() = default;
    virtual const char *error() const = 0;
    // Reserves memory for slots 0 ... nj-1.  What the slots hold stays.
    virtual DeviceStatus reserve(int nj) = 0;
    // Memory for n more rows of so many words (formulas/rows.h); null when there is no memory.  The
    // caller fills them before it calls anything but send_staged().  Between two starts a slot may
    // be staged once, and all rows have the same number of words.
    virtual double *stage(int n, int words) = 0;
    // Tells that the first n rows of the last stage() are filled in; n grows from call to call.
    // The device may take them in before start(), while the core fills in the others.
    virtual void send_staged(int n) { (void)n; }
    // Memory for n i-particles of the next block, as rows of kIWords or kIRestWords.  The host may
    // write it until start(), and read it until the next stage_i() or the end of the device, also
    // after a failure; reserve(), clear() and stage() leave it alone.  Block::i_words tells whether
    // the device is to use it; 0: what was written does not count.  Null: the device has no such
    // memory, or none is left, or not for rows of so many words.
    virtual double *stage_i(int n, int words)
    {
        (void)n, (void)words;
        return nullptr;
    }
    // Tells that the first n i-particles of the last stage_i() are filled in; otherwise as
    // send_staged().
    virtual void send_i(int n) { (void)n; }
    // With Backend::shares_memory, in place of stage(): the rows that lie staged in the leader's
    // memory are staged on this device too, which reads them there.  The core has staged all of
    // these rows by one call and has filled them in, and starts the leader before this device.  The
    // rows stay in the leader's memory until its next stage().
    virtual void stage_from(Device &leader) { (void)leader; }
    // With Backend::shares_memory: whether this device can copy j-particles from the leader's
    // memory faster than the core could stage them.
    virtual bool can_copy_from(Device &leader)
    {
        (void)leader;
        return false;
    }
    // In place of all staging calls: at the next start() this device gets the j-particles that the
    // leader has in these n slots, those staged on the leader included.  The core starts the leader
    // before this device.  slots: readable during this call; null: slots 0 ... n-1.
    virtual DeviceStatus copy_from(Device &leader, const int *slots, int n)
    {
        (void)leader, (void)slots, (void)n;
        return kDeviceUnsupported;
    }
    // After finish(): the work of the walk, over all devices that shared it.  A device may decide
    // from these numbers when to build its tree anew; all devices get the same numbers, so that all
    // build at the same walk.
    virtual void note_walk(double interactions, double tests, int ni)
    {
        (void)interactions, (void)tests, (void)ni;
    }
    // Applies what was staged, and starts prediction and sums; a device may leave both to finish().
    virtual DeviceStatus start(const Block &block) = 0;
    // Waits for the block.  Writes sums[ni] when sums_memory() gives no memory, else leaves `sums`
    // alone.  An acc, jerk or pot that is not finite says that the device cannot sum this
    // i-particle: the core sums it then.  A device need not sum where a j-particle is predicted
    // beyond the limits of formulas/range.h.
    virtual DeviceStatus finish(G6Sums *sums) = 0;
    // Memory that the host can read.  The sums of the block lie there from the return of finish()
    // to the next start() or stage_i().  Both null: finish() writes to its argument.  With
    // Backend::shares_memory the host can write there, too.
    virtual SumsMemory sums_memory() { return {}; }
    // Lists of the last finished block.  If the block has kWantLists, the device may have begun the
    // lists with the block; otherwise this call computes them.
    virtual DeviceStatus neighbours(NeighbourView *view) = 0;
    // Forgets all j-particles, keeps memory and context.
    virtual DeviceStatus clear() = 0;
    virtual DeviceCounters counters() const = 0;
};

// A backend that reaches other processes (backends/mpi) computes nothing itself.  In this process
// it uses the devices of another backend, which the setting "local_backend" names.  LocalDeviceInfo
// describes one of these devices, and LocalDevices opens them.
struct LocalDeviceInfo {
    DeviceInfo info;
    char backend[32];
    // Devices of equal kind give the same bits.
    char kind[320];
    TreeSupport tree;
    bool shares_memory;  // Backend::shares_memory of the device's backend
};
struct LocalDevices {
    bool serving;  // this process is a worker: it uses no devices of other processes
    const char *version;
    void (*log)(const char *line);   // at level info
    void (*warn)(const char *line);  // what a user sees by default
    // Chooses the devices of this process.  `sharers` processes share the devices of the machine
    // evenly, and this process is number `which` of them (0 <= which < sharers).  Returns the
    // number of devices chosen.
    int (*choose)(int which, int sharers);
    DeviceStatus (*describe)(int device, LocalDeviceInfo *local);
    Device *(*open)(int device, const DeviceOptions *options, const char **reason);
};

// How a worker waits for messages of its client.  For poll_seconds it looks for one every few
// microseconds.  After that it sleeps between two looks, longer and longer, up to sleep_seconds.
// When the client has started MPI but sends nothing within client_seconds, the worker gives up: the
// client uses MPI for itself.
struct Patience {
    double poll_seconds, sleep_seconds, client_seconds = 60;
};

// What a backend offers.  Members after abi may be read only when abi == kBackendAbi.
struct Backend {
    int abi;
    const char *name;
    // Number of devices, or -1 and a reason (text owned by the backend).  The core asks for devices
    // 0 to one less than this number.
    int (*count)(const char **reason);
    DeviceStatus (*describe)(int device, DeviceInfo *info);
    // Null and a reason when the device cannot be opened.
    Device *(*open)(int device, const DeviceOptions *options, const char **reason);
    TreeSupport tree = TreeSupport::kNone;  // of a backend that reaches others: after count()
    // The other devices of a block read what is staged on its leader, and write their sums to the
    // leader's memory (see the head of this file).  Always true with kOwnTree.
    bool shares_memory = false;
    // Only of a backend that reaches devices of other processes.  It gets the devices of this
    // process before count(), and all its devices compute when the setting "devices" is empty.
    void (*set_local_devices)(const LocalDevices *local) = nullptr;
    // Makes this process a worker: its devices serve a client in another process.  Returns when the
    // client has ended, with null, or else with what went wrong.
    const char *(*serve)(const Patience *patience) = nullptr;
};

// The one symbol that g6gpu/g6_NAME.so exports.
using BackendEntry = const Backend *(*)();
constexpr const char *kBackendEntryName = "g6_backend_entry";

}  // namespace g6
