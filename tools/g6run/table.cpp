// SPDX-License-Identifier: MIT
// Writes the lines of the table to a file and to stdout, keeps the rows of an earlier run up to the
// time of the restart, and shows the progress on stderr.
#include "table.h"

#include "error.h"

#include "../common/text.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <unistd.h>
#include <vector>

namespace g6run {
namespace {

constexpr double kProgressInterval = 0.25;  // seconds

constexpr int kTimeDigits = 8;

// A time with enough digits to differ from line to line, even if the time is many intervals, as a
// Julian date.  every: the interval between lines; 0: not known.
std::string time_of_row(double time, double every)
{
    const double lines = every > 0 ? std::fabs(time) / every : 0;
    const int digits = lines > 1e5 ? static_cast<int>(std::ceil(std::log10(lines))) + 3 : 0;
    return g6tools::text("%10.*g", std::clamp(digits, kTimeDigits, 17), time);
}

// The lines of an earlier table that stay: its head, and its rows up to the time of the restart.
// The closing notes of the earlier run, which tell of its end, do not stay.
std::vector<std::string> kept_lines(const std::string &path, double until)
{
    // The row of the time `until` may have it rounded up: 1000.0485839... as 1000.0486.
    const auto is_last = [&](const std::string &line) {
        const std::string time = line.substr(0, line.find(' ', line.find_first_not_of(' ')));
        bool same = false;
        for (int digits = kTimeDigits; digits <= 17; digits++)
            same = same || g6tools::text("%10.*g", digits, until) == time;
        return same;
    };
    std::vector<std::string> lines;
    std::ifstream file(path);
    bool rows = false;
    for (std::string line; std::getline(file, line);) {
        const bool comment = line.rfind('#', 0) == 0;
        if (comment && rows) continue;
        if (!comment && std::atof(line.c_str()) > until && !is_last(line)) break;
        rows |= !comment;
        lines.push_back(line);
    }
    return lines;
}

std::string time_text(double seconds)
{
    const long s = std::lround(seconds);
    char text[32];
    if (s >= 3600)
        std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    else
        std::snprintf(text, sizeof text, "%ld:%02ld", s / 60, s % 60);
    return text;
}

// done: the part of the work that took these seconds.
std::string time_left(double seconds, double done)
{
    return done > 0 ? time_text(seconds * (1 - done) / done) : "?";
}

}  // namespace

Table::Table(const std::string &path, bool quiet, bool continues, double keep_until,
             const TableUnits &units, double every)
    : path_(path), unfinished_(path + ".tmp"), units_(units), every_(every), quiet_(quiet),
      file_(nullptr, std::fclose)
{
    std::vector<std::string> lines;
    if (continues) lines = kept_lines(path, keep_until * units.time);
    // The old table stays until the new one is complete.  Removes a file with the name of the
    // unfinished table: it may be a link, which must not be followed.
    std::remove(unfinished_.c_str());
    file_.reset(std::fopen(unfinished_.c_str(), "wx"));
    if (!file_) throw Error(path + ": cannot be created");
    for (const std::string &line : lines) std::fprintf(file_.get(), "%s\n", line.c_str());
}

Table::~Table()
{
    if (!published_) std::remove(unfinished_.c_str());
}

void Table::publish()
{
    if (published_) return;
    if (std::fflush(file_.get()) || std::rename(unfinished_.c_str(), path_.c_str()))
        throw Error(path_ + ": cannot be written");
    published_ = true;
}

// The reader of stdout may have ended, as head does, or the terminal may be gone.  The run then
// goes on and writes its files.
void Table::show(const std::string &line)
{
    std::printf("%s\n", line.c_str());
    if (!std::fflush(stdout)) return;
    std::fprintf(stderr, "g6run: standard output takes no more (%s); the run goes on, see %s\n",
                 std::strerror(errno), path_.c_str());
    quiet_ = true;
}

void Table::put(const std::string &line, bool shown)
{
    if (shown && !quiet_) show(line);
    std::fprintf(file_.get(), "%s\n", line.c_str());
    if (std::fflush(file_.get())) throw Error(path_ + ": cannot be written (disk full?)");
}

void Table::note(const std::string &text)
{
    put("# " + text);
}

void Table::head()
{
    if (!units_.line.empty()) note(units_.line);
    put("# r: radii about the density centre (Casertano & Hut 1985) that hold a part of the mass");
    put("#     time                energy       dE/E     T/|W|       r 10%       r 50%       r 90%"
        "      blocks  mean n  Ginter/s");
}

// All numbers have a fixed number of significant digits, because units may make them large or
// small.
void Table::row(const Row &r)
{
    const double energy = r.figures.energy();
    std::array<double, 3> radii = r.figures.radii;
    for (double &radius : radii) radius *= units_.length;
    char line[192];
    std::snprintf(line, sizeof line,
                  "%s %21.14e %10.3e %9.4g %11.5g %11.5g %11.5g %11.0f %7.1f %9.4g",
                  time_of_row(r.time * units_.time, every_ * units_.time).c_str(),
                  energy * units_.energy, r.error, r.figures.virial_ratio(), radii[0], radii[1],
                  radii[2], r.blocks, r.blocks > 0 ? r.steps / r.blocks : 0, r.rate);
    put(line);
}

Progress::Progress(bool quiet) : active_(!quiet && isatty(STDERR_FILENO)) {}

void Progress::show(const std::string &text)
{
    shown_ = true;
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
    std::fflush(stderr);
}

void Progress::say(const std::string &text)
{
    if (active_) show(text + " ...");
}

void Progress::say(const std::string &text, double done, double seconds)
{
    if (is_due())
        show(g6tools::text("%s  %.0f %%  %s left", text.c_str(), 100 * done,
                           time_left(seconds, done).c_str()));
}

void Progress::start(double begin, double end, const TableUnits &units)
{
    units_ = units;
    begin_ = begin;
    end_ = end;
    last_ = 0;
    clock_ = g6tools::Clock();
    say(g6tools::text("t = %.6g of %s", begin * units_.time, units_.time_text(end_).c_str()));
}

bool Progress::is_due()
{
    if (!active_) return false;
    const double now = clock_.seconds();
    if (now - last_ < kProgressInterval) return false;
    last_ = now;
    return true;
}

void Progress::update(double time, double steps, double interactions)
{
    if (!is_due()) return;
    show(g6tools::text("t = %.6g of %s  %.4g steps  %.3g Ginter/s  %s left", time * units_.time,
                       units_.time_text(end_).c_str(), steps, interactions / last_ * 1e-9,
                       time_left(last_, (time - begin_) / (end_ - begin_)).c_str()));
}

void Progress::update_expansion(double z, double done, double interactions)
{
    if (!is_due()) return;
    show(g6tools::text("z = %.4f  step %.0f of %.0f  %.3g Ginter/s  %s left", z, done, end_,
                       interactions / last_ * 1e-9,
                       time_left(last_, (done - begin_) / (end_ - begin_)).c_str()));
}

void Progress::erase()
{
    if (shown_) std::fputs("\r\033[K", stderr);
    shown_ = false;
}

}  // namespace g6run
