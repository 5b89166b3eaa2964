// SPDX-License-Identifier: MIT
// Reads the command line of g6fuzz and holds its help text.
#include "options.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <stdexcept>

namespace g6fuzz {
namespace {

constexpr const char *kHelp =
    "Random sequences of public calls, each answer compared with a model in long double.\n"
    "usage: g6fuzz [options]\n"
    "  --seed S              seed of the first run; run k has S + k (1)\n"
    "  --runs N | --seconds T    how long; default: 10 runs\n"
    "  --runs-per-process N  one process for so many runs (20)\n"
    "  --backend NAME        cpu, opencl, cuda, fake; fake loses devices (cpu)\n"
    "  --precision P, --set KEY=VALUE    kept in all runs\n"
    "  --env KEY=VALUE       where clusters start: G6_KEY\n"
    "  --without A,B         of: range (limits of float and double), speed (those of velocities\n"
    "                        and times), memory (sizes that must be refused)\n"
    "  --replay FILE         one sequence, as a failure leaves it\n"
    "  --out FOLDER          where failures are written: fuzz-BACKEND-SEED.txt (.)\n"
    "  --shrink T            seconds for making a failure short; 0: leave it long (60)\n"
    "  --silence T           seconds without a call that count as a hang (60)\n"
    "  --all-calls           fail when a call of g6lib.h was never made\n"
    "Exit status: 0 nothing found, 1 something, 2 wrong option.\n";

std::pair<std::string, std::string> key_and_value(const std::string &text)
{
    const size_t equals = text.find('=');
    if (equals == std::string::npos) throw std::runtime_error(text + " is not KEY=VALUE");
    return {text.substr(0, equals), text.substr(equals + 1)};
}

void leave_out(Features &f, const std::string &list)
{
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');) {
        bool *const which = word == "range"    ? &f.range
                            : word == "speed"  ? &f.speed
                            : word == "memory" ? &f.memory
                                               : nullptr;
        if (!which) throw std::runtime_error("--without knows no " + word);
        *which = false;
        if (!f.range) f.speed = false;
    }
}

void read(int argc, char **argv, Options &o)
{
    const auto keep = [&](const std::string &key, const std::string &value) {
        o.environment[key] = value;
        o.fixed.insert(key);
    };
    for (int n = 1; n < argc; n++) {
        const std::string name = argv[n];
        if (name == "--all-calls") {
            o.all_calls = true;
            continue;
        }
        if (n + 1 == argc) throw std::runtime_error(name + " is no option, or lacks its value");
        const std::string value = argv[++n];
        const double number = std::strtod(value.c_str(), nullptr);
        if (name == "--seed")
            o.seed = std::strtoull(value.c_str(), nullptr, 10);
        else if (name == "--runs")
            o.runs = long(number);
        else if (name == "--seconds")
            o.seconds = number;
        else if (name == "--runs-per-process")
            o.runs_per_process = int(number);
        else if (name == "--backend")
            o.backend = value;
        else if (name == "--precision")
            keep("precision", value);
        else if (name == "--set")
            keep(key_and_value(value).first, key_and_value(value).second);
        else if (name == "--env")
            o.environment.insert(key_and_value(value));
        else if (name == "--without")
            leave_out(o.features, value);
        else if (name == "--replay")
            o.replay = value;
        else if (name == "--out")
            std::filesystem::create_directories(o.folder = value);
        else if (name == "--shrink")
            o.shrink = number;
        else if (name == "--silence")
            o.silence = number;
        else
            throw std::runtime_error(name + " is no option; --help lists them");
    }
    if (o.runs == 0 && o.seconds == 0) o.runs = 10;
}

}  // namespace

bool parse(int argc, char **argv, Options &options, int &status)
{
    status = 0;
    if (argc > 1 && std::strcmp(argv[1], "--help") == 0) {
        std::fputs(kHelp, stdout);
        return false;
    }
    try {
        read(argc, argv, options);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "g6fuzz: %s\n", error.what());
        status = 2;
        return false;
    }
    options.environment["backend"] = options.backend;
    return true;
}

}  // namespace g6fuzz
