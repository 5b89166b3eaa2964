// SPDX-License-Identifier: MIT
// The choice between a tree walk and a direct sum for one block of mode treewalk.
//
// Costs are counted in pair interactions and not timed, so that runs repeat bit for bit:
//  * A direct sum costs ni * nj.
//  * A refresh of the tree costs `refresh` for each body: more where the host does it for a GPU.
//  * A walk costs 2500 for each i-particle on the cpu, and `sparse` times as much when few of the
//    bodies are i-particles, because each list then serves few of them.  On a GPU it costs 3000 for
//    each i-particle, and with CUDA a fixed cost for the launches.
// The numbers come from two runs of g6bench --mode treewalk: with G6_DIRECT=0 every block walks,
// and with a large G6_DIRECT every block is a direct sum.
//
// A block whose direct sum costs no more than its walk is a direct sum.  Any other block may need
// a refresh of the tree first.  Consecutive blocks with the same j-particles and time share one
// refresh, which may pay for all of them together and not for each alone.  So they are direct sums
// until all their direct sums together would cost more than a walk and a refresh.
#pragma once

#include <algorithm>
#include <cmath>

namespace g6 {

class TreeChoice {
public:
    struct Work {
        int ni, nj;
        double t;
        unsigned long long revision;  // changes with every write of a j-particle
        bool moves;                   // some j-particle moves
    };
    // own_tree: the devices build the tree.  on_host: the host's own processors compute.
    bool direct_is_cheaper(const Work &w, bool own_tree, bool on_host)
    {
        const double refresh = own_tree ? 128 : on_host ? 80 : 1024;
        const double sparse =
            std::min(8.0, std::cbrt(static_cast<double>(w.nj) / std::max(w.ni, 1)));
        const double walk =
            on_host && !own_tree ? 2500 * sparse * w.ni : 3000.0 * w.ni + (own_tree ? 5e7 : 0);
        if (revision_ != w.revision || (t_ != w.t && w.moves)) *this = TreeChoice(w);
        i_particles_ += w.ni;
        const bool direct = static_cast<double>(w.ni) * w.nj <= walk ||
                            (!walked_ && i_particles_ * w.nj <= walk + refresh * w.nj);
        walked_ = walked_ || !direct;
        return direct;
    }

    TreeChoice() = default;

private:
    explicit TreeChoice(const Work &w) : revision_(w.revision), t_(w.t) {}

    // The blocks since the j-particles or the time last changed.
    unsigned long long revision_ = 0;
    double t_ = 0, i_particles_ = 0;
    bool walked_ = false;  // one of the blocks used the tree
};

}  // namespace g6
