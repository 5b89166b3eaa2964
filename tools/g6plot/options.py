# SPDX-License-Identifier: MIT
"""The command line.  The parser of each command and the text of --help come from one table of options.
docs/man.sh and tools/packaging/completion.awk read the text of --help."""
import argparse
import difflib
import os
import re

from . import style
from .problem import EXIT_USAGE, Problem
from .snapshot import TYPES
from .units import length_of, time_of

COMMANDS = dict(
    run="energies, radii, steps and speed of a run against time, and its bodies (the default)",
    map="the bodies of snapshots, as points or as surface density",
    film="a frame for each snapshot of a run, and a film of them where ffmpeg is installed",
    halos="friends-of-friends halos of a cosmological snapshot, and their mass function beside theory",
    bench="times of block steps from what g6bench --csv prints",
)
ALL = tuple(COMMANDS)
MAPS = ("map", "film")


def size(text):
    number, unit = length_of(text)
    if not number > 0:
        raise Problem(f"'{text}' is no width or depth: it must be positive", EXIT_USAGE)
    return number, unit


def limits(text):
    low, high = (float(word) for word in text.split(","))
    if not 0 < low < high:
        raise ValueError
    return low, high


def span(text):
    first, last = (int(word) for word in text.split(","))
    if not first <= last:
        raise ValueError
    return first, last


def types(text):
    """The numbers of Gadget's particle types."""
    found = [TYPES.index(word) if word in TYPES else word for word in text.split(",")]
    for word in found:
        if str(word) not in tuple("012345"):
            raise Problem(f"--type: '{word}' is none of Gadget's types: {', '.join(TYPES)}, or 0 to 5", EXIT_USAGE)
    return sorted({int(word) for word in found})


def numbers(text):
    return [float(word) for word in text.split(",")]


def times(text):
    return [time_of(word) for word in text.split(",")]


def axis(text):
    if text in ("x", "y", "z"):
        return text
    words = text.split(",")
    try:
        direction = tuple(float(word) for word in words)
        if len(words) == 3 and 0 < sum(x * x for x in direction) < float("inf"):
            return direction
    except ValueError:
        pass
    raise Problem(f"--axis: '{text}' is not one of: x, y, z, and no direction A,B,C", EXIT_USAGE)


def centre(text):
    if text in ("mass", "densest", "middle"):
        return text
    words = text.split(",")
    if len(words) != 3:
        raise Problem(f"--centre: '{text}' is not mass, densest, middle or X,Y,Z", EXIT_USAGE)
    return [length_of(word) for word in words]


def positive(kind):
    def convert(text):
        value = kind(text)
        if not 0 < value < float("inf"):
            raise ValueError
        return value

    convert.__name__ = "positive whole number" if kind is int else "positive number"
    return convert


class Option:
    """names: as "-o,--output".  kind: the name of its value in --help, "" for a switch.  convert: makes the value of a text."""

    def __init__(self, group, names, kind, text, commands, convert=str, default=None):
        self.group, self.names, self.kind, self.text = group, names.split(","), kind, text
        self.commands, self.convert, self.default = commands, convert, default

    def add_to(self, parser):
        if not self.kind:
            parser.add_argument(*self.names, action="store_true")
            return
        parser.add_argument(*self.names, type=self.value, default=self.default, metavar=self.kind)

    def value(self, text):
        """The value of a text; a Problem tells what is wrong with the text."""
        choices = self.kind.split("|") if "|" in self.kind and self.convert is str else None
        if choices and text not in choices:
            raise Problem(f"{self.names[-1]}: '{text}' is not one of: {', '.join(choices)}", EXIT_USAGE)
        try:
            return self.convert(text)
        except ValueError:
            what = self.convert.__name__ if self.convert.__name__.startswith("positive") else self.kind
            raise Problem(f"{self.names[-1]}: '{text}' is no {what}", EXIT_USAGE)


OPTIONS = [
    Option("Options", "-h,--help", "", "Print this help message and exit", ()),
    Option("Options", "--version", "", "Display program version information and exit", ()),
    Option("Picture", "-o,--output", "FILE", "Picture (.png, .pdf, .svg), film (.mp4) [in the run's folder: run.png, "
           "map.png, film.mp4; halos.png, bench.png]", ALL),
    Option("Picture", "--title", "TEXT", "Title of the picture [run: what the run's table begins with]", ALL),
    Option("Picture", "--dpi", "NUMBER", "Pixels an inch [110; frames of a film: 100]", ALL, positive(float)),
    Option("Picture", "--max-size", "KB", "Largest size of a PNG file; it gets fewer colours, then fewer pixels; 0: any "
           "size [300]", ("run", "map", "halos", "bench"), float, 300),
    Option("Snapshots", "--redshifts", "Z,...", "Panels of the snapshots nearest to these redshifts", ("map",), numbers),
    Option("Snapshots", "--times", "T,...", "Panels of the snapshots nearest to these times: as 2Myr, or numbers as the "
           "snapshots have them (cosmology: scale factors)", ("map",), times),
    Option("Snapshots", "--panels", "N", "Panels of N snapshots from the first to the last [the last of each folder; "
           "all files that are named]", ("map",), positive(int)),
    Option("Snapshots", "--ids", "FIRST,LAST", "Only particles with these ParticleIDs; of a table without ids the rows FIRST to "
           "LAST, counted from 0", MAPS, span),
    Option("Snapshots", "--type", "gas|halo|disk|bulge|stars|bndry ...", "Only particles of these types of Gadget, by name or "
           "number (0 to 5), as disk,bulge", ("map", "film", "halos"), types),
    Option("Frame", "--axis", "x|y|z", "The axis along which a map looks, or a direction A,B,C, in which z points upward [z]",
           MAPS, axis, "z"),
    Option("Frame", "--width", "LENGTH", "Width of the frame, as 30Mpc, or a number in units of the snapshot [what holds "
           "90 % of the particles, and some space]", MAPS, size),
    Option("Frame", "--depth", "LENGTH", "Only particles of a slab of this depth around the centre [all]", MAPS, size),
    Option("Frame", "--centre", "mass|densest|middle", "Centre of mass, the densest region, the middle of the box, or "
           "X,Y,Z counted from that middle, as --centre=-1,2,3 [mass]", MAPS, centre, "mass"),
    Option("Frame", "--physical", "", "Lengths as they are at the time of the snapshot [cosmology: comoving]", MAPS),
    Option("Frame", "--periodic", "", "The box repeats itself: initial conditions, not a sphere in a vacuum",
           ("map", "film", "halos")),
    Option("Colours", "--bodies", "points|density", "Bodies as points, whose size grows with the mass, or as surface density "
           "[points for up to 32768 bodies, unless --range or --raw is given]", MAPS),
    Option("Colours", "--colours", "|".join(style.COLOUR_MAPS), "Colour map [inferno]", MAPS, default="inferno"),
    Option("Colours", "--range", "LEAST,MOST", "Surface densities at the ends of the colours [those of the maps, at most "
           "3.5 decades]", MAPS, limits),
    Option("Colours", "--pixels", "N", "Pixels of a map along each side [500]", MAPS, positive(int), 500),
    Option("Colours", "--raw", "", "No smoothing where particles are few", MAPS),
    Option("Film", "--rate", "NUMBER", "Frames a second [12]", ("film",), positive(float), 12.0),
    Option("Halos", "--link", "NUMBER", "Linking length over the mean distance of particles [0.2]", ("halos",),
           positive(float), 0.2),
    Option("Halos", "--least", "N", "Fewest particles of a halo [20]", ("halos",), positive(int), 20),
    Option("Halos", "--sigma8", "NUMBER", "Amplitude of the theory's power spectrum [0.8]", ("halos",), positive(float), 0.8),
    Option("Halos", "--index", "NUMBER", "Spectral index of the theory's power spectrum [0.96]", ("halos",), float, 0.96),
    Option("Halos", "--baryons", "NUMBER", "Omega of baryons in the theory's power spectrum [0.045]", ("halos",), float, 0.045),
]

ENDING = """\
Examples:
  g6plot run-out                                  writes run-out/run.png
  g6plot map run-out --centre densest --width 2
  g6plot map cosmo --redshifts 8.9,2.5,0.93,0 --width 30Mpc -o panels.png
  g6plot map galaxy --type disk,bulge --axis 1,0,0.3
  g6plot film run-out --axis y --rate 24
  g6plot halos cosmo/snapshot_0028.hdf5
A folder of a run that still computes is drawn as far as it is.  A snapshot that is damaged is left
out with a line.  g6plot needs Python with numpy, h5py and matplotlib (Debian: python3-numpy
python3-h5py python3-matplotlib; PyPI: numpy h5py matplotlib); halos needs scipy, too.
Exit status: 0 done, 1 a failure, 2 a wrong option, 3 drawn, but something was left out."""


def help_text():
    lines = ["Draws runs and snapshots of g6run, and other snapshots of Gadget's layout, without a display.",
             "Usage: g6plot [COMMAND] FOLDER|FILE... [OPTIONS]", "", "Commands:"]
    lines += [f"  {name:<27} {text}" for name, text in COMMANDS.items()]
    group = None
    for option in OPTIONS:
        if option.group != group:
            group = option.group
            lines += ["", f"{group}:"]
        names = ",".join(option.names) + (f" {option.kind}" if option.kind else "")
        which = "" if option.commands in ((), ALL) else f"{', '.join(option.commands)}: "
        text = which + option.text
        lines += [f"  {names:<27} {text}"] if len(names) < 27 else [f"  {names}", " " * 30 + text]
    return "\n".join(lines) + "\n\n" + ENDING


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Problem(f"{message} (g6plot --help)", EXIT_USAGE)


def refuse(name, command):
    """Raises for an option that this command does not have."""
    commands = {each: option.commands for option in OPTIONS for each in option.names}
    if name in commands:
        raise Problem(f"{name} goes with {', '.join(commands[name])}, not with {command} (g6plot --help)", EXIT_USAGE)
    near = difflib.get_close_matches(name, commands, 1)
    meant = f"; did you mean {near[0]}?" if near else ""
    raise Problem(f"unknown option {name}{meant} (g6plot --help lists the options)", EXIT_USAGE)


def parse(words):
    """The command and its options.  Words without a command are those of the command run."""
    words = ["film" if word == "--film" else word for word in words]
    # argparse takes -1,0,0 for an option, but not with a space before it.
    words = [" " + word if re.match(r"-[\d.]", word) else word for word in words]
    if "film" in words and words[0] not in COMMANDS:  # g6plot FOLDER --film
        words.remove("film")
        words.insert(0, "film")
    command = words[0] if words and words[0] in COMMANDS else "run"
    parser = Parser(prog="g6plot", add_help=False, allow_abbrev=False)
    for option in OPTIONS:
        if command in option.commands:
            option.add_to(parser)
    parser.add_argument("paths", nargs="*", metavar="FOLDER|FILE")
    options, others = parser.parse_known_intermixed_args(words[1:] if words[:1] == [command] else words)
    if others:
        refuse(others[0].split("=")[0], command)
    options.command = command
    if not options.paths and words[:1] == [command] and os.path.exists(command):
        options.paths = [command]  # in `g6plot run` the word may be a folder
    if not options.paths:
        parser.error("which folder or file?")
    if options.output:
        style.check_name(options.output, style.FILMS if command == "film" else style.PICTURES)
    return options
