// SPDX-License-Identifier: MIT
// The columns of a text table: which of them are m x y z vx vy vz, by their names or by their
// number, and the body of a row.
#pragma once

#include "body.h"

#include <optional>
#include <string>
#include <vector>

namespace g6run {

constexpr const char *kColumnNames = "m x y z vx vy vz";
constexpr std::size_t kColumnCount = 7;
constexpr const char *kWhite = " \t\r\v\f";

// Cells between commas or semicolons, or words between white space.  An empty cell counts, also
// after a separator that ends the line.  Quotes around a cell go.
std::vector<std::string> cells(const std::string &line);
// Words between white space.
std::vector<std::string> split(const std::string &line);
// Throws for what is no finite number.
double number(const std::string &word, const std::string &where);
bool is_number(const std::string &word);
// The beginning of a word for a message: a binary file must not reach the terminal.
std::string quoted(const std::string &word);

class Columns {
public:
    // A table of seven columns, in the order of kColumnNames.
    Columns();
    // The names of a head; nothing when it lacks one of the seven, or has one of them twice.
    static std::optional<Columns> named(std::vector<std::string> names);
    // Whether names of a table that lack one of the seven, or have it twice, have others in another
    // order than kColumnNames.
    static bool have_other_order(const std::vector<std::string> &names);

    std::size_t count() const { return count_; }
    // Whether the names have units, as x[pc].
    bool with_units() const { return with_units_; }
    // Throws for another number of cells, where an empty one may follow the last, and for cells that
    // are no numbers.
    Body body(const std::vector<std::string> &cells, const std::string &where) const;

private:
    std::size_t at_[kColumnCount];  // of m x y z vx vy vz
    std::size_t count_ = kColumnCount;
    bool with_units_ = false;
};

}  // namespace g6run
