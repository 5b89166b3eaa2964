// SPDX-License-Identifier: MIT
// A model of the library after its contract (include/g6lib.h, docs): which cluster a call reaches,
// what each cluster keeps, and so what each call must answer.
//
// Invariants
//  * The model learns from an answer only where the contract leaves a choice; each such place says
//    so.
//  * A block has its own copy of settings and particles from the moment of its firsthalf.
#pragma once

#include "block_args.h"
#include "block_truth.h"
#include "library.h"

#include <map>
#include <optional>
#include <set>

namespace g6fuzz {

// The cluster of the calls without an id: beyond every int.
constexpr long long kAllKey = 1LL << 40;

struct World {
    std::vector<std::string> known_backends;  // names that the setting may have
    std::vector<int> devices;                 // of each backend in g6_get_backend_info()'s order
    std::string backend = "cpu";              // that is fuzzed
    bool single_on_device = false;            // precision single is offered by it
    bool faults = false;                      // devices are lost on purpose
    int pipes = 0;                            // g6_npipes()
    std::string profile;                      // G6_PROFILE
    // G6_* variables that clusters start with: "mode" ... ; those the generator leaves alone.
    std::map<std::string, std::string> environment;
    std::set<std::string> fixed;

    // What computes: behind the backend mpi, that of the client and of its workers.
    std::string computes() const
    {
        const auto local = environment.find("local_backend");
        return backend == "mpi" && local != environment.end() ? local->second : backend;
    }
    bool computes_on_fakes() const { return computes() == "fake" || computes() == "alike"; }
};

class Cluster {
public:
    bool open = false;
    Settings settings;
    Texts texts;
    double ti = 0;
    double writes = 0;  // since the first opening

    // j-particles, ascending by address; shared with blocks until the next write.
    const std::vector<JParticle> &particles() const { return *store_; }
    std::shared_ptr<const std::vector<JParticle>> store() const { return store_; }
    unsigned long revision() const { return revision_; }
    bool points_only() const { return any_points_ && !any_full_; }
    void write(const JParticle &j, bool point);
    // Sets the softenings squared of slots, written or not.
    void soften(const std::map<int, double> &eps2);
    const std::map<int, double> &softenings() const { return softenings_; }
    double softening(int address) const;
    void forget();

    // kUnknown: the contract leaves open whether a refused call took the block's place.
    enum class State { kNone, kPending, kCollected, kFailed, kUnknown };
    State state = State::kNone;
    Task task;
    std::shared_ptr<BlockTruth> truth;  // of the task, once it is needed
    unsigned long block_revision = 0;
    bool block_certain = true;  // else an answer did not tell which of two blocks it was
    int held = 0;               // status that the next lasthalf returns
    bool held_perhaps = false;  // a reset may have cleared it

    // Neighbour lists.
    bool lists_read = false;
    int lists_sort = 1;  // mode at the last read; -1: either

    struct Pipes {
        int nj = 0;
        // A number of i-particles that was refused: memory could not hold it, or it is negative.
        enum { kNone, kMemory, kNegative } refused = kNone;
        bool lacks_one = false;  // an i-particle was refused since the last get_force
        std::vector<IParticle> i;
    } pipes;

private:
    std::shared_ptr<std::vector<JParticle>> store_ = std::make_shared<std::vector<JParticle>>();
    std::map<int, double> softenings_;  // of slots; 0 elsewhere
    unsigned long revision_ = 0;
    bool any_full_ = false, any_points_ = false;
};

class Model {
public:
    explicit Model(const World &world) : world_(world) {}

    // "" or what the library did wrong.
    std::string check(const Call &call, const Answer &answer);

    // Rows that a get_force by this call writes.
    int rows_of(const Call &call) const;
    // The cluster that a call with an id reaches; null when it would open a new one.
    const Cluster *reached(const Call &call) const;
    // A call that was refused may have opened this id or not: the caller opens it.
    bool wants_open(int &id, bool &all);
    bool is_open(long long key) const;
    std::vector<long long> open_keys() const;
    const World &world() const { return world_; }
    // A call wanted more than memory holds.
    bool memory_was_asked_for() const { return memory_asked_; }

private:
    Cluster &resolve(long long key);
    Cluster &exact(long long key);
    static long long key_of(const Call &call)
    {
        return is_all(call.form) ? kAllKey : call.named_id();
    }

    std::string check_lifecycle(const Call &c, const Answer &a);
    bool may_be_too_many(int address, const Answer &a);
    std::string check_write(const Call &c, const Answer &a);
    std::string check_bulk(const Call &c, const Answer &a);
    std::string check_softening(const Call &c, const Answer &a);
    std::string check_first(const Call &c);
    std::string check_last(const Call &c, const Answer &a);
    std::string check_special(const Call &c, const Answer &a);
    std::string check_pipes(const Call &c);
    std::string check_force(const Call &c, const Answer &a);
    std::string check_read(const Call &c, const Answer &a);
    std::string check_list(const Call &c, const Answer &a);
    std::string check_entries(Cluster &k, const Call &c, const Answer &a);
    std::string check_prediction(const Call &c, const Answer &a);
    std::string check_setting(const Call &c, const Answer &a);
    std::string check_struct(const Call &c, const Answer &a);
    std::string check_rest(const Call &c, const Answer &a);

    int start(Cluster &k, const BlockArgs &args);
    Task make_task(const Cluster &k, const BlockArgs &args) const;
    std::string judge_block(Cluster &k, const Answer &a, int rows);
    bool may_be_refused(Cluster &k);
    std::string expect_zeros(const Cluster &k, const Answer &a, int rows) const;
    bool same_arguments(const Cluster &k, const BlockArgs &args) const;

    const World &world_;
    std::map<long long, Cluster> clusters_;
    std::vector<long long> open_;
    int sort_mode_ = 1;
    bool devices_chosen_ = false;
    std::optional<long long> doubtful_;
    long long opened_ = 0;  // by the call that is checked
    bool opened_one_ = false, refused_ = false, memory_asked_ = false;
};

// "status -1 expected, got 0" unless it is so.
std::string expect_status(int expected, const Answer &a);

// Whether `got` is what the truth of i-particle i allows; "" or what is wrong.
std::string judge_force(const BlockTruth &truth, int i, const Answer &a);
std::string judge_nearest(const BlockTruth &truth, const Task &task, int i, const Answer &a);

}  // namespace g6fuzz
