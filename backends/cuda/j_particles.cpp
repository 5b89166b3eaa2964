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
    for (int f = 0; f < fields_; f++)
        j.field[f] = values_.get() + static_cast<size_t>(capacity_) * static_cast<size_t>(f);
    j.index = index_.get();
    return j;
}

int JParticles::slots_for(int nj) const
{
    if (nj > kMostSlots)
        throw CudaError{cudaErrorMemoryAllocation,
                        "cuda: " + std::to_string(nj) +
                            " particles are more than one device takes, " +
                            std::to_string(kMostSlots) + "; " + gpu::kFewerParticles};
    const size_t n_wanted = static_cast<size_t>(gpu::whole_slots(nj));
    const size_t bytes = static_cast<size_t>(fields_) * sizeof(double) + sizeof(int);
    const size_t doubled = std::min<size_t>(
        std::max<size_t>(n_wanted, 2 * static_cast<size_t>(capacity_)), kMostSlots);
    const size_t n = doubled * bytes < free_bytes() / 2 ? doubled : n_wanted;
    check_free(n * bytes, std::to_string(nj) + " particles", gpu::kFewerParticles);
    return static_cast<int>(n);
}

// Allocates new arrays and copies the slots into them.  Where memory for one of the new arrays is
// missing, all old arrays stay.
void JParticles::resize(int slots, int fields)
{
    stream_.synchronize();
    const size_t n = static_cast<size_t>(slots), count = static_cast<size_t>(fields),
                 old_count = static_cast<size_t>(fields_), old = static_cast<size_t>(capacity_);
    // Copies the first `kept` of n elements from another array, and sets the bytes of the rest.
    const auto fill = [&](auto *to, const auto *from, size_t kept, int byte) {
        if (kept < n)
            check(cudaMemsetAsync(to + kept, byte, (n - kept) * sizeof *to, stream_), "clearing");
        if (kept > 0)
            check(cudaMemcpyAsync(to, from, kept * sizeof *to, cudaMemcpyDeviceToDevice, stream_),
                  "growing");
    };
    DeviceArray<double> values;
    DeviceArray<int> index;
    values.need(n * count);
    index.need(n);
    for (size_t f = 0; f < count; f++)
        fill(values.get() + n * f, values_.get() + old * f, f < old_count ? old : 0,
             f == kTimeField ? kEmptyByte : 0);
    fill(index.get(), index_.get(), old, 0);
    check(cudaStreamSynchronize(stream_), "growing");
    values_.swap(values);
    index_.swap(index);
    capacity_ = slots;
    fields_ = fields;
    predicted_for_.reset();
}

// Reserves memory for predicted j-particles, which only direct sums need.
void JParticles::reserve_predicted()
{
    const size_t n = static_cast<size_t>(capacity_);
    if (predicted_capacity_ == n) return;
    reserve_together("direct sums over " + std::to_string(n) + " particles", gpu::kFewerParticles,
                     [&](auto &&f) {
                         f(planes_, n * kMaxPlanes);
                         f(exact_, n * 3);
                     });
    range_.need(n / kTile + 2);
    for (size_t c = 0; c < 3; c++) predicted_.x[c] = exact_.get() + n * c;
    for (size_t p = 0; p < kMaxPlanes; p++)
        predicted_.plane[p] = reinterpret_cast<Word *>(planes_.get()) + n * p;
    predicted_.range = range_.get();
    predicted_capacity_ = n;
    predicted_for_.reset();
}

// ---- staging ----------------------------------------------------------------------------------

// Pinned memory holds at most most_staged() rows.  So this function writes the staged rows to their
// slots and frees the memory for others.  The motion of the next block is not known yet: slots get
// fields for all words of these rows.
void JParticles::send_early()
{
    if (words_ > kJerkWords)
        need_fields_for(Motion::kQuartic);
    else if (words_ > kRestWords)
        need_fields_for(Motion::kCubic);
    receive();
    stream_.synchronize();
}

// Rows behind staged ones need no wait: the device may be reading the earlier rows, which do not
// change.
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
    need_fields(other.fields_);
    other.received_.make_wait(stream_);
    launch_copy_slots(stream_, other.memory(), memory(),
                      copies_first_ ? nullptr : copied_slots_.device(), ncopied_);
    stream_.mark_busy();
    note_change();
}

void JParticles::note_change()
{
    revision_++;
    predicted_for_.reset();
}

// Where a kernel reads the staged rows.  If some of this device's rows have been sent to device
// memory, queues the copy of the rest.
const double *JParticles::source_for_kernels(bool linked)
{
    const bool is_here = staged_at_ == this;
    if (is_here && staging_.is_sending()) staging_.send(stream_, doubles(staged_));
    const Staging &home = staged_at_->staging_;
    return is_here || linked ? home.device(doubles(staged_)) : home.mapped();
}

// a: i-particles that arrive with the staged j-particles.
void JParticles::launch(Arrivals a, const Request &r, const IMemory &i_memory)
{
    copy_slots();
    a.rows = source_for_kernels(r.linked);
    a.nrows = staged_;
    a.row_words = words_;
    if (staged_ > 0) note_change();
    launch_receive(stream_, a, memory(), i_memory, r);
    stream_.mark_busy();
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
    launch(i.arrivals(r.ni), r, i.memory());
}

JParticles::FewRows JParticles::hand_over_few()
{
    FewRows few{staging_.host(), staging_.mapped(), 0, words_};
    if (staged_ > kFewMostRows || staged_at_ != this || copied_from_) {
        receive();
        return few;
    }
    if (staged_ > 0) note_change();
    few.n = std::exchange(staged_, 0);
    return few;
}

void JParticles::clear()
{
    stream_.synchronize();
    staged_ = 0;
    staged_at_ = this;
    copied_from_ = nullptr;
    note_change();
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

}  // namespace g6::cuda
