// SPDX-License-Identifier: MIT
// Neighbour lists: their entries, their radii, and lists that are too long for the array.
#include "client.h"
#include "rule.h"

#include <algorithm>

namespace g6check {
namespace {

std::string joined(const std::vector<int> &list)
{
    std::string words = "(" + std::to_string(list.size()) + ")";
    for (size_t k = 0; k < std::min<size_t>(list.size(), 8); k++) words += " " + text(list[k]);
    return words + (list.size() > 8 ? " ..." : "");
}

// j-particles at x = 1, 2, ... n with index = address, and an i-particle at the origin.
struct Row {
    const Library &library;
    Client c;
    Block block;
    Row(const Library &lib, int n, double h2) : library(lib), c(lib)
    {
        library.need_hermite("neighbour lists");
        for (int k = 0; k < n; k++) c.set(k, body(k, 1, {k + 1.0, 0, 0}));
        block.eps2 = 0;  // whether distances are softened is a rule of its own
        block.add(kForeign, {0, 0, 0}, {}, h2);
    }
    int read() { return library.read_list(c.id()); }
    void run()
    {
        c.run(block);
        expect_equal("g6_read_neighbour_list returns", 0, read());
    }
    // Compares the lists as sets; the order is a rule of its own.
    void expect_list(std::vector<int> want, int pipe = 0)
    {
        std::vector<int> got = c.list(pipe);
        std::sort(got.begin(), got.end());
        std::sort(want.begin(), want.end());
        expect(got == want, "list " + joined(want), joined(got));
    }
};

void within_h2(const Library &library)
{
    library.need_hermite("neighbour lists");
    Client c(library);
    c.set_all(neutral(500));
    Block block = probes(16);
    for (int k = 0; k < 16; k++) block.h2[k] = 0.02 * (k + 1);
    c.run(block);
    c.judge_lists();
}

void strictly(const Library &library)
{
    Row row(library, 4, 9);  // r = 3 is not within h2 = 9
    row.run();
    row.expect_list({0, 1});
}

void h2_zero(const Library &library)
{
    Row row(library, 4, 0);
    row.c.set(1, body(1, 1, {0, 0, 0}));
    row.run();
    row.expect_list({});
}

void latest_h2(const Library &library)
{
    Row row(library, 8, 9.5);
    row.run();
    row.expect_list({0, 1, 2});
    row.block.h2[0] = 30;
    row.run();
    row.expect_list({0, 1, 2, 3, 4});
}

void of_each_pipe(const Library &library)
{
    Row row(library, 3, 1000);
    row.block.add(kForeign + 1, {500, 0, 0}, {}, 1);
    row.block.add(kForeign + 2, {0, 0, 0}, {}, 1000);
    row.run();
    row.expect_list({0, 1, 2}, 2);
    row.expect_list({}, 1);
    row.expect_list({0, 1, 2}, 0);
}

void is_index(const Library &library)
{
    Row row(library, 3, 1000);
    row.c.set(0, body(-1, 1, {1, 0, 0}));
    row.c.set(2, body(2147483647, 1, {3, 0, 0}));
    row.run();
    row.expect_list({-1, 1, 2147483647});
}

void massless(const Library &library)
{
    Row row(library, 3, 1000);
    row.c.set(1, body(1, 0, {2, 0, 0}));
    row.run();
    row.expect_list({0, 1, 2});
}

void sorted(const Library &library)
{
    Row row(library, 6, 1000);
    const int order[] = {5, 3, 4, 0, 2, 1};
    for (int k = 0; k < 6; k++) row.c.set(k, body(order[k], 1, {k + 1.0, 0, 0}));
    row.run();
    const std::vector<int> got = row.c.list(0);
    expect(std::is_sorted(got.begin(), got.end()), "ascending order", joined(got));
}

void sort_mode(const Library &library)
{
    Row row(library, 2, 1000);
    int mode = library.get_sort();
    expect(mode != 0, "sorting by default", text(mode));
    for (int wanted : {0, 1}) {
        library.set_sort(&wanted);
        mode = library.get_sort();
        expect((mode != 0) == (wanted != 0), "the mode that was set, " + text(wanted), text(mode));
    }
}

// r^2 + eps2 < h2 or r^2 < h2: of the j-particles at 1, 2, 3, 4 the third is in the list by the
// second condition only.
void softened(const Library &library)
{
    Row row(library, 4, 10);
    row.block.eps2 = 4;
    row.run();
    if (softened_lists(library))
        row.expect_list({0, 1});
    else
        row.expect_list({0, 1, 2});
}

void self_by_pipes(const Library &library)
{
    Row row(library, 5, 1000);
    row.block.index[0] = 3;
    row.run();
    if (own_in_lists(library))
        row.expect_list({0, 1, 2, 3, 4});
    else
        row.expect_list({0, 1, 2, 4});
}

void self_all(const Library &library)
{
    Row row(library, 5, 1000);
    row.c.set(4, body(3, 1, {5, 0, 0}));
    row.block.index[0] = 3;
    row.run();
    if (own_in_lists(library))
        row.expect_list({0, 1, 2, 3, 3});
    else
        row.expect_list({0, 1, 2});
}

void self_h2_zero(const Library &library)
{
    Row row(library, 3, 0);
    row.block.index[0] = 0, row.block.x[0] = {1, 0, 0};
    row.run();
    row.expect_list({});
}

void overflow(const Library &library)
{
    Row row(library, 20, 1000);
    row.c.run(row.block);
    row.read();
    int pipe = 0, most = 6, n = -1;
    std::vector<int> list(most + 4, Answer::kNoIndex);
    const int status = library.get_list(row.c.id(), &pipe, &most, &n, list.data());
    expect_equal("g6_get_neighbour_list of too long a list returns", 1, status);
    expect_equal("the length, as many as were written (less and kira loops for ever, more and "
                 "nb6++ reads behind its array)",
                 most, n);
    const auto written =
        std::count_if(list.begin(), list.begin() + most, [](int k) { return k >= 0 && k < 20; });
    expect_equal("entries written", most, static_cast<int>(written));
    expect(list[most] == Answer::kNoIndex, "nothing behind the caller's array", "an entry");
}

void overflow_cleared(const Library &library)
{
    Row row(library, 20, 1000);
    row.c.run(row.block);
    row.read();
    int pipe = 0, most = 6, n = -1, list[20];
    library.get_list(row.c.id(), &pipe, &most, &n, list);
    row.run();
    most = 20;
    const int status = library.get_list(row.c.id(), &pipe, &most, &n, list);
    expect_equal("a list that fits, after the next firsthalf, returns", 0, status);
}

void retry(const Library &library)
{
    Row row(library, 20, 1000);
    row.c.run(row.block);
    row.read();
    int pipe = 0, most = 6, n = -1, list[20];
    library.get_list(row.c.id(), &pipe, &most, &n, list);
    std::vector<int> want(20);
    for (int k = 0; k < 20; k++) want[k] = k;
    row.expect_list(want);
}

void long_list(const Library &library)
{
    Row row(library, 3000, 1e9);
    row.run();
    expect_equal("length", 3000, static_cast<int>(row.c.list(0).size()));
}

void after_lasthalf2(const Library &library)
{
    Row row(library, 5, 1000);
    row.c.run(row.block, Half::kLast2);
    row.read();
    row.expect_list({0, 1, 2, 3, 4});
}

void predicted(const Library &library)
{
    Row row(library, 3, 25);
    JParticle j = body(1, 1, {2, 0, 0});
    j.v[0] = 16;
    row.c.set(1, j);
    row.c.at_time(0.5);  // x = 10
    row.run();
    row.expect_list({0, 2});
}

void read_old(const Library &library)
{
    Row row(library, 5, 1000);
    row.c.run(row.block);
    expect_equal("g6_read_neighbour_list_old_ returns", 0, library.read_list_old(row.c.id()));
    row.expect_list({0, 1, 2, 3, 4});
}

}  // namespace

std::vector<Rule> list_rules()
{
    return {
        {"list-within-h2", "r^2 < h2, with a h2 for each i-particle", within_h2},
        {"list-strict", "r^2 = h2 is outside", strictly},
        {"list-h2-zero", "h2 = 0 asks for no neighbours", h2_zero},
        {"list-latest-h2", "the radii are those of the latest firsthalf", latest_h2},
        {"list-of-each-pipe", "pipes count from 0, in any order", of_each_pipe},
        {"list-is-index", "entries are indices, which may be -1", is_index},
        {"list-massless", "bodies without mass count", massless},
        {"list-sorted", "entries are in ascending order", sorted},
        {"list-sort-mode", "the sort mode can be set and asked", sort_mode, kShared},
        {"list-self-by-pipes", "lists have the own index only with more than 48 pipes (kira, ph4)",
         self_by_pipes},
        {"list-self-all", "all j-particles with the own index are listed, or none", self_all},
        {"list-self-h2-zero", "with h2 = 0 the own index is not listed either", self_h2_zero},
        {"list-softened", "r^2 + eps2 < h2, with more than 48 pipes r^2 < h2", softened},
        {"list-overflow", "a list that is too long: status 1, and the entries that fit", overflow},
        {"list-overflow-cleared", "the next firsthalf clears the overflow", overflow_cleared},
        {"list-larger-array", "a second call with a larger array gives the whole list", retry},
        {"list-long", "no limit of length", long_list},
        {"list-after-lasthalf2", "lists also with nearest neighbours", after_lasthalf2},
        {"list-predicted", "by positions predicted to ti", predicted},
        {"list-read-old", "g6_read_neighbour_list_old reads lists too", read_old, kShared},
    };
}

}  // namespace g6check
