#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/plot.awk: points where their logarithms put them, a line for each column and N, all of
# g6bench's rows, and a refusal of files without any.
. "$(dirname "$0")/../script.inc"
plot() { awk -f docs/plot.awk "$@"; }
head='kind,column,name,nj,ni,repeats,us_min,us_median,us_max'

# n and time grow by tens from corner to corner: the plot is 426 wide, 336 high.
{
    echo "# a comment, with commas"
    echo "$head"
    for d in 1 10 100 1000; do echo "step,A,lib.so mode=a&b,64,$d,3,${d}0,${d}0,${d}0"; done
    echo "load,A,lib.so mode=a&b,64,0,3,1,1,1"
} >"$work/one.csv"
plot -v title='a < b' "$work/one.csv" >"$work/one.svg" || fail "status $?"
grep -q 'points="64.0,372.0 206.0,260.0 348.0,148.0 490.0,36.0"' "$work/one.svg" ||
    fail "the line is elsewhere: $(grep points "$work/one.svg")"
[ "$(grep -c '<circle' "$work/one.svg")" = 4 ] || fail "not four points"
grep -q '>mode=a&amp;b<' "$work/one.svg" || fail "the label: $(tail -2 "$work/one.svg")"
grep -q '>a &lt; b<' "$work/one.svg" || fail "the title"
for tick in 1 10 100 1000 '10 us' '1 ms' '10 ms'; do
    grep -q ">$tick<" "$work/one.svg" || fail "no tick $tick"
done

# Another N: lines of their own, with the N.
sed 's/,64,/,128,/' "$work/one.csv" >"$work/two.csv"
plot "$work/one.csv" "$work/two.csv" >"$work/two.svg" || fail "two files: status $?"
[ "$(grep -c '<polyline' "$work/two.svg")" = 2 ] || fail "not two lines"
grep -q 'mode=a&amp;b, N = 128' "$work/two.svg" || fail "no N in the label"

if [ -x "$B/bin/g6bench" ]; then
    G6_BACKEND=cpu "$B/bin/g6bench" --csv -N 300 -n 1,10,100 --precision mixed,double \
        --seconds 0.01 >"$work/csv" || fail "g6bench: status $?"
    plot "$work/csv" >"$work/svg" || fail "g6bench's rows: status $?"
    [ "$(grep -c '<circle' "$work/svg")" = 6 ] || fail "g6bench's rows: not six points"
    grep -qi 'nan\|inf' "$work/svg" && fail "g6bench's rows: $(grep -i 'nan\|inf' "$work/svg")"
fi

echo "$head" >"$work/none.csv"
plot "$work/none.csv" >"$work/out" 2>"$work/err" && fail "no rows: status 0"
grep -q 'no block steps' "$work/err" || fail "no rows: $(cat "$work/err")"
finish
