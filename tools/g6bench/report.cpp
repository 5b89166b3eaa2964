// SPDX-License-Identifier: MIT
// Formats the rows of the table as text or as comma-separated values.
#include "report.h"

#include "../common/resources.h"
#include "../common/text.h"

#include <ctime>
#include <thread>

namespace g6bench {
namespace {

using g6tools::text;

std::string date()
{
    const std::time_t now = std::time(nullptr);
    char buffer[64];
    std::strftime(buffer, sizeof buffer, "%Y-%m-%d %H:%M:%S UTC", std::gmtime(&now));
    return buffer;
}

const char *name_of(Kind kind)
{
    return kind == Kind::kSteps ? "step" : kind == Kind::kKernel ? "kernel" : "load";
}

// 3 significant digits or whole numbers, 8 characters at most.
std::string number(double value)
{
    return text(value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value);
}

double interactions_per_ns(int nj, int n, const Cell &cell)
{
    return 1e-9 * nj * n / cell.timing.median;
}

std::string spread(const char *what, const Spread &s)
{
    return text("  %s %.1e %.1e %.1e", what, s.median, s.p99, s.max);
}

std::string errors_line(char label, const Errors &e)
{
    std::string line = text("  errors %c", label) + spread("acc", e.acc) + spread("jerk", e.jerk) +
                       spread("pot", e.pot);
    if (e.wrong_nearest >= 0) line += text("  nn wrong %d/%d", e.wrong_nearest, e.samples);
    if (e.wrong_lists >= 0) line += text("  lists wrong %d/%d", e.wrong_lists, e.samples);
    return line;
}

std::string parts_line(char label, const StepParts &p)
{
    return text("  parts %c  set_j %s  firsthalf %s  lasthalf %s us", label,
                number(p.send * 1e6).c_str(), number(p.first * 1e6).c_str(),
                number(p.last * 1e6).c_str());
}

}  // namespace

std::optional<SpeedUp> Report::speed_up_of(Kind kind, std::size_t column,
                                           const std::vector<Cell> &cells) const
{
    if (baselines_[column] < 0 || kind == Kind::kLoad) return {};
    const auto first = static_cast<std::size_t>(baselines_[column]);
    return speed_up(cells[column].timing.median, columns_[column].devices(),
                    cells[first].timing.median, columns_[first].devices());
}

void Report::head(const std::vector<std::string> &descriptions)
{
    baselines_ = baselines(columns_);
    output_.line(text("# g6bench %d.%d.%d, %s", G6_VERSION_MAJOR, G6_VERSION_MINOR,
                      G6_VERSION_PATCH, date().c_str()));
    output_.line(text("# host: %s, %u hardware threads", g6tools::processor_name().c_str(),
                      std::thread::hardware_concurrency()));
    output_.line(text("# work: Plummer sphere, eps = %.9g, seed %llu%s", options_.eps,
                      static_cast<unsigned long long>(options_.seed),
                      options_.snap ? "" : ", a2by18 = 0"));
    if (options_.ni_max >= 0)
        output_.line(options_.ni_max ? text("# at most %d i-particles in one call", options_.ni_max)
                                     : "# all i-particles of a block in one call");
    for (std::size_t k = 0; k < columns_.size(); k++) {
        output_.line(text("# %c: %s", columns_[k].label(), descriptions[k].c_str()));
        const std::string lacking = columns_[k].lacking();
        if (!lacking.empty()) output_.line(text("#    %s", lacking.c_str()));
    }
    if (!options_.csv) return;
    output_.line("kind,column,name,nj,ni,repeats,us_min,us_median,us_max,ginter_per_s,"
                 "ns_per_set_j,time_over_first,samples,acc_median,acc_p99,acc_max,jerk_median,"
                 "jerk_p99,jerk_max,pot_median,pot_p99,pot_max,nn_wrong,lists_wrong,us_set_j,us_"
                 "firsthalf,us_lasthalf,devices,speed_up,efficiency");
}

void Report::begin(Kind kind)
{
    if (options_.csv) return;
    const bool load = kind == Kind::kLoad;
    output_.line("");
    if (kind == Kind::kSteps)
        output_.line(text("Block steps: n set_j, set_ti, firsthalf, lasthalf%s%s",
                          options_.nearest ? "2" : "", options_.lists ? ", neighbour lists" : ""));
    if (kind == Kind::kKernel) output_.line("Force alone: n = N i-particles, nothing sent");
    if (load) output_.line("Loading: N calls of set_j_particle");
    if (options_.check && !load)
        output_.line("Relative errors against long-double sums: median, 99 %, max");
    std::string line = load ? "       N" : "       N       n";
    for (std::size_t k = 0; k < columns_.size(); k++) {
        line += text(load ? " | %c: ns a call     (min-max)" : " | %c:  us     (min-max)  Ginter/s",
                     columns_[k].label());
        if (k > 0) line += text("    %c/A", columns_[k].label());
        if (!load && baselines_[k] >= 0) line += "  speed-up  eff %";
    }
    output_.line(line);
}

void Report::row(Kind kind, int nj, int n, const std::vector<Cell> &cells)
{
    if (options_.csv)
        csv_row(kind, nj, n, cells);
    else
        text_row(kind, nj, n, cells);
}

void Report::text_row(Kind kind, int nj, int n, const std::vector<Cell> &cells)
{
    const bool load = kind == Kind::kLoad;
    const double scale = load ? 1e9 / nj : 1e6;  // seconds to the unit of the table
    std::string line = load ? text("%8d", nj) : text("%8d%8d", nj, n);
    for (std::size_t k = 0; k < cells.size(); k++) {
        const Timing &t = cells[k].timing;
        const std::string range = "(" + number(t.min * scale) + "-" + number(t.max * scale) + ")";
        line += text(load ? " | %12s %13s" : " | %7s %13s", number(t.median * scale).c_str(),
                     range.c_str());
        if (!load) line += text("  %8s", number(interactions_per_ns(nj, n, cells[k])).c_str());
        if (k > 0) line += text("  %5s", number(t.median / cells[0].timing.median).c_str());
        if (const auto s = speed_up_of(kind, k, cells))
            line += text("  %8.2f  %5.1f", s->factor, s->efficiency);
    }
    output_.line(line);
    for (std::size_t k = 0; options_.parts && k < cells.size(); k++)
        if (cells[k].parts) output_.line(parts_line(columns_[k].label(), *cells[k].parts));
    for (std::size_t k = 0; k < cells.size(); k++)
        if (cells[k].errors) output_.line(errors_line(columns_[k].label(), *cells[k].errors));
}

void Report::csv_row(Kind kind, int nj, int n, const std::vector<Cell> &cells)
{
    for (std::size_t k = 0; k < cells.size(); k++) {
        const Timing &t = cells[k].timing;
        std::string line = text("%s,%c,%s,%d,%d,%d,%.6g,%.6g,%.6g,", name_of(kind),
                                columns_[k].label(), columns_[k].name().c_str(), nj, n, t.repeats,
                                t.min * 1e6, t.median * 1e6, t.max * 1e6);
        line += kind == Kind::kLoad ? text(",%.6g,", t.median * 1e9 / nj)
                                    : text("%.6g,,", interactions_per_ns(nj, n, cells[k]));
        line += text("%.6g", t.median / cells[0].timing.median);
        if (const auto &e = cells[k].errors) {
            line += text(",%d", e->samples);
            for (const Spread &s : {e->acc, e->jerk, e->pot})
                line += text(",%.3g,%.3g,%.3g", s.median, s.p99, s.max);
            line += e->wrong_nearest >= 0 ? text(",%d", e->wrong_nearest) : ",";
            line += e->wrong_lists >= 0 ? text(",%d", e->wrong_lists) : ",";
        } else {
            line += std::string(12, ',');
        }
        const auto &p = cells[k].parts;
        line += p ? text(",%.6g,%.6g,%.6g", p->send * 1e6, p->first * 1e6, p->last * 1e6) : ",,,";
        const int devices = columns_[k].devices();
        line += devices > 0 ? text(",%d", devices) : ",";
        const auto s = speed_up_of(kind, k, cells);
        line += s ? text(",%.6g,%.6g", s->factor, s->efficiency) : ",,";
        output_.line(line);
    }
}

}  // namespace g6bench
