// SPDX-License-Identifier: MIT
// The memory of the j-particles and how it grows, and the launches that write staged rows to
// their slots, copy slots from another device, and predict them.
#include "j_particles.h"

#include <algorithm>
#include <utility>

namespace g6::cuda {
namespace {

// Slots are numbered by int, and kernels round their number up.
constexpr int kMostSlots = 0x7fffff00;

}  // namespace

// ---- memory -----------------------------------------------------------------------------------

JMemory JParticles::memory() const
{
    JMemory j{};
    const size_t n = static_cast<size_t>(capacity_);
    for (size_t c = 0; c < 3; c++) {
        j.field[c] = rest_.get() + n * c;
        if (arrays_for_ == Motion::kQuartic) j.field[kSnapField + c] = snap_.get() + n * c;
    }
    for (size_t f = 0; arrays_for_ != Motion::kAtRest && f < kMotionFields; f++)
        j.field[kMotionField + f] = motion_.get() + n * f;
    j.field[kMassField] = rest_.get() + n * 3;
    j.field[kTimeField] = rest_.get() + n * 4;
    j.index = index_.get();
    return j;
}

void JParticles::need_motion_arrays(Motion motion)
{
    const auto add = [&](DeviceArray<double> &a, size_t fields) {
        if (capacity_ > 0) need_zeros(a, static_cast<size_t>(capacity_) * fields, stream_);
    };
    if (motion > Motion::kAtRest && arrays_for_ == Motion::kAtRest) {
        add(motion_, kMotionFields);
        arrays_for_ = Motion::kCubic;
    }
    if (motion == Motion::kQuartic && arrays_for_ == Motion::kCubic) {
        add(snap_, 3);
        arrays_for_ = Motion::kQuartic;
    }
}

int JParticles::slots_for(int nj) const
{
    if (nj > kMostSlots)
        throw CudaError{cudaErrorMemoryAllocation,
                        "cuda: " + std::to_string(nj) +
                            " particles are more than one device takes, " +
                            std::to_string(kMostSlots) + "; " + gpu::kFewerParticles};
    const size_t n_wanted = static_cast<size_t>(gpu::whole_slots(nj));
    const size_t fields = kRestFields + (arrays_for_ != Motion::kAtRest ? kMotionFields : 0) +
                          (arrays_for_ == Motion::kQuartic ? 3 : 0),
                 bytes = fields * sizeof(double) + sizeof(int);
    const size_t doubled = std::min<size_t>(
        std::max<size_t>(n_wanted, 2 * static_cast<size_t>(capacity_)), kMostSlots);
    const size_t n = doubled * bytes < free_bytes() / 2 ? doubled : n_wanted;
    check_free(n * bytes, std::to_string(nj) + " particles", gpu::kFewerParticles);
    return static_cast<int>(n);
}

// Allocates new arrays and copies the slots.  Where one of them cannot be had, all stay as they
// were.
void JParticles::grow(int slots)
{
    stream_.synchronize();
    const size_t n = static_cast<size_t>(slots);
    const size_t kept = static_cast<size_t>(capacity_);
    const auto copy = [&](const auto &from, auto &to, size_t count, bool has_time) {
        to.need(n * count);
        const size_t size = sizeof *to.get();
        for (size_t f = 0; f < count; f++) {
            const int byte = has_time && f == count - 1 ? kEmptyByte : 0;
            check(cudaMemsetAsync(to.get() + n * f + kept, byte, (n - kept) * size, stream_),
                  "clearing");
            if (kept)
                check(cudaMemcpyAsync(to.get() + n * f, from.get() + kept * f, kept * size,
                                      cudaMemcpyDeviceToDevice, stream_),
                      "growing");
        }
    };
    DeviceArray<double> rest, motion, snap;
    DeviceArray<int> index;
    static_assert(kRestFields == 5, "the last is the time");
    copy(rest_, rest, kRestFields, true);
    if (arrays_for_ != Motion::kAtRest) copy(motion_, motion, kMotionFields, false);
    if (arrays_for_ == Motion::kQuartic) copy(snap_, snap, 3, false);
    copy(index_, index, 1, false);
    check(cudaStreamSynchronize(stream_), "growing");
    rest_.swap(rest);
    motion_.swap(motion);
    snap_.swap(snap);
    index_.swap(index);
    capacity_ = static_cast<int>(n);
    predicted_for_.reset();
}

// Reserves memory for predicted j-particles, which only direct sums need.
void JParticles::reserve_predicted()
{
    const size_t n = static_cast<size_t>(capacity_);
    if (predicted_capacity_ == n) return;
    Reservation memory;
    memory.add(planes_, n * kMaxPlanes);
    memory.add(exact_, n * 3);
    memory.check_fits("direct sums over " + std::to_string(n) + " particles", gpu::kFewerParticles);
    memory.reserve(planes_, n * kMaxPlanes);
    memory.reserve(exact_, n * 3);
    range_.need(n / kTile + 2);
    for (size_t c = 0; c < 3; c++) predicted_.x[c] = exact_.get() + n * c;
    for (size_t p = 0; p < kMaxPlanes; p++)
        predicted_.plane[p] = reinterpret_cast<Word *>(planes_.get()) + n * p;
    predicted_.range = range_.get();
    predicted_capacity_ = n;
    predicted_for_.reset();
}

// ---- staging ----------------------------------------------------------------------------------

// Pinned memory holds at most most_staged() rows.  So this brings what is staged to its slots, and
// its memory can be used anew.  The motion of these particles comes with the next block, which is
// too late here.  So they get arrays for all that their rows may have.
void JParticles::send_early()
{
    if (words_ > kJerkWords && options_.use_snap)
        need_motion_arrays(Motion::kQuartic);
    else if (words_ > kRestWords)
        need_motion_arrays(Motion::kCubic);
    receive();
    stream_.synchronize();
}

// Adding to staged rows waits for nothing: the device may be reading the earlier ones, which stay
// as they are.
double *JParticles::stage(int n, int words)
{
    if (staged_ > 0 && (words != words_ || staged_ > most_staged(words) - n)) send_early();
    words_ = words;
    const size_t kept = doubles(staged_), all = doubles(staged_ + n);
    if (kept == 0 || !staging_.fits(all)) stream_.synchronize();
    if (kept == 0) staging_.restart();
    staging_.need(all, kept);
    before_ = staged_;
    staged_ += n;
    return staging_.host() + kept;
}

void JParticles::send_staged(int n)
{
    staging_.send(stream_, doubles(before_ + n));
}

void JParticles::stage_from(const JParticles &other)
{
    staged_at_ = &other;
    staged_ = other.staged_;
    words_ = other.words_;
}

// Notes the copy, which copy_slots() launches before the next kernel that writes to slots.
void JParticles::copy_from(JParticles &other, const int *slots, int n)
{
    stream_.synchronize();
    copied_from_ = &other;
    copies_first_ = !slots;
    ncopied_ = n;
    if (!slots) return;
    copied_slots_.need(static_cast<size_t>(n));
    std::copy_n(slots, n, copied_slots_.host());
}

void JParticles::copy_slots()
{
    if (!copied_from_) return;
    JParticles &other = *std::exchange(copied_from_, nullptr);
    need_motion_arrays(other.arrays_for_);  // this device may lack arrays that the other one has
    other.received_.make_wait(stream_);
    launch_copy_slots(stream_, other.memory(), memory(),
                      copies_first_ ? nullptr : copied_slots_.device(), ncopied_);
    stream_.mark_busy();
    predicted_for_.reset();
}

// Tells the tree which slots change.  Called when the staged particles are about to reach their
// slots.
void JParticles::note_staged()
{
    if (!tree_.knows()) {
        noted_others_ = true;
    } else if (staged_at_ != this && !staged_at_->noted_others_) {
        tree_.note_known();  // the leader has the same particles and has started already
    } else {
        noted_others_ = tree_.note(staged_at_->staging_.host(), staged_, words_,
                                   host_threads(staged_, options_.threads));
    }
}

// Where a kernel finds the staged rows.  If a part of this device's memory is copied to the device
// already, queues the copy of the rest.
const double *JParticles::source_for_kernels(bool linked)
{
    const bool is_here = staged_at_ == this;
    if (is_here && staging_.is_sending()) staging_.send(stream_, doubles(staged_));
    const Staging<double> &home = staged_at_->staging_;
    return is_here || linked ? home.device(doubles(staged_)) : home.mapped();
}

// a: i-particles that arrive with the staged j-particles.
void JParticles::launch(Arrivals a, const Request &r, const IMemory &i_memory)
{
    copy_slots();
    a.rows = source_for_kernels(r.linked);
    a.nrows = staged_;
    a.row_words = words_;
    if (any_staged()) predicted_for_.reset();
    launch_receive(stream_, a, memory(), options_.use_snap != 0, i_memory, r);
    stream_.mark_busy();
    note_staged();  // while the device receives
    staged_ = 0;
    staged_at_ = this;
}

void JParticles::receive()
{
    launch(Arrivals{}, Request{}, IMemory{});
}

void JParticles::receive(DeviceIParticles &i, const Request &r)
{
    i.reserve(r.ni);
    Arrivals a{};
    i.add_to(a, r.ni);
    launch(a, r, i.memory());
}

JParticles::FewRows JParticles::hand_over_few()
{
    FewRows few{staging_.host(), staging_.mapped(), 0, words_};
    if (staged_ > kFewMost || staged_at_ != this || copied_from_) {
        receive();
        return few;
    }
    if (any_staged()) predicted_for_.reset();
    note_staged();
    few.n = std::exchange(staged_, 0);
    return few;
}

void JParticles::clear()
{
    stream_.synchronize();
    staged_ = 0;
    staged_at_ = this;
    copied_from_ = nullptr;
    predicted_for_.reset();
    tree_.forget();
    if (capacity_)
        check(cudaMemsetAsync(memory().field[kTimeField], kEmptyByte,
                              sizeof(double) * static_cast<size_t>(capacity_), stream_),
              "clearing");
}

// ---- at the time of a block -------------------------------------------------------------------

void JParticles::predict(const Request &r)
{
    if (predicted_for_ == r.prediction()) return;
    reserve_predicted();
    predicted_for_.reset();
    launch_predict(stream_, r, memory(), predicted_);
    predicted_for_ = r.prediction();
}

// All slots of the capacity, because later blocks may use more of them than this one.
void JParticles::teach_tree()
{
    const size_t n = static_cast<size_t>(capacity_);
    std::vector<int> index(n);
    std::vector<double> time(n);
    check(cudaMemcpyAsync(index.data(), index_.get(), sizeof(int) * n, cudaMemcpyDeviceToHost,
                          stream_),
          "tree");
    check(cudaMemcpyAsync(time.data(), memory().field[kTimeField], sizeof(double) * n,
                          cudaMemcpyDeviceToHost, stream_),
          "tree");
    check(cudaStreamSynchronize(stream_), "tree");
    tree_.learn(index, time);
}

}  // namespace g6::cuda
