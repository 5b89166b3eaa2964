// SPDX-License-Identifier: MIT
// One opened cluster: the state machine behind the g6 calls.  It owns the j-particles, the block in
// flight, the devices and the neighbour lists.
//
// Invariants
//  * The block of the last firsthalf can be computed again at any time until the next firsthalf or
//    close, with the j-particles and the settings of its moment: more outputs than were guessed, or
//    another device, give the result that a right first guess would.  So devices are chosen anew
//    only where no block needs them: for the next firsthalf, or when there is no block.
//  * All that close() forgets is in Life: a fresh cluster is one assignment.  What stays is
//    settings, devices and memory (opening again is cheap), counters, and the guess of what the
//    client collects.
//  * Outputs are computed only when the client is expected to collect them: guess_ follows what it
//    did last.
//  * A failed device never shows: replace, reload from the store, repeat.
//  * A call that throws leaves the j-particles as they were, and devices of which it is not certain
//    what they hold are sent everything again.
#pragma once

#include "cluster_id.h"
#include "devices.h"
#include "full_blocks.h"
#include "../base/status.h"
#include "../tree/host_tree.h"

namespace g6 {

// Arguments of one firsthalf.  eps2 has stride 0 (one for all) or 1.
struct BlockArgs {
    int nj, ni;
    const int *index;
    const double (*x)[3];
    const double (*v)[3];
    const double *eps2;
    int eps2_stride;
    const double *h2;                   // null: no lists
    const double (*aold)[3] = nullptr;  // read only by the criterion "acceleration"; null: unknown
};

struct BlockOutputs {
    double (*acc)[3];
    double (*jerk)[3];
    double *pot;
    int *nearest;   // null: not wanted
    float *r_near;  // null: not wanted
};

// Outputs of ni i-particles that nobody attracts, in the arrays that are there.
void write_nothing(const BlockOutputs &out, int ni, int nn_none);

class Cluster {
public:
    explicit Cluster(ClusterId id);

    void open();
    void close();
    bool is_open() const { return open_; }
    ClusterId id() const { return id_; }

    // Devices for the next opening, in the words of the setting "devices".
    void choose_devices(const std::string &devices);
    void set_option(const std::string &key, const std::string &value);
    const Config &config() const { return *config_; }
    // Of the block that there is, else of the next one.
    std::string backend();

    void set_ti(double ti);
    // What is wrong with a j-particle, which is then refused.
    enum class Fault { kNone, kAddress, kNotFinite };
    Fault set_j(int address, int index, double t, double mass, const double k18[3],
                const double j6[3], const double a2[3], const double v[3], const double x[3]);
    Fault set_j_point(int address, int index, double mass, const double x[3]);
    void reserve(int nj);
    // j-particles that fit into the free memory of the devices, bounded by the host's.
    int max_particles() const;
    void predict(int nj, double (*x)[3], double (*v)[3]) const;
    // What was sent to one slot, and its x and v at the time that was set; false: nothing was sent.
    bool particle(int address, G6JRecord &sent, double x[3], double v[3]) const;

    // Throws Error; hold_error() keeps it for the lasthalf that follows.
    void firsthalf(const BlockArgs &args);
    void hold_error(int status, const char *text);
    void lasthalf(const BlockArgs &args, const BlockOutputs &out);

    void read_neighbours(bool by_index);
    int get_neighbours(int i, int max_length, int *length, int *list, bool by_index);

    // Clears a fault; search: looks for devices again.
    void reset(bool search);
    void get_stats(g6_stats &stats) const;
    std::string describe() const;

    // The low-level group: i-particles one by one.
    void set_nip(int nip);
    void set_njp(int njp);
    void set_i(int address, int index, const double x[3], const double v[3], double eps2,
               double h2);
    void get_force(double (*acc)[3], double (*jerk)[3], double *pot, int *nearest, int *flag);

private:
    // kNone: no firsthalf yet.  kFailed: refused, or devices failed in it: nothing to collect.
    // kLost: its devices failed and no others could be opened; a call that needs them tries again.
    // kReady: the devices that are left hold its particles and wait.  kStarted: they compute.
    // kFinished: the sums are here.
    enum class BlockState { kNone, kFailed, kLost, kReady, kStarted, kFinished };

    // The block in flight, beside its i-particles, sums and lists, whose memory is kept.
    struct BlockInFlight {
        BlockState state = BlockState::kNone;
        std::shared_ptr<const Config> settings;
        BlockRequest request{};
        int given_nj = 0;
        bool treeonly = false;  // the mode: acc and pot are all that there is
        bool wants_jerk = false, has_radius = false;
        bool collected = false;           // a lasthalf delivered it
        unsigned long long revision = 0;  // of the j-particles
        double walk_counts[2] = {};       // interactions and tests of the devices before it
        int held_status = 0;              // for the lasthalf that follows
        std::string held_text;
        bool lists_ready = false, lists_by_index = false;
    };

    // What the devices know of the committed j-particles: nothing that one could count on, or all
    // but `unsent`, which reached the host's tree alone.
    struct DevicesHold {
        bool known = false;
        std::vector<int> unsent;
    };

    // i-particles of the low-level group.
    struct Pipes {
        int nj = 0;
        int refused = 0;  // so many found no memory: get_force() says so, for set_*() cannot
        std::vector<int> index;
        std::vector<double> x, v, eps2, h2;  // x, v: three per particle
        void resize(int n);
    };

    // What was asked for since the j-particles last changed.
    struct Since {
        unsigned long long revision = 0;
        double t = 0, i_particles = 0;
        bool walked = false;
    };

    // All that belongs to one opening.
    struct Life {
        double ti = 0;
        Since since;
        Pipes pipes;
        FullBlocks full_blocks;
        BlockInFlight block;
        DevicesHold hold;
    };

    bool has_block() const { return life_.block.state > BlockState::kFailed; }
    void open_devices();
    void pack(const BlockArgs &args);
    bool pack_one(const BlockArgs &args, int i);
    double list_radius2(const BlockArgs &args, int i) const;
    void begin(const BlockArgs &args);
    void advise_more_pipes();
    bool collectable(const BlockArgs &args) const;
    bool direct_is_cheaper(int ni, int nj);
    Scale scale_of(int nj);
    void fit_length(Scale &scale);
    void fit_velocity(Scale &scale);
    void make_tree();       // of the block in flight
    void send_particles();  // to the devices, as the block in flight needs them
    void leave_unsent();
    void note_walk();
    void launch(unsigned want);
    void start(unsigned want);
    void restart(unsigned want);
    void collect(unsigned want);
    void finish();
    void recover(const DeviceFailure *failure);
    void reload(const DeviceFailure *failure);
    void forget_sums(size_t ni);
    void take_held_error();
    void write_outputs(const BlockOutputs &out) const;
    void fetch_lists(bool by_index);

    const ClusterId id_;
    bool open_ = false;
    bool devices_stale_ = true;  // settings changed since the devices were opened
    std::shared_ptr<const Config> config_;
    DeviceSet devices_;
    JStore store_;
    HostTree tree_;
    Life life_;
    HostBuffer<G6IRecord> i_;  // of the block in flight
    // Extremes of i_: largest and smallest positive softening squared, smallest positive radius
    // squared, largest finite speed.
    struct Extremes {
        double eps2 = 0, least_eps2 = 0, least_h2 = 0, speed = 0;
        void add(const G6IRecord &r);
        void add(const Extremes &other);
    };
    Extremes i_extremes_;
    HostBuffer<G6Sums> sums_;
    NeighbourLists lists_;

    unsigned guess_ = 0;  // outputs that the client is expected to collect
    bool lists_were_read_ = false;
    g6_stats stats_{};

    double interactions() const;
};

// The status of a j-particle that was set, with a text when it was refused.
int taken(const char *where, int address, Cluster::Fault fault);

}  // namespace g6
