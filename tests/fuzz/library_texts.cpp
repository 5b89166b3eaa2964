// SPDX-License-Identifier: MIT
// Calls whose results are texts and structs.
#include "library_space.h"

#include "g6lib.h"

#include <algorithm>

namespace g6fuzz {

// A line may arrive while the library fails: user code may fail in it once more.
void Library::take_line(int level, const char *line, void *self)
{
    Library &library = *static_cast<Library *>(self);
    if (level < 1 || level > 4 || !line) library.answer_.complaint = "a line of the log is none";
    if (line && std::strstr(line, " failed (")) library.lost_ = line;
    if (!library.talks_ || library.nested_) return;
    library.nested_ = true;
    g6_set_option(0, "no such setting", "");
    library.nested_ = false;
}

// In place of stderr, to which G6_LOG lets nothing through.
void Library::hear_errors()
{
    talks_ = false;
    g6_set_log(take_line, 1, this);
}

void Library::call_text(const Call &c)
{
    Space &s = *space_;
    const std::string one = c.get_text(0), two = c.get_text(1);
    const char *key = c.text[0].null ? nullptr : one.c_str(),
               *value = c.text[1].null ? nullptr : two.c_str();
    const char *got = nullptr;
    switch (c.op) {
    case Op::version: got = g6_version(); break;
    case Op::last_error: got = g6_last_error(); break;
    case Op::status_text: got = g6_status_text(c.i[0]); break;
    case Op::status_remedy: got = g6_status_remedy(c.i[0]); break;
    case Op::backend_name: got = g6_backend_name(c.id); break;
    case Op::set_mode: answer_.status = g6_set_mode(c.id, key); break;
    case Op::set_option: answer_.status = g6_set_option(c.id, key, value); break;
    case Op::get_option:
        s.text.assign(static_cast<size_t>(std::max(c.i[0], 0)) + 1, '#');
        answer_.status =
            g6_get_option(c.id, key, c.i[1] & kNullAcc ? nullptr : s.text.data(), c.i[0]);
        if (s.text.back() != '#') answer_.complaint = "g6_get_option wrote beyond size";
        if (!answer_.status) got = s.text.data();
        break;
    case Op::option_row: {
        const char *texts[3] = {"", "", ""};
        answer_.status = g6_option_row(c.i[0], c.i[1] & kNullAcc ? nullptr : &texts[0],
                                       c.i[1] & kNullJerk ? nullptr : &texts[1],
                                       c.i[1] & kNullPot ? nullptr : &texts[2]);
        if (!texts[0] || !texts[1] || !texts[2]) answer_.complaint = "a text of a row is NULL";
        answer_.text = texts[0] ? texts[0] : "";
        return;
    }
    default:
        talks_ = c.i[0] == 2;
        answer_.status = g6_set_log(c.i[0] ? take_line : nullptr, c.i[1], this);
        if (c.i[0] == 0 && answer_.status == 0) hear_errors();
    }
    const bool gives_text = c.op == Op::version || c.op == Op::last_error ||
                            c.op == Op::status_text || c.op == Op::status_remedy ||
                            c.op == Op::backend_name;
    answer_.has_status = !gives_text;
    if (gives_text && !got) answer_.complaint = "a NULL text";
    answer_.text = got ? got : answer_.status ? g6_last_error() : "";
}

void Library::call_struct(const Call &c)
{
    const auto size = [&](int n) { return static_cast<size_t>(n); };
    if (c.op == Op::get_backend_info) {
        g6_backend_info info{};
        info.size = size(c.i[1]);
        answer_.status = g6_get_backend_info(c.i[0], &info);
        answer_.text = info.name;
        answer_.numbers[0] = info.ndevices;
    } else if (c.op == Op::get_device_info) {
        g6_device_info info{};
        info.size = size(c.i[2]);
        answer_.status = g6_get_device_info(c.i[0], c.i[1], &info);
        answer_.text = info.name;
        answer_.numbers[0] = info.memory_bytes, answer_.numbers[1] = info.memory_free_bytes;
    } else {
        g6_stats stats{};
        stats.size = size(c.i[0]);
        answer_.status = g6_get_stats(c.id, &stats);
        answer_.text = lost_;
        const double numbers[] = {stats.blocks,       stats.i_particles,  stats.interactions,
                                  stats.j_writes,     stats.j_sent,       stats.repeats,
                                  stats.recoveries,   stats.copies_up,    stats.copies_down,
                                  stats.waits,        stats.seconds_send, stats.seconds_wait,
                                  stats.seconds_lists};
        std::copy(std::begin(numbers), std::end(numbers), answer_.numbers);
    }
}

}  // namespace g6fuzz
