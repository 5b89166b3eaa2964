// SPDX-License-Identifier: MIT
// One opened cluster, behind the g6 calls.  It owns the j-particles, the block in flight, the
// block's computation on the devices, and the neighbour lists.  A block is the work of one
// firsthalf: the sums over nj j-particles for ni i-particles.  It is in flight until the next
// firsthalf or close.  computation.h has the states that a block goes through.
//
// Invariants
//  * The block in flight can be computed again at any time, with the j-particles and the settings
//    of the moment of its firsthalf.  So a block that is computed again, for more outputs than were
//    guessed or on another device, gives the result that a right first guess would have given.
//  * Devices are chosen anew only where no block needs them: for the next firsthalf, or when there
//    is no block.
//  * Where the softenings of the j-particles differ, inner clusters compute the block, one for each
//    softening (softening_classes.h).  The cluster's own computation then has a block without
//    j-particles.  A softening that all j-particles have is added to those of the i-particles.
//  * close() forgets the particles, their softenings, the computation, and all that is in Life.
//    Settings, devices, memory, counters and the guess of what the client collects stay, so that
//    opening again is cheap.
//  * Outputs are computed only when the client is expected to collect them.  guess_ follows what
//    the client collected last.
//  * The failure of a device never shows: the computation replaces the device, sends the particles
//    from the store, and repeats the block.
//  * A call that throws leaves the j-particles as they were.
//  * One call works in a cluster at a time, and holds its busy() (ClusterInUse in clusters.h).
#pragma once

#include "cluster_id.h"
#include "computation.h"
#include "j_arrays.h"
#include "pipes.h"
#include "softening_table.h"
#include "tree_choice.h"
#include "../base/busy_mark.h"
#include "../base/status.h"

#include <memory>
#include <thread>
#include <vector>

namespace g6 {

struct BlockOutputs {
    double (*acc)[3];
    double (*jerk)[3];
    double *pot;
    int *nearest = nullptr;   // null: not wanted
    float *r_near = nullptr;  // null: not wanted
    // If not null, the only output: complete sums, which the outer cluster adds up.
    G6Sums *sums = nullptr;
};

// Writes the outputs of ni i-particles on which no j-particle acts into the arrays that are not
// null: zeros, and nn_none for the nearest neighbour.  A call that failed leaves the same values.
void write_zero_outputs(const BlockOutputs &out, int ni, int nn_none);

class SofteningClasses;

class Cluster {
public:
    explicit Cluster(ClusterId id);
    // An inner cluster.  settings: of the outer cluster.  address: for each slot the address of its
    // particle in the outer cluster; must live as long as this object.
    Cluster(ClusterId id, std::shared_ptr<const Config> settings, const std::vector<int> &address);
    ~Cluster();

    // Held by the call that is at work in the cluster.
    BusyMark &busy() noexcept { return busy_; }

    void open();
    void close();
    bool is_open() const { return open_; }
    ClusterId id() const { return id_; }
    std::string name() const;  // for messages

    // Devices for the next opening, written as the setting "devices".
    void choose_devices(const std::string &devices);
    void set_option(const std::string &key, const std::string &value);
    const Config &config() const { return *config_; }
    // Name of the backend that computes the block in flight; without one, the next block.
    std::string backend();

    void set_ti(double ti);
    // Why set_j() or set_j_point() refuses a j-particle.
    enum class Refusal { kNone, kAddress, kNotFinite };
    Refusal set_j(int address, int index, double t, double mass, const double k18[3],
                  const double j6[3], const double a2[3], const double v[3], const double x[3]);
    Refusal set_j_point(int address, int index, double mass, const double x[3]);
    // Sets n j-particles, up to the first that is refused.  Returns the number of that one, with
    // the reason, or n.
    int set_many(int n, const JArrays &j, Refusal &refusal);
    // As SofteningTable::set().
    void set_softenings(int n, const int *address, const double *eps2)
    {
        softenings_.set(n, address, eps2);
    }
    void reserve(int nj);
    // j-particles that fit into the free memory of the devices, bounded by the host's.
    int max_particles() const;
    void predict(int nj, double (*x)[3], double (*v)[3]) const;
    // What was sent to one address, and its x and v at the time of set_ti(); false: nothing was
    // sent.
    bool particle(int address, G6JRecord &sent, double x[3], double v[3]) const;

    void firsthalf(const BlockArgs &args);
    // Keeps an Error that firsthalf() threw: the lasthalf that follows throws it, because
    // g6calc_firsthalf() returns no status.
    void hold_error(int status, const char *text);
    void lasthalf(const BlockArgs &args, const BlockOutputs &out);

    void read_neighbours(bool by_index);
    // Whether read_neighbours() has made the lists, so that get_neighbours() only copies them.
    bool lists_ready() const { return life_.block.lists_ready; }
    int get_neighbours(int i, int max_length, int *length, int *list, bool by_index);

    // When there is no block, forgets the kept error, and opens devices if none are open.  search:
    // chooses devices anew, as soon as no block needs the present ones.
    void reset(bool search);
    // The number of devices that would compute ni i-particles over nj j-particles, in the first
    // block after j-particles were written.
    int devices_for(int nj, int ni);
    void get_stats(g6_stats &stats) const;
    std::string describe() const;

    // Kawai & Fukushige's calls that set i-particles one by one (part 4 of g6lib.h).
    Pipes &pipes() { return life_.pipes; }
    void get_force(double (*acc)[3], double (*jerk)[3], double *pot, int *nearest, int *flag);

    // ---- of an inner cluster, for softening_classes.h ----
    // Settings for the next firsthalf.
    void follow(const std::shared_ptr<const Config> &settings);
    // Writes the particles of these addresses of another store to slots of this cluster.
    void copy_particles(const JStore &from, const std::vector<int> &addresses,
                        const std::vector<int> &slots);
    // What close() forgets.
    void forget();
    bool has_block() const;
    void drop_block();
    // The work of lasthalf(), with the outputs of `want`.
    void collect(unsigned want, const BlockOutputs &out);
    // The neighbour lists of the block.
    const NeighbourLists &lists(bool by_index);

private:
    // What the client has asked for.  The i-particles and lists are members of the cluster (i_,
    // lists_), because their memory outlives the block.
    struct BlockInFlight {
        std::shared_ptr<const Config> settings;
        int given_nj = 0, nj = 0;  // nj: slots that act
        bool treeonly = false;     // mode treeonly: the block has acc and pot only
        bool wants_jerk = false;
        bool collected = false;           // a lasthalf has delivered it
        std::thread::id thread;           // the thread that began the block
        unsigned long long revision = 0;  // of the j-particles and their softenings
        int held_status = 0;              // error for the lasthalf that follows
        std::string held_text;
        bool lists_ready = false, lists_by_index = false;
    };

    // All that belongs to one opening.
    struct Life {
        double ti = 0;
        TreeChoice tree_choice;
        Pipes pipes;
        bool host_sums_told = false;
        BlockInFlight block;
    };

    static int first_refused(int n, const JArrays &j, Refusal &refusal);
    const DeviceSet &devices() const { return computation_.devices(); }
    // The cluster whose devices compute: this one, or the inner cluster of a softening class.
    const Cluster &at_work() const;
    bool has_classes() const;
    unsigned long long revision() const { return store_.revision() + softenings_.revision(); }
    void open_devices();
    void update_softenings();
    void find_softenings();
    BlockArgs with_common_softening(const BlockArgs &args);
    void begin(const BlockArgs &args);
    void begin_classes(const BlockArgs &args);
    void tell_host_sums() const;
    void add_host_sums(const std::vector<Stray> &strays);
    void sum_overflows(const SumsView &sums);
    bool collectable(const BlockArgs &args);
    static void refuse_bad(const BlockArgs &args);
    bool walks(const Config &settings, const TreeChoice::Work &work, TreeChoice &choice) const;
    void throw_held_error();
    void note_replaced();
    void refuse_replaced();
    IParticles::DeviceMemory memory_on_device(int ni);
    void write_outputs(const BlockOutputs &out);
    void write_sums_of_classes(unsigned want, const BlockOutputs &out);
    void write_sums(const BlockOutputs &out, int i, const G6Sums &s);

    const ClusterId id_;
    BusyMark busy_;
    bool open_ = false;
    bool devices_stale_ = true;  // settings changed since the devices were opened
    std::shared_ptr<const Config> config_;
    JStore store_;
    g6_stats stats_{};
    Computation computation_{id_, store_, stats_};
    Life life_;
    IParticles i_;                     // of the block in flight
    std::vector<StraySum> host_sums_;  // of its i-particles that the host sums, ascending
    NeighbourLists lists_;

    SofteningTable softenings_;
    // What find_softenings() found, at this revision of the softenings and with `live` j-particles.
    struct FoundSoftenings {
        unsigned long long revision = 0;
        int live = 0;
        bool in_classes = false;  // the softenings of the j-particles differ
    } found_softenings_;
    double common_eps2_ = 0;                           // of all j-particles; 0 with classes
    std::unique_ptr<SofteningClasses> classes_;        // null: never needed
    std::vector<double> softened_eps2_;                // of the i-particles, with common_eps2_
    const std::vector<int> *const address_ = nullptr;  // of an inner cluster, by slot

    // Threads whose block another thread's firsthalf has dropped, and which have not called
    // lasthalf since.
    std::vector<std::thread::id> replaced_;
    unsigned guess_ = kWantJerk;  // outputs that the client is expected to collect
    bool lists_were_read_ = false;
};

// Reports that a call could not set a j-particle, and returns the status.
int refused(const char *where, int address, Cluster::Refusal refusal);

}  // namespace g6
