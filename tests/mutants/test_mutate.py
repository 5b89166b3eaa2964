# SPDX-License-Identifier: MIT
"""The mutants of small pieces of C++ are those that are expected, and no others."""

import unittest

import mutate

SOURCE = '''\
// SPDX-License-Identifier: MIT
// a < b, and 1 + 2; "x = 3;"
#include <array>
#define SUM(a, b) ((a) + (b) < 1 ? \\
    f(a) : 2)
/* int x = 1;
   g(2); */
static_assert(sizeof(int) == 4 && 1 < 2, "two < three");
template <bool kNear = true, int kLevel = 3> double f(const double *x, std::array<double, 3> &y)
{
    const char *text = "1 + 2; // 3 \\" - 4", c = ';', *raw = R"x(1 < 2)" f(3); )x";
    log(kLogInfo, "n = %d", 3 + 4);
    if (x[1] < y[0] && !text) throw Error(G6_ERR_ARGUMENT, "%d", 1 + 1);
    for (int k = 0; k < n; k++) y[k] -= std::max(2.5f, x[k]) * 1'000'000;
    y.push_back(c);
    loop(n > 4 ? threads() : 1, std::isfinite(x[1] + 2), 1.5e-3);
    return y[2] * x[3];
}
'''
EXPECTED = [
    "if (!(x[1] < y[0] && !text)) throw", "if (x[2] < y[0]", "x[1] >= y[0]", "x[1] < y[1]",
    "y[0] || !text", "&& text)", "int k = 1;", "k >= n;", "k <= n;", "k++) ;", "y[k] += std",
    "std::min(2.5f", "max(3.5f", "x[k]) / 1'000'000", "    ;\n    loop", "return {};",
    "return y[0] * x[3]", "y[2] / x[3]"]


def results(text, file="a.cpp"):
    return [mutate.apply(text, m) for m in mutate.mutants_of(file, text)]


class Mutants(unittest.TestCase):
    def test_are_those_that_are_expected(self):
        found = results(SOURCE)
        for text in EXPECTED:
            with self.subTest(text):
                self.assertNotIn(text, SOURCE)
                self.assertEqual(sum(text in other for other in found), 1)
        self.assertEqual(len(found), len(EXPECTED))

    def test_leave_comments_strings_and_the_preprocessor_alone(self):
        kept = SOURCE.splitlines()[:9]
        for other in results(SOURCE):
            self.assertEqual(other.splitlines()[:9], kept)
            self.assertIn('"1 + 2; // 3 \\" - 4", c = \';\', *raw = R"x(1 < 2)" f(3); )x";', other)
            self.assertIn('log(kLogInfo, "n = %d", 3 + 4);', other)
            self.assertIn('throw Error(G6_ERR_ARGUMENT, "%d", 1 + 1);', other)

    def test_change_something_each(self):
        self.assertEqual(len(set(results(SOURCE)) | {SOURCE}), len(EXPECTED) + 1)

    def test_take_references_pointers_and_templates_for_no_operators(self):
        self.assertEqual(results("T<A> f(const T &a, T *b, T &&c, std::vector<int> d);\n"), [])

    def test_delete_no_declaration(self):
        text = "void f()\n{\n    Type a(b);\n    Type c = d;\n    std::vector<T> e;\n}\n"
        self.assertEqual(results(text), [])

    def test_are_the_same_for_a_seed(self):
        texts = {"a.cpp": SOURCE, "b.cpp": SOURCE}
        same = mutate.shuffled(texts, 1)
        self.assertEqual(mutate.shuffled(dict(reversed(texts.items())), 1), same)
        self.assertNotEqual(mutate.shuffled(texts, 2), same)
        self.assertEqual(sorted(mutate.shuffled(texts, 2)), sorted(same))

    def test_tell_where_their_statement_begins(self):
        text = "int a;\n// b\nc = d +\n    1;\n"
        self.assertEqual(mutate.first_line(mutate.bare(text), text.index("1")), 3)

    def test_show_their_lines(self):
        text = "void f()\n{\n    a = b +\n        c;\n}\n"
        deleted = next(m for m in mutate.mutants_of("a.cpp", text) if m.kind == "deletions")
        self.assertEqual(mutate.diff(text, deleted),
                         "a.cpp:3: deletions\n  -    a = b +\n  -        c;\n  +    ;")


if __name__ == "__main__":
    unittest.main()
