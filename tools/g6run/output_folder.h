// SPDX-License-Identifier: MIT
// The folder of a run: table.txt, snapshot_0000.hdf5 ..., interrupted.hdf5, last_good.hdf5.
//
// Invariants: files of an earlier run are replaced or removed only with --overwrite, and only after
// the first new file is complete.  Files that g6run did not name are never touched.  One run at a
// time writes into a folder.
#pragma once

#include "snapshot.h"

#include <string>
#include <vector>

namespace g6run {

// Keeps other runs out of a folder as long as this object lives, on file systems with locks.
class FolderLock {
public:
    // Throws where another run has the lock.
    explicit FolderLock(const std::string &folder);
    ~FolderLock();
    FolderLock(const FolderLock &) = delete;
    FolderLock &operator=(const FolderLock &) = delete;

private:
    int file_;
};

class OutputFolder {
public:
    explicit OutputFolder(std::string path) : path_(std::move(path)) {}

    // Throws when a run that writes snapshots from number `first` on may not use this folder.
    // continues: the run goes on from a snapshot in this folder and keeps the earlier files.
    // replaceable: files that the run may overwrite.  source: the file from which the run starts,
    // which it must not overwrite; "" for none.
    void check(int first, bool continues, bool overwrite,
               const std::vector<std::string> &replaceable, const std::string &source) const;
    // Makes the folder unless it exists, and locks it.
    [[nodiscard]] FolderLock create() const;
    // Removes files of an earlier run, except the file `written`: the snapshots from number `first`
    // on, and unless this run continues it also those below, interrupted.hdf5 and last_good.hdf5.
    void remove_earlier(int first, bool continues, const std::string &written) const;

    // Whether a file lies in this folder, which need not exist yet.
    bool holds(const std::string &file) const;
    // Whether a file has the name of a file that a run writes into this folder.
    bool writes(const std::string &file) const;
    std::string snapshot(int number, Format format) const;
    std::string interrupted() const;
    std::string last_good() const;
    std::string table() const;

private:
    std::string path_;
};

// The folder in which a file lies.
std::string folder_of(const std::string &file);

// Snapshots of a folder by number, the highest first, and interrupted.hdf5, which has no number,
// behind them.
std::vector<std::string> newest_snapshots(const std::string &folder);
bool is_interrupted(const std::string &path);

// Throws unless the file can be read.  If the path is a folder, the message names its snapshot with
// the highest number.
void check_readable(const std::string &path);

}  // namespace g6run
