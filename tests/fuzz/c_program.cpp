// SPDX-License-Identifier: MIT
// A sequence of calls as a C program that prints what the calls answer.
#include "shrink.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

namespace g6fuzz {
namespace {

std::string number(double d)
{
    if (std::isnan(d)) return "NAN";
    if (std::isinf(d)) return d > 0 ? "INFINITY" : "-INFINITY";
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", d);
    return text;
}

std::string number(int n)
{
    return n < -2147483647 ? "INT_MIN" : std::to_string(n);
}

// width 3: cast to rows.
template <class T> std::string array(const Array<T> &a, const char *type, int width)
{
    if (a.null) return "NULL";
    std::string text = width == 3 ? std::string("(double (*)[3])") : "";
    text += "(" + std::string(type) + "[]){";
    for (size_t k = 0; k < a.v.size(); k++) text += (k ? ", " : "") + number(a.v[k]);
    return text + (a.v.empty() ? "0}" : "}");
}

std::string quoted(const Array<char> &a)
{
    return a.null ? "NULL" : "\"" + std::string(a.v.begin(), a.v.end()) + "\"";
}

bool is_rows(Op op, const std::string &name)
{
    if (traits_of(op) & kG5) return name == "x";
    if (op == Op::set_j_particles) return name != "t" && name != "mass";
    return name == "xi" || name == "vi" || name == "aold" || name == "j6old";
}

// Arguments in the order of the header; what a twin takes by pointer is a compound literal.
std::string inputs(const Call &c)
{
    int ni = 0, nd = 0, mi = 0, md = 0, ns = 0;
    const bool twin = is_twin(c.form);
    std::string text;
    const auto add = [&](const std::string &t) { text += (text.empty() ? "" : ", ") + t; };
    const auto scalar = [&](const char *type, const std::string &value) {
        add(twin ? "&(" + std::string(type) + "){" + value + "}" : value);
    };
    if (traits_of(c.op) & kId && !is_all(c.form)) {
        if (c.null_id)
            add("NULL");
        else
            scalar("int", number(c.id));
    }
    std::string mode;
    for (const Field &f : row_of(c.op).fields) {
        if (f.name == "out") continue;
        if (f.kind == 'i' && f.name == "mode" && is_lasthalf(c.op)) {
            ni++;  // after the outputs
        } else if (f.kind == 'i') {
            scalar("int", number(c.i[static_cast<size_t>(ni++)]));
        } else if (f.kind == 'd') {
            scalar("double", number(c.d[static_cast<size_t>(nd++)]));
        } else if (f.kind == 'I') {
            add(array(c.ia[static_cast<size_t>(mi++)], "int", 1));
        } else if (f.kind == 'D') {
            add(array(c.da[static_cast<size_t>(md++)], "double", is_rows(c.op, f.name) ? 3 : 1));
        } else {
            add(quoted(c.text[static_cast<size_t>(ns++)]));
        }
    }
    return text;
}

std::string outputs(const Call &c)
{
    const BlockArgs a = is_lasthalf(c.op) ? block_args(c) : BlockArgs{};
    const int out = is_lasthalf(c.op) ? a.out : c.i[0];
    const auto name = [&](int bit, const char *text) { return out & bit ? "NULL" : text; };
    std::string text = std::string(", ") + name(kNullAcc, "acc") + ", " +
                       name(kNullJerk, out & kAccIsJerk ? "acc" : "jerk") + ", " +
                       name(kNullPot, "pot");
    if (has_nearest(c.op) || c.op == Op::get_force_etc)
        text += std::string(", ") + name(kNullNearest, "nn");
    if (has_distance(c.op)) text += std::string(", ") + name(kNullDistance, "rnnb");
    if (c.op == Op::get_force || c.op == Op::get_force_etc)
        text += std::string(", ") + name(kNullFlag, "flag");
    if (c.op == Op::lasthalf0)
        text += is_twin(c.form) ? ", &(int){" + number(c.i[2]) + "}" : ", " + number(c.i[2]);
    return text;
}

// Arrays of g5_set_xmj() and the like begin with the element for slot adr.
// g5_calculate_force_on_x() has its count behind the forces.
void write_grape5(std::ofstream &out, const Call &c)
{
    const std::string name = name_of(c.op, c.form);
    const bool in_one = calculates(c.op), eps2_last = c.op == Op::g5_calculate_on_x0;
    const auto count = [&](int n) {
        return is_twin(c.form) ? "&(int){" + number(n) + "}" : number(n);
    };
    std::string text;
    const auto add = [&](const std::string &t) { text += (text.empty() ? "" : ", ") + t; };
    if (traits_of(c.op) & kId && !is_all(c.form)) add(c.null_id ? "NULL" : count(c.id));
    int ni = 0, nd = 0, md = 0;
    for (const Field &f : row_of(c.op).fields) {
        const size_t k = static_cast<size_t>(f.kind == 'i' ? ni++ : f.kind == 'd' ? nd++ : md++);
        if (f.name == "out" || (in_one && f.kind == 'i')) continue;
        if (eps2_last && f.name == "eps2") continue;
        if (f.kind == 'I') add(array(c.ia[0], "int", 1));
        if (f.kind == 'i') add(count(c.i[k]));
        if (f.kind == 'd')
            add(is_twin(c.form) ? "&(double){" + number(c.d[k]) + "}" : number(c.d[k]));
        const bool by_address = row_of(c.op).fields[0].name == "adr" && !c.da[k].null;
        if (f.kind == 'D')
            add(array(c.da[k], "double", is_rows(c.op, f.name) ? 3 : 1) +
                (by_address && c.i[0] > 0 ? " - " + number(c.i[0]) : ""));
    }
    const bool gives = in_one || c.op == Op::g5_get_force;
    if (gives) {
        add(c.i[1] & kNullAcc ? "NULL" : "acc");
        add(c.i[1] & kNullPot ? "NULL" : "pot");
    }
    if (in_one) add(count(c.i[0]));
    if (eps2_last) add(array(c.da[1], "double", 1));
    out << "    " << name << "(" << text << ");\n";
    if (gives) out << "    show(\"" << name << "\", 0, " << std::max(0, c.i[0]) << ");\n";
}

void write_call(std::ofstream &out, const Call &c)
{
    if (traits_of(c.op) & kG5) return write_grape5(out, c);
    const std::string name = name_of(c.op, c.form), in = inputs(c);
    if (is_lasthalf(c.op) || c.op == Op::get_force || c.op == Op::get_force_etc) {
        std::string all = in + outputs(c);
        if (in.empty()) all = all.substr(2);
        out << "    r = " << name << "(" << all << ");\n    show(\"" << name << "\", r, "
            << (is_lasthalf(c.op) ? std::max(0, c.i[1]) : 4) << ");\n";
    } else if (c.op == Op::get_neighbour_list) {
        out << "    len = -1, r = " << name << "(" << in << (in.empty() ? "" : ", ")
            << (c.i[2] & kNullAcc ? "NULL" : "&len") << ", "
            << (c.i[2] & kNullJerk ? "NULL" : "nbl") << ");\n    list(r, len, "
            << std::max(0, c.i[1]) << ");\n";
    } else if (c.op == Op::get_predicted || c.op == Op::predict) {
        out << "    r = " << name << "(" << in << (in.empty() ? "" : ", ") << "px, pv);\n";
    } else if (c.op == Op::get_option) {
        out << "    g6_get_option(" << number(c.id) << ", " << quoted(c.text[0]) << ", text, "
            << std::min(c.i[0], 200) << ");\n";
    } else if (c.op == Op::backend_name) {
        out << "    printf(\"backend %s\\n\", " << name << "(" << in << "));\n";
    } else if (!is_call(c.op) || c.op == Op::set_log || c.op == Op::option_row ||
               c.op == Op::get_stats || c.op == Op::get_backend_info ||
               c.op == Op::get_device_info) {
        out << "    // " << to_text(c) << "\n";
    } else {
        out << "    " << name << "(" << in << ");\n";
    }
}

const char *const kHead =
    "#include \"g6lib.h\"\n#include \"gp5util.h\"\n#include <limits.h>\n#include "
    "<math.h>\n#include <stdio.h>\n"
    "static double acc[5000][3], jerk[5000][3], pot[5000], px[5000][3], pv[5000][3];\n"
    "static int nn[5000], flag[5000], nbl[5001], len, r;\n"
    "static float rnnb[5000];\nstatic char text[200];\n"
    "static void show(const char *what, int r, int n)\n{\n"
    "    printf(\"%s: status %d %s\\n\", what, r, r ? g6_last_error() : \"\");\n"
    "    for (int k = 0; k < n; k++)\n"
    "        printf(\"  %d: acc %.9g %.9g %.9g  jerk %.9g %.9g %.9g  pot %.9g  nn %d\\n\", k,\n"
    "               acc[k][0], acc[k][1], acc[k][2], jerk[k][0], jerk[k][1], jerk[k][2], pot[k],\n"
    "               nn[k]);\n}\n"
    "static void list(int r, int n, int most)\n{\n"
    "    printf(\"list: status %d, %d:\", r, n);\n"
    "    for (int k = 0; k < n && k < most; k++) printf(\" %d\", nbl[k]);\n"
    "    printf(\"\\n\");\n}\n";

}  // namespace

void write_c_program(const std::string &file, const std::vector<Call> &calls,
                     const std::string &head)
{
    std::ofstream out(file);
    out << "/*\n" << head << "*/\n" << kHead;
    std::vector<std::string> twins;
    for (const Call &c : calls)
        if (is_twin(c.form) && c.op != Op::multisend_mxfast)
            twins.push_back("int " + name_of(c.op, c.form) + "();\n");
    std::sort(twins.begin(), twins.end());
    twins.erase(std::unique(twins.begin(), twins.end()), twins.end());
    for (const std::string &line : twins) out << line;
    out << "int main(void)\n{\n    (void)show, (void)list, (void)text, (void)r, (void)len;\n";
    for (const Call &c : calls) write_call(out, c);
    out << "    return 0;\n}\n";
}

}  // namespace g6fuzz
