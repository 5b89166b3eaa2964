# SPDX-License-Identifier: MIT
"""Bodies as points: which maps have them, their sizes, and pictures in which a crowd is no blot."""
import unittest

import files
import matplotlib
import numpy as np
from g6plot import maps, points, snapshot, style


def sphere(n, seed=1):
    """A Plummer sphere of scale length 1, without its outermost 1 %."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 3))
    radius = 1 / np.sqrt(rng.uniform(0, 0.985, n) ** (-2 / 3) - 1)
    return x * (radius / np.sqrt((x ** 2).sum(axis=1)))[:, None]


def bodies(x, mass=None):
    return snapshot.Snapshot(snapshot.Header("s.txt"), x, np.full(len(x), 1 / len(x)) if mass is None else mass)


def brightness(figure):
    """Of the pixels of the map, from 0, the colour without bodies, to 1, that of a disc: [row][column]."""
    figure.canvas.draw()
    box = figure.axes[0].get_window_extent()
    picture = np.asarray(figure.canvas.buffer_rgba())[::-1, :, 0] / 255.0
    inner = picture[int(box.y0) + 3:int(box.y1) - 3, int(box.x0) + 3:int(box.x1) - 3]
    return inner / matplotlib.colormaps["inferno"](style.BRIGHT)[0]


class Choice(files.InFolder):
    def test_few_bodies_are_points_and_many_a_density(self):
        for n, view, wanted in ((2000, maps.View(), True), (maps.MOST_POINTS + 1, maps.View(), False),
                                (2000, maps.View(bodies="density"), False), (40000, maps.View(bodies="points"), True),
                                (2000, maps.View(limits=(1.0, 2.0)), False), (2000, maps.View(smooth=False), False)):
            view.pixels = 50
            made = maps.make(bodies(sphere(n)), view)
            self.assertEqual((made.points is not None, made.values is None), (wanted, wanted), (n, vars(view)))

    def test_the_points_are_those_in_the_frame(self):
        x = np.array([[0.5, -0.5, 3], [2, 0, 0], [-0.25, 0, 0]])
        made = maps.make(bodies(x, np.array([1.0, 2, 3])), maps.View(width=(2.0, ""), centre="middle"))
        np.testing.assert_array_equal(made.points, [[0.5, -0.25], [-0.5, 0], [1, 3]])
        shown = maps.figure([made], maps.View()).axes[0].collections[0].get_offsets()
        self.assertEqual(sorted(shown.tolist()), [[-0.25, 0], [0.5, -0.5]])


class Sizes(files.InFolder):
    def test_radii_go_with_the_cube_root_of_the_mass(self):
        x = sphere(200)
        mass = np.ones(200)
        mass[:3] = 8, 64, 1000
        size, _ = points.look(x[:, 0], x[:, 1], mass, 5.0, 400)
        np.testing.assert_allclose(size[:4] / size[3], [2, 4, points.SPREAD, 1])

    def test_a_key_names_masses_that_differ(self):
        x = sphere(100)
        for mass, names in ((np.ones(100), 0), (np.geomspace(0.1, 100, 100), 3), (np.array([1.0] + [1e-3] * 99), 2)):
            figure = maps.figure([maps.make(bodies(x, mass), maps.View())], maps.View())
            legend = figure.axes[0].get_legend()
            self.assertEqual(len(legend.get_texts()) if legend else 0, names)
            if legend:  # a box that hides the bodies below, and that is seen
                box = legend.get_frame()
                self.assertEqual((legend.get_frame_on(), box.get_alpha()), (True, 1))
                ground = np.array(figure.axes[0].get_facecolor()[:3])
                self.assertGreater(np.abs(np.array(box.get_facecolor()[:3]) - ground).max(), 0.1)


class Pictures(files.InFolder):
    def draw(self, x):
        view = maps.View(width=(6.0, ""), centre="middle")
        light = brightness(maps.figure([maps.make(bodies(x), view)], view))
        n = len(light)
        middle = light[int(0.46 * n):int(0.54 * n), int(0.46 * n):int(0.54 * n)]
        edge = np.concatenate([light[:n // 5].ravel(), light[-n // 5:].ravel()])
        return middle, edge

    def test_a_crowd_is_brighter_than_its_surroundings_and_no_blot(self):
        # Opaque discs leave less than a tenth of the middle of 32768 bodies dark, and nothing of it can be told apart.
        for n in (1024, 4096, 32768):
            middle, edge = self.draw(sphere(n))
            self.assertLess(middle.mean(), 0.8, n)
            self.assertGreater(middle.mean(), 3 * edge.mean(), n)
            self.assertGreater(middle.std(), 0.05, n)

    def test_a_single_body_is_seen(self):
        for n in (1024, 4096, 32768):
            x = np.concatenate([sphere(n), [[-2.5, 2.5, 0]]])
            x = x[(np.abs(x[:, :2] - [-2.5, 2.5]) > 0.1).any(axis=1) | (x[:, 0] == -2.5)]
            view = maps.View(width=(6.0, ""), centre="middle")
            light = brightness(maps.figure([maps.make(bodies(x), view)], view))
            row, column = int(len(light) * 5.5 / 6), int(light.shape[1] * 0.5 / 6)
            self.assertGreater(light[row - 3:row + 4, column - 3:column + 4].max(), 0.5, n)

    def test_a_palette_has_the_shades_of_points(self):
        # A disc that covers a pixel in part has a shade from the ground to the colour of points; 32 shades are at most 1/62 of
        # the way from it.
        colours = np.array(style.palette("inferno").getpalette()).reshape(-1, 3) / 255.0
        ground, point = (np.array(matplotlib.colormaps["inferno"](place)[:3]) for place in (0.0, style.BRIGHT))
        for share in np.linspace(0, 1, 100):
            wanted = ground + share * (point - ground)
            self.assertLess(np.abs(colours - wanted).max(axis=1).min(), 1 / 62 + 1 / 255)
