// SPDX-License-Identifier: MIT
// Writes the record of a run's steps, line by line, through the buffer of the C library.
#include "steps_log.h"

#include "error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace g6run {

void StepsLog::check(const std::string &path, bool overwrite, const OutputFolder &folder)
{
    if (path.empty()) return;
    const std::string option = "--steps-log " + path;
    if (folder.writes(path))
        throw usage_error(option + ": has the name of another file of the run");
    if (!std::filesystem::is_regular_file(path)) return;
    if (!overwrite) throw usage_error(option + ": the file exists; --overwrite replaces it");
    std::string line;
    std::getline(std::ifstream(path), line);
    if (!line.empty() && line.find(kStepsLogMark) == std::string::npos)
        throw usage_error(option + ": the file exists and is no record of steps, which alone "
                                   "--overwrite replaces");
}

StepsLog::StepsLog(const std::string &path, const std::string &note)
    : path_(path), file_(std::fopen(path.c_str(), "w"), std::fclose)
{
    if (!file_) throw Error("--steps-log " + path + ": cannot be created: " + std::strerror(errno));
    std::fprintf(file_.get(),
                 "# %s\n#                 time          n     interactions      seconds      "
                 "sending   prediction      waiting   correction\n",
                 note.c_str());
    flush();
}

void StepsLog::fail() const
{
    throw Error(path_ + ": cannot be written (disk full?)");
}

void StepsLog::write(const StepRecord &r, double time_unit)
{
    const int written =
        std::fprintf(file_.get(), "%22.15g %10.0f %16.0f %12.6e %12.6e %12.6e %12.6e %12.6e\n",
                     r.time * time_unit, r.bodies, r.interactions, r.seconds, r.sending,
                     r.prediction, r.waiting, r.correction);
    if (written < 0) fail();
}

void StepsLog::flush()
{
    if (std::fflush(file_.get())) fail();
}

}  // namespace g6run
