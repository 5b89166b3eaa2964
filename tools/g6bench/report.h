// SPDX-License-Identifier: MIT
// What g6bench prints: lines that say what was measured and on what machine, then a table for each
// kind of measurement.
#pragma once

#include "measure.h"
#include "output.h"

#include <string>
#include <vector>

namespace g6bench {

enum class Kind { kSteps, kKernel, kLoad };

class Report {
public:
    Report(const Options &options, const std::vector<Column> &columns, Output &output)
        : options_(options), columns_(columns), output_(output)
    {
    }
    // descriptions: of the library of each column, made while the library was open.
    void head(const std::vector<std::string> &descriptions);
    void begin(Kind kind);
    // One cell a column; n = 0 for loads.
    void row(Kind kind, int nj, int n, const std::vector<Cell> &cells);

private:
    std::optional<SpeedUp> speed_up_of(Kind kind, std::size_t column,
                                       const std::vector<Cell> &cells) const;
    void text_row(Kind kind, int nj, int n, const std::vector<Cell> &cells);
    void csv_row(Kind kind, int nj, int n, const std::vector<Cell> &cells);

    const Options &options_;
    const std::vector<Column> &columns_;
    Output &output_;
    std::vector<int> baselines_;  // for each column, the column of its speed-up (column.h)
};

}  // namespace g6bench
