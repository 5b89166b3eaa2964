// SPDX-License-Identifier: MIT
// A backend with four devices that computes direct sums on the host in double (plain_sums.h), also
// for a walk, which gives these sums when it opens every cell.  It loses devices when told to, and
// checks that the core keeps its side of libg6gpu/backend.h (contract.h, staged_i.h, staged_j.h).
#include "staged_i.h"
#include "staged_j.h"
#include "walk_memory.h"

#include "libg6gpu/settings/debug.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <pthread.h>
#include <string>
#include <vector>

// Other files of this folder are this one with others.
#ifndef G6_FAKE_NAME
#define G6_FAKE_NAME "fake"
#endif
#ifndef G6_FAKE_TREE
#define G6_FAKE_TREE TreeSupport::kOwnTree
#endif
#ifndef G6_FAKE_IS_CPU
#define G6_FAKE_IS_CPU 0
#endif
// Devices of one name are of one kind, whose bits are equal.
#ifndef G6_FAKE_DEVICE
#define G6_FAKE_DEVICE "fake " + std::to_string(device)
#endif
// Whether the potential of a walk shows what the tree has been through, as a real tree's last
// digits do: the walks since clear() with their j-particles, and their work.
#ifndef G6_FAKE_REMEMBERS
#define G6_FAKE_REMEMBERS false
#endif

// Why there is no device, or none that can be opened; null: there are four good ones.
#ifndef G6_FAKE_NO_DEVICE
#define G6_FAKE_NO_DEVICE nullptr
#endif
#ifndef G6_FAKE_NO_OPEN
#define G6_FAKE_NO_OPEN nullptr
#endif

using namespace g6;
using namespace g6test;

namespace {

class Fake : public Device {
public:
    Fake(int number, const DeviceOptions &options)
        : my_(control.device[number]),
          fault_(fault_for(debug_value(options.debug, "fault"), number))
    {
        ++control.objects;
    }
    ~Fake() override
    {
        ++my_.calls[kDestroy];
        staged_i_.spoil();
        --control.objects;
    }
    const char *error() const override { return "fake loss"; }
    DeviceStatus reserve(int nj) override;
    double *stage(int n, int words) override;
    void send_staged(int n) override;
    double *stage_i(int n, int words) override;
    void send_i(int n) override;
    DeviceStatus start(const Block &block) override;
    DeviceStatus finish(G6Sums *sums) override;
    SumsMemory sums_memory() override
    {
        if (!forces_.empty()) return {nullptr, forces_.data()};
        return {sums_.data(), nullptr};
    }
    void stage_from(Device &other) override;
    bool can_copy_from(Device &) override { return my_.linked; }
    DeviceStatus copy_from(Device &leader, const int *slots, int n) override;
    DeviceStatus neighbours(NeighbourView *view) override;
    DeviceStatus clear() override;
    void note_walk(double interactions, double tests, int ni) override;
    DeviceCounters counters() const override { return counters_; }

private:
    // Counts a call, notes overlapping ones, and decides whether the object is lost in it.
    class Entry {
    public:
        Entry(Fake &fake, Call call) : fake_(fake)
        {
            if (fake.busy_.exchange(true)) violation("two calls on one Device at once");
            ++fake.my_.calls[call];
            if (fake.my_.lose_at[call] && --fake.my_.lose_at[call] == 0) fake.lose();
        }
        ~Entry() { fake_.busy_ = false; }

    private:
        Fake &fake_;
    };

    void lose()
    {
        lost_ = true;
        if (my_.gone_when_lost) my_.gone = true;
    }
    void apply_copies();
    void copy_i();
    void check_i();
    Fake &lead() const { return *static_cast<Fake *>(block_.lead); }
    // Of a walk that several devices share: whether this one has i-particle k.
    bool mine(int k) const { return !block_.is_walk || k % block_.parts == block_.part; }

    FakeDevice &my_;
    Fault fault_;  // in processes whose control no test reaches: a loss in start() or finish()
    bool lost_ = false, started_ = false, has_block_ = false;
    std::atomic<bool> busy_{false};
    std::vector<Slot> slots_;
    StagedRows staged_;
    Fake *copied_from_ = nullptr;
    Fake *staged_from_ = nullptr;  // rows that lie staged there are staged here too
    std::vector<int> copied_;      // slots
    Block block_{};
    std::vector<G6IRecord> i_;
    StagedParticles staged_i_;
    std::vector<G6Sums> sums_;
    std::vector<G6Force> forces_;
    std::vector<std::int64_t> offset_;
    std::vector<int> index_, slot_;
    DeviceCounters counters_;
    WalkMemory memory_;
};

void Fake::note_walk(double interactions, double tests, int ni)
{
    memory_.note(interactions), memory_.note(tests), memory_.note(ni);
}

DeviceStatus Fake::reserve(int nj)
{
    const Entry entry(*this, kReserve);
    if (lost_) return kDeviceLost;
    if (my_.out_of_memory || (my_.room > 0 && nj > my_.room)) return kDeviceOutOfMemory;
    if (nj < 0) violation("reserve of a negative number");
    if (nj > int(slots_.size())) slots_.resize(nj);
    return kDeviceOk;
}

double *Fake::stage(int n, int words)
{
    const Entry entry(*this, kStage);
    if (lost_ || my_.no_stage) return nullptr;
    if (n <= 0) violation("stage of nothing");
    my_.rows += n;
    my_.doubles += long(n) * words;
    return staged_.stage(n, words);
}

void Fake::send_staged(int n)
{
    const Entry entry(*this, kSendStaged);
    if (!lost_) staged_.send_staged(n);
}

void Fake::copy_i()
{
    i_.clear();
    const StagedParticles &staged = lead().staged_i_;
    for (int k = 0; k < block_.ni; ++k) {
        const auto at = std::size_t(block_.first + k);
        if (!block_.i && (at >= staged.size() || block_.i_words != staged.words()))
            return violation("other i-particles were staged than the block has");
        i_.push_back(block_.i ? block_.i[k] : staged.record(at));
        check_bounds(block_, i_.back());
    }
}

// A device may read the i-particles at any moment from start() to finish() (backend.h): they must
// be as they were at start().
void Fake::check_i()
{
    const std::vector<G6IRecord> at_start = i_;
    copy_i();
    const std::size_t bytes = i_.size() * sizeof(G6IRecord);
    if (at_start.size() != i_.size() || std::memcmp(at_start.data(), i_.data(), bytes) != 0)
        violation("the i-particles change between start and finish");
}

double *Fake::stage_i(int n, int words)
{
    const Entry entry(*this, kStageI);
    return lost_ ? nullptr : staged_i_.stage(n, words);
}

void Fake::send_i(int n)
{
    const Entry entry(*this, kSendI);
    if (!lost_) staged_i_.send(n);
}

// Waits until `wanted` devices are inside their starts.
void meet(int wanted)
{
    using Clock = std::chrono::steady_clock;
    if (wanted == 0) return;
    __atomic_add_fetch(&control.meeting, 1, __ATOMIC_ACQ_REL);
    for (const auto end = Clock::now() + std::chrono::seconds(20); Clock::now() < end;)
        if (__atomic_load_n(&control.meeting, __ATOMIC_ACQUIRE) >= wanted) return;
    violation("devices do not start at the same time");
}

DeviceStatus Fake::start(const Block &block)
{
    const Entry entry(*this, kStart);
    if (my_.lose_every_object || fault_.due("start") == FaultKind::kLost) lose();
    if (lost_) return kDeviceLost;
    if (block.lead != this && !block.leader_is_there()) return kDeviceOk;
    meet(my_.meets);
    my_.starter = static_cast<unsigned long>(pthread_self());
    if (my_.unsupported) return kDeviceUnsupported;
    if (staged_from_ && (block.lead != staged_from_ || !staged_from_->started_))
        violation("staged on a device that is not the leader, or was not started before");
    staged_from_ = nullptr;
    if (!copied_.empty() && (block.lead != copied_from_ || !copied_from_->started_))
        violation("copies from a device that is not the leader, or was not started before");
    if (block.i_words > 0) staged_i_.check_sent();
    staged_.apply(slots_);
    apply_copies();
    block_ = block;
    check_claims(block, slots_);
    copy_i();
    if (block.lead == this) {
        const std::size_t n = std::size_t(block.whole_ni);
        sums_.assign(n, G6Sums{});
        forces_.resize(block.want & (kWantJerk | kWantNearest) ? 0 : n);
    }
    my_.walk = block.is_walk;
    my_.want = block.want, my_.ni = block.ni, my_.nj = block.nj, my_.parts = block.parts;
    for (Slot &slot : slots_)
        if (slot.written) predict(slot, block.t);
    if (block.is_walk) memory_.note_walk(block.t, slots_);
    started_ = has_block_ = true;
    ++counters_.copies_up;
    return kDeviceOk;
}

// A test sees the records as if each device got its own.  A real device reads them in the leader's
// memory when it starts.
void Fake::stage_from(Device &other)
{
    const Fake &from = static_cast<Fake &>(other);
    if (!staged_.empty()) violation("stage_from after stage");
    staged_.copy(from.staged_);
    staged_from_ = static_cast<Fake *>(&other);
    my_.rows += staged_.rows();
    my_.doubles += staged_.doubles();
}

DeviceStatus Fake::copy_from(Device &leader, const int *slots, int n)
{
    const Entry entry(*this, kCopyFrom);
    if (lost_) return kDeviceLost;
    if (!my_.linked) violation("copy_from without a link");
    if (!staged_.empty()) violation("copy_from after stage");
    copied_from_ = static_cast<Fake *>(&leader);
    copied_.resize(std::size_t(n));
    for (int k = 0; k < n; ++k) copied_[k] = slots ? slots[k] : k;
    my_.copies += n;
    return kDeviceOk;
}

void Fake::apply_copies()
{
    for (int slot : copied_) {
        if (slot < 0 || slot >= int(slots_.size()) || slot >= int(copied_from_->slots_.size()))
            violation("a slot is copied that was not reserved");
        else
            slots_[slot] = copied_from_->slots_[slot];
    }
    copied_.clear();
}

DeviceStatus Fake::finish(G6Sums *)
{
    const Entry entry(*this, kFinish);
    if (fault_.due("finish") == FaultKind::kLost) lose();
    if (lost_) return kDeviceLost;
    if (!started_) violation("finish without start");
    started_ = false;
    check_i();
    for (int k = 0; k < block_.ni; ++k) {
        if (!mine(k)) continue;
        G6Sums &sums = lead().sums_[block_.first + k];
        sums = G6Sums{};
        sums.nn_slot = -1;
        for (int s = 0; s < block_.nj; ++s) add(slots_[s], s, i_[k], block_.want, sums);
        if (G6_FAKE_REMEMBERS && block_.is_walk) sums.pot *= memory_.factor();
        if (block_.is_walk) counters_.interactions += std::uint64_t(block_.nj), ++counters_.tests;
        if (!lead().forces_.empty())
            lead().forces_[block_.first + k] = {{sums.acc[0], sums.acc[1], sums.acc[2]}, sums.pot};
    }
    ++counters_.copies_down, ++counters_.waits;
    return kDeviceOk;
}

DeviceStatus Fake::neighbours(NeighbourView *view)
{
    const Entry entry(*this, kNeighbours);
    if (lost_) return kDeviceLost;
    if (!has_block_ || started_) violation("neighbours without a finished block");
    offset_.assign(1, 0), index_.clear(), slot_.clear();
    for (int n = 0; n < int(i_.size()); ++n) {
        const G6IRecord &i = i_[n];
        for (int s = 0; mine(n) && s < block_.nj; ++s) {
            if (!is_neighbour(slots_[s], i, block_.own_in_lists)) continue;
            index_.push_back(slots_[s].j.index), slot_.push_back(s);
        }
        offset_.push_back(std::int64_t(index_.size()));
    }
    *view = {offset_.data(), index_.data(), slot_.data()};
    return kDeviceOk;
}

DeviceStatus Fake::clear()
{
    const Entry entry(*this, kClear);
    if (lost_) return kDeviceLost;
    for (Slot &slot : slots_) slot.written = false;
    staged_.clear(), copied_.clear();
    staged_from_ = nullptr;
    started_ = has_block_ = false;
    memory_ = {};
    return kDeviceOk;
}

int count_devices(const char **reason)
{
    *reason = G6_FAKE_NO_DEVICE;
    return *reason ? -1 : kFakeDevices;
}

DeviceStatus describe(int device, DeviceInfo *info)
{
    if (device < 0 || device >= kFakeDevices) return kDeviceLost;
    ++control.device[device].calls[kDescribe];
    *info = DeviceInfo{};
    std::snprintf(info->name, sizeof info->name, "%s", std::string(G6_FAKE_DEVICE).c_str());
    info->memory_bytes = info->memory_free_bytes = 1e9;
    std::snprintf(info->identity, sizeof info->identity, "%d", device);
    info->compute_units = 1, info->has_double = 1, info->is_cpu = G6_FAKE_IS_CPU;
    return kDeviceOk;
}

Device *open_device(int device, const DeviceOptions *options, const char **reason)
{
    if (device < 0 || device >= kFakeDevices) return nullptr;
    ++control.device[device].calls[kOpen];
    if ((*reason = G6_FAKE_NO_OPEN)) return nullptr;
    if (control.device[device].gone) {
        *reason = "fake device has fallen off the bus";
        return nullptr;
    }
    return new Fake(device, *options);
}

const Backend backend = {kBackendAbi, G6_FAKE_NAME, count_devices, describe,
                         open_device, G6_FAKE_TREE, true};

}  // namespace

extern "C" __attribute__((visibility("default"))) const Backend *g6_backend_entry()
{
    return &backend;
}
extern "C" __attribute__((visibility("default"))) FakeControl *g6_fake_control()
{
    return &control;
}
