# SPDX-License-Identifier: MIT
# Shell completion of a tool from its --help, where each option is a line
#   -N,--nj TYPE[=DEFAULT][ ...]   what it does
# with two blanks or more before the text, or the text in the next line.  TYPE tells what can be
# completed: FILE, FOLDER, or words as mixed|double, of which "..." allows a list with commas.
# A line of usage with FILE says that the tool takes files without an option.
# usage: g6run --help | awk -v shell=bash -v tool=g6run -f completion.awk      shell: bash, zsh

function finish_option() {
    if (!names) return
    name[++n] = names; type[n] = kind; text[n] = help; is_list[n] = list
    names = ""
}

/^Usage:.*FILE/ { takes_files = 1 }
/^  -/ {
    finish_option()
    line = substr($0, 3)
    names = line; sub(/ .*/, "", names)
    line = substr(line, length(names) + 1)
    kind = ""; help = ""; list = 0
    if (match(line, /^ [^ ]+( [^ ]+)*/)) {
        kind = substr(line, 2, RLENGTH - 1)
        list = kind ~ /\.\.\.$/
        sub(/[ =:].*/, "", kind)
        line = substr(line, RLENGTH + 1)
    }
    sub(/^ +/, "", line)
    help = line
    next
}
names && !help && /^   / { help = $0; sub(/^ +/, "", help); next }
{ finish_option() }

function words(kind) { gsub(/\|/, " ", kind); return kind }
function is_words(kind) { return kind ~ /\|/ }
# FILE|FOLDER and LIST|FILE: files, which shells offer together with folders.
function is_file(kind) { return kind ~ /(^|\|)FILE(\||$)/ }

# ---- bash ----
function bash_offer(how) { return "mapfile -t COMPREPLY < <(compgen " how ")" }
function bash_action(kind, list) {
    if (is_file(kind)) return "compopt -o filenames; " bash_offer("-f -- \"$word\"")
    if (kind == "FOLDER") return "compopt -o filenames; " bash_offer("-d -- \"$word\"")
    if (is_words(kind) && list)
        return bash_offer("-P \"${word%\"${word##*,}\"}\" -W '" words(kind) "' -- \"${word##*,}\"")
    if (is_words(kind)) return bash_offer("-W '" words(kind) "' -- \"$word\"")
    return ""
}
function print_bash(   k, action, pattern, all, free) {
    print "# bash completion of " tool
    print "_" tool "()"
    print "{"
    print "    local word=${COMP_WORDS[COMP_CWORD]}"
    print "    case ${COMP_WORDS[COMP_CWORD - 1]} in"
    for (k = 1; k <= n; k++) {
        pattern = name[k]; gsub(/,/, " ", pattern); all = all " " pattern
        if (!type[k]) continue
        gsub(/ /, " | ", pattern)
        action = bash_action(type[k], is_list[k])
        if (action) print "    " pattern ") " action "; return ;;"
        else free = free " | " pattern
    }
    # A number or a name, of which nothing is known.
    if (free) print "    " substr(free, 4) ") return ;;"
    print "    esac"
    if (takes_files) print "    [[ $word == -* ]] || { " bash_action("FILE") "; return; }"
    print "    " bash_offer("-W '" substr(all, 2) "' -- \"$word\"")
    print "}"
    print "complete -F _" tool " " tool
}

# ---- zsh ----
function quoted(s) { gsub(/'/, "'\\''", s); return "'" s "'" }
function zsh_action(kind, list) {
    if (is_file(kind)) return "_files"
    if (kind == "FOLDER") return "_files -/"
    if (is_words(kind) && list) return "_sequence compadd - " words(kind)
    if (is_words(kind)) return "(" words(kind) ")"
    return " "
}
function print_zsh(   k, spec, exclude, message, help) {
    print "#compdef " tool
    print "_arguments -S \\"
    for (k = 1; k <= n; k++) {
        help = text[k]
        gsub(/[][\\]/, "\\\\&", help)
        message = type[k]; gsub(/:/, "\\:", message)
        # An option with a list may come several times, others once.
        exclude = name[k]; gsub(/,/, " ", exclude)
        exclude = is_list[k] ? "*" : name[k] ~ /,/ ? "(" exclude ")" : ""
        spec = "[" help "]" (type[k] ? ":" message ":" zsh_action(type[k], is_list[k]) : "")
        if (name[k] ~ /,/) print "    " quoted(exclude) "{" name[k] "}" quoted(spec) " \\"
        else print "    " quoted(exclude name[k] spec) " \\"
    }
    if (takes_files) print "    '*:file:_files' \\"
    print "    && return 0"
}

END {
    finish_option()
    if (shell == "bash") print_bash()
    else print_zsh()
}
