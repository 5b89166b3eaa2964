#!/bin/sh
# SPDX-License-Identifier: MIT
# g6plot: what it computes (tests/g6plot), and what the program writes, says and returns for runs of g6run.
# PYTHON: an interpreter with numpy, h5py and matplotlib.
. "$(dirname "$0")/../script.inc"
find_python numpy h5py matplotlib || skip "no Python with numpy, h5py and matplotlib"
export MPLCONFIGDIR="$work" PYTHONDONTWRITEBYTECODE=1
PYTHONPATH=tools:tests/g6plot "$python" -m unittest discover -s tests/g6plot >"$work/out" 2>&1 || fail "$(cat "$work/out")"

run=$B/bin/g6run
[ -x "$run" ] && [ -x "$B/bin/g6plot" ] || skip "no g6run or no g6plot in this build"
plot() { # the status that is expected, arguments of g6plot
    want=$1
    shift
    timeout 300 "$python" "$B/bin/g6plot" "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ "$got" = "$want" ] || fail "g6plot $*: status $got, expected $want: $(cat "$work/err")"
    grep -q Traceback "$work/err" && fail "g6plot $*: $(cat "$work/err")"
}
says() { grep -q -e "$1" "$work/err" || fail "\"$1\" is not said: $(cat "$work/err")"; }
is_png() {
    [ "$(head -c 4 "$1" | tail -c 3)" = PNG ] || fail "$1 is no PNG file"
    [ "$(wc -c <"$1")" -le 300000 ] || fail "$1 has $(wc -c <"$1") bytes"
}
export G6_BACKEND=cpu
"$run" --plummer 500 --eps 1/64 --t-end 1/2 --snapshot 1/8 --units 2pc,1e4Msun --quiet --output "$work/run" || fail "g6run: $?"
"$run" --plummer 300 --eps 1/64 --t-end 1/4 --format text --quiet --output "$work/text" || fail "g6run: $?"

plot 0 "$work/run"
is_png "$work/run/run.png"
plot 0 "$work/text"
# The name of a command may be the name of a folder.
build=$(cd "$B" && pwd)
(B=$build && cd "$work" && plot 0 run -o word.png; is_png word.png; exit "$bad") || bad=1
plot 0 run "$work/run" -o "$work/a.pdf" --title 'A < B'
[ "$(head -c 4 "$work/a.pdf")" = %PDF ] || fail "no PDF"
plot 0 map "$work/run" --panels 4 --axis x --centre densest --width 4pc --colours cividis --max-size 60
is_png "$work/run/map.png"
[ "$(wc -c <"$work/run/map.png")" -le 60000 ] || fail "--max-size 60: $(wc -c <"$work/run/map.png")"
plot 0 map "$work/text/snapshot_0001.txt" -o "$work/b.svg"
grep -q '<svg' "$work/b.svg" || fail "no SVG"
plot 0 map "$work/text" --ids 0,99 -o "$work/stars.svg"
# The types of a galaxy's particles: halo, disk and bulge.
"$run" --model galaxy --bodies 300 --t-end 0 --quiet --output "$work/galaxy" || fail "g6run: $?"
plot 0 map "$work/galaxy" --type disk,3
# Equal runs give equal pictures.
plot 0 map "$work/text/snapshot_0001.txt" -o "$work/c.svg"
cmp -s "$work/b.svg" "$work/c.svg" || fail "the same map has other bytes"

# Frames, and a film where ffmpeg is there.
mkdir "$work/bin"
printf '#!/bin/sh\nfor last; do :; done\necho "$@" >"$last"\n' >"$work/bin/ffmpeg"
chmod +x "$work/bin/ffmpeg"
PATH=$work/bin:$PATH plot 0 film "$work/run" --rate 5
[ "$(find "$work/run/film" -name 'frame_*.png' | wc -l)" = 5 ] || fail "frames: $(ls "$work/run/film")"
grep -q -e '-framerate 5 .*frame_%04d.png' "$work/run/film.mp4" || fail "ffmpeg: $(cat "$work/run/film.mp4")"
printf '#!/bin/sh\necho broken >&2\nexit 1\n' >"$work/bin/ffmpeg"
PATH=$work/bin:$PATH plot 3 "$work/run" --film
says 'no film: ffmpeg ends with status 1: broken'

# A run that goes on: the last row is half written, the last snapshot has another name until it is whole.
mkdir "$work/half"
head -c -100 "$work/run/table.txt" | grep -v '^# .*wall' | head -n 8 >"$work/half/table.txt"
printf '       0.3 -2.4' >>"$work/half/table.txt"
cp "$work/run/snapshot_0000.hdf5" "$work/half"
head -c 5000 "$work/run/snapshot_0001.hdf5" >"$work/half/snapshot_0001.hdf5.tmp"
plot 0 "$work/half"
grep -q 'not finished' "$work/out" || fail "unfinished: $(cat "$work/out")"
# A run that computes its first forces has a table without rows.
mkdir "$work/begun"
grep '^#' "$work/half/table.txt" >"$work/begun/table.txt.tmp"
# Each folder has a panel, named after it; those of other units have none.
plot 0 map "$work/text" "$work/text/snapshot_0000.txt" -o "$work/two.svg"
grep -q 'text:' "$work/two.svg" && grep -q 't = 0.25 ' "$work/two.svg" && grep -q 'snapshot_0000.txt: t = 0 ' "$work/two.svg" ||
    fail "two panels: $(grep '<!--' "$work/two.svg")"
# Damaged snapshots are left out.
head -c 5000 "$work/run/snapshot_0001.hdf5" >"$work/half/snapshot_0001.hdf5"
plot 3 "$work/half"
says 'left out: .*snapshot_0001.hdf5.*truncated'
plot 3 map "$work/run/snapshot_0000.hdf5" "$work/half/snapshot_0001.hdf5" "$work/none.hdf5" -o "$work/d.png"
says 'none.hdf5: no such file'
is_png "$work/d.png"

# --help needs no modules; a picture without them is one line.
mkdir "$work/without"
echo 'raise ImportError("not there")' >"$work/without/numpy.py"
PYTHONPATH=$work/without plot 0 --help
{ sleep 1; "$python" "$B/bin/g6plot" --help 2>"$work/err"; } | true
[ -s "$work/err" ] && fail "--help | true: $(cat "$work/err")"
PYTHONPATH=$work/without plot 1 "$work/run"
says 'cannot use numpy (not there), .*python3-numpy'
[ "$(wc -l <"$work/err")" = 1 ] || fail "not one line: $(cat "$work/err")"
# An interpreter without modules (-S: without installed ones) hands over to one that has them.
env PYTHON="$python" "$python" -S "$B/bin/g6plot" "$work/run" -o "$work/f.png" >"$work/out" 2>&1 || fail "-S: $(cat "$work/out")"
is_png "$work/f.png"

# Words that are wrong, all in one process: the status, what is said, the arguments; R is a run with units, T one without.
cat >"$work/wrong.py" <<'END'
import contextlib, io, re, sys
from g6plot.main import main
CASES = [
    (2, "", "film R -o W/film"),
    (2, "", ""),
    (2, "axis: 'w' is not one of: x, y, z", "map R --axis w"),
    (2, "axis: '0,0,0' is not one of: x, y, z, and no direction A,B,C", "map R --axis 0,0,0"),
    (2, r"unknown option --axs; did you mean --axis\? \(", "map R --axs x"),
    (2, "pixels: '0' is no positive whole number", "map R --pixels 0"),
    (2, "range: '2,1' is no LEAST,MOST", "map R --range 2,1"),
    (2, "", "map R --width 3miles"),
    (2, "", "map T --width 3pc"),
    (2, "", "map R --width -1"),
    (2, "", "map R --ids 5,1"),
    (2, "", "R -o W/a.gif"),
    (2, "axis goes with map, film, not with run", "R --axis x"),
    (2, "'mapp' is no command and no folder; the commands are run, map, film, halos, bench", "mapp R"),
    (2, "run takes one path, not 2", "run R T"),
    (2, "centre: 'densst' is not mass, densest, middle or X,Y,Z", "map R --centre densst"),
    (2, "'star' is none of Gadget's types: gas, halo, disk, bulge, stars, bndry, or 0 to 5$", "map W/galaxy --type star"),
    (2, "has N-body units and .*: draw them one by one$", "map T R"),
    (1, "nowhere: no such folder", "W/nowhere"),
    (1, "no table.txt", "W/bin"),
    (1, "begun: its table has no rows yet$", "W/begun"),
    (1, "cannot be written", "map R -o W/nowhere/a.png"),
    (1, "no particle is inside the frame", "map R --centre 900,0,0 --width 1"),
    (1, "no particle has a number from 300 to 400", "map T --ids 300,400 -o W/e.png"),
    (1, r"left out: .*/snapshot_0000.hdf5: has no particles of type 0 \(gas\), 4 \(stars\); it has 1 \(halo\), 2 \(disk\), 3 \(bulge\)$",
     "map W/galaxy --type stars,0"),
    (1, "snapshot_0001.txt: a table has no types of particles; ", "map T --type halo"),
    (1, "no snapshot can be read", "map W/half/snapshot_0001.hdf5 -o W/e.png"),
    (1, "run: is a folder; name a snapshot in it$", "halos R"),
    (1, "table.txt: is there, and no table of halos", "halos R/snapshot_0000.hdf5 -o R/table.png"),
    (1, "snapshot_0000.hdf5: not what g6bench --csv prints$", "bench R/snapshot_0000.hdf5"),
]
work, wrong = sys.argv[1], 0
for status, text, words in CASES:
    words = [re.sub(r"^[RTW]\b", {"R": work + "/run", "T": work + "/text", "W": work}[word[0]], word) if word[0] in "RTW" else word
             for word in words.split()]
    errors = io.StringIO()
    with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
        got = main(words)
    if got != status or not re.search(text, errors.getvalue(), re.MULTILINE) or "Traceback" in errors.getvalue():
        print(f"g6plot {words}: status {got}, expected {status}, with '{text}': {errors.getvalue()}")
        wrong = 1
sys.exit(wrong)
END
PYTHONPATH=tools "$python" "$work/wrong.py" "$work" >"$work/out" 2>&1 || fail "$(cat "$work/out")"
[ ! -e "$work/e.png" ] || fail "a picture of nothing"
plot 2 mapp "$work/run"
if [ "$(id -u)" != 0 ]; then
    cp "$work/run/snapshot_0000.hdf5" "$work/closed.hdf5"
    chmod a-r "$work/closed.hdf5"
    plot 1 map "$work/closed.hdf5"
    says 'closed.hdf5: cannot be read: Permission denied$'
fi
for word in --help --version; do
    "$python" "$B/bin/g6plot" $word >/dev/full 2>"$work/err"
    [ $? = 1 ] && [ "$(cat "$work/err")" = 'g6plot: cannot be written: No space left on device' ] ||
        fail "$word on a full disk: $(cat "$work/err")"
done
finish
