# SPDX-License-Identifier: MIT
"""Rows of g6bench --csv: a line for each column and N, and the refusal of files without such rows."""
import unittest

import files
from g6plot import bench

HEAD = "kind,column,name,nj,ni,repeats,us_min,us_median,us_max\n"


class Rows(files.InFolder):
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
        axes = bench.figure(bench.read([path])).axes[0]
        self.assertEqual([list(axes.lines[0].get_xdata()), list(axes.lines[0].get_ydata())], [[1, 10], [10, 100]])
        self.assertEqual(axes.collections[0].get_segments()[1].tolist(), [[10, 90], [10, 120]])

    def test_ticks_are_at_the_sizes_that_were_measured(self):
        sizes = (1, 48, 1000, 1024, 30000)
        path = self.write("one.csv", HEAD + "".join(f"step,A,lib.so x,64,{n},3,90,100,120\n" for n in sizes))
        axis = bench.figure(bench.read([path])).axes[0].xaxis
        self.assertEqual(list(axis.get_majorticklocs()), list(sizes))
        # 1024 has no room beside 1000.
        self.assertEqual([label.get_text() for label in axis.get_ticklabels()], ["1", "48", "1000", "", "30000"])
        self.assertEqual(len(axis.get_minorticklocs()), 0)

    def test_runs_of_one_size_are_one_point(self):
        paths = [self.write(f"{k}.csv", HEAD + f"step,A,lib.so x,64,8,3,{least},{median},{most}\n")
                 for k, (least, median, most) in enumerate(((9, 10, 12), (8, 30, 31), (9, 11, 40)))]
        self.assertEqual(bench.read(paths), {("lib.so x", 64): [(8, 8, 11, 40)]})

    def test_blocks_of_one_size_stand_against_n(self):
        rows = "".join(f"step,A,lib.so x,{n},8,3,{n},{2 * n},{3 * n}\n" for n in (1048576, 64))
        axes = bench.figure(bench.read([self.write("one.csv", HEAD + rows)])).axes[0]
        self.assertEqual([list(axes.lines[0].get_xdata()), list(axes.lines[0].get_ydata())], [[64, 1048576], [128, 2097152]])
        self.assertEqual([label.get_text() for label in axes.xaxis.get_ticklabels()], ["64", "1048576"])

    def test_one_step_has_bars_of_the_medians(self):
        rows = "step,A,lib.so mode=a,64,8,3,90,100,120\nstep,B,lib.so mode=b,64,8,3,20,30,60\n"
        axes = bench.figure(bench.read([self.write("one.csv", HEAD + rows)])).axes[0]
        self.assertEqual([bar.get_width() for bar in axes.patches], [100, 30])
        self.assertEqual([label.get_text() for label in axes.get_yticklabels()], ["mode=a", "mode=b"])
        self.assertEqual(axes.collections[1].get_segments()[0][:, 0].tolist(), [20, 60])

    def test_files_without_steps_are_refused(self):
        for text, words in ((HEAD, "no block steps"), ("model,N\nplummer,64\n", "no column kind: .* without --tree"),
                            (HEAD + "step,A,x,64,1,3,9,what,12\n", "no numbers"), (HEAD + "step,A,x,64\n", "no numbers"),
                            (HEAD + "step,A,x,64,1,3,9,12,10\n", "not in order")):
            self.refused(words, bench.read, [self.write("bad.csv", text)])
        self.refused("cannot be read", bench.read, [self.path("none.csv")])
