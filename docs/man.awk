# SPDX-License-Identifier: MIT
# g6lib.h -> g6lib(3): the header is the manual, this only sets it in man's macros.
# usage: awk -v version=1.0.0 -f man.awk include/g6lib.h
# The header keeps to one form: "/* ---" headings, "/** */" before what it describes.

function escaped(s)
{
    gsub(/\\/, "\\e", s)
    gsub(/-/, "\\-", s)
    return s ~ /^[.']/ ? "\\&" s : s
}
# The text of a comment's line.
function plain(s)
{
    sub(/^ *\/\*\*? ?/, "", s)
    sub(/ *\*\/ *$/, "", s)
    sub(/^ ?\* ?/, "", s)
    sub(/^-+$/, "", s)
    return s
}
function paragraph(s)
{
    if (s != "") print escaped(s)
}
# A line of a function's comment: a formula (indented by four), a parameter, the result, or text.
function comment_line(s,    formula, names)
{
    formula = s ~ /^     /
    sub(/^ */, "", s)
    if (s == "") return ""
    if (formula) return ".nf\n    " escaped(s) "\n.fi\n"
    if (match(s, /^@param ([A-Za-z0-9_]+, )*[A-Za-z0-9_]+ /)) {
        names = substr(s, 8, RLENGTH - 8)
        return ".TP\n.I " names "\n" escaped(substr(s, RLENGTH + 1)) "\n"
    }
    if (sub(/^@return/, "Returns:", s)) return (words == "" ? "" : ".PP\n") escaped(s) "\n"
    sub(/@return/, "Returns:", s)
    return escaped(s) "\n"
}

BEGIN {
    print ".TH G6LIB 3 \"\" \"libg6gpu " version "\" \"GRAPE\\-6 interface\""
    print ".SH NAME\ng6lib \\- gravity behind the calls of the GRAPE\\-6 computer (libg6gpu)"
    print ".SH SYNOPSIS\n.nf\n.B #include <g6lib.h>\n.B cc code.c \\-lg6gpu\n.fi"
    print ".SH DESCRIPTION\n.nf"
    state = "top"
}

state == "top" {
    text = plain($0)
    if (/SPDX/ || (!shown && text == "")) next
    shown = 1
    if (/\*\/ *$/) { print ".fi"; state = "code"; next }
    sub(/^ /, "", text)
    print escaped(text)
    next
}
# The table of status codes.
/^ *row\(/ {
    if (split($0, part, "\"") < 4) next
    head = part[1]
    sub(/^ *row\(/, "", head); sub(/, *$/, "", head); sub(/,/, " =", head)
    print ".TP\n" escaped(head) "\n" escaped(part[2]) (part[4] == "" ? "." : "; " escaped(part[4]) ".")
    next
}
# A heading: "/* ----", its title, perhaps text, "---- */".
state == "code" && /^\/\* -----/ { state = "heading"; title = ""; next }
state == "heading" {
    end = /\*\/ *$/
    text = plain($0)
    sub(/-----.*/, "", text)
    if (title == "") {
        # "2. Title: more text.": the title ends at the first colon or full stop after its number.
        title = text
        sub(/^[0-9]+\. */, "", title)
        rest = ""
        if (match(title, /[.:] +/)) {
            rest = substr(title, RSTART + RLENGTH)
            title = substr(title, 1, RSTART - 1)
        }
        sub(/\. *$/, "", title)
        print ".SH \"" escaped(title) "\""
        paragraph(rest)
        headed = rest == ""
    } else if (text != "") { paragraph(text); headed = 0 }
    if (end) state = "code"
    next
}
state == "code" && /^\/\*\*/ { state = "comment"; words = "" }
state == "comment" {
    end = /\*\/ *$/
    words = words comment_line(plain($0))
    if (end) state = "code"
    next
}
# A prototype, structure or type: from its first line to the line that closes it.
state == "code" && /^(G6_API|struct |typedef )/ {
    state = "declaration"
    declared = ""
    braces = 0
}
state == "declaration" {
    line = $0
    sub(/^G6_API */, "", line)
    declared = declared escaped(line) "\n"
    braces += gsub(/\{/, "{") - gsub(/\}/, "}")
    if (braces == 0 && /; *$/) {
        printf "%s.nf\n%s.fi\n", headed ? "" : ".PP\n", declared
        headed = 0
        if (words != "") printf ".RS\n%s.RE\n", words
        words = ""
        state = "code"
    }
    next
}
