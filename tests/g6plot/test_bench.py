# SPDX-License-Identifier: MIT
"""Rows of g6bench --csv: a line for each column and N, and a refusal of files without any."""
import unittest

import files
from g6plot import bench
from g6plot.problem import Problem

HEAD = "kind,column,name,nj,ni,repeats,us_min,us_median,us_max\n"


class Rows(files.InFolder):
    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def test_a_line_for_each_column_and_n(self):
        rows = "# a comment, with commas\n" + HEAD + "load,A,lib.so mode=a,64,0,3,1,1,1\n"
        one = self.write("one.csv", rows + "step,A,lib.so mode=a,64,1,3,9,10,12\nstep,A,lib.so mode=a,64,10,3,90,100,120\n")
        two = self.write("two.csv", HEAD + "step,A,lib.so mode=a,128,1,3,9,10,12\n")
        lines = bench.read([one, two])
        self.assertEqual(lines["lib.so mode=a", 64], [(1, 9, 10, 12), (10, 90, 100, 120)])
        self.assertEqual(len(lines), 2)
        self.assertEqual(bench.name_of(("lib.so mode=a", 128), True), "mode=a, N = 128")

    def test_the_figure_has_the_medians(self):
        path = self.write("one.csv", HEAD + "step,A,lib.so x,64,10,3,90,100,120\nstep,A,lib.so x,64,1,3,9,10,12\n")
        line = bench.figure(bench.read([path])).axes[0].lines[0]
        self.assertEqual([list(line.get_xdata()), list(line.get_ydata())], [[1, 10], [10, 100]])

    def test_files_without_steps_are_refused(self):
        for text, words in ((HEAD, "no block steps"), ("a,b\n1,2\n", "no column"),
                            (HEAD + "step,A,x,64,1,3,9,what,12\n", "no numbers"), (HEAD + "step,A,x,64\n", "no numbers")):
            with self.assertRaisesRegex(Problem, words):
                bench.read([self.write("bad.csv", text)])
        with self.assertRaisesRegex(Problem, "cannot be read"):
            bench.read([self.path("none.csv")])


if __name__ == "__main__":
    unittest.main()
