# SPDX-License-Identifier: MIT
"""The program g6plot: what each command does.  numpy, h5py and matplotlib are imported when a picture is made, so
that --help works without them."""
import errno
import os
import sys

from . import options as command_line
from . import progress
from .problem import EXIT_FAILURE, EXIT_INCOMPLETE, EXIT_USAGE, Notes, Problem

NEEDED = ("numpy", "h5py", "matplotlib")


def version():
    try:
        from .version import VERSION
    except ImportError:
        return "unknown"
    return VERSION


def check_python():
    """One line for all modules that Python lacks or cannot load, such as one that was built for another numpy."""
    missing = []
    for name in NEEDED:
        try:
            __import__(name)
        except Exception as why:
            missing.append(f"{name} ({str(why).splitlines()[0] if str(why) else type(why).__name__})")
    if missing:
        raise Problem(f"no picture: {sys.executable} cannot use {', '.join(missing)}; Debian: apt install "
                      "python3-numpy python3-h5py python3-matplotlib; elsewhere: pip install numpy h5py matplotlib")


def output_of(options, name):
    """Where the picture goes: the name that is given, else into the folder, else beside the snapshot."""
    if options.output:
        return options.output
    first = options.paths[0]
    if os.path.isdir(first):
        return os.path.join(first, name)
    stem = os.path.splitext(first)[0]
    return f"{stem}-{name}"


def only_path(options):
    first = options.paths[0]
    if len(options.paths) > 1 and options.command == "run" and not os.path.exists(first):
        commands = ", ".join(command_line.COMMANDS)
        raise Problem(f"'{first}' is no command and no folder; the commands are {commands}", EXIT_USAGE)
    if len(options.paths) != 1:
        raise Problem(f"{options.command} takes one path, not {len(options.paths)} (g6plot --help)", EXIT_USAGE)
    return options.paths[0]


def save(figure, options, name):
    from . import style

    progress.now("drawing")
    path = output_of(options, name)
    colours = getattr(options, "colours", style.COLOUR_MAPS[0])
    style.save(figure, path, options.dpi or 110, int(options.max_size * 1000), colours)
    progress.erase()
    print(f"picture: {path}")


def ends_of(folder, notes):
    """The first and the last snapshot that can be read, or None."""
    from . import snapshot

    paths, found = snapshot.in_folder(folder), []
    if not paths:
        notes.warn(f"{folder}: has no snapshots; the bodies are left out")
    for order in (paths, paths[:0:-1]):
        for path in order:
            progress.now(f"reading {path}")
            try:
                found.append(snapshot.read(path, notes.warn))
                break
            except Problem as why:
                notes.skip(str(why))
    found += [None, None]
    return found[:2]


def draw_run(options, notes):
    from . import run_figure, step_costs, table

    folder = only_path(options)
    if not os.path.isdir(folder):
        kind = "no folder; g6plot map draws a snapshot" if os.path.exists(folder) else "no such folder"
        raise Problem(f"{folder}: {kind}")
    rows = table.read(folder, notes.warn)
    if len(rows) == 0:
        raise Problem(f"{folder}: its table has no rows yet")
    if not rows.finished:
        print(f"{folder}: the run is not finished, or was stopped; it is drawn to {rows.reached()}")
    record = step_costs.read(folder, notes.warn, rows)
    first, last = ends_of(folder, notes)
    progress.now("mapping the bodies")
    save(run_figure.figure(rows, first, last, options.title, record), options, "run.png")


def view_of(options):
    from . import maps, snapshot

    return maps.View(axis=options.axis, width=options.width, centre=options.centre, depth=options.depth,
                     pixels=options.pixels, colours=options.colours, limits=options.range, physical=options.physical,
                     smooth=not options.raw, periodic=options.periodic,
                     only=snapshot.Selection(options.ids, options.type), bodies=options.bodies)


def common_width(found, view):
    """A width that holds the last snapshot of each run; None where no snapshot can be read."""
    from . import choose, density, film, maps

    quiet, widths = film.quiet_notes(), []
    for label in dict.fromkeys(header.label for header in found):
        own = [header for header in found[::-1] if header.label == label]
        for last in choose.each_readable(own, quiet, view.only):
            widths.append(density.enclosing_width(last.position, maps.find_centre(last, view)))
            break
    return (max(widths), "") if widths else None


def draw_map(options, notes):
    from . import choose, maps

    view = view_of(options)
    found = choose.choose(options.paths, notes, options.redshifts, options.times, options.panels)
    choose.check_units(found, view.width)
    if len(found) > 1 and view.width is None:
        view.width = common_width(found, view)
    drawn = []
    for each in choose.each_readable(found, notes, view.only):
        try:
            drawn.append(maps.make(each, view))
        except Problem as why:
            if why.status == EXIT_USAGE:
                raise
            notes.skip(str(why))
    if not drawn:
        raise Problem("no snapshot could be drawn")
    save(maps.figure(drawn, view, options.title), options, "map.png")


def draw_film(options, notes):
    from . import choose, film

    found = choose.headers(choose.paths_of(options.paths, notes), notes)
    if not found:
        raise Problem("no snapshot can be read")
    view = view_of(options)
    choose.check_units(found, view.width)
    path = output_of(options, "film.mp4")
    folder = os.path.splitext(path)[0]
    view = film.settle(found, view)
    frames = film.write_frames(found, view, folder, options.title, notes, options.dpi or film.FRAME_DPI)
    progress.erase()
    print(f"frames: {len(frames)}, {frames[0]} ...")
    hindrance = film.join(folder, path, options.rate)
    if hindrance:
        raise Problem(hindrance, EXIT_INCOMPLETE)
    print(f"film: {path}")


def draw_halos(options, notes):
    from . import halo_figure

    path = only_path(options)
    table = os.path.splitext(output_of(options, "halos.png"))[0] + ".txt"
    if os.path.exists(table) and not halo_figure.is_table(table):
        raise Problem(f"{table}: is there, and no table of halos; give another --output")
    figure, text = halo_figure.make(path, options, notes)
    try:
        with open(table, "w") as file:
            file.write(text)
    except OSError as why:
        raise Problem(f"{table}: cannot be written: {why.strerror}")
    print(f"table: {table}")
    save(figure, options, "halos.png")


def draw_bench(options, notes):
    from . import bench

    save(bench.figure(bench.read(options.paths), options.title), options, "bench.png")


DRAW = dict(run=draw_run, map=draw_map, film=draw_film, halos=draw_halos, bench=draw_bench)


def drop_output():
    # At its end Python writes stdout again; Python 3.13 tells of the failure on stderr itself.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(words):
    notes = Notes()
    try:
        if "-h" in words or "--help" in words:
            print(command_line.help_text(), flush=True)
            return 0
        if "--version" in words:
            print(f"g6plot {version()}", flush=True)
            return 0
        options = command_line.parse(words)
        check_python()
        DRAW[options.command](options, notes)
    except Problem as why:
        notes.warn(str(why))
        return why.status
    except MemoryError:
        notes.warn("no picture: not enough memory")
        return EXIT_FAILURE
    except BrokenPipeError:
        drop_output()
        return EXIT_FAILURE
    except OSError as why:
        if why.errno == errno.ENOSPC:
            drop_output()
            notes.warn(f"cannot be written: {why.strerror}")
        else:
            notes.warn(": ".join(str(word) for word in (why.filename, why.strerror or why) if word))
        return EXIT_FAILURE
    except KeyboardInterrupt:
        return 130
    finally:
        progress.erase()
    return notes.status()
