// SPDX-License-Identifier: MIT
// The j-particles of a cluster whose softenings differ: eps_ij^2 = eps_i^2 + eps_j^2.  A class is
// all j-particles of one softening.  Each class is an inner cluster, which gets all i-particles of
// a block with eps_i^2 + eps_class^2; the sums of the classes are added.
//
// So direct sums and walks need not know of classes, on any backend and in any precision: a cell of
// a tree never has particles of two softenings, and a kernel has one softening for each i-particle.
// The price is a launch or a walk for each class.  A cluster whose j-particles have one softening
// has no classes.
//
// Invariants
//  * The slots of a class hold its particles in the order of their addresses.  So the nearest
//    neighbour and the neighbour lists have the order that they would have without classes, and the
//    particles of addresses below nj are the first slots of each class.
//  * Sums are added in ascending order of the softening.  So the same calls give the same bits.
//  * The inner clusters change in update() alone, which a firsthalf calls.  Each can compute its
//    part of the block in flight again, for more outputs or on another device (cluster.h).
//  * After an update() that throws, the next one builds all classes anew.
#pragma once

#include "cluster.h"
#include "softening_table.h"

#include <memory>
#include <vector>

namespace g6 {

class SofteningClasses {
public:
    SofteningClasses(ClusterId id) : id_(id) {}

    // Writes the dirty particles of the store to their classes, or all particles if the classes
    // must be made anew.
    void update(const JStore &store, const SofteningTable &table,
                const std::shared_ptr<const Config> &settings);
    // Forgets all particles, and keeps devices, memory and counters.
    void forget();
    // Whether there are particles in classes.
    bool in_use() const { return in_use_; }

    void firsthalf(const BlockArgs &args, double ti);
    void drop();
    // Whether each class has its part of the block.
    bool have_block() const;
    // Finishes the block with the outputs of `want` (Cluster::collect()), and returns one sum for
    // each i-particle.  nn_slot is an address; -1 without kWantNearest.
    const std::vector<G6Sums> &collect(unsigned want);
    void neighbours(NeighbourLists &lists, bool by_index);
    double eps2_of(int address) const
    {
        return used_[class_of_[static_cast<size_t>(address)]]->eps2;
    }

    void reset(bool search);
    // Adds what the inner clusters have counted, except blocks, i-particles and seconds, which the
    // outer cluster counts.
    void add_counts(g6_stats &stats) const;
    // The cluster that computes the first class.
    Cluster &first() const { return *used_.front()->cluster; }

private:
    struct Class {
        std::vector<int> address;  // [slot], ascending
        std::unique_ptr<Cluster> cluster;
        double eps2 = 0;
        std::vector<int> to, from;  // slots that update() writes, and their addresses
    };

    bool assign_dirty(const JStore &store, const SofteningTable &table);
    void assign_all(const JStore &store, const SofteningTable &table);
    bool assign(int address, int number);
    void add_class(int number, double eps2);

    const ClusterId id_;
    bool in_use_ = false;
    unsigned long long table_revision_ = 0;
    bool by_point_calls_ = false;
    std::shared_ptr<const Config> settings_;
    std::vector<std::unique_ptr<Class>> all_;  // the classes that were ever needed
    std::vector<Class *> used_;                // the first ones of them, by ascending eps2
    std::vector<int> class_of_number_;         // [number of a softening]: index in used_, or -1
    std::vector<unsigned char> class_of_;      // [address]: the index in used_ of its class
    std::vector<int> slot_of_;                 // [address]: its slot in its class; -1: not written
    std::vector<double> eps2_;                 // of the i-particles, for one class
    std::vector<G6Sums> sums_, part_;          // [ni]
};

}  // namespace g6
