// SPDX-License-Identifier: MIT
// The steps between the states: launch, start, finish, and reload after the failure of a device.
#include "computation.h"

#include "../base/fork.h"
#include "../base/timer.h"

#include <algorithm>
#include <utility>

namespace g6 {
namespace {

// All outputs; a block without particles has them from the beginning.
constexpr unsigned kWantAll = kWantJerk | kWantNearest | kWantLists;

}  // namespace

void Computation::open_devices(const Config &settings)
{
    particles_.forget();
    devices_.open(settings, id_);
}

void Computation::forget()
{
    drop();
    tree_.clear();
    particles_.forget();
}

// ---- the states -------------------------------------------------------------------------------

void Computation::begin(std::shared_ptr<const Config> settings, const BlockRequest &request)
{
    drop();
    settings_ = std::move(settings);
    request_ = request;
    failure_.reset();
    const size_t ni = static_cast<size_t>(request.whole_ni);
    if (request.nj > 0 && ni > 0) {
        state_ = State::kUnsent;
        return;
    }
    sums_memory_.renew(ni);
    std::fill_n(sums_memory_.data(), ni, kNoSums);
    sums_ = {sums_memory_.data(), nullptr};
    request_.want = kWantAll;
    state_ = State::kFinished;
}

void Computation::bring_to(State goal, unsigned want)
{
    want_more(want);
    need_readable_sums();
    while (state_ < goal) {
        try {
            switch (state_) {
            case State::kUnsent:
                launch();
                state_ = State::kStarted;
                break;
            case State::kLost:
                reload();
                state_ = State::kReady;
                break;
            case State::kReady:
                start();
                state_ = State::kStarted;
                break;
            case State::kStarted:
                finish();
                state_ = State::kFinished;
                break;
            case State::kNone:
            case State::kFinished: return;
            }
        } catch (const DeviceFailure &failure) {
            lose(failure);
        } catch (...) {
            if (state_ == State::kUnsent) abandon();
            if (state_ == State::kLost) particles_.forget();  // the set may have lost devices
            throw;
        }
    }
}

// A block that was started without one of these outputs is computed again.
void Computation::want_more(unsigned want)
{
    if ((request_.want | want) == request_.want) return;
    request_.want |= want;
    if (state_ < State::kStarted) return;
    stats_.repeats++;
    state_ = State::kReady;
}

// In a child of fork(), sums in memory of a device are lost: the memory belongs to the parent.
void Computation::need_readable_sums()
{
    if (state_ == State::kFinished && sums_.sums != sums_memory_.data() && devices_.of_parent())
        lose({DeviceFailure::kAll, kDeviceLost, kParentsDevices});
}

void Computation::lose(const DeviceFailure &failure)
{
    request_.i->keep();                             // before the failed device's memory is freed
    if (state_ == State::kUnsent) store_.commit();  // because reload() sends the last commit
    if (state_ != State::kLost) stats_.recoveries++;
    all_had_started_ = state_ == State::kStarted || state_ == State::kFinished;
    request_.i_words = 0;  // the staged i-particles may be in memory of the failed device
    state_ = State::kLost;
    failure_ = failure;
}

// Drops a block whose launch failed.  The devices may have received some of the particles.
void Computation::abandon()
{
    drop();
    store_.commit();
    tree_.forget();
    particles_.forget();
}

void Computation::neighbours(NeighbourLists &lists, bool by_index)
{
    for (;;) {
        bring_to(State::kFinished, 0);
        try {
            return started_->neighbours(lists, by_index);
        } catch (const DeviceFailure &failure) {
            lose(failure);
        }
    }
}

// ---- the steps --------------------------------------------------------------------------------

void Computation::launch()
{
    send_particles();
    start();
    request_.i->keep();  // while the devices compute
    store_.begin_commit();
}

// Replaces the device that failed, and sends the devices what they lack of the block's j-particles.
// Throws Error when nothing else can compute.
void Computation::reload()
{
    const std::optional<DeviceFailure> failure = std::exchange(failure_, std::nullopt);
    const JStoreAtCommit moment(store_);
    const bool keep = failure && all_had_started_ && particles_.others_hold_all(*failure);
    if (!keep) particles_.forget();
    if (failure)
        devices_.replace(*failure);
    else
        devices_.open(*settings_, id_);
    if (keep) particles_.lose(failure->device);
    if (request_.is_walk && !request_.tree) tree_.forget();
    send_particles();
    store_.commit();
}

void Computation::start()
{
    const BlockRequest first_try = request_;
    request_.i_words = 0;  // staged i-particles serve one start
    started_.emplace(devices_, division_, first_try);
}

void Computation::finish()
{
    Timer timer(stats_.seconds_wait);
    store_.finish_commit();  // while the devices compute
    sums_ = started_->finish(sums_memory_);
    if (!request_.tree) return;
    const DividedBlock::WalkWork work = started_->walk_work();
    tree_.note_walk(work.interactions, work.tests, request_.whole_ni);
}

// ---- particles --------------------------------------------------------------------------------

void Computation::send_particles()
{
    if (request_.is_walk && devices_.tree() == TreeSupport::kHostTree) {
        division_ = divide(devices_, particles_, request_, 0);
        if (!request_.tree) make_tree();
        particles_.leave_unsent(store_);
        return;
    }
    request_.tree = nullptr;
    particles_.prepare(store_);
    const int dirty = static_cast<int>(store_.dirty().size());
    division_ = divide(devices_, particles_, request_, dirty);
    stats_.j_sent += particles_.send(store_, division_.active);
}

// Makes the host's tree of the j-particles in the store.
void Computation::make_tree()
{
    const Config &c = *settings_;
    const double builds = tree_.builds();
    tree_.update(store_, {c.walk, request_.t, request_.nj, request_.whole_ni, request_.scale,
                          request_.motion, c.threads});
    request_.tree = &tree_.view();
    if (tree_.builds() != builds)
        log(kLogDebug, "tree: %d bodies, %d cells", request_.tree->bodies, request_.tree->cells);
}

}  // namespace g6
