// SPDX-License-Identifier: MIT
// Reads a table line by line, takes the time and the settings from its comments, and names common
// mistakes: other columns, a first line of counts, a file that was cut off.
#include "text_file.h"

#include "error.h"
#include "foreign_file.h"
#include "text_columns.h"
#include "text_comments.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>

namespace g6run {
namespace {

constexpr const char *kTimeName = "time";
constexpr const char *kCountName = "Particles";
constexpr const char *kCommentMarks = "#!%";
constexpr const char *kByteOrderMark = "\xef\xbb\xbf";

// The first line of a run's table.txt: "# g6run VERSION: N particles, ...".
bool is_head_of_table(const std::vector<std::string> &comment)
{
    return comment.size() > 3 && comment[0] == kSettingMark && comment[3] == "particles,";
}

using Texts = std::map<std::string, std::string>;

// Takes the time, and "g6run NAME VALUE".  settings also receives the time, under a name that no
// setting has.
void read_comment(const std::string &comment, const std::string &where, Snapshot &snapshot,
                  Texts &settings)
{
    if (const auto time = time_in(comment, where)) {
        if (!snapshot.bodies.empty() && settings.count(kTimeName))
            throw Error(where + "another time among the bodies: the file has several snapshots; "
                                "give one of them");
        snapshot.time = time->value;
        snapshot.time_unit = time->unit;
        settings[kTimeName] = comment;
    }
    const std::vector<std::string> words = split(comment);
    if (words.size() == 3 && words[0] == kSettingMark) settings[words[1]] = words[2];
}

// The settings of a run; none unless all their numbers are there.  Missing texts are empty.
std::optional<Settings> settings_of(const Texts &texts, const std::string &path)
{
    Settings s;
    bool complete = true;
    visit_setting_numbers(s, [&](const char *name, double &value) {
        const auto found = texts.find(name);
        complete &= found != texts.end();
        if (complete) value = number(found->second, path + ": " + name + ": ");
    });
    visit_setting_texts(s, [&](const char *name, std::string &value) {
        const auto found = texts.find(name);
        value = found == texts.end() ? "" : found->second;
    });
    complete &= !s.method.empty() && !s.steps.empty();
    return complete ? std::optional<Settings>(s) : std::nullopt;
}

// Refuses a table of g6run that was cut off.  A whole table has as many lines as it tells, and its
// last line ends with a newline.
void check_whole(const Texts &texts, std::size_t count, bool ended, const std::string &path)
{
    const auto found = texts.find(kCountName);
    if (found == texts.end() || (ended && found->second == std::to_string(count))) return;
    throw Error(path + ": has " + std::to_string(count) +
                (ended ? "" : " lines, the last cut off,") + " of its " + found->second +
                " particles; if that is meant, delete its line \"# " + kSettingMark + " " +
                kCountName + "\"");
}

void write_settings(FILE *file, const Settings &s)
{
    visit_setting_numbers(s, [&](const char *name, const double &value) {
        std::fprintf(file, "# %s %s %.17g\n", kSettingMark, name, value);
    });
    visit_setting_texts(s, [&](const char *name, const std::string &value) {
        if (!value.empty()) std::fprintf(file, "# %s %s %s\n", kSettingMark, name, value.c_str());
    });
}

}  // namespace

namespace {

// Lines of a file or of a pipe, which cannot be read twice.  They end with LF or CR LF, or, where
// the head of the file has no LF, with CR.
class Lines {
public:
    Lines(std::istream &file, const std::string &path) : file_(file)
    {
        std::string head(kHeadBytes, '\0');
        file.read(&head[0], static_cast<std::streamsize>(head.size()));
        head.resize(static_cast<std::size_t>(file.gcount()));
        const std::string foreign = foreign_kind(head);
        if (!foreign.empty()) throw Error(path + ": " + foreign);
        // A CR at the end of the head may have its LF behind it.
        const bool cr = head.find('\r') < head.size() - !head.empty();
        if (cr && head.find('\n') == std::string::npos) end_ = '\r';
        const bool mark = head.rfind(kByteOrderMark, 0) == 0;
        head_.str(head.substr(mark ? std::strlen(kByteOrderMark) : 0));
    }
    bool next(std::string &line)
    {
        number_++;
        line.clear();
        std::string rest;
        if (!head_.eof() && std::getline(head_, line, end_) && !head_.eof()) return true;
        const bool found = static_cast<bool>(std::getline(file_, rest, end_));
        line += rest;
        if (!found && line.empty()) return false;
        ended_ = found && !file_.eof();
        return true;
    }
    // Whether the last line has an end.
    bool ended() const { return ended_; }
    int number() const { return number_; }

private:
    std::istream &file_;
    std::istringstream head_;
    char end_ = '\n';
    bool ended_ = true;
    int number_ = 0;
};

// Cuts the comment off `line`, and returns it.
std::string cut_comment(std::string &line)
{
    const std::size_t first = line.find_first_not_of(kWhite);
    const bool slashes = first != std::string::npos && line.compare(first, 2, "//") == 0;
    const std::size_t mark = slashes ? first : line.find_first_of(kCommentMarks);
    if (mark == std::string::npos) return "";
    // ## begins a comment, too.
    const std::size_t begin = slashes ? mark + 2 : line.find_first_not_of(kCommentMarks, mark);
    const std::string comment = line.substr(std::min(begin, line.size()));
    line.resize(mark);
    return comment;
}

bool is_blank(const std::string &line)
{
    return line.find_first_not_of(kWhite) == std::string::npos;
}

// Whether the first line is no body, but has the number of bodies or a time, as many programs write
// it.  Reads all other lines to find out.
bool is_line_of_counts(const std::vector<std::string> &words, Lines &lines)
{
    if (!std::all_of(words.begin(), words.end(), is_number)) return false;
    std::size_t rows = 0, most = 0;
    for (std::string line; lines.next(line);) {
        cut_comment(line);
        if (is_blank(line)) continue;
        rows++;
        most = std::max(most, cells(line).size());
    }
    const bool counts = std::find(words.begin(), words.end(), std::to_string(rows)) != words.end();
    return (rows > 1 && counts) || (words.size() <= 4 && most > words.size());
}

[[noreturn]] void refuse_names(const std::vector<std::string> &words, const std::string &where)
{
    std::string names;
    for (std::size_t k = 0; k < std::min<std::size_t>(words.size(), 12); k++)
        names += (k ? ", " : "") + quoted(words[k]);
    throw Error(where + "names of columns (" + names + "), among which each of " + kColumnNames +
                " must be once");
}

using Rows = std::vector<std::vector<std::string>>;

// The names of a comment, without words that introduce them.
std::vector<std::string> names_in(std::vector<std::string> cells)
{
    if (!cells.empty() && !cells[0].empty() && cells[0].back() == ':')
        cells.erase(cells.begin());  // as in "# columns: m x y z"
    else if (!cells.empty() && cells[0].find(": ") != std::string::npos)
        cells[0].erase(0, cells[0].find(": ") + 2);  // as in "# columns: m, x, y, z"
    return column_names(cells);
}

// The columns that a comment names, and their units where a later comment has them.  None unless a
// comment has the names of `count` columns; the last one that does is taken.
std::optional<Columns> columns_of(const Rows &comments, std::size_t count, const std::string &where)
{
    for (std::size_t k = comments.size(); k-- > 0;) {
        const std::vector<std::string> names = names_in(comments[k]);
        std::optional<Columns> columns = Columns::named(names);
        if (columns && columns->count() == count) {
            while (++k < comments.size()) columns->take_units(comments[k]);
            return columns;
        }
        if (names.size() == count && Columns::are_others(names)) refuse_names(names, where);
    }
    return std::nullopt;
}

// Refuses comments that name some of the columns, or all of them in another order among words from
// which they are not read.
void refuse_other_order(const Rows &comments, const std::string &where)
{
    std::vector<std::string> all;
    for (const std::vector<std::string> &comment : comments) {
        const std::vector<std::string> names = names_in(comment);
        if (Columns::are_fewer(names)) refuse_names(names, where);
        // More than seven names without ids and units may be words of prose.
        const std::optional<Columns> more = Columns::named(names);
        if (more && (more->with_units() || more->with_ids()))
            throw Error(where + std::to_string(kColumnCount) + " columns, but " +
                        std::to_string(more->count()) + " names above them");
        all.insert(all.end(), comment.begin(), comment.end());
    }
    const std::string order = Columns::order_in(all);
    if (!order.empty() && order != kColumnNames)
        throw Error(where + "comments have names of columns in the order " + order +
                    " among other words; write the names alone as a comment in the order of the "
                    "columns, as \"# " +
                    kColumnNames + "\" or \"# " + order + "\"");
}

// Which columns the table has, by its first line that is no comment and by the comments ahead of
// this line.  is_head receives whether the line has names.
Columns find_columns(const std::vector<std::string> &words, const Rows &comments,
                     const std::string &where, Lines &lines, bool &is_head)
{
    is_head = std::none_of(words.begin(), words.end(), [](const std::string &word) {
        const bool with_comma = !std::isalpha(static_cast<unsigned char>(word[0])) &&
                                word.find_first_of("0123456789") != std::string::npos &&
                                word.find_first_not_of("0123456789,.+-eE") == std::string::npos;
        return is_number(word) || with_comma;
    });
    if (is_head) {
        if (const auto columns = Columns::named(column_names(words))) return *columns;
        refuse_names(words, where);
    }
    const std::size_t least = words.size() - words.back().empty();
    for (const std::size_t count : {words.size(), least}) {
        if (const auto columns = columns_of(comments, count, where)) return *columns;
        if (count != kColumnCount) continue;
        refuse_other_order(comments, where);
        return Columns();
    }
    if (is_line_of_counts(words, lines)) {
        std::string text;
        for (const std::string &word : words) text += (text.empty() ? "" : " ") + word;
        throw Error(where + quoted(text) +
                    " is a first line with counts, and no body: delete it, "
                    "or begin it with #");
    }
    return Columns();
}

// Counts the bodies between comments and empty lines.  In a table of several snapshots these parts
// are equal.
class Parts {
public:
    void add() { size_++; }
    void end()
    {
        if (size_ == 0) return;
        if (parts_++ == 0) first_ = size_;
        same_ &= size_ == first_;
        size_ = 0;
    }
    // The number of parts, if they are equal and have two bodies or more; else 1.
    std::size_t equal()
    {
        end();
        return same_ && first_ > 1 ? parts_ : 1;
    }

private:
    std::size_t size_ = 0, first_ = 0, parts_ = 0;
    bool same_ = true;
};

Snapshot read_lines(std::istream &file, const std::string &path)
{
    Snapshot snapshot;
    Texts settings;
    Lines lines(file, path);
    std::optional<Columns> columns;
    bool table = false, have_ids = true;
    Rows comments;                   // ahead of the first body
    std::vector<std::string> texts;  // of these comments
    std::size_t below = 0;           // the first comment below a line of names
    Parts parts;
    std::string line;
    while (lines.next(line)) {
        const std::string where = path + ":" + std::to_string(lines.number()) + ": ";
        if (const std::string text = cut_comment(line); !text.empty()) {
            if (is_blank(line)) read_comment(text, where, snapshot, settings);
            table |= is_head_of_table(split(text));
            if (is_blank(line) && snapshot.bodies.empty()) {
                comments.push_back(cells(text));
                texts.push_back(text);
            }
        }
        if (is_blank(line)) {
            parts.end();
            continue;
        }
        std::vector<std::string> words = columns ? columns->cells_of(line) : cells(line);
        if (table && words.size() != kColumnCount)
            throw Error(path + ": is the table of a run; give one of the run's snapshots");
        if (!columns) {
            bool is_head = false;
            columns = find_columns(words, comments, where, lines, is_head);
            below = comments.size();
            if (is_head) continue;
            words = columns->cells_of(line);
        }
        if (snapshot.bodies.empty()) {
            for (; below < comments.size(); below++) columns->take_units(comments[below]);
            if (const std::string mixed = columns->mixed_units(); !mixed.empty())
                throw Error(path + ": " + mixed +
                            ": give the positions one unit, and the velocities one");
            snapshot.needs_gravity = columns->with_units() || tell_units(texts);
            snapshot.units = columns->units();
            snapshot.some_units = columns->known_units();
            snapshot.gravity = gravity_in(texts);
        }
        snapshot.bodies.push_back(columns->body(words, where));
        parts.add();
        const std::optional<std::uint64_t> id = columns->id(words);
        have_ids &= id.has_value();
        snapshot.bodies.back().id = id.value_or(0);
    }
    for (std::size_t k = 0; !have_ids && k < snapshot.bodies.size(); k++) snapshot.bodies[k].id = k;
    snapshot.parts = parts.equal();
    if (file.bad()) throw Error(path + ": cannot be read");
    check_whole(settings, snapshot.bodies.size(), lines.ended(), path);
    snapshot.settings = settings_of(settings, path);
    snapshot.types[kDefaultType] = snapshot.bodies.size();
    return snapshot;
}

}  // namespace

Snapshot read_text(const std::string &path)
{
    if (path == kStandardInput) return read_lines(std::cin, "standard input");
    std::ifstream file(path);
    if (!file) throw Error(path + ": cannot be opened: " + std::strerror(errno));
    return read_lines(file, path);
}

void write_text(const std::string &path, const Snapshot &snapshot)
{
    std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path.c_str(), "wx"), std::fclose);
    if (!file) throw Error(path + ": cannot be created");
    std::fprintf(file.get(), "# time %.17g\n", snapshot.time);
    if (snapshot.held()) write_settings(file.get(), *snapshot.held());
    std::fprintf(file.get(), "# %s %s %zu\n", kSettingMark, kCountName, snapshot.bodies.size());
    std::fprintf(file.get(), "# %s\n", kColumnNames);
    for (const Body &b : snapshot.bodies)
        std::fprintf(file.get(), "%.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", b.mass, b.x[0],
                     b.x[1], b.x[2], b.v[0], b.v[1], b.v[2]);
    const bool failed = std::ferror(file.get());
    if (std::fclose(file.release()) || failed) throw Error(path + ": cannot be written");
}

}  // namespace g6run
