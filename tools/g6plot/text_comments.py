# SPDX-License-Identifier: MIT
"""Reads time and units from comments of a text table.  tools/g6run/text_comments.cpp has the same rules."""
import re

from .problem import Problem
from .units import TIMES

OTHER_SIGNS = str.maketrans(',;"dD', "   ee")  # separators and quotes become spaces, and Fortran's exponents those of C
TIME_UNITS = dict(s=1, day=86400, **dict(TIMES))  # s
TIME_UNIT = "|".join(TIME_UNITS)
# Units of length, of mass and of velocity; upper and lower case are the same.
UNITS = [re.compile(names, re.I) for names in (
    r"cm|km|r_?sun|solrad|au|[km]?pc|parsec", r"kg|m_?(sun|sol|earth)|(sol|earth)mass",
    r"[ck]?m/s|km_s|kms((\^|\*\*)?-1)?|km[.*]s(\*\*)?-1|au/?d|au/(day|yr)|(pc|parsec)/myr")]  # fmt: skip
LENGTH_UNITS, _, VELOCITY_UNITS = UNITS


def without_number(unit):
    """pc of 2pc."""
    return re.sub(r"^[-+.\d]+(e[-+]?\d+)?", "", unit)


def may_be_unit(word):
    """Whether a word below names may be a unit, and not a part of a line such as ----, a data type or "none"."""
    return re.sub("[^a-z]", "", word.lower()) not in ("", "none", "float", "double", "real", "int")


def is_number(word):
    try:
        float(word.translate(OTHER_SIGNS))
        return True
    except ValueError:
        return False


def time_in(comment, path):
    """The number and the unit, "" for none, of "time 3.5", "Time = 3.5 Myr" or "t: 3.5, N = 2"; None for other comments.  Another
    word behind the number may be an unknown unit, and is refused."""
    words = re.sub(r"[][()/]", " ", re.sub("([=:,;])", r" \1 ", comment)).split()
    if not words or (words[0] != "t" and words[0].lower() != "time"):
        return None
    named, words = words.pop(0) != "t", words + [""] * 3
    unit = words.pop(0) if re.fullmatch(TIME_UNIT, words[0]) else ""
    equals = words[0] in ("=", ":")
    value, *rest = words[equals:]
    if not equals and (not named or any(rest[1:])):
        return None
    if match := re.fullmatch(f"(.+?)({TIME_UNIT})", value):
        value, unit = match.groups()
    if not is_number(value):
        return None
    if re.fullmatch(TIME_UNIT, rest[0]):
        unit = rest.pop(0)
    ends = rest[0] in ("", ",", ";") or rest[1] == "="
    time = float(value.translate(OTHER_SIGNS))
    other = not unit and equals and not ends and not any(rest[1:])
    if other and time:  # 0 is the same time in any unit
        raise Problem(f"{path}: its time is {value} {rest[0]}, which is none of the units {', '.join(TIME_UNITS)}")
    return (time, unit) if ends or unit or other else None


def gravity_in(comments):
    """The constant of gravity from a comment with "G = 43007.1", or None."""
    words = [re.search(r"(?<!\w)G\s*=\s*([^\s,;\])}]+)", comment) for comment in comments]
    return next((float(word[1].translate(OTHER_SIGNS)) for word in words if word and is_number(word[1])), None)


def tell_units(comments):
    """Whether comments name units of the table: units of two of length, mass and velocity, or of one if a comment has the word
    unit.  A unit beside a number is a quantity and does not count, as in "a cluster of 1e4 Msun"."""
    found, bare = set(), set()
    for comment in comments:
        words = re.sub(r"[][(){}:,;=|'\"]", " ", comment).split()
        if words[:1] == ["g6run"]:
            continue
        if re.search("body unit|n-?body|h[eé]non|heggie|virial unit", comment.lower()):  # G = 1; other units are scales
            return False
        found.update("unit" for word in words if word.lower() in ("unit", "units"))
        found.update("system" for word in words if word.lower() in ("si", "cgs"))
        for before, word, behind in zip(["", *words], words, [*words[1:], ""]):
            name = without_number(word)
            for kind, unit in enumerate(UNITS):
                if unit.fullmatch(name):
                    found.add(kind)
                    bare.update([kind] * (name == word and not is_number(before) and not is_number(behind)))
    return len(bare) > 1 or ("unit" in found and len(found) > 1)
