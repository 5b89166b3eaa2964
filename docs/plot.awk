# SPDX-License-Identifier: MIT
# Time of a block step against its size, as SVG, from what g6bench --csv prints; several files make
# one plot.  A line for each column and N through the medians, a bar from least to most.
# usage: awk [-v title=TEXT] -f docs/plot.awk FILE... > PLOT.svg

BEGIN {
    FS = ","
    width = 640; height = 420; left = 64; right = 150; top = 36; bottom = 48
    split("#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #000000", colour, " ")
}
/^#/ { next }
$1 == "kind" { for (k = 1; k <= NF; k++) at[$k] = k; next }
$1 == "step" && $at["us_median"] > 0 {
    key = $at["name"] "\t" $at["nj"]
    if (!(key in line)) { name[++lines] = key; line[key] = lines; if (!sizes[$at["nj"]]++) systems++ }
    p = ++points
    of[p] = line[key]; n[p] = $at["ni"]; t[p] = $at["us_median"]
    least[p] = $at["us_min"]; most[p] = $at["us_max"]
    if (p == 1 || n[p] < n0) n0 = n[p]
    if (p == 1 || n[p] > n1) n1 = n[p]
    if (p == 1 || least[p] < t0) t0 = least[p]
    if (p == 1 || most[p] > t1) t1 = most[p]
}
function decade(value) { return log(value) / log(10) }
function down(v) { return int(v + 1000 + 1e-9) - 1000 } # whole number below, and above
function up(v) { return -down(-v) }
function px(value) { return left + (decade(value) - x0) / (x1 - x0) * (width - left - right) }
function py(value) { return height - bottom - (decade(value) - y0) / (y1 - y0) * (height - top - bottom) }
function count(d) { return d < 4 ? 10 ^ d : "10<tspan dy=\"-5\" font-size=\"9\">" d "</tspan>" }
function time(d) { return d < 3 ? 10 ^ d " us" : d < 6 ? 10 ^ (d - 3) " ms" : 10 ^ (d - 6) " s" }
function words(text) { gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); return text }
function rule(xa, ya, xb, yb, how) {
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", xa, ya, xb, yb, how
}
function write(x, y, how, text) { printf "<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>\n", x, y, how, text }
# The settings of a column tell it apart, its file's name does not.
function label(key, part, text) {
    split(key, part, "\t")
    text = part[1]
    if (text ~ / /) sub(/^[^ ]* /, "", text)
    return words(text (systems > 1 ? ", N = " part[2] : ""))
}
END {
    if (!points) { print "plot.awk: no block steps in the input" >"/dev/stderr"; exit 1 }
    x0 = down(decade(n0)); x1 = up(decade(n1)); y0 = down(decade(t0)); y1 = up(decade(t1))
    if (x1 == x0) x1++
    if (y1 == y0) y1++
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\"", width, height
    print " font-family=\"sans-serif\" font-size=\"12\">"
    print "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"
    for (d = x0; d <= x1; d++) {
        rule(px(10 ^ d), top, px(10 ^ d), height - bottom, "stroke=\"#dddddd\"")
        write(px(10 ^ d), height - bottom + 18, "text-anchor=\"middle\"", count(d))
    }
    for (d = y0; d <= y1; d++) {
        rule(left, py(10 ^ d), width - right, py(10 ^ d), "stroke=\"#dddddd\"")
        write(left - 8, py(10 ^ d) + 4, "text-anchor=\"end\"", time(d))
    }
    write((left + width - right) / 2, height - 10, "text-anchor=\"middle\"", "i-particles of a block step")
    write(left, 22, "font-weight=\"bold\"", words(title))
    for (l = 1; l <= lines; l++) {
        c = colour[(l - 1) % 7 + 1]
        path = ""
        for (p = 1; p <= points; p++)
            if (of[p] == l) {
                rule(px(n[p]), py(least[p]), px(n[p]), py(most[p]), "stroke=\"" c "\"")
                printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", px(n[p]), py(t[p]), c
                path = path sprintf(" %.1f,%.1f", px(n[p]), py(t[p]))
                end = p
            }
        printf "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>\n", substr(path, 2), c
        write(px(n[end]) + 8, py(t[end]) + 4, "fill=\"" c "\"", label(name[l]))
    }
    print "</svg>"
}
