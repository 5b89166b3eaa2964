// SPDX-License-Identifier: MIT
// g6bench: times GRAPE-6 libraries on the calls of a block-step code, and checks their forces.
// Exit status: 0 done, 1 a library failed, 2 a wrong option (with --strict also a setting that is
// not in force), 3 a library ended the program, 4 the table could not be written.
#include "replay.h"
#include "report.h"
#include "tree.h"

#include "../common/standard_output.h"

#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

using namespace g6bench;

// What is fixed when a library is opened goes through its environment.
void prepare_environment(const Options &options)
{
    if (options.npipes > 0) setenv("G6_NPIPES", std::to_string(options.npipes).c_str(), 1);
    if (options.threads > 0) {
        setenv("G6_THREADS", std::to_string(options.threads).c_str(), 1);
        // For libraries with OpenMP loops: OpenMP reads this variable when they are loaded.
        setenv("OMP_NUM_THREADS", std::to_string(options.threads).c_str(), 1);
    }
}

// Measures one row in every column, so that columns differ in nothing but the library.
template <class Measure>
std::vector<Cell> in_all_columns(std::vector<Column> &columns, const Measure &measure)
{
    std::vector<Cell> cells;
    for (Column &c : columns) cells.push_back(measure(c));
    return cells;
}

std::vector<std::string> descriptions(std::vector<Column> &columns, g6tools::LibraryLog &log)
{
    std::vector<std::string> texts;
    bool walks = false;
    for (Column &c : columns) {
        c.open();
        c.check_devices(log.device());
        texts.push_back(c.describe(log.device()));
        walks |= c.walks() || !c.has_settings();
        c.close();
    }
    if (!walks) log.add_errors(g6tools::idle_settings("hermite"));
    return texts;
}

void run_steps(const Options &options, std::vector<Column> &columns, Report &report)
{
    report.begin(Kind::kSteps);
    for (int nj : options.nj) {
        Work work(nj, options.seed, options.snap, options.unordered);
        for (int n : options.ni)
            if (n <= nj)
                report.row(Kind::kSteps, nj, n, in_all_columns(columns, [&](Column &c) {
                               return measure_steps(c, work, n, options);
                           }));
    }
}

void run_kernel(const Options &options, std::vector<Column> &columns, Report &report)
{
    report.begin(Kind::kKernel);
    for (int nj : options.nj) {
        Work work(nj, options.seed, options.snap, options.unordered);
        report.row(Kind::kKernel, nj, nj, in_all_columns(columns, [&](Column &c) {
                       return measure_kernel(c, work, options);
                   }));
    }
}

void run_load(const Options &options, std::vector<Column> &columns, Report &report)
{
    report.begin(Kind::kLoad);
    for (int nj : options.nj) {
        const Work work(nj, options.seed, options.snap, options.unordered);
        report.row(Kind::kLoad, nj, 0, in_all_columns(columns, [&](Column &c) {
                       return measure_load(c, work, options);
                   }));
    }
}

void run(const Options &options)
{
    prepare_environment(options);
    Output output(options.output);
    g6tools::LibraryLog log("g6bench");
    if (!options.replay.empty()) return run_replay(options, output, log);
    if (options.tree) run_tree(options, output, log);
    if (!options.load && !options.steps && !options.kernel) return;
    std::vector<Column> columns = make_columns(options);
    for (const Column &c : columns) c.report_to(log);
    Report report(options, columns, output);
    const std::vector<std::string> texts = descriptions(columns, log);
    need_settings(options, log);
    report.head(texts);
    if (options.load) run_load(options, columns, report);
    if (options.steps) run_steps(options, columns, report);
    if (options.kernel) run_kernel(options, columns, report);
}

}  // namespace

int main(int argc, char **argv)
{
    g6tools::hold_standard_descriptors();
    Options options;
    int status = 0;
    if (!parse(argc, argv, options, status)) return status;
    try {
        run(options);
    } catch (const SettingRefused &error) {
        std::fprintf(stderr, "g6bench: %s\n", error.what());
        return 2;
    } catch (const OutputLost &error) {
        std::fprintf(stderr, "g6bench: %s\n", error.what());
        return g6tools::kOutputLost;
    } catch (const std::bad_alloc &) {
        std::fprintf(stderr, "g6bench: out of memory; use fewer particles (-N)\n");
        return 1;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "g6bench: %s\n", error.what());
        return 1;
    }
    return 0;
}
