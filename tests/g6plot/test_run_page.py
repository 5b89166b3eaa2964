# SPDX-License-Identifier: MIT
"""The page of a run: which panels it has, and how they fill it."""
import unittest

import files
import numpy as np
from g6plot import run_figure, snapshot, table

BLOCKS = "# g6run 1.0.0: 64 particles\n# method treewalk, block steps, eta 0.25, dt-max 0.125\n"
LEAPFROG = "# g6run 1.0.0: 64 particles\n# method treecode, dt 0.125, theta 0.75\n"
SHARED = "# g6run 1.0.0: 64 particles\n# shared steps, eta 0.01\n"


def cluster(time, step):
    header = snapshot.Header("s.hdf5")
    header.time = time
    return snapshot.Snapshot(header, np.random.default_rng(1).normal(size=(64, 3)), np.ones(64), np.asarray(step, float))


class Pages(files.InFolder):
    def page(self, rows, before="# g6run 1.0.0: 64 particles\n", step=np.repeat([0.125, 0.25], 32)):
        files.write_table(self.folder, rows, before=before)
        return run_figure.figure(table.read(self.folder, self.warn), cluster(0, step), cluster(1, step))

    def titles(self, *given, **named):
        return [axes.get_title() for axes in self.page(*given, **named).axes]

    def rows(self, blocks, size):
        return [files.row(0.5 * k, error=1e-9 * k, blocks=b, size=size * (b > 0), rate=0.1 * k) for k, b in enumerate(blocks)]

    def test_a_leapfrog_has_no_panels_of_its_one_step(self):
        equal = dict(before=LEAPFROG, step=np.full(64, 0.125))
        self.assertEqual(self.titles(self.rows([0, 4, 8], 64), **equal),
                         ["energies", "energy error, largest 2e-09", "virial ratio", "Lagrangian radii", "speed", "64 bodies at t = 0",
                          "64 bodies at t = 1"])
        self.assertNotIn("block steps", self.titles(self.rows([0], 64), **equal))
        # A body that takes part in no step has the step 0.
        self.assertEqual(len(self.titles(self.rows([0, 4, 8], 64), before=LEAPFROG, step=np.repeat([0, 0.125], 32))), 7)

    def test_a_body_that_has_all_the_mass_has_no_radii(self):
        rows = self.rows([0, 4, 8], 10)
        self.assertIn("Lagrangian radii", self.titles(rows))
        self.assertNotIn("Lagrangian radii", self.titles([row.replace(" 0.3 0.8 2.3 ", " 0 0 0 ") for row in rows]))

    def test_shared_steps_that_change_have_their_number_alone(self):
        for axes in self.page(self.rows([0, 4, 12], 64), before=SHARED, step=np.full(64, 0.125)).axes:
            if axes.get_title() == "steps of all particles":
                self.assertEqual([list(line.get_ydata()) for line in axes.lines], [[8, 16]])
                break
        else:
            self.fail("no panel of steps")

    def test_block_steps_have_both_panels(self):
        found = self.page(self.rows([0, 4, 8], 10), step=np.repeat([0.1, 0.2], 32)).axes
        self.assertEqual((found[4].get_title(), found[6].get_title()), ("block steps", "time steps at t = 1"))
        np.testing.assert_allclose([bar.get_center()[0] for bar in found[6].patches], np.log2([0.1, 0.2]))
        # A run of one row, and one that went on from a leapfrog with block steps.
        self.assertIn("block steps", self.titles(self.rows([0, 4], 10)))
        rows = self.rows([0, 4], 64) + [files.row(1, blocks=10, size=30, rate=1)]
        self.assertIn("block steps", self.titles(rows, before=LEAPFROG))

    def test_a_leapfrog_in_block_steps_has_them(self):
        # All intervals have the same mean size, as where all bodies keep their steps.
        self.assertIn("block steps", self.titles(self.rows([0, 4, 8], 10), before=BLOCKS))

    def test_a_table_with_units_of_its_own_has_them_on_the_page(self):
        units = "# g6run\n# units: length 2pc, mass 1e4Msun, velocity 4.6373 km/s, time 0.5 Myr\n"
        own = "# units of this table: time Myr, length pc, energy Msun (km/s)^2\n"
        # 4 block steps in each 0.5 of the column "time".
        for before, energy, steps, rate in (("# g6run\n", "energy [N-body units]", "steps in a unit of time", 8),
                                            (units, "energy [N-body units]", "steps in a Myr", 16),
                                            (units + own, r"energy [M$_\odot$ (km/s)$^2$]", "steps in a Myr", 8)):
            axes = {a.get_title(): a for a in self.page(self.rows([0, 4, 8], 10), before=before).axes}
            self.assertEqual(axes["energies"].get_ylabel(), energy)
            line = axes["block steps"].lines[0]
            self.assertEqual((line.get_label(), list(line.get_ydata())), (steps, [rate, rate]))

    def test_panels_fill_each_row(self):
        figure = self.page(self.rows([0, 4, 8], 64), before=LEAPFROG, step=np.full(64, 0.125))
        taken = sorted((axes.get_subplotspec().rowspan.start, column) for axes in figure.axes
                       for column in axes.get_subplotspec().colspan)
        self.assertEqual(taken, [(row, column) for row in range(3) for column in range(6)])

    def test_panels_of_a_time_have_one_axis(self):
        figure = self.page(self.rows([0, 4, 8], 10))
        limits = {axes.get_xlim() for axes in figure.axes if axes.get_xlabel().startswith("time [")}
        self.assertEqual(len(limits), 1)
