// SPDX-License-Identifier: MIT
#include "library.h"

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
    library_.find("g6_get_stats", get_stats);
    library_.find("g6_set_log", set_log);
    library_.find("g6_backend_name", backend_name);
    library_.find("g6_get_backend_info", get_backend_info);
    library_.find("g6_get_device_info", get_device_info);
}

std::string Library::device_text(const std::string &backend) const
{
    g6_backend_info b{};
    b.size = sizeof b;
    for (int n = 0; get_backend_info && get_backend_info(n, &b) == G6_OK; n++) {
        if (backend != b.name) continue;
        g6_device_info d{};
        d.size = sizeof d;
        if (!get_device_info || get_device_info(n, 0, &d) != G6_OK) return "";
        return std::string(d.name) + (*d.notes ? std::string(" (") + d.notes + ")" : "");
    }
    return "";
}

std::string Library::describe() const
{
    std::string text = library_.file();
    if (version) text += ", version " + std::string(version());
    if (backend_name) {
        const std::string backend = backend_name(0);
        text += ", backend " + backend + ", device " + device_text(backend);
    }
    for (const char *key : {"precision", "mode", "isa", "threads", "devices"}) {
        char value[256] = "";
        if (get_option && get_option(0, key, value, sizeof value) == G6_OK && *value)
            text += std::string(", ") + key + " " + value;
    }
    return text + ", npipes " + std::to_string(npipes());
}

}  // namespace g6bench
