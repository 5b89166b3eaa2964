// SPDX-License-Identifier: MIT
// One opened cluster: the state machine behind the g6 calls.  It owns the j-particles, the block in
// flight, the devices and the neighbour lists.
//
// Invariants
//  * The block of the last firsthalf, with the j-particles of that moment, can be computed again at
//  any time until the
//    next firsthalf: more outputs than were guessed, or another device, give the result that a
//    right first guess would.
//  * Outputs are computed only when the client is expected to collect them: guess_ follows what it
//  did last.
//  * A failed device never shows: replace, reload from the store, repeat.
#pragma once

#include "devices.h"
#include "status.h"
#include "tree/host_tree.h"

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

class Cluster {
public:
    explicit Cluster(int id);

    void open();
    void close();
    bool is_open() const { return open_; }
    int id() const { return id_; }

    // Devices for the next opening, in the words of the setting "devices".
    void choose_devices(const std::string &devices);
    void set_option(const std::string &key, const std::string &value);
    const Config &config() const { return config_; }
    std::string backend();

    void set_ti(double ti);
    void set_j(int address, int index, double t, double mass, const double k18[3],
               const double j6[3], const double a2[3], const double v[3], const double x[3]);
    void set_j_point(int address, int index, double mass, const double x[3]);
    void reserve(int nj);
    // j-particles that fit into the free memory of the devices, bounded by the host's.
    int max_particles() const;
    void predict(int nj, double (*x)[3], double (*v)[3]) const;

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
    enum class BlockState { kNone, kStarted, kFinished, kFailed };

    void open_devices();
    void pack(const BlockArgs &args);
    bool pack_one(const BlockArgs &args, int i);
    bool collectable(const BlockArgs &args) const;
    bool tree_only() const;
    bool walking() const { return config_.mode == Mode::kTreeWalk; }
    bool direct_is_cheaper(int ni, int nj);
    void make_tree();       // of the block in flight
    void send_particles();  // to the devices, as the block in flight needs them
    void leave_unsent();
    void note_walk();
    void launch();                // sends j and i, starts the devices; recovers when one fails
    void collect(unsigned want);  // waits, repeats with more outputs, recovers
    void recover(DeviceFailure failure);
    void start(unsigned want);
    void finish();
    void write_outputs(const BlockOutputs &out) const;
    void fail(const BlockOutputs &out, int ni);
    void nothing(size_t ni);  // for sums: nobody attracts

    const int id_;
    bool open_ = false;
    bool devices_stale_ = true;  // settings changed since the devices were opened
    Config config_;
    JStore store_;
    DeviceSet devices_;
    HostTree tree_;
    Walk walk_;                    // of the block in flight
    bool devices_behind_ = false;  // most writes reached the host's tree alone
    std::vector<int> unsent_;      // else the addresses of those that did
    // What was asked for since the j-particles last changed.
    struct {
        unsigned long long revision = 0;
        double t = 0, i_particles = 0;
        bool walked = false;
    } since_;
    double walk_counts_[2] = {};  // interactions and tests before the last walk
    double ti_ = 0;

    BlockState state_ = BlockState::kNone;
    HostBuffer<G6IRecord> block_;
    HostBuffer<G6Sums> sums_;
    BlockRequest request_{};
    int given_nj_ = 0;
    bool wants_jerk_ = false, has_radius_ = false;
    bool collected_ = false;  // a lasthalf delivered this block
    unsigned long long block_revision_ = 0;
    unsigned guess_ = 0;  // outputs that the client is expected to collect
    int held_status_ = 0;
    std::string held_text_;

    NeighbourLists lists_;
    bool lists_ready_ = false, lists_were_read_ = false;

    // i-particles of the low-level group.
    struct Pipes {
        int nj = 0;
        std::vector<int> index;
        std::vector<double> x, v, eps2, h2;  // x, v: three per particle
        void resize(size_t n);
    } pipes_;

    g6_stats stats_{};

    double interactions() const;
};

}  // namespace g6
