# SPDX-License-Identifier: MIT
# Kernel sources as C++ strings, so that nothing is read from disk at run time: for each file
# NAME.cl on the command line a constant kText_NAME, with its #include "..." lines replaced by the
# files.
function put(file, folder,   line, name) {
    while ((getline line < file) > 0) {
        if (line ~ /^#include "/) {
            split(line, name, "\"")
            put(folder name[2], folder)
            continue
        }
        gsub(/\\/, "&&", line)
        gsub(/"/, "\\\\&", line)
        print "\"" line "\\n\""
    }
    close(file)
}
BEGIN {
    print "// Made by embed.awk."
    for (k = 1; k < ARGC; k++) {
        folder = name = ARGV[k]
        sub(/[^\/]*$/, "", folder)
        gsub(/.*\/|\.cl$/, "", name)
        print "static const char kText_" name "[] ="
        put(ARGV[k], folder)
        print "\"\";"
    }
}
