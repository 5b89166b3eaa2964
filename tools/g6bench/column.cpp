// SPDX-License-Identifier: MIT
// Opens a library with the settings of its column, sends particles, and makes the calls of block
// steps with a clock around each part.
#include "column.h"

#include "../common/clock.h"

#include <algorithm>
#include <climits>
#include <map>

namespace g6bench {
namespace {

using g6tools::JParticle;

constexpr int kId = 0;

// The calls take arrays that are not const, but do not change them.  A copy of the particle would
// cost half as much as the call.
void send_particle(const Library &library, int address, const JParticle &given)
{
    auto &p = const_cast<JParticle &>(given);
    int id = kId;
    double step = 0;  // dtj, which all libraries ignore
    library.set_j_particle(&id, &address, &p.index, &p.t, &step, &p.mass, p.k18, p.j6, p.a2, p.v,
                           p.x);
}

}  // namespace

void Results::resize(int n)
{
    const auto size = static_cast<std::size_t>(n);
    acc.resize(size);
    jerk.resize(size);
    pot.resize(size);
    nearest.resize(size);
    lists.resize(size);
}

Column::Column(char label, std::shared_ptr<const Library> library, const Options &options,
               std::vector<std::pair<std::string, std::string>> settings)
    : label_(label), library_(std::move(library)), settings_(std::move(settings)),
      nearest_(options.nearest && library_->lasthalf2),
      lists_(options.lists && library_->read_neighbour_list && library_->get_neighbour_list),
      bulk_(options.bulk && library_->set_j_particles), wants_nearest_(options.nearest),
      wants_lists_(options.lists), wants_bulk_(options.bulk), ni_max_(options.ni_max),
      softenings_(options.softenings), eps2_(options.eps * options.eps)
{
}

std::string Column::name() const
{
    std::string text = library_->file();
    text = text.substr(text.rfind('/') + 1);
    for (const auto &[key, value] : settings_) text += " " + key + "=" + value;
    // A list of devices becomes "0+1": the name is a cell of comma-separated values.
    std::replace(text.begin(), text.end(), ',', '+');
    return text;
}

// The library's setting decides.  Where it is auto, or the library has no such setting, lists of up
// to 48 pipes, as a GRAPE-6 has, are softened.
bool Column::softened_lists() const
{
    const std::string setting = library_->setting("neighbour_softened");
    if (setting == "0" || setting == "1") return setting == "1";
    return library_->npipes() <= 48;
}

std::string Column::lacking() const
{
    std::string text;
    if (wants_nearest_ && !nearest_) text += "no g6calc_lasthalf2_: g6calc_lasthalf_ is timed. ";
    if (wants_lists_ && !lists_) text += "no neighbour lists: none are read. ";
    if (wants_bulk_ && !bulk_) text += "no g6_set_j_particles: one call for each particle. ";
    return text;
}

void Column::fail(const std::string &call, int status) const
{
    const char *text = library_->last_error ? library_->last_error() : "";
    throw Failure(name() + ": " + call + " returned " + std::to_string(status) +
                  (*text ? std::string(": ") + text : ""));
}

void Column::open()
{
    int id = kId;
    for (const auto &[key, value] : settings_) {
        const int status = library_->set_option(id, key.c_str(), value.c_str());
        if (status != G6_OK) fail("g6_set_option(" + key + ", " + value + ")", status);
    }
    // No status check: g6_open_ is void in some libraries.  A failure shows in lasthalf.
    library_->open(&id);
    for (const auto &[key, value] : settings_)
        if (key == "backend") check_backend(value);
    devices_ = library_->devices();
    // Units of time and length, 2^-51 of the particles' range; most libraries ignore them.
    int unit = 51;
    if (library_->set_tunit) library_->set_tunit(&unit);
    if (library_->set_xunit) library_->set_xunit(&unit);
    const int npipes = library_->npipes();
    if (npipes < 1) throw Failure(name() + ": g6_npipes returned " + std::to_string(npipes));
    portion_ = ni_max_ < 0 ? npipes : ni_max_ == 0 ? INT_MAX : ni_max_;
}

// When a backend is not available, the library computes with another one.  This is right for an
// application, but a column that names its backend must not show the times of another backend.
void Column::check_backend(const std::string &asked) const
{
    const std::string got = library_->backend_name ? library_->backend_name(kId) : asked;
    if (got != asked && asked != "auto")
        throw Failure(name() + ": " + got + " computes instead; g6info tells why");
}

void Column::check_devices(const std::string &computing) const
{
    for (const auto &[key, value] : settings_)
        if (key == "devices") library_->check_devices(value, computing);
}

bool Column::differs_in_devices_alone(const Column &other) const
{
    if (library_ != other.library_ || settings_.size() != other.settings_.size()) return false;
    for (std::size_t k = 0; k < settings_.size(); k++)
        if (settings_[k].first != "devices" && settings_[k] != other.settings_[k]) return false;
    return devices_ != other.devices_;
}

void Column::close()
{
    int id = kId;
    library_->close(&id);
}

void Column::load(const Work &work) const
{
    const std::vector<JParticle> &j = work.particles();
    for (int k = 0; k < work.nj(); k++) send_particle(*library_, k, j[static_cast<std::size_t>(k)]);
    if (softenings_ > 0) set_softenings(work.nj());
}

void Column::set_softenings(int nj) const
{
    if (!library_->set_j_softening) throw Failure(name() + ": lacks g6_set_j_softening");
    std::vector<double> eps2;
    for (int k = 0; k < nj; k++) eps2.push_back((1 + k % softenings_) * eps2_);
    const int status = library_->set_j_softening(kId, nj, nullptr, eps2.data());
    if (status != 0) fail("g6_set_j_softening", status);
}

void Column::send_block(Block &b) const
{
    const int n = b.size();
    if (!bulk_) {
        for (int k = 0; k < n; k++)
            send_particle(*library_, b.address[static_cast<std::size_t>(k)],
                          b.j[static_cast<std::size_t>(k)]);
        return;
    }
    const int status = library_->set_j_particles(kId, n, b.address.data(), b.index.data(),
                                                 b.t.data(), b.mass.data(), rows(b.k18), rows(b.j6),
                                                 rows(b.a2), rows(b.jv), rows(b.jx));
    if (status != 0) fail("g6_set_j_particles", status);
}

StepParts Column::play(Block &block, int nj, double eps2, bool send, Results &results) const
{
    int id = kId;
    const int n = block.size();
    StepParts parts;
    const g6tools::Clock sending;
    if (send) send_block(block);
    parts.send = sending.seconds();
    const g6tools::Clock setting_time;
    library_->set_ti(&id, &block.ti);
    parts.first = setting_time.seconds();
    for (int first = 0; first < n;) {
        const int count = std::min(portion_, n - first);
        play_portion(block, nj, eps2, first, count, results, parts);
        first += count;
    }
    return parts;
}

void Column::play_portion(Block &block, int nj, double eps2, int first, int n, Results &results,
                          StepParts &parts) const
{
    int id = kId;
    const auto f = static_cast<std::size_t>(first);
    int *index = &block.index[f];
    double *h2 = &block.h2[f], *pot = &results.pot[f];
    Rows x = rows(block.x, f), v = rows(block.v, f);
    Rows acc = rows(results.acc, f), jerk = rows(results.jerk, f);
    const g6tools::Clock first_half;
    library_->firsthalf(&id, &nj, &n, index, x, v, rows(block.aold, f), rows(block.j6old, f),
                        &block.phiold[f], &eps2, h2);
    parts.first += first_half.seconds();
    const g6tools::Clock last_half;
    const int status =
        nearest_ ? library_->lasthalf2(&id, &nj, &n, index, x, v, &eps2, h2, acc, jerk, pot,
                                       &results.nearest[f])
                 : library_->lasthalf(&id, &nj, &n, index, x, v, &eps2, h2, acc, jerk, pot);
    if (status != 0) fail(nearest_ ? "g6calc_lasthalf2_" : "g6calc_lasthalf_", status);
    if (lists_) read_lists(first, n, results);
    parts.last += last_half.seconds();
}

void Column::read_lists(int first, int n, Results &results) const
{
    int id = kId;
    const int status = library_->read_neighbour_list(&id);
    if (status != 0) fail("g6_read_neighbour_list_", status);
    for (int pipe = 0; pipe < n; pipe++) {
        std::vector<int> &list = results.lists[static_cast<std::size_t>(first + pipe)];
        if (list.size() < 256) list.resize(256);
        int room = static_cast<int>(list.capacity()), count = 0;
        list.resize(static_cast<std::size_t>(room));
        // 1: the list is longer than the array.  Clients double the array and ask again.
        while (library_->get_neighbour_list(&id, &pipe, &room, &count, list.data()) == 1) {
            if (room > (1 << 30)) fail("g6_get_neighbour_list_", 1);
            room *= 2;
            list.resize(static_cast<std::size_t>(room));
        }
        list.resize(static_cast<std::size_t>(std::clamp(count, 0, room)));
    }
}

std::vector<int> baselines(const std::vector<Column> &columns)
{
    std::vector<int> found;
    for (const Column &c : columns) {
        const auto first = std::find_if(
            columns.data(), &c, [&](const Column &b) { return b.differs_in_devices_alone(c); });
        found.push_back(first == &c ? -1 : static_cast<int>(first - columns.data()));
    }
    return found;
}

std::vector<Column> make_columns(const Options &options)
{
    using Combinations = std::vector<std::vector<std::pair<std::string, std::string>>>;
    Combinations combinations = {{}};
    auto multiply = [&](const std::string &key, const std::vector<std::string> &values) {
        if (values.empty()) return;
        auto before = std::move(combinations);
        combinations.clear();
        for (const auto &settings : before)
            for (const std::string &value : values) {
                combinations.push_back(settings);
                combinations.back().emplace_back(key, value);
            }
    };
    multiply("backend", options.backends);
    multiply("mode", options.modes);
    multiply("precision", options.precisions);
    multiply("devices", options.devices);

    std::map<std::string, std::shared_ptr<const Library>> opened;
    std::vector<Column> columns;
    for (const std::string &file : options.libraries) {
        auto &library = opened[file];
        if (!library) library = std::make_shared<Library>(file);
        // A library without the settings of libg6gpu has one column.
        for (const auto &settings : library->has_settings() ? combinations : Combinations{{}}) {
            if (columns.size() == 26) throw Failure("more than 26 columns");
            const char label = static_cast<char>('A' + columns.size());
            columns.emplace_back(label, library, options, settings);
        }
    }
    return columns;
}

}  // namespace g6bench
