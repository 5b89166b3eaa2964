#!/bin/sh
# SPDX-License-Identifier: MIT
# What make demo shows after the build: the table of a run, with the device that computed, and where
# Python has matplotlib the path of a picture; without it one line, and without Python none.
. "$(dirname "$0")/../script.inc"
[ -x "$B/bin/g6run" ] || skip "no g6run in this build"
demo() { # further settings of make
    rm -rf "$work/demo"
    # -o: what g6run is made of counts as up to date.
    G6_BACKEND=cpu "$MAKE" --no-print-directory -o "$B/bin/g6run" B="$B" DEMO_FOLDER="$work/demo" \
        DEMO_RUN='--plummer 64 --eps 0.01 --t-end 0.25' run-demo "$@" >"$work/out" 2>&1 ||
        fail "status $?: $(tail -n 3 "$work/out")"
    grep -q '^# backend cpu, device' "$work/out" || fail "no device in the table's head"
    [ "$(grep -c '^ ' "$work/out")" = 3 ] || fail "not three rows: $(cat "$work/out")"
}

demo PYTHON=no-such-python
grep -i -e picture -e python "$work/out" && fail "words about a picture without Python"

if command -v python3 >/dev/null 2>&1; then
    # Python without matplotlib: one whose import fails.
    mkdir -p "$work/without" "$work/with/matplotlib"
    echo 'raise ImportError("not there")' >"$work/without/matplotlib.py"
    PYTHONPATH=$work/without demo PYTHON=python3
    [ "$(grep -c -i -e picture -e matplotlib -e Traceback "$work/out")" = 1 ] || fail "not one line: $(cat "$work/out")"
    tail -n 1 "$work/out" | grep -q '^no picture: .*python3-matplotlib' || fail "last line: $(tail -n 1 "$work/out")"

    # A matplotlib that takes every call, and writes down what is plotted and where it is saved.
    cat >"$work/with/matplotlib/__init__.py" <<'PY'
def use(name):
    pass
PY
    cat >"$work/with/matplotlib/pyplot.py" <<'PY'
class Any:
    def __getattr__(self, name):
        return self
    def __getitem__(self, k):
        return self
    def __call__(self, *args, **named):
        return self
class Axes(Any):
    def plot(self, x, y, *args, **named):
        print("plotted", *x, "against", *y)
class Figure(Any):
    def savefig(self, path, **named):
        open(path, "w").write("a picture")
def subplots(lines, columns, **named):
    return Figure(), [[Axes()] * columns] * lines
PY
    PYTHONPATH=$work/with demo PYTHON=python3
    tail -n 1 "$work/out" | grep -q "^picture: $work/demo/run.png" || fail "last line: $(tail -n 1 "$work/out")"
    [ -s "$work/demo/run.png" ] || fail "no picture"
    # Energy errors and three radii at the times of the table.
    [ "$(grep -c '^plotted 0.0 0.125 0.25 against' "$work/out")" = 4 ] || fail "not four lines: $(grep plotted "$work/out")"
    errors=$(awk '/^ / { printf " %s", $3 + 0 }' "$work/out")
    drawn=$(sed -n 's/.*against//p' "$work/out" | head -n 1 | awk '{ printf " %s %s %s", $1 + 0, $2 + 0, $3 + 0 }')
    [ "$errors" = "$drawn" ] || fail "energy errors$errors are drawn as$drawn"
fi
# With the real one, where it is there.
if python3 -c 'import matplotlib' 2>/dev/null; then
    demo PYTHON=python3
    [ "$(head -c 4 "$work/demo/run.png" | tail -c 3)" = PNG ] || fail "no PNG file: $(tail -n 1 "$work/out")"
fi
finish
