// SPDX-License-Identifier: MIT
// What a run and a cosmological run have in common: library, folder and table, and the messages at
// their start.
#pragma once

#include "field.h"
#include "options.h"
#include "output_folder.h"
#include "table.h"

#include <memory>
#include <string>
#include <vector>

namespace g6run {

struct Parts {
    const Options &options;
    const OutputFolder &folder;
    Gravity &gravity;
    Table &table;
    Progress &progress;
    bool continues;  // the run goes on from a snapshot in the folder
};

// The forces of method treewalk or treecode; theta below 0: the default.
std::unique_ptr<Field> make_field(Gravity &gravity, const std::string &method, double theta,
                                  double group);

// The opening angle, and the opening criterion or the size of the groups of a method, in words, for
// the head of a table.
std::string opening_text(const Gravity &gravity, const std::string &method, double theta,
                         double group);

// Reports on stderr settings that were asked for and are not in force, and the texts `others`.
// With --strict the first of these is a usage error.
void report_idle(const Options &options, const Gravity &gravity,
                 const std::vector<std::string> &others = {});

// Reports on stderr new messages of the library, while the run goes on.
void report_errors(Gravity &gravity, Progress &progress);

// Removes the files of an earlier run once `written`, the first file of this run, is whole: the
// snapshots from number `first` on, and with --overwrite interrupted.hdf5, from which a restart of
// the folder would otherwise go on with particles of the run that was replaced.
void remove_earlier(const Parts &parts, int first, const std::string &written);

// At the end of a run that went on from interrupted.hdf5 of its folder, tells that this file may be
// deleted; not where the last snapshot is a text table, from which no restart is exact.
void note_interrupted(const Parts &parts);

}  // namespace g6run
