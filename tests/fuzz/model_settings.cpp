// SPDX-License-Identifier: MIT
// The part of the model for settings, and for calls that fill structs.
#include "model.h"

#include "g6lib.h"

#include <cmath>

namespace g6fuzz {
namespace {

// What reads back before anything was set; "?" where that depends on the environment.
std::string default_text(const std::string &key, const World &world)
{
    static const std::map<std::string, std::string> texts = {{"backend", "auto"},
                                                             {"local_backend", "auto"},
                                                             {"devices", ""},
                                                             {"mode", "auto"},
                                                             {"precision", "mixed"},
                                                             {"nn_none", "0"},
                                                             {"snap", "1"},
                                                             {"threads", "0"},
                                                             {"debug", ""},
                                                             {"stats", "0"},
                                                             {"theta", "0.6"},
                                                             {"mac", "combined"},
                                                             {"multipole", "0"},
                                                             {"direct", "auto"},
                                                             {"neighbour_self", "auto"},
                                                             {"neighbour_softened", "auto"}};
    if (key == "nn_none") return world.profile == "ph4" ? "-1" : "0";
    const auto at = texts.find(key);
    return at == texts.end() ? "?" : at->second;
}

}  // namespace

std::string Model::check_setting(const Call &c, const Answer &a)
{
    if (c.op == Op::option_row) {
        const auto &keys = setting_keys();
        const int row = c.i[0], rows = static_cast<int>(keys.size());
        if (row < 0) return a.status ? "" : "an error expected for row " + std::to_string(row);
        if (row >= rows) return "";
        if (a.status) return expect_status(G6_OK, a);
        if (c.i[1] & kNullAcc || a.text == keys[static_cast<size_t>(row)]) return "";
        return "setting " + keys[static_cast<size_t>(row)] + " expected, got " + a.text;
    }
    Cluster &k = exact(key_of(c));  // settings are those of the id itself
    if (c.op == Op::get_option) {
        const int size = c.i[0];
        if (c.text[0].null || c.i[1] & kNullAcc || size < 1)
            return expect_status(G6_ERR_ARGUMENT, a);
        const std::string key = setting_key(c.get_text(0));
        if (key.empty()) return expect_status(G6_ERR_OPTION, a);
        if (a.status) return expect_status(G6_OK, a);
        const auto at = k.texts.find(key);
        const std::string text = at == k.texts.end() ? default_text(key, world_) : at->second;
        if (text == "?" || (key == "devices" && devices_chosen_)) return "";
        if (a.text == text.substr(0, static_cast<size_t>(size) - 1)) return "";
        return "setting " + key + "=" + text + " expected, got " + a.text;
    }
    const bool mode = c.op == Op::set_mode;
    if (c.text[0].null || (!mode && c.text[1].null)) return expect_status(G6_ERR_ARGUMENT, a);
    const std::string key = mode ? "mode" : c.get_text(0), value = c.get_text(mode ? 0 : 1);
    const bool good = set_setting(k.settings, k.texts, key, value, world_.known_backends);
    return expect_status(good ? G6_OK : G6_ERR_OPTION, a);
}

std::string Model::check_struct(const Call &c, const Answer &a)
{
    constexpr size_t least = sizeof(size_t);
    const auto size = [&](int k) { return static_cast<size_t>(c.i[static_cast<size_t>(k)]); };
    if (c.op == Op::get_backend_info) {
        if (size(1) < least) return expect_status(G6_ERR_ARGUMENT, a);
        const bool there = c.i[0] >= 0 && c.i[0] < static_cast<int>(world_.devices.size());
        if (there) return expect_status(G6_OK, a);
        return a.status ? "" : "an error expected for backend " + std::to_string(c.i[0]);
    }
    if (c.op == Op::get_device_info) {
        if (size(2) < least) return expect_status(G6_ERR_ARGUMENT, a);
        const bool there = c.i[0] >= 0 && c.i[0] < static_cast<int>(world_.devices.size()) &&
                           c.i[1] >= 0 && c.i[1] < world_.devices[static_cast<size_t>(c.i[0])];
        if (there) return expect_status(G6_OK, a);
        return a.status ? "" : "an error expected for device " + std::to_string(c.i[1]);
    }
    if (size(0) < least) return expect_status(G6_ERR_ARGUMENT, a);
    const Cluster &k = resolve(key_of(c));
    if (a.status) return expect_status(G6_OK, a);
    for (double number : a.numbers)
        if (!(number >= 0) || !std::isfinite(number)) return "stats: " + std::to_string(number);
    const size_t members = (size(0) - least) / sizeof(double);
    constexpr size_t kWrites = 3, kRecoveries = 6;  // places in g6_stats
    if (members > kWrites && a.numbers[kWrites] != k.writes)
        return "stats: " + std::to_string(k.writes) + " writes expected, got " +
               std::to_string(a.numbers[kWrites]);
    if (members > kRecoveries && a.numbers[kRecoveries] != 0 && !world_.faults)
        return "stats: a device was lost: " + a.text;
    return "";
}

}  // namespace g6fuzz
