# SPDX-License-Identifier: MIT
# Reads the output of a GoogleTest program.  It prints a line of progress after each tenth of the
# tests, the whole output of each test that failed, and at the end each reason for which tests were
# skipped, with the number of these tests.
# -v times=FILE: appends a line "seconds name" for each test to that file.
function flush_progress() {
    if (total && done * 10 >= total * (tenth + 1)) {
        tenth = int(done * 10 / total)
        printf "  %d of %d tests, %.0f s\n", done, total, spent
        fflush()
    }
}
function ended() { # reads name and time from the line that ends a test
    done++
    seconds = 0
    if (match($0, /\([0-9]+ ms\)/)) seconds = substr($0, RSTART + 1, RLENGTH - 5) / 1000
    spent += seconds
    name = $0
    sub(/^\[[^]]*\] /, "", name)
    sub(/( \([0-9]+ ms\)|,).*/, "", name)
    if (times) print seconds, name >> times
}
/^\[==========\] Running [0-9]+ test/ { total = $3; next }
/^\[ RUN      \]/ { said = ""; running = 1; next }
running && /^\[       OK \]/ { ended(); running = 0; flush_progress(); next }
running && /^\[  SKIPPED \]/ {
    ended()
    running = 0
    n = split(said, line, "\n")
    while (n > 1 && line[n] == "") n--  # GoogleTest 1.15 and later end the reason with an empty line
    why[line[n]]++
    flush_progress()
    next
}
running && /^\[  FAILED  \]/ { ended(); running = 0; printf "%s%s\n", said, $0; fflush(); flush_progress(); next }
running { said = said $0 "\n"; next }
/^\[-/ || /^\[  SKIPPED \]/ || /^Running main/ || /^Note: / || /^$/ { next }
/^\[==========\]/ || /^\[  PASSED/ || /^\[  FAILED/ || !/^\[/ { print; fflush() }
END {
    if (running) printf "%sthe program ended in this test\n", said  # a crash
    for (w in why) printf "  skipped: %d, %s\n", why[w], w
}
