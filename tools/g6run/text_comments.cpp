// SPDX-License-Identifier: MIT
// Splits comments into words, and looks for times and for names of units among them.
#include "text_comments.h"

#include "error.h"
#include "text_columns.h"
#include "units.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace g6run {
namespace {

constexpr Dimension kOfTables[] = {Dimension::kLength, Dimension::kMass, Dimension::kVelocity};

std::string lower(std::string text)
{
    for (char &c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

// The words of a comment.  Characters in `alone` are words of their own, those in `blank` separate.
std::vector<std::string> words_of(const std::string &comment, const std::string &alone,
                                  const std::string &blank)
{
    std::string text;
    for (const char c : comment)
        if (alone.find(c) != std::string::npos)
            text += std::string(" ") + c + " ";
        else
            text += blank.find(c) != std::string::npos ? ' ' : c;
    return split(text);
}

// Whether a comment names units in which G = 1; other units in comments then describe the scale.
bool tells_other_units(const std::string &comment)
{
    for (const char *name :
         {"body unit", "n-body", "nbody", "henon", "hénon", "heggie", "virial unit"})
        if (comment.find(name) != std::string::npos) return true;
    return false;
}

bool is_time_unit(const std::string &word)
{
    return std::isalpha(static_cast<unsigned char>(word[0])) && size_of(word, Dimension::kTime);
}

}  // namespace

std::optional<ToldTime> time_in(const std::string &comment, const std::string &where)
{
    const std::vector<std::string> words = words_of(comment, "=:,;", "[]()/");
    const auto at = [&](std::size_t k) { return k < words.size() ? words[k] : ""; };
    std::size_t k = 0;
    const bool named = lower(at(k++)) == "time";
    if (!named && at(0) != "t") return std::nullopt;
    std::string unit = is_time_unit(at(k)) ? at(k++) : "";
    const bool equals = at(k) == "=" || at(k) == ":";
    k += equals;
    if (!equals && (!named || words.size() > k + 2)) return std::nullopt;
    std::string value = at(k++);
    for (std::size_t end = 1; end < value.size(); end++)  // 3.5Myr
        if (is_number(value.substr(0, end)) && is_time_unit(value.substr(end))) {
            unit = value.substr(end);
            value.resize(end);
        }
    if (!is_number(value)) return std::nullopt;
    if (is_time_unit(at(k))) unit = at(k++);
    const bool ends = at(k).empty() || at(k) == "," || at(k) == ";" || at(k + 1) == "=";
    // One more word may be a unit that g6run does not know.
    if (unit.empty() && equals && !ends && k + 1 == words.size()) unit = at(k);
    if (unit.empty() && !ends) return std::nullopt;
    const double time = number(value, where);
    return ToldTime{time, time == 0 ? "" : unit};  // 0 is the same time in any unit
}

bool tell_units(const std::vector<std::string> &comments)
{
    bool about = false, bare[std::size(kOfTables)] = {}, any = false;
    for (const std::string &comment : comments) {
        std::vector<std::string> words = words_of(comment, "", "[](){}:,;=|'\"");
        if (words.empty() || words[0] == kSettingMark) continue;
        if (tells_other_units(lower(comment))) return false;
        for (std::size_t k = 0; k < words.size(); k++) {
            const std::string word = lower(words[k]);
            about |= word == "unit" || word == "units";
            any |= word == "si" || word == "cgs";
            for (std::size_t d = 0; d < std::size(kOfTables); d++) {
                // Single letters, as m and g, have other meanings.
                if (words[k].size() < 2 || !names_unit(words[k], kOfTables[d])) continue;
                any = true;
                const bool measure = (k > 0 && is_number(words[k - 1])) ||
                                     (k + 1 < words.size() && is_number(words[k + 1]));
                bare[d] |= !measure && std::isalpha(static_cast<unsigned char>(words[k][0]));
            }
        }
    }
    return (about && any) || std::count(std::begin(bare), std::end(bare), true) > 1;
}

std::optional<double> gravity_in(const std::vector<std::string> &comments)
{
    for (const std::string &comment : comments) {
        const std::vector<std::string> words = words_of(comment, "=", "[](){}:,;|");
        for (std::size_t k = 2; k < words.size(); k++)
            if (words[k - 2] == "G" && words[k - 1] == "=" && is_number(words[k]))
                return number(words[k], "G: ");
    }
    return std::nullopt;
}

}  // namespace g6run
