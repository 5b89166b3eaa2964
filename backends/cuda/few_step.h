// SPDX-License-Identifier: MIT
// A block of few i-particles (few.h).  For one request a kernel takes in the changed rows,
// predicts, and writes the sums to pinned memory, with the entries of the neighbour lists where the
// block wants lists.
//
// Invariants
//  * The kernel stays in the stream from one block to the next.  It is told to leave before
//    anything else is launched in the stream (Stream), and when what it was launched with changes.
//  * No kernel stays where it would keep other users from the device or slow this client down: when
//    several devices share the block; when this process has several clusters on the device; when
//    several kernels in a row have had no second request; and when answers come late, as they do
//    where processes use a device by turns.
#pragma once

#include "few.h"
#include "step.h"

#include <optional>

namespace g6::cuda {

class FewStep : public Step, private Resident {
public:
    FewStep(const SharedParts &parts, int device);
    ~FewStep() override;
    bool supports(int whole_ni, int nj) const
    {
        return whole_ni <= limit_ && is_few(whole_ni, nj, double_ratio_);
    }
    // Whether this class supports ni i-particles over some number of j-particles.
    bool may_support(int ni) const { return supports(ni, 1); }

    void start(const Request &r) override;
    void finish() override;
    void list_neighbours() override;

private:
    FewLaunch launch_for(const Request &r);
    void write_request(const Request &r, const JParticles::FewRows &rows);
    void post(const FewRequest &r);
    void mail(int first, const double *words, int n);
    void launch();
    bool may_stay();
    void leave() override;
    void await_answer() override;
    void note_end();
    void end_kernel();
    void begin_numbers_anew();
    void forget_words();
    void await_end();
    bool has_left() const;
    bool collect_answers(int *n);

    const SharedParts parts_;
    const int device_;
    int double_ratio_ = 1;   // how many times as fast as doubles floats are
    int limit_;              // most i-particles that this class supports
    int shared_bodies_ = 0;  // FewLaunch::shared_bodies
    Request request_{};

    DeviceArray<MailWord> partial_sums_, relay_;
    DeviceArray<unsigned> hit_count_;
    DeviceArray<Hit> hits_;
    MappedArray<Hit> host_hits_;
    MappedArray<unsigned> host_hit_count_;

    MappedArray<MailWord> mailbox_, answer_;
    MappedArray<unsigned> left_;    // FewLaunch::left
    FewRequest few_request_{};      // the block's request
    const double *rows_ = nullptr;  // its rows, in host memory
    FewLaunch launch_{};            // what the last kernel was launched with
    // The j-particles that the last request predicted.
    std::optional<gpu::PredictionKey> predicted_for_;
    unsigned number_ = 0;         // of the last request
    bool stays_ = false;          // a kernel waits for requests, or has left by itself
    bool is_leaving_ = false;     // a kernel was told to leave, and may still read the mailbox
    int served_ = 0;              // blocks that the last kernel got
    int single_use_kernels_ = 0;  // kernels in succession that had no second request
    int blocks_to_wait_ = 0;      // blocks until a kernel may stay; negative: none may
};

}  // namespace g6::cuda
