// SPDX-License-Identifier: MIT
// Goes through a recorded session and counts how often the client breaks each rule.
#pragma once

#include "session_cluster.h"
#include "session_rules.h"

#include <map>
#include <string>
#include <utility>

namespace g6check {

struct Finding {
    std::uint64_t count = 0, first = 0;  // the number of the first call
    std::string call, detail;            // name and what is wrong in that call
};

class SessionCheck {
public:
    void add(const g6tools::RecordedCall &call);
    // To be called after the last add().
    void end();

    const Finding &finding(SessionRule rule) const
    {
        return findings_[static_cast<std::size_t>(rule)];
    }

private:
    using Call = g6tools::RecordedCall;
    using Id = std::pair<bool, int>;  // all, id

    __attribute__((format(printf, 4, 5))) void found(SessionRule rule, const Call &c,
                                                     const char *format, ...);
    SessionCluster &serve(const Call &c);
    void open(SessionCluster &cluster);
    void close(const Call &c);
    void lifecycle(const Call &c);
    void write_one(const Call &c);
    void write_bulk(const Call &c);
    void write(SessionCluster &cluster, const Call &c, int address, const SentParticle &particle,
               double mass);
    void set_time(const Call &c);
    void judge_block(SessionCluster &cluster, const Call &c);
    void first(const Call &c);
    void judge_particles(const SessionCluster &cluster, const Call &c);
    void judge_indices(SessionCluster &cluster, const Call &c);
    void last(const Call &c);
    void read_lists(const Call &c);
    void get_list(const Call &c);
    void tell_cut(SessionCluster &cluster);

    std::map<Id, SessionCluster> clusters_;
    int open_ = 0;
    int npipes_ = 0;  // as the client asked; 0: it has not
    std::array<Finding, kSessionRules> findings_;
};

}  // namespace g6check
