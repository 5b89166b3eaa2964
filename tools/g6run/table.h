// SPDX-License-Identifier: MIT
// The run's table, on stdout and in a file, line by line; and the progress line on a terminal.
#pragma once

#include "diagnostics.h"
#include "units.h"

#include "../common/clock.h"

#include <cstdio>
#include <memory>
#include <string>

namespace g6run {

// One line of the table.
struct Row {
    double time = 0;
    Figures figures;
    double error = 0;              // of energy_error()
    double blocks = 0, steps = 0;  // since the beginning
    double rate = 0;               // 1e9 interactions a second, since the line before
};

class Table {
public:
    // A run that continues keeps the file's lines up to `keep_until`; else the file is new.  The
    // file has another name until publish(); without publish() the destructor removes it.  every:
    // the time between rows; 0: not known.
    Table(const std::string &path, bool quiet, bool continues, double keep_until,
          const TableUnits &units = {}, double every = 0);
    ~Table();
    Table(const Table &) = delete;
    Table &operator=(const Table &) = delete;

    // Replaces the table of an earlier run.
    void publish();

    void head();
    void row(const Row &row);
    // A line of a cosmological run, which begins with a number that grows; shown: on stdout, too.
    void line(const std::string &text, bool shown = true) { put(text, shown); }
    const TableUnits &units() const { return units_; }
    // A line of comment: "# text".
    void note(const std::string &text);

private:
    void put(const std::string &line, bool shown = true);
    void show(const std::string &line);

    std::string path_, unfinished_;
    TableUnits units_;
    double every_;
    bool quiet_, published_ = false;
    std::unique_ptr<FILE, int (*)(FILE *)> file_;
};

// Rewrites one line of stderr a few times a second; silent unless stderr is a terminal.
class Progress {
public:
    explicit Progress(bool quiet);
    ~Progress() { erase(); }
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;

    // Shows what the run does while it makes no steps: "reading stars.txt".
    void say(const std::string &text);
    // As above, with the part of the work that is done and the seconds that it took.
    void say(const std::string &text, double done, double seconds);
    // Steps begin, from one time to another.  units: of the times shown.
    void start(double begin, double end, const TableUnits &units = {});
    void update(double time, double steps, double interactions);
    // `done` steps have led to redshift z; start() got numbers of steps in place of times.
    void update_expansion(double z, double done, double interactions);
    // To be called before anything else is printed.
    void erase();

private:
    void show(const std::string &text);
    bool is_due();

    bool active_;
    bool shown_ = false;
    double begin_ = 0, end_ = 1;
    TableUnits units_;
    double last_ = 0;  // seconds at the last update
    g6tools::Clock clock_;
};

}  // namespace g6run
