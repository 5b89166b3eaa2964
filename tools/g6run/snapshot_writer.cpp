// SPDX-License-Identifier: MIT
// Copies the particles and writes the copy in a thread; settle() waits for the thread and passes on
// its error.
#include "snapshot_writer.h"

#include "snapshot.h"

#include "../common/parallel.h"

namespace g6run {
namespace {

template <class T> void copy(std::vector<T> &to, const std::vector<T> &from)
{
    to.resize(from.size());
    g6tools::parallel_for(from.size(), 1024, [&](std::size_t k) { to[k] = from[k]; });
}

}  // namespace

SnapshotWriter::~SnapshotWriter()
{
    if (file_.valid()) file_.wait();
}

void SnapshotWriter::keep(double a, const Particles &particles, const CosmicState &state)
{
    settle();
    copy_.a = a;
    copy_.state = state;
    copy(copy_.particles.x, particles.x);
    copy(copy_.particles.p, particles.p);
    copy(copy_.particles.acc, particles.acc);
    copy(copy_.particles.mass, particles.mass);
    copy(copy_.particles.id, particles.id);
}

void SnapshotWriter::write_kept(const std::string &path)
{
    settle();
    write_whole(
        path, [this](const std::string &unfinished) { write_cosmic_snapshot(unfinished, copy_); });
}

void SnapshotWriter::start(const std::string &path, double a, const Particles &particles,
                           const CosmicState &state)
{
    keep(a, particles, state);
    file_ = std::async(std::launch::async, [this, path] {
        write_whole(path, [this](const std::string &unfinished) {
            write_cosmic_snapshot(unfinished, copy_);
        });
    });
}

void SnapshotWriter::settle()
{
    if (file_.valid()) file_.get();
}

}  // namespace g6run
