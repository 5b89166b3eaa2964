// SPDX-License-Identifier: MIT
// Makes the field of forces that a method names, describes how it opens cells, and reports settings
// and options that have no effect.
#include "run_parts.h"

#include "error.h"
#include "treecode.h"

#include "../common/library_log.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>

namespace g6run {
namespace {

constexpr double kTreecodeTheta = 0.75;

// A value in small letters and without blanks.
std::string plain(const char *value)
{
    std::string text;
    for (; *value; value++)
        if (!std::isspace(static_cast<unsigned char>(*value)))
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(*value)));
    return text;
}

// A variable whose value is not in force, because the method or the snapshot of a restart chooses
// another one; "" where there is none.  given: by an option of the command line, which comes first.
std::string overruled(const Gravity &gravity, const char *variable, const char *key, bool given)
{
    const char *value = std::getenv(variable);
    const std::string asked = plain(value ? value : ""), used = gravity.setting(key);
    if (given || asked.empty() || asked == "auto") return "";
    const std::string assignment = std::string(variable) + "=" + value;
    for (const std::string &refused : gravity.refused_settings())
        if (refused.find(assignment) != std::string::npos) return "";
    char *end = nullptr;
    const double number = std::strtod(asked.c_str(), &end);
    const bool same = used == asked || (!*end && number == std::atof(used.c_str()));
    return same ? "" : assignment + " has no effect: the run has " + key + " " + used;
}

}  // namespace

std::unique_ptr<Field> make_field(Gravity &gravity, const std::string &method, double theta,
                                  double group)
{
    if (method == "treewalk") return std::make_unique<LibraryField>(gravity);
    return std::make_unique<Treecode>(gravity, theta < 0 ? kTreecodeTheta : theta,
                                      static_cast<int>(group));
}

std::string opening_text(const Gravity &gravity, const std::string &method, double theta,
                         double group)
{
    if (method == "treewalk")
        return "theta " + gravity.setting("theta") + ", criterion " + gravity.setting("mac");
    return "theta " + text_of(theta < 0 ? kTreecodeTheta : theta) + ", groups of " + text_of(group);
}

void report_idle(const Options &options, const Gravity &gravity,
                 const std::vector<std::string> &others)
{
    std::vector<std::string> texts = gravity.refused_settings();
    for (const std::string &text : g6tools::idle_settings(gravity.setting("mode")))
        texts.push_back(text);
    for (const std::string &text :
         {overruled(gravity, "G6_MODE", "mode", !options.mode.empty()),
          overruled(gravity, "G6_PRECISION", "precision", !options.precision.empty()),
          overruled(gravity, "G6_THETA", "theta", options.theta.has_value()),
          overruled(gravity, "G6_MAC", "mac", false),
          overruled(gravity, "G6_MULTIPOLE", "multipole", !options.cosmic.multipole.empty())})
        if (!text.empty()) texts.push_back(text);
    texts.insert(texts.end(), others.begin(), others.end());
    if (options.strict && !texts.empty()) throw usage_error(texts.front());
    for (const std::string &text : texts) std::fprintf(stderr, "g6run: %s\n", text.c_str());
}

void report_errors(Gravity &gravity, Progress &progress)
{
    for (const std::string &text : gravity.new_errors()) {
        progress.erase();
        std::fprintf(stderr, "g6run: %s\n", text.c_str());
    }
}

void remove_earlier(const Parts &parts, int first, const std::string &written)
{
    const Options &o = parts.options;
    parts.folder.remove_earlier(first, parts.continues, written);
    const std::string interrupted = parts.folder.interrupted();
    if (o.overwrite && written != interrupted && !is_interrupted(o.restart))
        std::remove(interrupted.c_str());
}

void note_interrupted(const Parts &parts)
{
    const Options &o = parts.options;
    if (parts.continues && is_interrupted(o.restart) && o.format == Format::kHdf5)
        parts.table.note("interrupted.hdf5, from which this run went on, may be deleted");
}

}  // namespace g6run
