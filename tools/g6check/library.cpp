// SPDX-License-Identifier: MIT
// Opens the library under test, and asks it for its settings and version if it has calls for them.
#include "library.h"

#include <g6lib.h>

namespace g6check {

Library::Library(const std::string &file) : file_(file)
{
    std::string missing;
    for (const char *name : {"g6_open_", "g6_close_", "g6_npipes_", "g6_set_ti_",
                             "g6_set_j_particle_", "g6calc_firsthalf_", "g6calc_lasthalf_"})
        if (!has(name)) missing += std::string(" ") + name;
    if (!missing.empty())
        throw g6tools::Failure(file_.file() +
                               " is not a GRAPE-6 library with Fortran names; it lacks" + missing);
    mode_ = setting("mode");
    precision_ = setting("precision");
}

std::string Library::setting(const char *key) const
{
    decltype(&g6_get_option) get = nullptr;
    char value[256] = "";
    if (!file_.find("g6_get_option", get) || get(0, key, value, sizeof value) != G6_OK) return "";
    return value;
}

void Library::need_hermite(const char *what) const
{
    if (!computes_jerk()) throw NotOffered{std::string("mode treeonly computes no ") + what};
}

void Library::report_to(g6tools::LibraryLog &log) const
{
    decltype(&g6_set_log) set_log = nullptr;
    if (file_.find("g6_set_log", set_log)) log.listen(set_log);
    if (!mode_.empty()) log.add_errors(g6tools::idle_settings(mode_));
}

std::string Library::describe() const
{
    std::string text = file_.file();
    decltype(&g6_version) version = nullptr;
    decltype(&g6_backend_name) backend = nullptr;
    if (file_.find("g6_version", version)) text += ", version " + std::string(version());
    if (file_.find("g6_backend_name", backend)) {
        int id = 0;
        open(&id);
        text += ", backend " + std::string(backend(id));
        close(&id);
    }
    if (!mode_.empty()) text += ", mode " + mode_;
    if (!precision_.empty()) text += ", precision " + precision_;
    return text + ", npipes " + std::to_string(npipes());
}

}  // namespace g6check
