// SPDX-License-Identifier: MIT
// One column of the table: a library and the settings under which it runs.  Uses cluster 0.
#pragma once

#include "library.h"
#include "options.h"
#include "work.h"

#include "../common/library_log.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace g6bench {

// Seconds that the calls of one block step take, summed over its portions.
struct StepParts {
    double send = 0;   // the j-particles
    double first = 0;  // g6_set_ti and firsthalf
    double last = 0;   // lasthalf, and the neighbour lists
    double sum() const { return send + first + last; }
};

// What a block gives back.
struct Results {
    std::vector<Vec3> acc, jerk;
    std::vector<double> pot;
    std::vector<int> nearest;
    std::vector<std::vector<int>> lists;

    void resize(int n);
};

class Column {
public:
    Column(char label, std::shared_ptr<const Library> library, const Options &options,
           std::vector<std::pair<std::string, std::string>> settings);

    char label() const { return label_; }
    // The name of the library's file and the settings, as "libg6gpu.so precision=double".
    std::string name() const;
    std::string describe(const std::string &computing) const
    {
        return library_->describe(computing);
    }
    bool has_settings() const { return library_->has_settings(); }
    // Number of devices of the last opening; 0 when the library does not tell it.
    int devices() const { return devices_; }
    // Throws Failure when other devices compute than those that the column names.
    void check_devices(const std::string &computing) const;
    // Whether both columns have one library and the same settings, but not one number of devices.
    bool differs_in_devices_alone(const Column &other) const;
    // Whether the library, which must be open, sums over a tree.
    bool walks() const { return library_->setting("mode") == "treewalk"; }
    // From here on the log takes the library's messages.
    void report_to(g6tools::LibraryLog &log) const { log.listen(library_->set_log); }
    // Sentences about what was asked for and this library lacks; empty when it has all.
    std::string lacking() const;
    bool gives_nearest() const { return nearest_; }
    bool gives_lists() const { return lists_; }
    // True: lists hold r^2 + eps2 < h2, as GRAPE-6's; false: r^2 < h2, as GPU libraries'.
    bool softened_lists() const;

    // Throws Failure when the library refuses the settings or the opening.
    void open();
    void close();
    void load(const Work &work) const;
    // Makes the calls of one block step; the j-particles are sent only where send is true.
    StepParts play(Block &block, int nj, double eps2, bool send, Results &results) const;

private:
    void send_block(Block &block) const;
    void set_softenings(int nj) const;
    void play_portion(Block &block, int nj, double eps2, int first, int n, Results &results,
                      StepParts &parts) const;
    void read_lists(int first, int n, Results &results) const;
    void check_backend(const std::string &asked) const;
    [[noreturn]] void fail(const std::string &call, int status) const;

    char label_;
    std::shared_ptr<const Library> library_;
    std::vector<std::pair<std::string, std::string>> settings_;
    bool nearest_, lists_, bulk_, wants_nearest_, wants_lists_, wants_bulk_;
    int ni_max_;
    int softenings_;
    double eps2_;
    int portion_ = 1;  // i-particles in one call
    int devices_ = 0;
};

// For each column the first column that differs from it in the number of devices alone; speed-ups
// are relative to this column.  -1: there is none.  All columns must have been open.
std::vector<int> baselines(const std::vector<Column> &columns);

// The columns that the options ask for, at least one.  Opens the libraries; throws Failure.
std::vector<Column> make_columns(const Options &options);

}  // namespace g6bench
