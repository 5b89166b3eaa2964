// SPDX-License-Identifier: MIT
// Reads the texts of settings by rules that are written here a second time, independent of the
// library's code.
#include "settings.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>

namespace g6fuzz {
namespace {

std::string lower(std::string s)
{
    for (char &c : s) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return s;
}

std::string trim(const std::string &s)
{
    const char *blank = " \t\r\n";
    const size_t first = s.find_first_not_of(blank);
    return first == std::string::npos ? "" : s.substr(first, s.find_last_not_of(blank) - first + 1);
}

int word(const std::string &value, const std::vector<std::string> &words)
{
    const auto at = std::find(words.begin(), words.end(), lower(value));
    return at == words.end() ? -1 : static_cast<int>(at - words.begin());
}

bool number(const std::string &text, long low, long high, int &value)
{
    char *end = nullptr;
    const long n = std::strtol(text.c_str(), &end, 10);
    if (text.empty() || *end || n < low || n > high) return false;
    value = static_cast<int>(n);
    return true;
}

bool real(const std::string &text, double low, double high, double &value)
{
    char *end = nullptr;
    const double x = std::strtod(text.c_str(), &end);
    if (text.empty() || *end || !(x >= low && x <= high)) return false;
    value = x;
    return true;
}

// Sets `kept` to what reads back.
bool on_off(const std::string &text, int &value, std::string &kept)
{
    const int n = word(text, {"0", "1", "off", "on"});
    if (n < 0) return false;
    value = n % 2;
    kept = n % 2 ? "1" : "0";
    return true;
}

bool set_word_setting(Settings &s, const std::string &key, const std::string &value, bool &known)
{
    known = true;
    int n = -1;
    if (key == "mode") {
        n = word(value, {"auto", "hermite", "treeonly", "treewalk"});
        if (n >= 0) s.mode = static_cast<Mode>(n);
    } else if (key == "precision") {
        n = word(value, {"mixed", "double", "single"});
        if (n >= 0) s.precision = static_cast<Precision>(n);
    } else if (key == "mac") {
        n = word(value, {"bh", "bmax", "multipole", "acceleration", "combined"});
        if (n >= 0) s.mac = static_cast<Mac>(n);
    } else if (key == "multipole") {
        if (value == "0" || value == "2") n = s.multipole = value == "2" ? 2 : 0;
    } else {
        known = false;
    }
    return n >= 0;
}

bool set_number_setting(Settings &s, const std::string &key, const std::string &value,
                        std::string &kept)
{
    int n = 0;
    if (key == "snap") {
        int on = 0;
        if (!on_off(value, on, kept)) return false;
        s.snap = on;
        return true;
    }
    if (key == "stats") return on_off(value, n, kept);
    if (key == "neighbour_self" || key == "neighbour_softened") {
        int &place = key == "neighbour_self" ? s.neighbour_self : s.neighbour_softened;
        kept = "auto";
        if (lower(value) == "auto") return place = -1, true;
        return on_off(value, place, kept);
    }
    if (key == "theta") {
        if (!real(value, 0, 10, s.theta)) return false;
        char text[32];
        std::snprintf(text, sizeof text, "%.15g", s.theta);
        kept = text;
        return true;
    }
    if (key == "direct") {
        kept = "auto";
        if (lower(value) == "auto") return s.direct = -1, true;
        if (!number(value, 0, 2147483647, n)) return false;
        s.direct = n;
    } else if (key == "nn_none") {
        if (!number(value, -1, 0, n)) return false;
        s.nn_none = n;
    } else if (key == "threads") {
        if (!number(value, 0, 256, n)) return false;
    } else {
        return false;
    }
    kept = std::to_string(n);
    return true;
}

// "", "all", "local", or numbers and names with commas between them.
bool devices_allowed(const std::string &value, std::string &kept)
{
    if (value.empty() || lower(value) == "all" || lower(value) == "local")
        return kept = lower(value), true;
    kept.clear();
    for (size_t at = 0; at <= value.size();) {
        const size_t comma = std::min(value.find(',', at), value.size());
        const std::string w = trim(value.substr(at, comma - at));
        if (lower(w) == "all" || lower(w) == "local") return false;
        const bool digits = w.find_first_not_of("0123456789") == std::string::npos;
        const bool name =
            std::any_of(w.begin(), w.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
        if (w.empty() || !(name || (digits && w.size() < 9))) return false;
        kept += (at ? "," : "") + w;
        at = comma + 1;
    }
    return true;
}

// Knows those pairs of "debug" that the generator writes.  With any of them the same results are
// right.
bool debug_allowed(const std::string &value)
{
    for (size_t at = 0; at < value.size();) {
        const size_t comma = std::min(value.find(',', at), value.size());
        const std::string pair = value.substr(at, comma - at);
        const size_t equals = std::min(pair.find('='), pair.size());
        const std::string key = pair.substr(0, equals),
                          v = equals < pair.size() ? pair.substr(equals + 1) : "";
        int n = 0;
        const bool good = key == "leaf"      ? number(v, 1, 1024, n)
                          : key == "rebuild" ? v == "auto" || number(v, 1, 1000000, n)
                          : key == "isa"     ? word(v, {"auto", "generic", "avx2", "avx512"}) >= 0
                                             : key.rfind("cuda_", 0) == 0;
        if (!good) return false;
        at = comma + 1;
    }
    return true;
}

}  // namespace

const std::vector<std::string> &setting_keys()
{
    static const std::vector<std::string> keys = {"backend",
                                                  "local_backend",
                                                  "devices",
                                                  "mode",
                                                  "precision",
                                                  "profile",
                                                  "npipes",
                                                  "neighbour_self",
                                                  "neighbour_softened",
                                                  "nn_none",
                                                  "snap",
                                                  "threads",
                                                  "log",
                                                  "stats",
                                                  "trace",
                                                  "theta",
                                                  "mac",
                                                  "multipole",
                                                  "direct",
                                                  "debug"};
    return keys;
}

std::string setting_key(const std::string &key)
{
    std::string k = lower(trim(key));
    if (k.compare(0, 3, "g6_") == 0) k = k.substr(3);
    const auto &keys = setting_keys();
    return std::find(keys.begin(), keys.end(), k) == keys.end() ? "" : k;
}

bool set_setting(Settings &s, Texts &texts, const std::string &key, const std::string &value,
                 const std::vector<std::string> &backends)
{
    const std::string k = setting_key(key), v = trim(value);
    if (k.empty() || k == "profile" || k == "npipes" || k == "log" || k == "local_backend" ||
        k == "trace")
        return false;
    std::string kept = lower(v);
    bool known = false;
    if (k == "backend") {
        if (std::find(backends.begin(), backends.end(), kept) == backends.end()) return false;
        s.backend = kept;
    } else if (k == "devices") {
        if (!devices_allowed(v, kept)) return false;
    } else if (k == "debug") {
        if (!debug_allowed(v)) return false;
    } else if (!set_word_setting(s, k, v, known)) {
        if (known || !set_number_setting(s, k, v, kept)) return false;
    }
    texts[k] = kept;
    s.changes++;
    return true;
}

void set_from_environment(Settings &s, Texts &texts, const std::string &key,
                          const std::string &value, const std::vector<std::string> &backends)
{
    const std::string k = setting_key(key);
    if (k == "local_backend" || k == "debug")
        texts[k] = lower(trim(value));
    else
        set_setting(s, texts, key, value, backends);
}

}  // namespace g6fuzz
