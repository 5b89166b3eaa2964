# SPDX-License-Identifier: MIT
"""Reads g6lib.h: the version, the status codes, and the prototypes of the calls that Python can make.

As a program it prints the text of calls.pyi, which type checkers read in place of calls.py:
python3 _header.py g6lib.h > calls.pyi
"""
from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Iterator, NamedTuple, Optional


def version(header: str) -> str:
    """The version, as "1.0.0"."""
    return ".".join(re.findall(r"#define G6_VERSION_\w+ (\d+)", header))


def status_codes(header: str) -> dict[str, int]:
    """Status codes by their names, as {"G6_OK": 0, ...}."""
    return {name: int(value) for name, value in re.findall(r"row\((G6_\w+), (-?\d+),", header)}


_FORM = re.compile(r"(?:const )?(int|double|float|char)( \*| )(\w+)(\[\])?(?:\[(3)?\])?$")


class Parameter(NamedTuple):
    type: str
    name: str
    is_array: bool
    width: int  # numbers in a row: 3 for an array [][3], else 1
    rows: int  # number of rows; 0: another argument tells it


def _parameter(text: str) -> Optional[Parameter]:
    """One parameter of a prototype; None for a type that Python does not pass."""
    found = _FORM.match(text)
    if not found:
        return None
    kind, star, name, many, three = found.groups()
    pointer = star == " *" or text.endswith("]")
    if kind == "char":
        return Parameter("text", name, False, 1, 0) if pointer and text.startswith("const") else None
    one_row = three and not many or star == " *"
    return Parameter(kind, name, pointer, 3 if three else 1, 1 if one_row else 0)


def _comment(text: str) -> str:
    return re.sub(r"^ \* {0,2}", "", text.strip(), flags=re.M)


def prototypes(header: str) -> Iterator[tuple[str, str, list[Parameter], str]]:
    """Name, result, parameters and comment of each call in g6lib.h that Python can make."""
    form = r"(?:/\*\*((?:(?!\*/).)*)\*/\s*)?G6_API (const char \*|int |void )(\w+)\(([^)]*)\);"
    for doc, result, name, arguments in re.findall(form, header.split("sapporo 2's form")[0], re.S):
        texts = [] if arguments == "void" else [" ".join(a.split()) for a in arguments.split(",")]
        parameters = [_parameter(text) for text in texts]
        if not name.endswith("_") and None not in parameters:
            yield name, result.strip(), parameters, _comment(doc)


def stub(header: str) -> str:
    """The text of calls.pyi."""
    types = {"int": "int", "double": "float", "text": "str"}
    arrays = {"double": "float64", "int": "int32", "float": "float32"}
    lines = ["from typing import Optional", "import numpy as np", "from numpy.typing import NDArray", ""]
    lines += [f"{name}: int" for name in status_codes(header)]
    for name, result, parameters, _ in prototypes(header):
        hints = [
            f"{p.name}: " + (f"Optional[NDArray[np.{arrays[p.type]}]]" if p.is_array else types[p.type])
            for p in parameters
        ]
        back = {"int": "int", "void": "None"}.get(result, "str")
        lines.append(f"def {name}({', '.join(hints + ['/'] if hints else hints)}) -> {back}: ...")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(stub(Path(sys.argv[1]).read_text()))
