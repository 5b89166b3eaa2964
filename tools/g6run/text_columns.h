// SPDX-License-Identifier: MIT
// The columns of a text table.  Finds which of them are m x y z vx vy vz, by their names or, in a
// table without names, by their order, and reads the body of a row.
#pragma once

#include "body.h"

#include <optional>
#include <string>
#include <vector>

namespace g6run {

constexpr const char *kColumnNames = "m x y z vx vy vz";
constexpr std::size_t kColumnCount = 7;
constexpr const char *kWhite = " \t\r\v\f";

// Splits a line at its semicolons, else at its commas, else at white space.  An empty cell counts,
// also after a separator that ends the line.  Quotes around a cell are removed.
std::vector<std::string> cells(const std::string &line);
// Names of columns with their units, without numbers before them, from the cells of a line: m,
// vx[km/s] and x[pc] from "(1) m (2) vx [km / s] (3) x_pc".
std::vector<std::string> column_names(const std::vector<std::string> &cells);
// Words between white space.
std::vector<std::string> split(const std::string &line);
// The value of a word.  Throws unless it is a finite number.
double number(const std::string &word, const std::string &where);
bool is_number(const std::string &word);
// The beginning of a word, for a message.  Bytes of a binary file become '?', since they could
// disturb the terminal.
std::string quoted(const std::string &word);

class Columns {
public:
    // A table of seven columns, in the order of kColumnNames.
    Columns();
    // A table with these names.  None where one of the seven names is missing or there twice.
    static std::optional<Columns> named(std::vector<std::string> names);
    // For names that named() refuses: whether they are names of columns that are not in the order
    // of kColumnNames, because the first is no mass or another of the seven has another place.  At
    // least four of the seven must be among them.
    static bool are_others(const std::vector<std::string> &names);
    // Whether these are names of columns and nothing else, but fewer than seven.
    static bool are_fewer(const std::vector<std::string> &names);

    // The names of all seven columns in the order of these cells, which may have other words, too,
    // as "(x, y, z, vx, vy, vz, mass)" or "positions, velocities and masses".  "" unless each name
    // is there, in one place.
    static std::string order_in(const std::vector<std::string> &cells);

    // Takes the units from a line that has one for each column: known ones of positions and
    // velocities, or one and the same for x, y and z, and one for vx, vy and vz.  Any other line
    // changes nothing.
    void take_units(const std::vector<std::string> &cells);
    // "x is in pc, but y in kpc" where positions or velocities have different known units; "" where
    // they have not.
    std::string mixed_units() const;

    std::size_t count() const { return count_; }
    // Whether the names have units, as x[pc], or a line below them.
    bool with_units() const { return with_units_; }
    bool with_ids() const { return id_at_ < count_; }
    // As --input-units lists them: "pc,Msun,km/s".  "" unless the mass, the positions and the
    // velocities each have one known unit; y and z may leave it out.  Spellings are the usual ones.
    std::string units() const;
    // The same for the known ones of the mass, x and vx alone: "pc,km/s".
    std::string known_units() const;
    // The id of a row, a whole number of 64 bits, also as 1.0e+01.  None where there is no column
    // of ids, or a name in it.
    std::optional<std::uint64_t> id(const std::vector<std::string> &cells) const;
    // The cells of a row: the cells between tabs, which may be empty or have blanks inside, if
    // their number is count(), else those of cells() above.
    std::vector<std::string> cells_of(const std::string &line) const;
    // The body of a row.  Throws unless there are count() cells (an empty one may follow) and those
    // of the seven columns are finite numbers.
    Body body(const std::vector<std::string> &cells, const std::string &where) const;

private:
    std::size_t at_[kColumnCount];  // of m x y z vx vy vz
    std::size_t count_ = kColumnCount;
    std::size_t id_at_ = std::string::npos;
    bool with_units_ = false;
    std::string unit_[kColumnCount];
};

}  // namespace g6run
