// SPDX-License-Identifier: MIT
// How arguments are read and written: sources disagree in types, and Fortran passes constants.
#include "client.h"
#include "pages.h"
#include "rule.h"

#include <algorithm>
#include <cfenv>
#include <ctime>
#include <limits>

namespace g6check {
namespace {

// A 4-byte integer at the end of a page: a library that reads or writes 8 bytes crashes here.
void hints_of_4_bytes(const Library &library)
{
    int id = 0;
    Page page;
    int *hint = page.last<int>(51);
    page.protect();
    library.open(&id);
    library.set_tunit(hint);
    library.set_xunit(hint);
    if (library.set_sort) library.set_sort(hint);
    if (library.initialize_buffer) library.initialize_buffer(&id, hint);
    if (library.overflow_test) library.overflow_test(hint, hint, hint);
}

void hints_by_value(const Library &library)
{
    int id = 0;
    const auto value = reinterpret_cast<void *>(51);
    library.open(&id);
    library.set_tunit(value);
    library.set_xunit(value);
}

void constants(const Library &library)
{
    Page page;
    int *id = page.add(0), *address = page.add(0), *index = page.add(0), *one = page.add(1);
    double *zero = page.add(0.0), *mass = page.add(1.0), *eps2 = page.add(1.0 / 64);
    page.protect();
    double nil[3] = {0, 0, 0}, x[3] = {2, 0, 0};
    double xi[1][3] = {{0, 0, 0}}, vi[1][3] = {{0, 0, 0}}, old[1][3] = {{1, 1, 1}}, phi[1] = {-1};
    double h2[1] = {0}, acc[1][3], jerk[1][3], pot[1];
    int own[1] = {kForeign};
    library.open(id);
    library.set_j(id, address, index, zero, zero, mass, nil, nil, nil, nil, x);
    library.set_ti(id, zero);
    library.firsthalf(id, one, one, own, xi, vi, old, old, phi, eps2, h2);
    library.lasthalf(id, one, one, own, xi, vi, eps2, h2, acc, jerk, pot);
    library.close(id);
}

void inputs_unwritten(const Library &library)
{
    Page page;
    double *nil = page.add_array(3, 0.0), *x = page.add_array(3, 2.0);
    auto *xi = reinterpret_cast<Rows>(page.add_array(6, 0.5));
    auto *vi = reinterpret_cast<Rows>(page.add_array(6, 0.25));
    auto *old = reinterpret_cast<Rows>(page.add_array(6, 1.0));
    double *phi = page.add_array(2, -1.0), *h2 = page.add_array(2, 0.5);
    int *own = page.add_array(2, kForeign);
    page.protect();
    Client c(library);
    int address = 0, index = 0, nj = 1, ni = 2, nearest[2];
    double zero = 0, mass = 1, eps2 = 0, acc[2][3], jerk[2][3], pot[2];
    library.set_j(c.id(), &address, &index, &zero, &zero, &mass, nil, nil, nil, nil, x);
    library.firsthalf(c.id(), &nj, &ni, own, xi, vi, old, old, phi, &eps2, h2);
    library.lasthalf(c.id(), &nj, &ni, own, xi, vi, &eps2, h2, acc, jerk, pot);
    if (!library.lasthalf2) return;
    library.firsthalf(c.id(), &nj, &ni, own, xi, vi, old, old, phi, &eps2, h2);
    library.lasthalf2(c.id(), &nj, &ni, own, xi, vi, &eps2, h2, acc, jerk, pot, nearest);
}

void outputs_bounded(const Library &library)
{
    Client c(library);
    c.set_all(neutral(16));
    const Answer a = c.run(probes(5), library.lasthalf2 ? Half::kLast2 : Half::kLast);
    for (int k = 5; k < 5 + Answer::kGuard; k++) {
        const bool kept = a.acc[k][0] == Answer::kUnwritten && a.pot[k] == Answer::kUnwritten &&
                          a.jerk[k][2] == Answer::kUnwritten && a.nearest[k] == Answer::kNoIndex;
        expect(kept, "5 i-particles written", "entry " + text(k) + " as well");
    }
}

void null_id(const Library &library)
{
    library.open(nullptr);
    Client c(library, 0, false);
    c.set_all(neutral(4));
    c.run_and_judge(probes(2));
}

void status_zero(const Library &library)
{
    Client c(library);
    JParticle j = body(0, 1, {2, 0, 0});
    int address = 0;
    double ti = 0, dtj = 0;
    expect_equal("g6_open_ returns", 0, library.open(c.id()));
    expect_equal("g6_set_j_particle_ returns", 0,
                 library.set_j(c.id(), &address, &j.index, &j.t, &dtj, &j.mass, j.k18, j.j6, j.a2,
                               j.v, j.x));
    expect_equal("g6_set_ti_ returns", 0, library.set_ti(c.id(), &ti));
    if (library.reset) expect_equal("g6_reset_ returns", 0, library.reset(c.id()));
    expect_equal("g6_close_ returns", 0, library.close(c.id()));
}

// Where arithmetic may meet 0/0: an i-particle that is a j-particle too or lies on one, empty
// slots, and SIMD lanes beyond the last particle.
void caller_traps(const Library &library)
{
    Client c(library);
    auto all = neutral(333);
    for (int k = 0; k < 333; k += 2) c.set(k, all[k]);
    feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
    const int traps = fegetexcept();  // processors of ARM have none
    Block block = probes(40);
    block.eps2 = 0;
    for (int k = 0; k < 40; k += 3) {
        block.index[k] = k;
        if (k % 2 == 0) block.x[k] = {all[k].x[0], all[k].x[1], all[k].x[2]};
    }
    for (double &h2 : block.h2) h2 = 0.25;
    const Answer a = c.run(block, library.lasthalf2 ? Half::kLast2 : Half::kLast);
    if (library.read_list) library.read_list(c.id());
    const int raised = fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
    const int still = fegetexcept();
    fedisableexcept(FE_ALL_EXCEPT);
    expect(raised == 0, "no floating-point flags raised", "flags " + text(raised));
    expect(still == traps, "the caller's traps kept", "others");
    c.judge_acc(a);
}

void wrong_arguments(const Library &library)
{
    Client c(library);
    JParticle j = body(0, 1, {2, 0, 0});
    int address = -1;
    double zero = 0;
    library.set_j(c.id(), &address, &j.index, &j.t, &zero, &j.mass, j.k18, j.j6, j.a2, j.v, j.x);
    c.set(0, j);
    Block block = probes(1);
    block.x[0][1] = std::numeric_limits<double>::quiet_NaN();
    c.run(block, 1);
    c.first(probes(1), -1);
    c.last();
}

// Sends a j-particle with a position that is NaN, and returns the library's status.
int send_nan(const Library &library, Client &c, int address)
{
    JParticle j = body(address, 1, {2, 0, std::numeric_limits<double>::quiet_NaN()});
    double zero = 0;
    return library.set_j(c.id(), &address, &j.index, &j.t, &zero, &j.mass, j.k18, j.j6, j.a2, j.v,
                         j.x);
}

void need_refusal(const Library &library, Client &c)
{
    if (send_nan(library, c, 3) == 0) throw NotOffered{"refuses no j-particle"};
}

void refused_untouched(const Library &library)
{
    Client c(library);
    c.set_all(neutral(8));
    need_refusal(library, c);
    c.run_and_judge(probes(2));
}

// Takes the least CPU time of many tries, on which the load of the machine has little effect.
void refused_cheap(const Library &library)
{
    constexpr int kCalls = 50000, kTries = 20;
    constexpr double kMost = 0.2e-6;  // seconds a call: 0.2 s for a million
    if (library.setting("log") == "debug") throw NotOffered{"G6_LOG=debug has a line for each"};
    Client c(library);
    need_refusal(library, c);
    double best = 1;
    for (int n = 0; n < kTries && best > kMost; n++) {
        timespec from, to;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
        for (int k = 0; k < kCalls; k++) send_nan(library, c, 3);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
        const double spent = static_cast<double>(to.tv_sec - from.tv_sec) +
                             1e-9 * static_cast<double>(to.tv_nsec - from.tv_nsec);
        best = std::min(best, spent / kCalls);
    }
    expect(best <= kMost, "a million refused calls in 0.2 s", text(1e6 * best) + " s");
}

void changed_index(const Library &library)
{
    Client c(library);
    c.set_all(neutral(8));
    c.run(probes(2));
    expect_equal("g6_changed_index_ after a force", -1, library.changed_index(c.id()));
}

}  // namespace

std::vector<Rule> argument_rules()
{
    return {
        {"hints-4-bytes",
         "units and modes are 4-byte constants: 8 bytes must not be read, nor any written",
         hints_of_4_bytes, kShared},
        {"hints-by-value", "some sources pass units by value", hints_by_value, kShared},
        {"constants-unwritten", "gfortran passes literal integers from read-only memory", constants,
         kShared},
        {"inputs-unwritten", "index, xi, vi, h2 and old values belong to the caller",
         inputs_unwritten},
        {"outputs-only-ni", "entries behind ni belong to the caller", outputs_bounded},
        {"id-null", "a sapporo2 test calls g6_open_(0): NULL is id 0", null_id, kShared},
        {"status-zero", "calls that some source declares as int return 0", status_zero, kShared},
        {"traps-unharmed", "Fortran codes are built with -ffpe-trap: no exception reaches them",
         caller_traps},
        {"refused-untouched", "a refused j-particle changes neither its own slot nor another",
         refused_untouched},
        {"refused-cheap", "codes that ignore status codes send a refused j-particle each step",
         refused_cheap, kShared},
        {"changed-index", "NBODY4 stops when a pipe's scale was changed: -1 stands for none",
         changed_index},
        {"never-exits", "a wrong argument must not end the application", wrong_arguments},
    };
}

}  // namespace g6check
