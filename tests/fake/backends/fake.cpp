// SPDX-License-Identifier: MIT
// A backend with four devices that computes plainly on the host in double (a walk too: a direct sum
// is a tree's with every cell opened), loses devices when told to, and checks that the core keeps
// its side of libg6gpu/backend.h.
#include "libg6gpu/backend.h"
#include "libg6gpu/settings/debug.h"
#include "tests/fake/control.h"

#include <atomic>
#include <cstring>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

// Other files of this folder are this one with others.
#ifndef G6_FAKE_NAME
#define G6_FAKE_NAME "fake"
#define G6_FAKE_TREE TreeSupport::kOwnTree
#endif
#ifndef G6_FAKE_IS_CPU
#define G6_FAKE_IS_CPU 0
#endif
// Devices of one name are of one kind, whose bits are equal.
#ifndef G6_FAKE_DEVICE
#define G6_FAKE_DEVICE "fake " + std::to_string(device)
#endif
// Whether the potential of a walk shows what the tree has been through, as a real tree's last digits
// do: the walks since clear() with their j-particles, and their work.
#ifndef G6_FAKE_REMEMBERS
#define G6_FAKE_REMEMBERS false
#endif

using namespace g6;
using namespace g6test;

namespace {

FakeControl control;

void violation(const char *text)
{
    if (!control.violation[0])
        std::snprintf(control.violation, sizeof control.violation, "%s", text);
}

G6IRecord all_of(const G6IPoint &p)
{
    return {{p.x[0], p.x[1], p.x[2]}, {}, p.eps2, 0, p.index, p.aold};
}

struct Slot {
    bool written = false;
    G6JRecord j{};
    double x[3], v[3];  // predicted
};

class Fake : public Device {
public:
    Fake(int number, const DeviceOptions &options)
        : my_(control.device[number]), use_snap_(options.use_snap),
          fault_(fault_for(debug_value(options.debug, "fault"), number))
    {
        ++control.objects;
    }
    ~Fake() override
    {
        ++my_.calls[kDestroy];
        // Whoever reads them after this gets wrong results.
        for (G6IRecord &i : staged_i_) const_cast<volatile double &>(i.x[0]) = NAN;
        for (G6IPoint &i : staged_i_points_) const_cast<volatile double &>(i.x[0]) = NAN;
        --control.objects;
    }
    const char *error() const override { return "fake loss"; }
    DeviceStatus reserve(int nj) override;
    G6JRecord *stage(int n) override;
    G6JPoint *stage_points(int n) override;
    void send_points(int n) override;
    G6IRecord *stage_i(int n) override;
    G6IPoint *stage_i_points(int n) override;
    void send_i(int n) override;
    DeviceStatus start(const Block &block) override;
    DeviceStatus finish(G6Sums *sums) override;
    SumsView own_sums() const override
    {
        if (!forces_.empty()) return {nullptr, forces_.data()};
        return {sums_.data(), nullptr};
    }
    void stage_from(Device &other) override;
    DeviceStatus walked(WalkedView *view) override;
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
    void apply(const G6JRecord &record, std::vector<char> &seen);
    void apply_staged();
    void apply_copies();
    void predict(Slot &slot) const;
    void check_claims(const Block &block) const;
    void check_i(const Block &block) const;
    void take_i();
    void check_sent_i() const;
    bool same(const G6IRecord &i, std::size_t k) const;
    Fake &lead() const { return *static_cast<Fake *>(block_.lead); }
    // Of a walk that several devices share: whether this one has i-particle k.
    bool mine(int k) const { return !block_.walk || k % block_.parts == block_.part; }
    void add(const Slot &slot, int number, const G6IRecord &i, G6Sums &sums) const;
    void remember(double value);
    void remember_walk();

    FakeDevice &my_;
    const bool use_snap_;
    Fault fault_;  // in processes whose control no test reaches: a loss in start() or finish()
    bool lost_ = false, started_ = false, has_block_ = false;
    std::atomic<bool> busy_{false};
    std::vector<Slot> slots_;
    std::vector<std::vector<G6JRecord>> staged_, kept_;
    std::vector<std::vector<G6JPoint>> staged_points_, kept_points_;
    std::vector<G6JPoint> sent_;
    Fake *copied_from_ = nullptr;
    std::vector<int> copied_;  // slots
    Block block_{};
    std::vector<G6IRecord> i_, staged_i_;
    std::vector<G6IPoint> staged_i_points_;
    std::vector<G6IRecord> sent_i_;  // as they were when they were sent
    std::vector<G6IPoint> sent_i_points_;
    bool i_are_points_ = false;  // the last stage_i() or stage_i_points()
    std::vector<G6Sums> sums_;
    std::vector<G6Force> forces_;
    std::vector<std::int64_t> offset_;
    std::vector<int> index_, slot_, numbers_;
    DeviceCounters counters_;
    std::uint64_t memory_ = 0, walked_at_ = 0;
};

void Fake::remember(double value)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    memory_ = (memory_ ^ bits) * 6364136223846793005u + 1442695040888963407u;
}

// A walk at the same time over the same particles leaves the tree as it is.
void Fake::remember_walk()
{
    const std::uint64_t before = memory_;
    memory_ = 0;
    remember(block_.t);
    for (const Slot &slot : slots_)
        for (int k = 0; k < 3 && slot.written; ++k) remember(slot.x[k]);
    const std::uint64_t at = memory_;
    memory_ = before;
    if (at != walked_at_) remember(double(at % 1000003));
    walked_at_ = at;
}

void Fake::note_walk(double interactions, double tests, int ni)
{
    remember(interactions), remember(tests), remember(ni);
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

G6JRecord *Fake::stage(int n)
{
    const Entry entry(*this, kStage);
    if (lost_ || my_.no_stage) return nullptr;
    if (n <= 0) violation("stage of nothing");
    my_.records += n;
    staged_.emplace_back(n);
    return staged_.back().data();
}

G6JPoint *Fake::stage_points(int n)
{
    const Entry entry(*this, kStagePoints);
    if (lost_ || my_.no_stage) return nullptr;
    if (n <= 0) violation("stage_points of nothing");
    sent_.clear();
    my_.points += n;
    staged_points_.emplace_back(n);
    return staged_points_.back().data();
}

void Fake::apply(const G6JRecord &record, std::vector<char> &seen)
{
    if (record.slot < 0 || record.slot >= int(slots_.size()))
        return violation("staged slot was not reserved");
    if (seen[record.slot]++) violation("slot staged twice");
    slots_[record.slot].written = true;
    slots_[record.slot].j = record;
}

// The first n points are final: what the core would write after this would be lost.
void Fake::send_points(int n)
{
    const Entry entry(*this, kSendPoints);
    if (lost_) return;
    if (staged_points_.empty() || n <= 0 || n > int(staged_points_.back().size()))
        return violation("send_points of points that were not staged");
    sent_.assign(staged_points_.back().begin(), staged_points_.back().begin() + n);
}

void Fake::apply_staged()
{
    if (!sent_.empty() && std::memcmp(sent_.data(), staged_points_.back().data(),
                                      sent_.size() * sizeof sent_[0]) != 0)
        violation("a point was written after it was sent");
    sent_.clear();
    std::vector<char> seen(slots_.size());
    for (const auto &records : staged_)
        for (const G6JRecord &r : records) apply(r, seen);
    for (const auto &points : staged_points_)
        for (const G6JPoint &p : points)
            apply({{p.x[0], p.x[1], p.x[2]}, {}, {}, {}, {}, p.mass, 0, p.index, p.slot}, seen);
    // Other devices may read them until the next stage().
    kept_.swap(staged_);
    kept_points_.swap(staged_points_);
    staged_.clear();
    staged_points_.clear();
}

void Fake::predict(Slot &slot) const
{
    const double s = block_.t - slot.j.t, k18 = use_snap_ ? 1 : 0;
    for (int k = 0; k < 3; ++k) {
        const double v = slot.j.v[k], a2 = slot.j.a2[k], j6 = slot.j.j6[k],
                     d4 = k18 * slot.j.k18[k];
        slot.x[k] = slot.j.x[k] + s * (v + s * (a2 + s * (j6 + s * 0.75 * d4)));
        slot.v[k] = v + s * (2 * a2 + s * (3 * j6 + s * 3 * d4));
    }
}

// What the core says about the motion and the units must hold, or a backend that believes it would
// be wrong.
void Fake::check_claims(const Block &block) const
{
    if (block.nj > int(slots_.size())) violation("nj beyond reserve");
    if (block.ni <= 0 || (!block.i && block.i_staged == StagedI::kNone))
        violation("start without i-particles");
    for (double factor : {block.scale.length, block.scale.velocity}) {
        int exponent = 0;
        if (!(factor > 0) || std::frexp(factor, &exponent) != 0.5)
            violation("scale is not a power of two");
    }
    if (!(block.scale.mass > 0)) violation("scale of mass is not positive");
    for (const Slot &s : slots_) {
        if (!s.written) continue;
        for (int k = 0; k < 3; ++k) {
            if (block.motion == Motion::kAtRest &&
                (s.j.v[k] != 0 || s.j.a2[k] != 0 || s.j.j6[k] != 0))
                violation("a moving particle was called at rest");
            if (block.motion != Motion::kQuartic && s.j.k18[k] != 0)
                violation("motion leaves out a2by18");
        }
    }
}

// The i-particles, which the core may write after start() where they are staged.
void Fake::check_i(const Block &block) const
{
    for (int k = 0; k < block.ni; ++k) {
        const G6IRecord &i = block.i[k];
        const int at = block.first + k;
        if (block.i_staged == StagedI::kPoints && !lead().same(i, std::size_t(at)))
            violation("a staged point is another particle than that of the block");
        const std::vector<G6IRecord> &staged = lead().staged_i_;
        if (block.i_staged == StagedI::kRecords &&
            (at >= int(staged.size()) || std::memcmp(&i, &staged[at], sizeof i) != 0))
            violation("a staged i-particle is another than that of the block");
        if (!(block.least_eps2 <= i.eps2)) violation("a softening is below the least");
        for (double x : i.x)
            if (!(std::fabs(x) <= block.farthest))
                violation("an i-particle is beyond the farthest");
    }
}

// They are readable until now, by contract, or they are staged alone.
void Fake::take_i()
{
    if (block_.i) {
        check_i(block_);
        i_.assign(block_.i, block_.i + block_.ni);
        return;
    }
    i_.clear();
    for (int k = 0; k < block_.ni; ++k) {
        const std::size_t at = std::size_t(block_.first + k);
        const bool points = block_.i_staged == StagedI::kPoints;
        if (at >= (points ? lead().staged_i_points_.size() : lead().staged_i_.size()))
            return violation("fewer i-particles were staged than the block has");
        i_.push_back(points ? all_of(lead().staged_i_points_[at]) : lead().staged_i_[at]);
    }
}

// Whether point k that was staged has all of the i-particle.
bool Fake::same(const G6IRecord &i, std::size_t k) const
{
    if (k >= staged_i_points_.size()) return false;
    const G6IRecord all = all_of(staged_i_points_[k]);
    return std::memcmp(&i, &all, sizeof i) == 0;
}

G6IPoint *Fake::stage_i_points(int n)
{
    if (lost_) return nullptr;
    sent_i_.clear(), sent_i_points_.clear(), i_are_points_ = true;
    staged_i_points_.assign(static_cast<std::size_t>(n), G6IPoint{});
    return staged_i_points_.data();
}

G6IRecord *Fake::stage_i(int n)
{
    if (lost_) return nullptr;
    sent_i_.clear(), sent_i_points_.clear(), i_are_points_ = false;
    staged_i_.assign(static_cast<std::size_t>(n), G6IRecord{});
    return staged_i_.data();
}

// The first n i-particles are final.
void Fake::send_i(int n)
{
    const Entry entry(*this, kSendI);
    if (lost_) return;
    const std::size_t staged = i_are_points_ ? staged_i_points_.size() : staged_i_.size();
    const std::size_t sent = sent_i_.size() + sent_i_points_.size();
    if (std::size_t(n) <= sent || std::size_t(n) >= staged)
        return violation("send_i of no new i-particles, or of all");
    if (i_are_points_)
        sent_i_points_.assign(staged_i_points_.begin(), staged_i_points_.begin() + n);
    else
        sent_i_.assign(staged_i_.begin(), staged_i_.begin() + n);
}

void Fake::check_sent_i() const
{
    const auto same = [](const auto &sent, const auto &staged) {
        return sent.empty() ||
               std::memcmp(sent.data(), staged.data(), sent.size() * sizeof sent[0]) == 0;
    };
    if (!same(sent_i_, staged_i_) || !same(sent_i_points_, staged_i_points_))
        violation("an i-particle was written after it was sent");
}

DeviceStatus Fake::start(const Block &block)
{
    const Entry entry(*this, kStart);
    if (my_.lose_every_object || fault_.due("start") == FaultKind::kLost) lose();
    if (lost_) return kDeviceLost;
    if (my_.unsupported) return kDeviceUnsupported;
    if (!copied_.empty() && (block.lead != copied_from_ || !copied_from_->started_))
        violation("copies from a device that is not the leader, or was not started before");
    if (block.i_staged != StagedI::kNone) check_sent_i();
    apply_staged();
    apply_copies();
    block_ = block;
    check_claims(block);
    if (!block.lead) violation("a block without a leader");
    if (block.lead == this) {
        const std::size_t n = std::size_t(block.whole_ni);
        sums_.assign(n, G6Sums{});
        forces_.resize(block.want & (kWantJerk | kWantNearest) ? 0 : n);
    }
    if (block.tree) violation("the host's tree sent to a backend that builds its own");
    my_.walk = block.walk != nullptr;
    my_.want = block.want, my_.ni = block.ni, my_.nj = block.nj, my_.parts = block.parts;
    for (Slot &slot : slots_)
        if (slot.written) predict(slot);
    if (block.walk) remember_walk();
    started_ = has_block_ = true;
    ++counters_.copies_up;
    return kDeviceOk;
}

// A test sees the records as if each device got its own.
void Fake::stage_from(Device &other)
{
    const Fake &from = static_cast<Fake &>(other);
    if (!staged_.empty() || !staged_points_.empty()) violation("stage_from after stage");
    staged_ = from.staged_, staged_points_ = from.staged_points_;
    for (const auto &batch : staged_) my_.records += long(batch.size());
    for (const auto &batch : staged_points_) my_.points += long(batch.size());
    if (lost_) return;
}

DeviceStatus Fake::copy_from(Device &leader, const int *slots, int n)
{
    const Entry entry(*this, kCopyFrom);
    if (lost_) return kDeviceLost;
    if (!my_.linked) violation("copy_from without a link");
    if (!staged_.empty() || !staged_points_.empty()) violation("copy_from after stage");
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

void Fake::add(const Slot &slot, int number, const G6IRecord &i, G6Sums &sums) const
{
    if (!slot.written || slot.j.index == i.index) return;
    double r[3], v[3];
    for (int k = 0; k < 3; ++k) r[k] = slot.x[k] - i.x[k], v[k] = slot.v[k] - i.v[k];
    const double r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], s2 = r2 + i.eps2;
    if (block_.want & kWantNearest && (sums.nn_slot < 0 || r2 < sums.nn_r2))
        sums.nn_slot = number, sums.nn_index = slot.j.index, sums.nn_r2 = r2;
    if (s2 == 0) return;
    const double m3 = slot.j.mass / (s2 * std::sqrt(s2));
    const double alpha = 3 * (r[0] * v[0] + r[1] * v[1] + r[2] * v[2]) / s2;
    for (int k = 0; k < 3; ++k) {
        sums.acc[k] += m3 * r[k];
        if (block_.want & kWantJerk) sums.jerk[k] += m3 * (v[k] - alpha * r[k]);
    }
    sums.pot -= slot.j.mass / std::sqrt(s2);
}

DeviceStatus Fake::finish(G6Sums *)
{
    const Entry entry(*this, kFinish);
    if (fault_.due("finish") == FaultKind::kLost) lose();
    if (lost_) return kDeviceLost;
    if (!started_) violation("finish without start");
    started_ = false;
    take_i();
    for (int k = 0; k < block_.ni; ++k) {
        if (!mine(k)) continue;
        G6Sums &sums = lead().sums_[block_.first + k];
        sums = G6Sums{};
        sums.nn_slot = -1;
        for (int s = 0; s < block_.nj; ++s) add(slots_[s], s, i_[k], sums);
        if (G6_FAKE_REMEMBERS && block_.walk) sums.pot *= 1 + double(memory_ % 1024) / (1 << 30);
        if (block_.walk) counters_.interactions += std::uint64_t(block_.nj), ++counters_.tests;
        if (!lead().forces_.empty())
            lead().forces_[block_.first + k] = {{sums.acc[0], sums.acc[1], sums.acc[2]}, sums.pot};
    }
    ++counters_.copies_down, ++counters_.waits;
    return kDeviceOk;
}

DeviceStatus Fake::walked(WalkedView *view)
{
    if (lost_) return kDeviceLost;
    if (!has_block_ || started_ || !block_.walk) violation("walked without a finished walk");
    numbers_.clear();
    for (int k = block_.ni - 1; k >= 0; --k)  // in any order
        if (mine(k)) numbers_.push_back(k);
    *view = {numbers_.data(), int(numbers_.size())};
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
            const Slot &slot = slots_[s];
            if (!slot.written || (slot.j.index == i.index && !block_.own_in_lists)) continue;
            double r2 = 0;
            for (int k = 0; k < 3; ++k) r2 += (slot.x[k] - i.x[k]) * (slot.x[k] - i.x[k]);
            if (!(r2 < i.h2)) continue;
            index_.push_back(slot.j.index), slot_.push_back(s);
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
    staged_.clear(), staged_points_.clear(), sent_.clear(), copied_.clear();
    started_ = has_block_ = false;
    memory_ = walked_at_ = 0;
    return kDeviceOk;
}

int count_devices(const char **)
{
    return kFakeDevices;
}

DeviceStatus describe(int device, DeviceInfo *info)
{
    if (device < 0 || device >= kFakeDevices) return kDeviceLost;
    *info = DeviceInfo{};
    std::snprintf(info->name, sizeof info->name, "%s", std::string(G6_FAKE_DEVICE).c_str());
    info->memory_bytes = info->memory_free_bytes = 1e9;
    info->compute_units = 1, info->has_double = 1, info->is_cpu = G6_FAKE_IS_CPU;
    return kDeviceOk;
}

Device *open_device(int device, const DeviceOptions *options, const char **reason)
{
    if (device < 0 || device >= kFakeDevices) return nullptr;
    ++control.device[device].calls[kOpen];
    if (control.device[device].gone) {
        *reason = "fake device has fallen off the bus";
        return nullptr;
    }
    return new Fake(device, *options);
}

const Backend backend = {kBackendAbi, G6_FAKE_NAME, count_devices,   describe,
                         open_device, G6_FAKE_TREE, Sharing::kMemory};

}  // namespace

extern "C" __attribute__((visibility("default"))) const Backend *g6_backend_entry()
{
    return &backend;
}
extern "C" __attribute__((visibility("default"))) FakeControl *g6_fake_control()
{
    return &control;
}
