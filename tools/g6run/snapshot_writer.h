// SPDX-License-Identifier: MIT
// Writes cosmological snapshots while the run goes on, one at a time, from a copy of its particles.
// HDF5 is called by one thread at a time: nobody else may use it between start() and settle().
#pragma once

#include "cosmology_file.h"

#include <future>
#include <string>

namespace g6run {

class SnapshotWriter {
public:
    ~SnapshotWriter();

    // Waits for the last file, copies the particles, begins to write them, and returns.
    void start(const std::string &path, double a, const Particles &particles,
               const CosmicState &state);
    // As start(), but writes no file.
    void keep(double a, const Particles &particles, const CosmicState &state);
    // The last copy of start() or keep().
    const CosmicSnapshot &kept() const { return copy_; }
    // Writes kept(), and returns when the file is whole.
    void write_kept(const std::string &path);
    // Waits until the file is written; throws the Error of the writing.
    void settle();

private:
    CosmicSnapshot copy_;
    std::future<void> file_;
};

}  // namespace g6run
