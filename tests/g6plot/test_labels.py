# SPDX-License-Identifier: MIT
"""No two texts of a picture overlap, and none leaves the picture: titles, labels, ticks, legends and notes."""
import itertools
import unittest
import unittest.mock

import files
import numpy as np
from g6plot import bench, film, halo_figure, maps, options, run_figure, snapshot, style, table
from matplotlib import pyplot
from matplotlib.text import Text

TOUCH = 1.0  # pixels that boxes may share: they have some room around the letters
LONG = "g6run 1.0.0: 1048576 particles of a galaxy with a very long name, t = 0 to 1.4142135623, eps 0.0009765625, from a " \
       "file in simulations/of/a/very/long/name/snapshot_0123.hdf5"


def texts(figure):
    """(text, box in pixels) of everything that is written when the figure is drawn."""
    found, draw = [], Text.draw

    def record(self, renderer, *args, **named):
        if self.get_visible() and self.get_text().strip():
            found.append((self.get_text(), self.get_window_extent(renderer)))
        return draw(self, renderer, *args, **named)

    style.settle(figure, 110)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    with unittest.mock.patch.object(Text, "draw", record):
        figure.draw_without_rendering()
    return found


def overlap(one, other):
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    return min(width, height)


def covered(figure):
    """Titles of panels whose legend lies on a line."""
    bad = []
    for axes in figure.axes:
        box = axes.get_legend().get_window_extent() if axes.get_legend() else None
        for line in axes.lines if box else ():
            path = line.get_transform().transform_path(line.get_path())
            points = path.interpolated(50).vertices if len(path) else path.vertices
            if box.count_contains(points[np.isfinite(points).all(axis=1)]):
                bad.append(axes.get_title())
    return bad


def faults(found, page):
    """Pairs of texts that overlap, and texts that leave the page."""
    bad = [f"'{a}' and '{b}' overlap" for (a, one), (b, other) in itertools.combinations(found, 2) if overlap(one, other) > TOUCH]
    bad += [f"'{a}' is cut off" for a, box in found if min(box.x0 - page.x0, box.y0 - page.y0, page.x1 - box.x1,
                                                            page.y1 - box.y1) < -TOUCH]
    return bad


class Labels(files.InFolder):
    def check(self, figure, words=0):
        found = texts(figure)
        self.assertEqual(faults(found, figure.bbox), [])
        self.assertEqual(covered(figure), [])
        self.assertGreater(len(found), words)
        pyplot.close(figure)


class Faults(files.InFolder):
    def test_texts_that_collide_or_are_cut_off_are_found(self):
        figure, axes = style.pyplot().subplots()
        self.assertEqual(faults(texts(figure), figure.bbox), [])
        axes.text(0.5, 0.5, "here")
        axes.text(0.52, 0.5, "there")
        axes.text(1.5, 0.5, "outside")
        self.assertEqual(len(faults(texts(figure), figure.bbox)), 2)
        self.assertEqual(style.in_lines("folder: t = 0.25", 1), "folder:\nt = 0.25")
        axes.plot([0, 1], [0, 1], label="line")
        axes.set_title("panel")
        axes.legend(loc="center")
        self.assertEqual(covered(figure), ["panel"])


def cluster(n=500, time=0.0, scale=1.0, masses=None):
    rng = np.random.default_rng(3)
    header = snapshot.Header("s.hdf5")
    header.time = time
    step = 2.0 ** -rng.integers(3, 25, n)
    return snapshot.Snapshot(header, scale * rng.normal(size=(n, 3)), np.ones(n) if masses is None else masses, step)


class RunPages(Labels):
    UNITS = "# units: length 1e-05pc, mass 1e4Msun, velocity 4.6373 km/s, time 1.23456e-05 Myr\n"

    def page(self, rows, first=None, last=None, before="# g6run 1.0.0: 64 particles\n", title=None):
        files.write_table(self.folder, rows, before=before)
        return run_figure.figure(table.read(self.folder, self.warn), first, last, title)

    def rows(self, count, end, error=1e-9, **named):
        return [files.row(end * k / max(count - 1, 1), error=error * k, blocks=40 * k ** 2, size=7.0, rate=0.1 * k, **named)
                for k in range(count)]

    def test_runs_of_any_length_and_energy(self):
        masses = np.geomspace(1e-9, 1e5, 500)
        for count, end, units, energy, error, first, last in (
                (1, 1.0, "", -0.25, 0.0, cluster(), cluster()),
                (200, 12345.678, self.UNITS, -1e-12, 9.9e-7, cluster(masses=masses),
                 cluster(time=1.23456789e-7, masses=masses))):
            self.check(self.page(self.rows(count, end, error, energy=energy), first, last, "# g6run\n" + units), 20)

    def test_long_titles(self):
        self.check(self.page(self.rows(2, 1.0), cluster(), cluster(), title=LONG), 10)

    def test_an_expanding_universe(self):
        head = "#  step          z          a     kinetic   potential   LI error    E error interactions   seconds\n"
        with open(self.path("table.txt"), "w") as file:
            file.write("# g6run 1.0.0: 129063 particles, z = 49 to 0\n" + head)
            for k, each in enumerate(np.linspace(0.02, 1, 20)):
                file.write(f"{k:7d} {1 / each - 1:10.6f} {each:10.8f} {1e7 * each:11.4e} {-2e7 * each:11.4e} {1e-5 * k:10.3e} "
                           f"{2e-4 * k:10.3e} {1e9 * k:12.6e} {3.0 * k:9.4f}\n")
        self.check(run_figure.figure(table.read(self.folder, self.warn), cluster(), cluster()), 15)


class Maps(Labels):
    def snapshots(self, count, unit=None, label="", n=300, lightest=1e-3):
        found = []
        for k in range(count):
            x = cluster(n, scale=10.0).position + 50
            mass = np.geomspace(lightest, 1, n)
            path = files.write_snapshot(self.path(f"s{k}.hdf5"), x, mass, time=1.23456 * k, **(dict(units=unit) if unit else {}))
            found.append(snapshot.read(path))
            found[-1].header.label = label
        return found

    def test_any_number_of_panels(self):
        view = maps.View(pixels=40)
        for count, masses in ((1, 1e-3), (2, 1), (12, 1)):
            self.check(maps.figure([maps.make(s, view) for s in self.snapshots(count, lightest=masses)], view), 5)

    def test_a_file_has_texts_where_the_layout_ends(self):
        view = maps.View(width=(6.3, ""))
        figure = maps.figure([maps.make(s, view) for s in self.snapshots(2, label="folder", lightest=1)], view)
        style.save(figure, self.path("map.png"))
        places = [axes.get_position().bounds for axes in figure.axes]
        figure.draw_without_rendering()
        # The layout leaves 0.004 of the width around the texts.
        np.testing.assert_allclose([axes.get_position().bounds for axes in figure.axes], places, atol=0.003)

    def test_units_labels_and_titles(self):
        pc = dict(UnitLength_in_cm=3.0856775814913673e18, UnitMass_in_g=1.98841e33, UnitVelocity_in_cm_per_s=1e5)
        for bodies, count in (("points", 9), ("density", 2)):
            view = maps.View(pixels=40, bodies=bodies)
            found = self.snapshots(count, pc, "runs/of/a/long/name/cluster-with-binaries-0123")
            self.check(maps.figure([maps.make(s, view) for s in found], view, LONG), 5)

    def test_frames_of_any_width(self):
        for width, bodies in ((1e-7, "points"), (12345.0, "density")):
            view = maps.View(pixels=40, bodies=bodies, width=(width, ""))
            s = self.snapshots(1)[0]
            s.position *= width / 50
            self.check(maps.figure([maps.make(s, view)] * 4, view), 5)

    def test_frames_of_a_film(self):
        view = maps.View(pixels=40)
        frame = maps.figure([maps.make(self.snapshots(1)[0], view)], view, LONG)
        frame.set_size_inches(*film.FRAME_INCHES)
        self.check(frame, 5)


class Halos(Labels):
    def draw(self, clumps, title=None):
        rng = np.random.default_rng(4)
        x = [5e4 * rng.random((2000, 3))] + [5e4 * rng.random(3) + 30 * rng.normal(size=(n, 3)) for n in clumps]
        x = np.concatenate(x)
        path = files.write_snapshot(self.path("s.hdf5"), x, np.full(len(x), 5.0), box=5e4, **files.cosmology(0.123456))
        try:
            given = options.parse(["halos", path] + (["--title", title] if title else []))
            return halo_figure.make(path, given, self)[0]
        except ImportError:
            self.skipTest("no scipy")

    def test_any_number_of_halos(self):
        for clumps in ([], [3000] + [25 * 2 ** (k % 6) for k in range(60)]):
            self.check(self.draw(clumps), 5)
        self.check(self.draw([500, 60, 50], LONG), 5)


class Benches(Labels):
    def test_any_columns_and_sizes(self):
        short, long = "lib.so precision=mixed", "lib.so precision=mixed mode=treewalk backend=cuda devices=0,1,2,3 " + LONG
        names = ([short + str(k) for k in range(6)], [long + str(k) for k in range(3)])
        for names, bodies, sizes in (
                (names[0], [1024], [1024]),
                (names[0], [16384, 131072, 10**7], [1, 2, 3, 4, 5, 6, 8, 16, 1000, 1024, 1048576]),
                (names[1], [16384, 131072, 10**7], [30000, 31000, 32000])):
            lines = {(name, n): [(size, 0.9e-3 * size * (k + 1), 1e-3 * size * (k + 1), 3e-3 * size * (k + 1))
                                 for size in sizes] for k, name in enumerate(names) for n in bodies}
            self.check(bench.figure(lines, LONG if len(names) == 6 else None), 5)
