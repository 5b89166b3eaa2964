#!/bin/sh
# SPDX-License-Identifier: MIT
# The Python package of the build folder: tests/python by pytest and hypothesis, on the cpu, the programs of its pages, the
# example with a plot, and the notebook.
# PYTHON: an interpreter with numpy, h5py, pytest and hypothesis.
. "$(dirname "$0")/../script.inc"
[ -z "${SAN:-}" ] || skip "Python has no sanitizer's library"
find_python numpy h5py pytest hypothesis || skip "no Python with numpy, h5py, pytest and hypothesis"
"$MAKE" --no-print-directory B="$B" PYTHON="$python" python >"$work/log" 2>&1 || fail "make python: $(tail -n 5 "$work/log")"
PYTHONPATH=$(cd "$B" && pwd)/python
export PYTHONPATH PYTHONDONTWRITEBYTECODE=1 G6_BACKEND=cpu
here=$PWD
# Hypothesis keeps what it found in the current folder.
(cd "$work" && "$python" -m pytest -q -p no:cacheprovider "$here/tests/python") >"$work/out" 2>&1 ||
    fail "$(tail -n 60 "$work/out")"
echo "pytest.sh: $(tail -n 1 "$work/out")"

# The programs of the pages, with fewer bodies.  Those below the first heading of initial-conditions.md need other packages.
mkdir "$work/python" "$work/initial-conditions"
echo 'import g6gpu; bodies = g6gpu.models.plummer(256)' >"$work/initial-conditions/page.py"
for page in python initial-conditions; do
    awk -v page=$page '/^## / && page != "python" { exit }
        /^```/ { code = $0 == "```python"; next } code' docs/$page.md | sed 's/4096/256/' >>"$work/$page/page.py"
    [ "$(wc -l <"$work/$page/page.py")" -gt 4 ] || fail "docs/$page.md has no program"
    [ -x "$B/bin/g6run" ] || { echo "pytest.sh: docs/$page.md is left out (no g6run in this build)"; continue; }
    (cd "$work/$page" && "$python" page.py) >"$work/out" 2>&1 || fail "docs/$page.md: $(tail -n 5 "$work/out")"
done

if "$python" -c 'import matplotlib' 2>/dev/null; then
    MPLBACKEND=Agg MPLCONFIGDIR="$work" "$python" examples/cold_collapse.py "$work/collapse.png" >"$work/out" 2>&1 ||
        fail "cold_collapse.py: $(tail -n 5 "$work/out")"
    [ "$(head -c 4 "$work/collapse.png" | tail -c 3)" = PNG ] || fail "cold_collapse.py draws no PNG file"
else
    echo "pytest.sh: examples/cold_collapse.py is left out (no matplotlib)"
fi

# The notebook, with fewer stars: by Jupyter's nbclient where it is there, else its cells of code one after the other.
if [ ! -x "$B/bin/g6run" ] || ! "$python" -c 'import matplotlib' 2>/dev/null; then
    echo "pytest.sh: examples/star_cluster.ipynb is left out (no g6run in this build, or no matplotlib)"
    finish
fi
sed 's/4096/512/' examples/star_cluster.ipynb >"$work/notebook.ipynb"
cat >"$work/notebook.py" <<'PYTHON'
import json
try:
    import ipykernel, nbclient, nbformat
except ImportError:
    with open("notebook.ipynb") as file:
        cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 5 and not any(cell["outputs"] for cell in cells), "cells without outputs are expected"
    names = {}
    for cell in cells:
        exec("".join(cell["source"]), names)
else:
    notebook = nbformat.read("notebook.ipynb", 4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, kernel_name="python3").execute()
PYTHON
(cd "$work" && MPLBACKEND=Agg MPLCONFIGDIR="$work" "$python" notebook.py) >"$work/out" 2>&1 ||
    fail "examples/star_cluster.ipynb: $(tail -n 12 "$work/out")"
finish
