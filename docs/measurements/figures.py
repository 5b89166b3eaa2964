#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the tables and the plots of the pages in this folder from the CSV files beside them.

usage: figures.py [--check]

A page NAME.md has the line "<!-- FILE.csv -->" where the table of that file belongs; its table follows
that line and is replaced; "<!-- FILE.csv, every 8th row -->" takes rows 1, 9, 17 ...  The table of plots is plots.py.  Plots need matplotlib; without it they stay
as they are, and one line says so.  --check changes nothing and ends with status 1 when a table or a
plot is missing or a table differs from its file.
"""
import csv
import io
import pathlib
import re
import sys

from plots import PLOTS

FOLDER = pathlib.Path(__file__).resolve().parent
MARK = re.compile(r"<!-- ([a-z0-9-]+\.csv)(?:, every (\d+)th row)? -->")


def read(name):
    """The rows of a CSV file as dictionaries, and its columns in their order."""
    with open(FOLDER / name, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
        return rows, reader.fieldnames


def is_number(text):
    return text == "" or re.fullmatch(r"<?[-+0-9.e]+( to [-+0-9.e]+)?|\d+/\d+", text) is not None


def table(name, every=1):
    """The lines of a Markdown table; columns of numbers are set to the right."""
    rows, columns = read(name)
    rows = rows[::every]
    numbers = {c: all(is_number(row[c]) for row in rows) for c in columns}
    lines = ["| " + " | ".join(columns) + " |"]
    lines.append("|" + "|".join("---:" if numbers[c] else "---" for c in columns) + "|")
    lines += ["| " + " | ".join(row[c] for c in columns) + " |" for row in rows]
    return lines


def page_with_tables(text):
    """The text of a page with each of its tables made from the file that the line above it names."""
    out, in_table = [], False
    for line in text.split("\n"):
        if in_table and (line.startswith("|") or line == ""):
            continue
        if in_table:
            out.append("")
        in_table = False
        out.append(line)
        mark = MARK.fullmatch(line)
        if mark:
            out += [""] + table(mark[1], int(mark[2] or 1))
            in_table = True
    return "\n".join(out)


def points(line):
    """x and |y| of a line of a plot; y is the sum of some columns, in other units by "scale".  Rows without
    a number in these columns are left out."""
    rows, _ = read(line["csv"])
    chosen = [r for r in rows if all(r[k] == v for k, v in line.get("where", {}).items())]
    columns = line["y"].split(" + ")
    complete = [r for r in chosen if r[line["x"]] and all(r[c] for c in columns)]
    scale = line.get("scale", 1)
    return [(float(r[line["x"]]), abs(scale * sum(float(r[c]) for c in columns))) for r in complete]


def lines_of(plot):
    """The lines of a plot; one with "each" becomes a line for each value of that column."""
    for line in plot["lines"]:
        if "each" not in line:
            yield line
            continue
        column, rows = line["each"], read(line["csv"])[0]
        for colour, value in enumerate(dict.fromkeys(row[column] for row in rows)):
            where = {**line.get("where", {}), column: value}
            yield dict(line, where=where, label=f"{line['label']}, {column} = {value}", colour=colour)


def draw_lines(axes, plot):
    for number, line in enumerate(lines_of(plot)):
        pairs = points(line)
        if not pairs:
            raise SystemExit(f"figures.py: no points for {plot['file']}, {line['label']}")
        colour = f"C{line.get('colour', number)}"
        axes.plot(*zip(*pairs), line.get("style", "o-"), color=colour, label=line["label"], markersize=4)
    axes.set_xscale(plot.get("xscale", "log"))
    axes.set_yscale(plot.get("yscale", "log"))
    if plot.get("xscale") == "linear":
        axes.set_xlim(left=0)
    else:
        label_logarithms(axes.xaxis)
    if plot.get("yscale") != "linear":
        label_logarithms(axes.yaxis)
    axes.grid(True, which="major", color="#dddddd")
    axes.legend(frameon=False, fontsize=9)


def label_logarithms(axis):
    """Labels at powers of ten; where the axis has less than two decades, also at 2 and 5 times these."""
    from matplotlib import ticker

    low, high = axis.get_view_interval()
    if high < 100 * low:
        axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))


def name_of(row, columns):
    """What tells a row from the others; a number alone would not tell which column it is from."""
    parts = [f"{c} = {row[c]}" if re.fullmatch(r"[0-9]+", row[c]) else row[c] for c in columns if row[c]]
    return ", ".join(parts).replace("`", "")


def draw_bars(axes, plot):
    """One group of bars for each row, one bar of a group for each column."""
    rows, _ = read(plot["csv"])
    names = [name_of(row, plot["names"]) for row in rows]
    width = 0.8 / len(plot["columns"])
    for k, column in enumerate(plot["columns"]):
        places = [n + (k - (len(plot["columns"]) - 1) / 2) * width for n in range(len(rows))]
        values = [float(row[column]) if row[column] else 0 for row in rows]
        axes.barh(places, values, width, color=f"C{k}", label=column)
    axes.set_yticks(range(len(rows)))
    axes.set_yticklabels(names)
    axes.invert_yaxis()
    axes.set_xscale(plot.get("xscale", "linear"))
    if plot.get("xscale") == "log":
        axes.set_xlim(left=plot.get("left", 1))
    axes.grid(True, axis="x", color="#dddddd")
    if len(plot["columns"]) > 1:
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncol=len(plot["columns"]), frameon=False, fontsize=9)


def draw_all():
    try:
        import matplotlib
    except ImportError:
        print("figures.py: the plots are left as they are (no matplotlib; Debian: python3-matplotlib)")
        return
    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    # Words stay words in the file, and the same points make the same bytes.
    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "g6", "font.size": 10, "font.family": "sans-serif"})
    for plot in PLOTS:
        figure, axes = plt.subplots(figsize=(7, plot.get("height", 4.2)), layout="constrained")
        (draw_bars if "csv" in plot else draw_lines)(axes, plot)
        figure.suptitle(plot["title"], fontsize=11)
        axes.set_xlabel(plot["xlabel"])
        axes.set_ylabel(plot.get("ylabel", ""))
        axes.set_axisbelow(True)
        axes.minorticks_off()
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
        (FOLDER / plot["file"]).write_text(small(text.getvalue()), encoding="utf-8")
        plt.close(figure)


def small(svg):
    """An SVG without matplotlib's comments, description and indents."""
    svg = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>|<!DOCTYPE.*?>", "", svg, flags=re.S)
    return "\n".join(line.strip() for line in svg.split("\n") if line.strip()) + "\n"


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        raise SystemExit(__doc__)
    stale = [plot["file"] for plot in PLOTS if not (FOLDER / plot["file"]).exists()] if check else []
    for page in sorted(FOLDER.glob("*.md")):
        old = page.read_text(encoding="utf-8")
        new = page_with_tables(old)
        if new == old:
            continue
        if check:
            stale.append(page.name)
        else:
            page.write_text(new, encoding="utf-8")
    if not check:
        draw_all()
    for name in stale:
        print(f"figures.py: {name} is not what the CSV files say; make figures makes it")
    sys.exit(1 if stale else 0)


if __name__ == "__main__":
    main()
