// SPDX-License-Identifier: MIT
// The host's side of few.h: launches the kernel that stays on the GPU, writes requests to its
// mailbox, collects its answers, and decides when it must leave.
#include "few_step.h"

#include "../../libg6gpu/settings/debug.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>

namespace g6::cuda {
namespace {

// After kMostSingleUse kernels in a row that served only one request each, or after an answer that
// took longer than kLate, no kernel stays on the device for kBlocksToWait blocks.
constexpr int kMostSingleUse = 4, kBlocksToWait = 256;
constexpr std::chrono::milliseconds kLate{1};
constexpr unsigned kLastNumber = 0xffffff00;

// FewStep objects of this process on each device: each cluster has one.  Devices from number
// kDevices on count as shared.
constexpr int kDevices = 64;
std::array<std::atomic<int>, kDevices> users;

bool is_shared(int device)
{
    return device >= kDevices || users[static_cast<size_t>(device)] > 1;
}

void count_user(int device, int change)
{
    if (device < kDevices) users[static_cast<size_t>(device)] += change;
}

bool is_same(const FewLaunch &a, const FewLaunch &b)
{
    return std::equal(a.j.field, a.j.field + kFields, b.j.field) && a.j.index == b.j.index &&
           a.nj == b.nj && a.per_block == b.per_block;
}

}  // namespace

FewStep::FewStep(const SharedParts &parts, int device) : parts_(parts), device_(device)
{
    relay_.need(kRelayWords);
    partial_sums_.need(static_cast<size_t>(parts_.multiprocessors) * kFewMost * kPartialWords);
    need_zeros(hit_count_, 1, parts_.stream);
    hits_.need(kMostHits);
    host_hits_.need(kMostHits);
    host_hit_count_.need(1);
    left_.need(1);
    *left_.host() = 0;
    mailbox_.need(kMailWords);
    answer_.need(kFewMost * kSumsWords);
    forget_words();
    check(
        cudaDeviceGetAttribute(&double_ratio_, cudaDevAttrSingleToDoublePrecisionPerfRatio, device),
        "device");
    limit_ = std::min(kFewMost, debug_number(parts_.options.debug, "cuda_few", kFewMost));
    if (!can_launch_few(device)) limit_ = 0;
    shared_bodies_ = few_shared_bodies(device);
    if (debug_number(parts_.options.debug, "cuda_stay", 1) == 0) blocks_to_wait_ = -1;
    count_user(device_, 1);
}

FewStep::~FewStep()
{
    count_user(device_, -1);
}

// ---- the kernel ---------------------------------------------------------------------------------

FewLaunch FewStep::launch_for(const Request &r)
{
    FewLaunch l{};
    l.j = parts_.j.memory();
    l.nj = r.nj;
    l.per_block = few_slots(r.nj, parts_.multiprocessors);
    l.shared_bodies = shared_bodies_;
    l.mailbox = mailbox_.device();
    l.left = left_.device();
    FewMemory &m = l.memory;
    m.partial = partial_sums_.get();
    m.hit = hits_.get();
    m.hits = hit_count_.get();
    m.relay = relay_.get();
    m.answer = answer_.device();
    m.hit_out = host_hits_.device();
    m.hits_out = host_hit_count_.device();
    return l;
}

// Whether the kernel of this block may stay on the device.  In a block that several devices share,
// other calls of the driver come between the launch and the answer.
bool FewStep::may_stay()
{
    if (request_.shared || is_shared(device_)) return false;
    if (blocks_to_wait_ <= 0) return blocks_to_wait_ == 0;
    blocks_to_wait_--;
    return false;
}

void FewStep::launch()
{
    launch_.number = number_;
    launch_.stays = may_stay();
    launch_few(parts_.stream, launch_);
    stays_ = launch_.stays;
    served_ = 1;
    if (stays_) parts_.stream.set_resident(this);
}

// Writes n words to the mailbox, from place `first` on, with the number of the request.
void FewStep::mail(int first, const double *words, int n)
{
    auto *to = reinterpret_cast<std::uint64_t *>(mailbox_.host() + first);
    const std::uint64_t tag = static_cast<std::uint64_t>(number_) << 32;
    for (int k = 0; k < n; k++) {
        std::uint64_t word;
        std::memcpy(&word, words + k, sizeof word);
        __atomic_store_n(&to[2 * k], tag | (word & 0xffffffffu), __ATOMIC_RELEASE);
        __atomic_store_n(&to[2 * k + 1], tag | (word >> 32), __ATOMIC_RELEASE);
    }
}

// Gives the request a number and mails it, once no kernel that is leaving can still read the
// mailbox.
void FewStep::post(const FewRequest &r)
{
    await_end();
    number_++;
    if (r.mailed > 0) {
        const int of_i = r.ni * kIWords;
        mail(kRequestWords, parts_.i.in_host_memory(), of_i);
        mail(kRequestWords + of_i, rows_, r.mailed - of_i);
    }
    double words[kRequestWords];
    std::memcpy(words, &r, sizeof r);
    mail(0, words, kRequestWords);
}

void FewStep::leave()
{
    FewRequest end{};
    end.leave = true;
    post(end);
    stays_ = false;
    is_leaving_ = true;
}

// Finds out whether the kernel has left by itself.  If so, FewLaunch::left has the number of the
// request that the kernel did not serve, and the next request gets a higher number.
void FewStep::note_end()
{
    const unsigned left = __atomic_load_n(left_.host(), __ATOMIC_ACQUIRE);
    if (!stays_ || (left != number_ && left != number_ + 1)) return;
    number_ = left;
    stays_ = false;
    parts_.stream.set_resident(nullptr);
    single_use_kernels_ = served_ > 1 ? 0 : single_use_kernels_ + 1;
    if (single_use_kernels_ < kMostSingleUse || blocks_to_wait_ < 0) return;
    single_use_kernels_ = 0;
    blocks_to_wait_ = kBlocksToWait;
}

// Whether the kernel has left without serving the last request.
bool FewStep::has_left() const
{
    return stays_ && __atomic_load_n(left_.host(), __ATOMIC_ACQUIRE) == number_;
}

void FewStep::await_end()
{
    const unsigned *left = left_.host();
    for (unsigned spins = 1; is_leaving_; spins++) {
        is_leaving_ = __atomic_load_n(left, __ATOMIC_ACQUIRE) != number_;
        if (spins % 4096 == 0 && is_leaving_) is_leaving_ = parts_.stream.is_working();
    }
}

void FewStep::end_kernel()
{
    parts_.stream.set_resident(nullptr);
    leave();
}

// Starts the numbers of requests from 0.  All words are cleared first: a word that an earlier
// request left must not have the number of a later one.
void FewStep::begin_numbers_anew()
{
    if (stays_) end_kernel();
    await_end();
    forget_words();
    number_ = *left_.host() = 0;
}

// The stream sets the zeros, so that the host need not wait before the first kernel.
void FewStep::forget_words()
{
    for (DeviceArray<MailWord> *a : {&relay_, &partial_sums_})
        need_zeros(*a, a->capacity(), parts_.stream);
    std::fill_n(mailbox_.host(), kMailWords, MailWord{});
    std::fill_n(answer_.host(), kFewMost * kSumsWords, MailWord{});
}

// ---- a block ------------------------------------------------------------------------------------

void FewStep::write_request(const Request &r, const JParticles::FewRows &rows)
{
    FewRequest &few = few_request_;
    few.ni = static_cast<std::int16_t>(r.ni);
    few.nrows = static_cast<std::int16_t>(rows.n);
    few.whole_ni = static_cast<std::int16_t>(r.whole_ni);
    few.row_words = static_cast<std::int16_t>(rows.words);
    const int threads = few_group_threads(r.whole_ni);
    few.group_threads = static_cast<std::int16_t>(threads);
    few.group_reciprocal = ((1 << kQuotientBits) + threads - 1) / threads;
    few.split = few_in_float(r.whole_ni, r.nj, r.arithmetic != Arithmetic::kFull);
    few.motion = static_cast<std::int8_t>(r.motion);
    few.jerk = r.jerk;
    few.near = r.near;
    few.lists = r.want & kWantLists;
    few.own_in_lists = r.own_in_lists != 0;
    few.t = r.t;
    few.scale = r.scale;
    const G6Units u = units_of(r.scale);
    const double jerk = r.jerk ? u.jerk : 0,
                 unit[] = {u.acc, u.acc, u.acc, jerk, jerk, jerk, -u.pot, r.near ? u.r2 : 0};
    std::copy(std::begin(unit), std::end(unit), few.unit);
    few.i = parts_.i.for_kernels();
    few.rows = rows.device;
    gpu::PredictionKey key = r.prediction();
    key.arithmetic = few.split ? Arithmetic::kSplit : Arithmetic::kFull;
    few.same_predicted = rows.n == 0 && predicted_for_ == key;
    predicted_for_ = key;
    const int words = r.ni * kIWords + rows.n * rows.words;
    few.mailed = static_cast<std::int16_t>(words <= kMostMailed ? words : 0);
    rows_ = rows.host;
}

void FewStep::start(const Request &r)
{
    request_ = r;
    Results &results = parts_.results;
    results.begin(r.ni, true);
    write_request(r, parts_.j.hand_over_few());
    FewLaunch l = launch_for(r);
    note_end();
    if (stays_ && (r.shared || is_shared(device_) || blocks_to_wait_ > 0 || !is_same(l, launch_)))
        end_kernel();
    if (number_ > kLastNumber) begin_numbers_anew();
    launch_ = l;
    post(few_request_);
    if (stays_)
        served_++;
    else
        launch();
    results.send();
}

// Collects the sums of the i-particles from *n on that have come, and counts them in *n.  Returns
// whether all are there.
bool FewStep::collect_answers(int *n)
{
    for (; *n < request_.ni; ++*n) {
        const auto *from =
            reinterpret_cast<const std::uint64_t *>(answer_.host() + *n * kSumsWords);
        std::uint64_t words[kSumsWords];
        for (int k = 0; k < kSumsWords; k++) {
            const std::uint64_t low = __atomic_load_n(&from[2 * k], __ATOMIC_ACQUIRE),
                                high = __atomic_load_n(&from[2 * k + 1], __ATOMIC_ACQUIRE);
            if (low >> 32 != number_ || high >> 32 != number_) return false;
            words[k] = high << 32 | (low & 0xffffffffu);
        }
        std::memcpy(parts_.results.host_out() + *n, words, sizeof(G6Sums));
    }
    return true;
}

void FewStep::finish()
{
    parts_.counters.waits++;
    await_answer();
}

// Where the kernel left before it saw the request, launches another kernel for the same block.
void FewStep::await_answer()
{
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin{};
    int collected = 0;
    for (unsigned spins = 1; !collect_answers(&collected); spins++) {
        if (has_left()) {
            note_end();
            post(few_request_);
            launch();
        }
        if (spins % 4096) continue;
        if (begin == Clock::time_point{}) begin = Clock::now();
        if (parts_.stream.is_working() || has_left() || collect_answers(&collected)) continue;
        throw CudaError{cudaErrorUnknown, "cuda: a block ended without results"};
    }
    const bool late = begin != Clock::time_point{} && Clock::now() - begin > kLate;
    if (late && stays_ && served_ > 1) blocks_to_wait_ = std::max(blocks_to_wait_, kBlocksToWait);
    parts_.stream.mark_idle();
}

// The hits that came with the sums make the lists.  When the block asked for none, or when there
// are more than fit, a search through all j-particles makes them.  The search reads i-particles and
// predicted j-particles in device memory, where start() does not write them.
void FewStep::list_neighbours()
{
    const Request &r = request_;
    if (few_request_.lists && *host_hit_count_.host() <= kMostHits)
        return parts_.lists.fill(host_hits_.host(), *host_hit_count_.host(), r.ni);
    parts_.j.receive(parts_.i, r);
    parts_.j.predict(r);
    parts_.lists.search(r, parts_.j, parts_.i.memory());
}

}  // namespace g6::cuda
