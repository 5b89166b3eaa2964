#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two copies of a galaxy that fall towards each other: initial conditions for g6run from a text snapshot of it.

usage: collision.py GALAXY.txt OUTPUT.txt [--stars FRACTION] [--distance D] [--pericentre Q]

The copies move on the parabolic orbit of two points with their masses, in the plane x y.  Each disk is tilted
against that plane.  The output begins with the stars of both copies, which are the last bodies of a galaxy; then
come the halos.  g6plot map --ids draws the stars alone.  Units: G = 1.
"""
import argparse
import math

import numpy as np

# Each disk is turned by the first angle about the x axis, then by the second about the z axis.
TILTS = ((30, 20), (-60, -70))


def turned(vectors, tilt, axis_angle):
    a, b = math.radians(tilt), math.radians(axis_angle)
    about_x = np.array([[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]])
    about_z = np.array([[math.cos(b), -math.sin(b), 0], [math.sin(b), math.cos(b), 0], [0, 0, 1]])
    return vectors @ (about_z @ about_x).T


def parabola(mass, distance, pericentre):
    """Relative position and velocity of two points on a parabolic orbit, while they approach.

    r = 2 q / (1 + cos f)        v_r = sqrt(M / (2 q)) sin f        v_t = sqrt(M / (2 q)) (1 + cos f)
    """
    cosine = 2 * pericentre / distance - 1
    speed = math.sqrt(mass / (2 * pericentre))
    radial, tangential = -speed * math.sqrt(1 - cosine**2), speed * (1 + cosine)
    return np.array([distance, 0, 0]), np.array([radial, tangential, 0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("galaxy")
    parser.add_argument("output")
    parser.add_argument("--stars", type=float, default=0.2, help="which part of the bodies are bulge and disk [0.2]")
    parser.add_argument("--distance", type=float, default=8.0, help="of the centres at the start [8]")
    parser.add_argument("--pericentre", type=float, default=0.8, help="least distance of the orbit of two points [0.8]")
    options = parser.parse_args()

    rows = np.loadtxt(options.galaxy)
    mass, stars = rows[:, 0].sum(), round(options.stars * len(rows))
    position, velocity = parabola(2 * mass, options.distance, options.pericentre)
    copies = []
    for sign, (tilt, axis_angle) in zip((-0.5, 0.5), TILTS):
        copy = rows.copy()
        copy[:, 1:4] = turned(rows[:, 1:4], tilt, axis_angle) + sign * position
        copy[:, 4:7] = turned(rows[:, 4:7], tilt, axis_angle) + sign * velocity
        copies.append(copy)
    joined = [c[len(c) - stars:] for c in copies] + [c[:len(c) - stars] for c in copies]
    np.savetxt(options.output, np.concatenate(joined), fmt="%.17g", header="m x y z vx vy vz")
    print(f"{options.output}: {2 * len(rows)} bodies, numbers 0 to {2 * stars - 1} are stars")


main()
