// SPDX-License-Identifier: MIT
// Looks up the names of a library.  The names that every GRAPE-6 library has must be there; the
// names of libg6gpu may be missing.
#include "library.h"

#include "../common/device_text.h"

namespace g6bench {

Library::Library(const std::string &file) : library_(file)
{
    std::string missing;
    auto need = [&](const char *name, auto &function) {
        if (!library_.find(name, function)) missing += std::string(" ") + name;
    };
    need("g6_open_", open);
    need("g6_close_", close);
    need("g6_npipes_", npipes);
    need("g6_set_ti_", set_ti);
    need("g6_set_j_particle_", set_j_particle);
    need("g6calc_firsthalf_", firsthalf);
    need("g6calc_lasthalf_", lasthalf);
    if (!missing.empty())
        throw Failure(library_.file() + " is not a GRAPE-6 library with Fortran names; it lacks" +
                      missing);

    library_.find("g6calc_lasthalf2_", lasthalf2);
    library_.find("g6_read_neighbour_list_", read_neighbour_list);
    library_.find("g6_get_neighbour_list_", get_neighbour_list);
    library_.find("g6_set_tunit_", set_tunit);
    library_.find("g6_set_xunit_", set_xunit);
    library_.find("g6_version", version);
    library_.find("g6_last_error", last_error);
    library_.find("g6_set_option", set_option);
    library_.find("g6_get_option", get_option);
    library_.find("g6_set_j_particles", set_j_particles);
    library_.find("g6_set_j_softening", set_j_softening);
    library_.find("g6_get_stats", get_stats);
    library_.find("g6_set_log", set_log);
    library_.find("g6_backend_name", backend_name);
    library_.find("g6_get_backend_info", get_backend_info);
    library_.find("g6_get_device_info", get_device_info);
}

std::string Library::setting(const char *key) const
{
    char value[256] = "";
    return get_option && get_option(0, key, value, sizeof value) == G6_OK ? value : "";
}

std::string Library::describe(const std::string &computing) const
{
    std::string text = library_.file();
    if (version) text += ", version " + std::string(version());
    if (backend_name)
        text += ", backend " + std::string(backend_name(0)) + ", device " +
                g6tools::device_text(computing, get_backend_info, get_device_info);
    for (const char *key : {"precision", "mode", "threads", "devices", "debug"})
        if (const std::string value = setting(key); !value.empty())
            text += std::string(", ") + key + " " + value;
    return text + ", npipes " + std::to_string(npipes());
}

int Library::devices() const
{
    g6_stats s{};
    s.size = sizeof s;
    return get_stats && get_stats(0, &s) == G6_OK ? s.devices : 0;
}

void Library::check_devices(const std::string &asked, const std::string &computing) const
{
    if (asked.empty() || asked.find_first_not_of("0123456789,") != std::string::npos) return;
    if (const std::string got = computing.substr(computing.rfind(' ') + 1); got != asked)
        throw Failure("--devices " + asked + ": " + computing +
                      (got.find(',') == std::string::npos ? " computes" : " compute") +
                      " instead; g6info lists the devices");
}

}  // namespace g6bench
