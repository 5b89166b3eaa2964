// SPDX-License-Identifier: MIT
// The values that the generator gives to settings, and what each of them means.  g6test tests that
// the library takes no other values (tests/libg6gpu, tests/process).
#include "settings.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <sstream>

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

template <class T> T word(const std::string &value, const std::vector<std::string> &words)
{
    return static_cast<T>(std::find(words.begin(), words.end(), value) - words.begin());
}

// Of a value as it reads back.
void apply(Settings &s, const std::string &key, const std::string &value)
{
    const int number = value == "auto" ? -1 : std::atoi(value.c_str());
    if (key == "mode") s.mode = word<Mode>(value, {"auto", "hermite", "treeonly", "treewalk"});
    if (key == "precision") s.precision = word<Precision>(value, {"mixed", "double", "single"});
    if (key == "mac")
        s.mac = word<Mac>(value, {"bh", "bmax", "multipole", "acceleration", "combined"});
    if (key == "theta") s.theta = std::strtod(value.c_str(), nullptr);
    if (key == "multipole") s.multipole = number;
    if (key == "direct") s.direct = number;
    if (key == "snap") s.snap = number;
    if (key == "nn_none") s.nn_none = number;
    if (key == "neighbour_self") s.neighbour_self = number;
    if (key == "neighbour_softened") s.neighbour_softened = number;
    if (key == "backend") s.backend = value;
}

}  // namespace

const std::vector<std::array<const char *, 2>> &wrong_settings()
{
    static const std::vector<std::array<const char *, 2>> wrong = {
        {"mode", "treewlk"},   {"mode", ""},
        {"theta", "-1"},       {"theta", "10.1"},
        {"theta", "nan"},      {"theta", "0.5x"},
        {"debug", "leaf=0"},   {"debug", "leaf=1025"},
        {"multipole", "1"},    {"debug", "rebuild=0"},
        {"direct", "-1"},      {"direct", "2147483648"},
        {"snap", "2"},         {"nn_none", "1"},
        {"threads", "-1"},     {"threads", "257"},
        {"devices", "-1"},     {"devices", "0,,1"},
        {"devices", "0 1"},    {"backend", "no/such"},
        {"backend", "nosuch"}, {"npipes", "48"},
        {"log", "none"},       {"profile", "ph4"},
        {"nothing", "0"},      {"", ""},
        {"debug", "isa=mmx"},  {"precision", "half"},
        {"debug", "leaf"},     {"debug", "leaf=1,no=2"}};
    return wrong;
}

const std::vector<std::string> &setting_keys()
{
    static std::istringstream words(
        "backend local_backend devices mode precision profile npipes "
        "neighbour_self neighbour_softened nn_none snap threads log stats "
        "trace theta mac multipole direct debug");
    static const std::vector<std::string> keys(std::istream_iterator<std::string>(words), {});
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
    const std::string k = setting_key(key);
    std::string kept = lower(trim(value));
    const bool of_process =
        k == "profile" || k == "npipes" || k == "log" || k == "local_backend" || k == "trace";
    if (k.empty() || of_process) return false;
    for (const auto &wrong : wrong_settings())
        if (k == wrong[0] && kept == wrong[1]) return false;
    if (k == "backend" && std::find(backends.begin(), backends.end(), kept) == backends.end())
        return false;
    if (kept == "on" || kept == "off") kept = kept == "on" ? "1" : "0";
    apply(s, k, kept);
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
