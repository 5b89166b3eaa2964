// SPDX-License-Identifier: MIT
// One public call with all of its arguments as plain data.  The generator makes it, the library and
// the model take it, and a file holds it as a line.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace g6fuzz {

// Every call of g6lib.h, and three rows that are no calls of the library: environment
// sets G6_KEY before the library's first call, traps arms floating-point traps for the calls that
// follow, as Fortran codes do, and fault tells a fake backend to lose a device.
// Columns: the name without g6, its traits (see Trait), its fields.
// Fields: i int, d double, I int array, D double array, s text; arrays and texts may be NULL.
// "out" is a set of OutBits.
// clang-format off
#define G6FUZZ_CALLS(row)                                                                                        \
    row(open,                         "_open",                         kId | kTwin | kAll, "")                   \
    row(close,                        "_close",                        kId | kTwin | kAll, "")                   \
    row(npipes,                       "_npipes",                       kTwin | kAsks, "")                        \
    row(get_number_of_pipelines,      "_get_number_of_pipelines",      kTwin | kAsks, "")                        \
    row(reset,                        "_reset",                        kId | kTwin, "")                          \
    row(reset_fofpga,                 "_reset_fofpga",                 kId | kTwin, "")                          \
    row(reinitialize,                 "_reinitialize",                 kId | kTwin, "")                          \
    row(set_tunit,                    "_set_tunit",                    kTwin | kAsks, "i:unit")                  \
    row(set_xunit,                    "_set_xunit",                    kTwin | kAsks, "i:unit")                  \
    row(set_ti,                       "_set_ti",                       kId | kTwin | kAll, "d:ti")               \
    row(set_j_particle,               "_set_j_particle",               kId | kTwin | kAll,                       \
        "i:address i:index d:tj d:dtj d:mass D:a2by18 D:a1by6 D:aby2 D:v D:x")                                   \
    row(set_j_particle_mxonly,        "_set_j_particle_mxonly",        kId | kTwin | kAll,                       \
        "i:address i:index d:mass D:x")                                                                          \
    row(multisend_mxfast,             "_set_j_particle_multisend_mxfast", kId | kTwin | kNoPlain,                \
        "i:nclusters i:address i:index d:mass D:x")                                                              \
    row(firsthalf,                    "calc_firsthalf",                kId | kTwin | kAll,                       \
        "i:nj i:ni I:index D:xi D:vi D:aold D:j6old D:phiold d:eps2 D:h2")                                       \
    row(firsthalf0,                   "calc_firsthalf0",               kId | kTwin | kAll,                       \
        "i:nj i:ni I:index D:xi D:vi D:aold D:j6old D:phiold D:eps2 D:h2 i:mode")                                \
    row(lasthalf,                     "calc_lasthalf",                 kId | kTwin | kAll,                       \
        "i:nj i:ni I:index D:xi D:vi d:eps2 D:h2 i:out")                                                         \
    row(lasthalf0,                    "calc_lasthalf0",                kId | kTwin | kAll,                       \
        "i:nj i:ni I:index D:xi D:vi D:eps2 D:h2 i:mode i:out")                                                  \
    row(lasthalf2,                    "calc_lasthalf2",                kId | kTwin | kAll,                       \
        "i:nj i:ni I:index D:xi D:vi d:eps2 D:h2 i:out")                                                         \
    row(lasthalfn,                    "calc_lasthalfn",                kId | kTwin,                              \
        "i:nj i:ni I:index D:xi D:vi d:eps2 D:h2 i:out")                                                         \
    row(lasthalf2n,                   "calc_lasthalf2n",               kId | kTwin,                              \
        "i:nj i:ni I:index D:xi D:vi d:eps2 D:h2 i:out")                                                         \
    row(lasthalf2p,                   "calc_lasthalf2p",               kId | kTwin,                              \
        "i:nj i:ni I:index D:xi D:vi d:eps2 D:h2 i:out")                                                         \
    row(lasthalf2np,                  "calc_lasthalf2np",              kId | kTwin,                              \
        "i:nj i:ni I:index D:xi D:vi d:eps2 D:h2 i:out")                                                         \
    row(read_neighbour_list,          "_read_neighbour_list",          kId | kTwin | kAll, "")                   \
    row(read_neighbour_list_old,      "_read_neighbour_list_old",      kId | kTwin, "")                          \
    row(get_neighbour_list,           "_get_neighbour_list",           kId | kTwin | kAll,                       \
        "i:ipipe i:maxlength i:out")                                                                             \
    row(set_neighbour_list_sort_mode, "_set_neighbour_list_sort_mode", kTwin | kAsks, "i:mode")                  \
    row(get_neighbour_list_sort_mode, "_get_neighbour_list_sort_mode", kTwin | kAsks, "")                        \
    row(initialize_jp_buffer,         "_initialize_jp_buffer",         kId | kTwin | kAsks, "i:size")            \
    row(flush_jp_buffer,              "_flush_jp_buffer",              kId | kTwin | kAsks, "")                  \
    row(setup_njdata,                 "_setup_njdata",                 kId | kTwin | kAsks, "i:nj")              \
    row(set_overflow_flag_test_mode,  "_set_overflow_flag_test_mode",  kTwin | kAsks, "i:a i:j i:p")             \
    row(print_chip_status,            "_print_chip_status",            kId | kTwin | kAsks, "")                  \
    row(flush_and_multisend,          "_flush_jp_buffer_and_multisend", kId | kTwin | kAsks, "i:nclusters")      \
    row(set_nip,                      "_set_nip",                      kId | kTwin | kAll, "i:nip")              \
    row(set_njp,                      "_set_njp",                      kId | kTwin | kAll, "i:njp")              \
    row(set_i_particle_scales,        "_set_i_particle_scales_from_real_value", kId | kTwin | kAll | kAsks,      \
        "i:address D:acc D:jerk d:phi d:jfactor d:ffactor")                                                      \
    row(set_i_particle,               "_set_i_particle",               kId | kTwin | kAll,                       \
        "i:address i:index D:x D:v d:eps2 d:h2")                                                                 \
    row(get_force,                    "_get_force",                    kId | kTwin | kAll, "i:out")              \
    row(get_force_etc,                "_get_force_etc",                kId | kTwin | kAll, "i:out")              \
    row(get_predicted,                "_get_predicted_j_particles",    kId | kTwin | kAll, "i:nj i:out")         \
    row(getnjmax,                     "_getnjmax",                     kId | kTwin | kAll | kAsks, "")           \
    row(open_special,                 "_open_special",                 kAsks, "i:ngpu I:list")                   \
    row(open_special2,                "_open_special2",                kAsks, "i:ngpu I:list i:nmax")            \
    row(get_device_count,             "",                              kAsks, "")                                \
    row(version,                      "_version",                      kAsks, "")                                \
    row(last_error,                   "_last_error",                   kAsks, "")                                \
    row(status_text,                  "_status_text",                  kAsks, "i:status")                        \
    row(status_remedy,                "_status_remedy",                kAsks, "i:status")                        \
    row(set_j_particles,              "_set_j_particles",              kId,                                      \
        "i:n I:address I:index D:t D:mass D:k18 D:j6 D:a2 D:v D:x")                                              \
    row(set_j_softening,              "_set_j_softening",              kId, "i:n I:address D:eps2")                \
    row(predict,                      "_predict",                      kId | kAsks, "i:nj i:out")                \
    row(set_mode,                     "_set_mode",                     kId, "s:mode")                            \
    row(set_option,                   "_set_option",                   kId, "s:key s:value")                     \
    row(get_option,                   "_get_option",                   kId | kAsks, "s:key i:size i:out")        \
    row(option_row,                   "_option_row",                   kAsks, "i:row i:out")                     \
    row(backend_name,                 "_backend_name",                 kId | kAsks, "")                          \
    row(set_log,                      "_set_log",                      kAsks, "i:kind i:level")                  \
    row(get_backend_info,             "_get_backend_info",             kAsks, "i:n i:size")                      \
    row(get_device_info,              "_get_device_info",              kAsks, "i:n i:device i:size")             \
    row(devices_for,                  "_devices_for",                  kId | kAsks, "i:nj i:ni")                 \
    row(get_stats,                    "_get_stats",                    kId | kAsks, "i:size")                    \
    row(environment,                  "environment",                   0, "s:key s:value")                       \
    row(traps,                        "traps",                         0, "i:on")                                \
    row(fault,                        "fault",                         0, "i:device i:call i:count")
// clang-format on

enum class Op {
#define G6FUZZ_ROW(op, name, traits, fields) op,
    G6FUZZ_CALLS(G6FUZZ_ROW)
#undef G6FUZZ_ROW
};
#define G6FUZZ_ROW(op, name, traits, fields) +1
constexpr int kOps = 0 G6FUZZ_CALLS(G6FUZZ_ROW);
#undef G6FUZZ_ROW

// kId: a call of one cluster, by its id.  kTwin: Fortran names g6_x_ and g6_x__ call it, too.
// kAll: g6_x_all calls it without an id.  kNoPlain: it has no C name g6_x.
// kAsks: it leaves particles, time and settings of sums as they are; made in the step kQuery.
enum Trait : int { kId = 1, kTwin = 2, kAll = 4, kNoPlain = 8, kAsks = 16 };

// kPlain g6_x, kTwin1 g6_x_, kTwin2 g6_x__, and the same of g6_x_all.
enum class Form { kPlain, kTwin1, kTwin2, kAllPlain, kAllTwin1, kAllTwin2 };
constexpr int kForms = 6;
inline bool is_all(Form f)
{
    return f >= Form::kAllPlain;
}
inline bool is_twin(Form f)
{
    return f != Form::kPlain && f != Form::kAllPlain;
}

// Bits of the field "out": outputs that are NULL, and outputs that share memory.
enum OutBits : int {
    kNullAcc = 1,
    kNullJerk = 2,
    kNullPot = 4,
    kNullNearest = 8,
    kNullDistance = 16,
    kNullFlag = 32,
    kAccIsJerk = 64,  // one buffer for both
    kIntoOld = 128,   // acc, jerk, pot are the arrays aold, j6old, phiold of firsthalf
};
// Of get_neighbour_list, predict, get_option and option_row: kNullAcc for the first output,
// kNullJerk for the second, kNullPot for the third.

template <class T> struct Array {
    std::vector<T> v;
    bool null = false;
    const T *data() const { return null ? nullptr : v.data(); }
};

struct Call {
    Op op = Op::open;
    Form form = Form::kPlain;
    bool null_id = false;  // twins: the id's pointer is NULL, which counts as 0
    int id = 0;
    // The fields in the table's order, each kind for itself.
    std::array<int, 4> i{};
    std::array<double, 4> d{};
    std::array<Array<int>, 2> ia;
    std::array<Array<double>, 7> da;
    std::array<Array<char>, 2> text;

    void set_text(int k, const char *value);
    std::string get_text(int k) const { return {text[k].v.begin(), text[k].v.end()}; }
    int named_id() const { return null_id ? 0 : id; }
};

struct Field {
    char kind;
    std::string name;
};

struct CallRow {
    const char *name;  // without the leading g6
    int traits;
    std::vector<Field> fields;
};
const CallRow &row_of(Op op);
inline int traits_of(Op op)
{
    return row_of(op).traits;
}

// "g6_set_ti_all_".
std::string name_of(Op op, Form form);
inline bool is_call(Op op)
{
    return op != Op::environment && op != Op::traps && op != Op::fault;
}
// Whether the header has the call in this form.
bool has_form(Op op, Form form);

// Position of the n-th field of its kind, for readable access to Call's arrays.
std::string to_text(const Call &call);
// Throws std::runtime_error for a line that is no call.
Call call_of(const std::string &line);
std::vector<Call> read_calls(const std::string &file);
void write_calls(const std::string &file, const std::vector<Call> &calls, const std::string &head);

}  // namespace g6fuzz
