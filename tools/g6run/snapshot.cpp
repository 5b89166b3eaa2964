// SPDX-License-Identifier: MIT
// Chooses the reader by the content of a file, checks the particles, and writes files under another
// name until they are whole.
#include "snapshot.h"

#include "error.h"
#include "gadget_file.h"
#include "hdf5_file.h"
#include "output_folder.h"
#include "snapshot_parts.h"
#include "text_file.h"

#include "../common/models.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace g6run {
namespace {

namespace fs = std::filesystem;

bool finite(const double u[3])
{
    return std::isfinite(u[0] + u[1] + u[2]);
}

// What is wrong with one particle, "" for nothing.
std::string fault(const Body &b, bool with_state)
{
    if (!std::isfinite(b.mass)) return "mass is not finite";
    if (b.mass < 0) return "mass is negative";
    if (!finite(b.x)) return "position is not finite";
    if (!finite(b.v)) return "velocity is not finite";
    if (with_state && !(finite(b.a) && finite(b.j) && std::isfinite(b.t) && std::isfinite(b.dt)))
        return "acceleration, jerk or time step is not finite";
    return "";
}

bool looks_like_hdf5_name(const std::string &path)
{
    const std::string end = fs::path(path).extension();
    return end == ".hdf5" || end == ".h5";
}

}  // namespace

const char *ending(Format format)
{
    return format == Format::kText ? ".txt" : ".hdf5";
}

void check_particles(const Snapshot &snapshot, const std::string &source)
{
    double sum = 0;
    for (std::size_t k = 0; k < snapshot.bodies.size(); k++) {
        const std::string text = fault(snapshot.bodies[k], snapshot.state.has_value());
        if (!text.empty())
            throw Error(source + ": particle " + std::to_string(k + 1) + ": " + text);
        sum += snapshot.bodies[k].mass;
    }
    if (snapshot.bodies.empty()) throw Error(source + ": no particles");
    if (!(sum > 0)) throw Error(source + ": the masses sum to zero");
    if (!std::isfinite(sum)) throw Error(source + ": the masses sum to infinity");
    if (!std::isfinite(snapshot.time)) throw Error(source + ": its time is not finite");
}

Snapshot read_snapshot(const std::string &given)
{
    if (given == kStandardInput) {
        Snapshot snapshot = read_text(given);
        check_particles(snapshot, "standard input");
        return snapshot;
    }
    const std::string path = first_part(given);
    check_readable(path);
    if (looks_like_hdf5_name(path) && !is_hdf5(path)) throw Error(path + ": not an HDF5 file");
    // HDF5 needs a file that it can seek in, and is_hdf5() would swallow the first bytes of a pipe.
    const bool gadget = fs::is_regular_file(path) && is_hdf5(path);
    Snapshot snapshot = gadget ? read_gadget(path) : read_text(path);
    check_particles(snapshot, path);
    return snapshot;
}

void write_whole(const std::string &path, const std::function<void(const std::string &)> &write)
{
    // Removes an earlier file of this name: it may be a link, which must not be followed.
    const std::string unfinished = path + ".tmp";
    std::remove(unfinished.c_str());
    try {
        write(unfinished);
    } catch (...) {
        std::remove(unfinished.c_str());
        throw;
    }
    if (std::rename(unfinished.c_str(), path.c_str()))
        throw Error(path + ": cannot be written: " + std::strerror(errno));
}

void write_snapshot(const std::string &path, Format format, const Snapshot &snapshot)
{
    write_whole(path, [&](const std::string &unfinished) {
        if (format == Format::kText)
            write_text(unfinished, snapshot);
        else
            write_gadget(unfinished, snapshot);
    });
}

Snapshot plummer_snapshot(std::size_t n, std::uint64_t seed)
{
    return model_snapshot("plummer", n, seed);
}

Snapshot model_snapshot(const std::string &text, std::size_t n, std::uint64_t seed)
try {
    Snapshot snapshot;
    const g6tools::Model model = g6tools::make_model(text, n, seed);
    for (const g6tools::Body &p : model.bodies) {
        Body b;
        b.mass = p.mass;
        std::copy_n(p.x, 3, b.x);
        std::copy_n(p.v, 3, b.v);
        b.id = snapshot.bodies.size();
        snapshot.bodies.push_back(b);
    }
    snapshot.types = model.types;
    snapshot.note = model.note;
    snapshot.solar_masses = model.solar_masses;
    snapshot.closest_binary = model.closest_binary;
    return snapshot;
} catch (const g6tools::ModelError &error) {
    throw usage_error(std::string("--model ") + error.what());
}

}  // namespace g6run
