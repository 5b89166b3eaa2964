# SPDX-License-Identifier: MIT
"""Style and files of the figures.  Colours are those of Okabe and Ito (2008), which colour-blind people can tell
apart; maps of density have colour maps whose brightness grows with the value, so they can be printed in grey."""
import io
import os
import textwrap

from .problem import EXIT_USAGE, Problem

BLUE, ORANGE, GREEN, PINK, YELLOW, SKY = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"
GREY = "#777777"
COLOUR_MAPS = ("inferno", "magma", "cividis", "viridis", "gray")
PICTURES = (".png", ".pdf", ".svg")
FILMS = (".mp4", ".mkv", ".mov", ".webm", ".gif")
LEAST_DPI = 40
BRIGHT = 0.97  # place of the colour of points in the colour map, which goes from 0 to 1


def pyplot():
    """matplotlib.pyplot for files, with the style of g6plot; no display is needed."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    plt.rcParams.update({
        "font.size": 10, "axes.titlesize": 11, "axes.grid": True, "grid.color": "#e4e4e4", "axes.axisbelow": True,
        "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False, "lines.linewidth": 1.5,
        "xtick.major.pad": 5.5, "figure.facecolor": "white", "svg.hashsalt": "g6plot",
    })
    return plt


def in_lines(text, inches, size=11):
    """The text in lines that fit the width, not broken at " = "; a letter is taken to be 0.6 of its size wide."""
    together = text.replace(" = ", "\u00a0=\u00a0")
    return textwrap.fill(together, max(8, int(inches * 72 / (0.6 * size)))).replace("\u00a0", " ")


def legend_above(axes, columns=1):
    """A legend at the top of the axes, with room for it above all lines."""
    rows = -(-len(axes.get_legend_handles_labels()[1]) // columns)
    scale = axes.yaxis.get_transform()
    low, high = scale.transform(axes.get_ylim())
    axes.set_ylim(scale.inverted().transform([low, low + (high - low) / (0.96 - 0.075 * rows)]))
    axes.legend(ncol=columns, loc="upper center", columnspacing=1, handlelength=1.4)


def label_decades(axis):
    """Plain numbers at a logarithmic axis: at powers of ten, and on less than two decades also at 2 and 5 times these."""
    def label(value, _):
        return f"{value:g}" if f"{value:e}"[0] in "25" else ""

    low, high = axis.get_view_interval()
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter(label if high < 100 * low else "")


def check_name(path, endings=PICTURES):
    """Refuses a file name with a wrong ending; to be called before the work begins."""
    if os.path.splitext(path)[1].lower() not in endings:
        raise Problem(f"{path}: the name must end with one of {', '.join(endings)}", EXIT_USAGE)


def palette(colour_map):
    """A picture with a palette of the 256 colours of a figure: the colour map, shades of the points, greys, tints of the
    lines."""
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.colors import to_rgb
    from PIL import Image

    scale = colormaps[colour_map](np.linspace(0, 1, 152))[:, :3]
    ground, point = (np.array(colormaps[colour_map](place)[:3]) for place in (0.0, BRIGHT))
    shades = ground + np.linspace(0, 1, 32)[:, None] * (point - ground)
    greys = np.linspace(0, 1, 36)[:, None] * np.ones(3)
    tints = [share * np.array(to_rgb(line)) + 1 - share for line in (BLUE, ORANGE, GREEN, PINK, YELLOW, SKY)
             for share in (1, 0.85, 0.7, 0.5, 0.35, 0.2)]
    values = (np.concatenate([scale, shades, greys, tints]) * 255).round().astype(int)
    image = Image.new("P", (1, 1))
    image.putpalette([int(v) for v in values.ravel()])
    return image


def png_bytes(figure, dpi, colours=None):
    """The bytes of a PNG file.  colours: a picture with the palette to use, None for all colours."""
    from PIL import Image

    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi)
    image = Image.open(buffer).convert("RGB")
    if colours:
        image = image.quantize(palette=colours, dither=Image.Dither.NONE)
    packed = io.BytesIO()
    image.save(packed, format="png", optimize=True)
    return packed.getvalue()


def png_within(figure, dpi, limit, colour_map):
    """The bytes of a PNG file, if possible at most limit: if it is larger, it gets a palette of 256 colours, then fewer pixels."""
    data = png_bytes(figure, dpi)
    while limit and len(data) > limit:
        data = png_bytes(figure, dpi, palette(colour_map))
        if len(data) <= limit or dpi <= LEAST_DPI:
            break
        # The size of a file is about proportional to the number of its pixels.
        dpi = max(LEAST_DPI, dpi * min(0.95, (limit / len(data)) ** 0.5))
    return data


def settle(figure, dpi):
    """Makes two of the three rounds that constrained layout needs for squares with common axes; drawing is the third."""
    figure.set_dpi(dpi)
    for _ in range(2):
        figure.draw_without_rendering()


def save(figure, path, dpi=110, limit=0, colour_map=COLOUR_MAPS[0]):
    """Writes a picture as a whole or not at all.  limit: the most bytes of a PNG file, 0 for any number."""
    check_name(path)
    settle(figure, dpi)
    kind = os.path.splitext(path)[1].lower()[1:]
    if kind == "png":
        data = png_within(figure, dpi, limit, colour_map)
    else:
        buffer = io.BytesIO()
        # Without a date, equal runs give equal files.
        figure.savefig(buffer, format=kind, dpi=dpi, metadata={"CreationDate" if kind == "pdf" else "Date": None})
        data = buffer.getvalue()
    part = path + ".part"
    try:
        with open(part, "wb") as file:
            file.write(data)
        os.replace(part, path)
    except OSError as why:
        raise Problem(f"{path}: cannot be written: {why.strerror}")
