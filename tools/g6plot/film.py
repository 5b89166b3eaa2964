# SPDX-License-Identifier: MIT
"""A film of a run: a frame for each snapshot, all with the same part of space and the same colours, which ffmpeg
joins where it is installed."""
import os
import shutil
import subprocess

from . import choose, density, maps, style
from .problem import Notes, Problem

FRAME_INCHES, FRAME_DPI = (7.2, 6.4), 100
SAMPLES = 4  # snapshots that the width and the colours are taken from


def settle(found, view):
    """The view with the width and the colours that all frames share."""
    samples = list(choose.each_readable(choose.spread(found, SAMPLES), quiet_notes(), view.only))
    if not samples:
        raise Problem("no snapshot can be read")
    if view.width is None:
        centres = [maps.find_centre(s, view) for s in samples]
        width = max(density.enclosing_width(s.position, c) for s, c in zip(samples, centres))
        view.width = (width, "")
    if view.limits is None:
        view.limits = maps.common_limits([maps.make(s, view) for s in samples])
    return view


def quiet_notes():
    """Notes that print nothing, for a first look at files: the second reading prints what is wrong with them."""
    quiet = Notes()
    quiet.warn = lambda text: None
    return quiet


def write_frames(found, view, folder, title, notes, dpi=FRAME_DPI):
    """Writes the frames and returns their paths.  Removes frames of an earlier film, so that the film has none of them."""
    try:
        os.makedirs(folder, exist_ok=True)
        for name in os.listdir(folder):
            if name.startswith("frame_") and name.endswith(".png"):
                os.remove(os.path.join(folder, name))
    except OSError as why:
        raise Problem(f"{folder}: cannot be written: {why.strerror}")
    paths = []
    plt = style.pyplot()
    for snapshot in choose.each_readable(found, notes, view.only):
        try:
            figure = maps.figure([maps.make(snapshot, view)], view, title)
        except Problem as why:
            notes.skip(str(why))
            continue
        figure.set_size_inches(*FRAME_INCHES)
        path = os.path.join(folder, f"frame_{len(paths):04d}.png")
        style.save(figure, path, dpi)
        plt.close(figure)
        paths.append(path)
    if not paths:
        raise Problem("no frame could be drawn")
    return paths


def command(folder, film, rate):
    """The command of ffmpeg.  All players show yuv420p with even sizes."""
    return ["ffmpeg", "-y", "-loglevel", "error", "-framerate", f"{rate:g}",
            "-i", os.path.join(folder, "frame_%04d.png"), "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p",
            film]


def join(folder, film, rate):
    """Makes the film; returns what hinders it, or nothing."""
    call = command(folder, film, rate)
    if not shutil.which(call[0]):
        return f"no film: ffmpeg is not installed (Debian: ffmpeg); the frames are there for: {' '.join(call)}"
    done = subprocess.run(call, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        words = done.stderr.strip().splitlines()
        return f"no film: ffmpeg ends with status {done.returncode}: {words[-1] if words else ''}"
    return ""
