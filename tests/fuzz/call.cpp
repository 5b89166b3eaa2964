// SPDX-License-Identifier: MIT
// Gives calls their names, forms and fields, and turns a call into one line of text and back,
// without a change in any bit.
#include "call.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace g6fuzz {
namespace {

std::vector<Field> fields_of(const char *text)
{
    std::vector<Field> fields;
    std::istringstream words(text);
    for (std::string word; words >> word;) fields.push_back({word[0], word.substr(2)});
    return fields;
}

void put(std::string &out, int value)
{
    out += std::to_string(value);
}

// Takes the fewest of 6, 12 and 17 digits that are exact: 0.5 and not 0.50000000000000000.
void put(std::string &out, double value)
{
    char text[40];
    for (int digits : {6, 12, 17}) {
        std::snprintf(text, sizeof text, "%.*g", digits, value);
        if (std::strtod(text, nullptr) == value) break;
    }
    out += text;
}

// Characters that occur in settings stand as they are, all others as %hex.
void put(std::string &out, char c)
{
    char text[8];
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
    std::snprintf(text, sizeof text, plain ? "%c" : "%%%02x", static_cast<unsigned char>(c));
    out += text;
}

template <class T> void put(std::string &out, const Array<T> &a)
{
    if (a.null) {
        out += "NULL";
        return;
    }
    if (sizeof(T) > 1) out += '[';
    for (size_t k = 0; k < a.v.size(); k++) {
        if (k && sizeof(T) > 1) out += ',';
        put(out, a.v[k]);
    }
    if (sizeof(T) > 1) out += ']';
}

void get(const std::string &text, int &value)
{
    value = static_cast<int>(std::strtol(text.c_str(), nullptr, 10));
}

void get(const std::string &text, double &value)
{
    value = std::strtod(text.c_str(), nullptr);
}

template <class T> void get(const std::string &text, Array<T> &a)
{
    a.v.clear();
    a.null = text == "NULL";
    if (a.null) return;
    std::string inner = text.substr(1, text.size() - 2), item;
    std::istringstream items(inner);
    while (std::getline(items, item, ',')) {
        T value;
        get(item, value);
        a.v.push_back(value);
    }
}

void get(const std::string &text, Array<char> &a)
{
    a.v.clear();
    a.null = text == "NULL";
    for (size_t k = 0; !a.null && k < text.size(); k++) {
        if (text[k] != '%') {
            a.v.push_back(text[k]);
        } else {
            a.v.push_back(
                static_cast<char>(std::strtol(text.substr(k + 1, 2).c_str(), nullptr, 16)));
            k += 2;
        }
    }
}

// Calls f(k, field) for each field, which is number k among those of its kind.
template <class F> void each_field(Op op, F &&f)
{
    int count[256] = {};
    for (const Field &field : row_of(op).fields)
        f(count[static_cast<unsigned char>(field.kind)]++, field);
}

const char *const kFormEnd[kForms] = {"", "_", "__", "_all", "_all_", "_all__"};

}  // namespace

void Call::set_text(int k, const char *value)
{
    text[k].null = value == nullptr;
    const char *from = value ? value : "";
    text[k].v.assign(from, from + std::strlen(from));
}

const CallRow &row_of(Op op)
{
    static const std::vector<CallRow> rows = {
#define G6FUZZ_ROW(op, name, traits, fields) {name, traits, fields_of(fields)},
        G6FUZZ_CALLS(G6FUZZ_ROW)
#undef G6FUZZ_ROW
    };
    return rows[static_cast<size_t>(op)];
}

std::string name_of(Op op, Form form)
{
    if (!is_call(op)) return row_of(op).name;
    if (op == Op::get_device_count) return "get_device_count";
    return std::string("g6") + row_of(op).name + kFormEnd[static_cast<int>(form)];
}

bool has_form(Op op, Form form)
{
    const int traits = traits_of(op);
    return (!is_twin(form) || traits & kTwin) && (!is_all(form) || traits & kAll) &&
           (is_twin(form) || !(traits & kNoPlain));
}

std::string to_text(const Call &c)
{
    std::string out = name_of(c.op, c.form);
    if (traits_of(c.op) & kId && !is_all(c.form))
        out += " id=" + (c.null_id ? "NULL" : std::to_string(c.id));
    each_field(c.op, [&](int k, const Field &field) {
        out += " " + field.name + "=";
        switch (field.kind) {
        case 'i': put(out, c.i[k]); break;
        case 'd': put(out, c.d[k]); break;
        case 'I': put(out, c.ia[k]); break;
        case 'D': put(out, c.da[k]); break;
        default: put(out, c.text[k]);
        }
    });
    return out;
}

Call call_of(const std::string &line)
{
    std::istringstream words(line);
    std::string name, word;
    words >> name;
    Call c;
    bool found = false;
    for (int op = 0; op < kOps && !found; op++)
        for (int form = 0; form < kForms && !found; form++) {
            c.op = static_cast<Op>(op), c.form = static_cast<Form>(form);
            found = has_form(c.op, c.form) && name_of(c.op, c.form) == name;
        }
    if (!found) throw std::runtime_error("no such call: " + name);
    const auto next = [&](const std::string &field) {
        if (!(words >> word) || word.compare(0, field.size() + 1, field + "=") != 0)
            throw std::runtime_error(name + ": " + field + "=... expected, not " + word);
        return word.substr(field.size() + 1);
    };
    if (traits_of(c.op) & kId && !is_all(c.form)) {
        const std::string id = next("id");
        c.null_id = id == "NULL";
        if (!c.null_id) get(id, c.id);
    }
    each_field(c.op, [&](int k, const Field &field) {
        const std::string value = next(field.name);
        switch (field.kind) {
        case 'i': get(value, c.i[k]); break;
        case 'd': get(value, c.d[k]); break;
        case 'I': get(value, c.ia[k]); break;
        case 'D': get(value, c.da[k]); break;
        default: get(value, c.text[k]);
        }
    });
    return c;
}

std::vector<Call> read_calls(const std::string &file)
{
    std::ifstream in(file);
    if (!in) throw std::runtime_error(file + " cannot be read");
    std::vector<Call> calls;
    for (std::string line; std::getline(in, line);)
        if (!line.empty() && line[0] != '#') calls.push_back(call_of(line));
    return calls;
}

void write_calls(const std::string &file, const std::vector<Call> &calls, const std::string &head)
{
    std::ofstream out(file);
    out << head;
    for (const Call &c : calls) out << to_text(c) << "\n";
}

}  // namespace g6fuzz
