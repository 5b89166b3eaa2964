# SPDX-License-Identifier: MIT
# Reads the output of a GoogleTest program.  It prints a line of progress after each tenth of the
# tests, the whole output of each test that failed, and at the end each reason for which tests were
# skipped, with the number of these tests.
# Lines that begin with "@K@" are those of process K of several (in_shards.sh).
# -v times=FILE: appends a line "seconds name" for each test to that file.
function flush_progress() {
    if (total && done * 10 >= total * (tenth + 1)) {
        tenth = int(done * 10 / total)
        printf "  %d of %d tests\n", done, total
        fflush()
    }
}
function ended() { # reads name and time from the line that ends a test
    done++
    seconds = 0
    if (match($0, /\([0-9]+ ms\)/)) seconds = substr($0, RSTART + 1, RLENGTH - 5) / 1000
    name = $0
    sub(/^\[[^]]*\] /, "", name)
    sub(/( \([0-9]+ ms\)|,).*/, "", name)
    if (times) print seconds, name >> times
}
{
    shard = ""
    if (match($0, /^@[0-9]+@/)) {
        shard = substr($0, 1, RLENGTH)
        $0 = substr($0, RLENGTH + 1)
    }
}
/^\[==========\] Running [0-9]+ test/ { total += $3; next }
/^\[ RUN      \]/ { said[shard] = ""; running[shard] = 1; next }
running[shard] && /^\[       OK \]/ { ended(); running[shard] = 0; flush_progress(); next }
running[shard] && /^\[  SKIPPED \]/ {
    ended()
    running[shard] = 0
    n = split(said[shard], line, "\n")
    while (n > 1 && line[n] == "") n--  # GoogleTest 1.15 and later end the reason with an empty line
    why[line[n]]++
    flush_progress()
    next
}
running[shard] && /^\[  FAILED  \]/ { ended(); running[shard] = 0; printf "%s%s\n", said[shard], $0; fflush(); flush_progress(); next }
running[shard] { said[shard] = said[shard] $0 "\n"; next }
/^\[-/ || /^\[  SKIPPED \]/ || /^Running main/ || /^Note: / || /^$/ { next }
/^\[==========\]/ || /^\[  PASSED/ || /^\[  FAILED/ || !/^\[/ { print; fflush() }
END {
    for (s in running) if (running[s]) printf "%sthe program ended in this test\n", said[s]  # a crash
    for (w in why) printf "  skipped: %d, %s\n", why[w], w
}
