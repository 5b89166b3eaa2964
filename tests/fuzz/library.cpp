// SPDX-License-Identifier: MIT
// Makes the calls with the arguments of a Call.  Input arrays are copies that are compared after
// the call, and each output array has one row more than the call may write, so that a write beyond
// its end shows.
#include "library.h"

#include "block_args.h"
#include "fault.h"
#include "library_space.h"
#include "twins.h"

#include <algorithm>
#include <cfenv>

namespace g6fuzz {
namespace {

using Rows = double (*)[3];
Rows rows(double *p)
{
    return reinterpret_cast<Rows>(p);
}
Rows rows(const Array<double> &a)
{
    return rows(const_cast<double *>(a.data()));
}
double *data(const Array<double> &a)
{
    return const_cast<double *>(a.data());
}

// Arms floating-point traps while it lives, and then restores those of the caller.
class Traps {
public:
    explicit Traps(bool on)
    {
        std::feclearexcept(FE_ALL_EXCEPT);
        before_ = feenableexcept(0);
        if (on) feenableexcept(kTraps);
        set_ = fegetexcept();
    }
    ~Traps()
    {
        fedisableexcept(FE_ALL_EXCEPT);
        feenableexcept(before_);
        std::feclearexcept(FE_ALL_EXCEPT);
    }
    bool kept() const { return fegetexcept() == set_; }

private:
    static constexpr int kTraps = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
    int before_, set_;
};

}  // namespace

Library::Library() : space_(new Space) {}
Library::~Library()
{
    g6_set_log(nullptr, 0, nullptr);
    delete space_;
}

const Answer &Library::make(const Call &c, int rows)
{
    answer_ = Answer{};
    const Traps traps(traps_);
    dispatch(c, rows);
    if (!traps.kept()) answer_.complaint = "the caller's floating-point traps were changed";
    return answer_;
}

void Library::dispatch(const Call &c, int rows)
{
    switch (c.op) {
    case Op::firsthalf:
    case Op::firsthalf0:
    case Op::lasthalf:
    case Op::lasthalf0:
    case Op::lasthalf2:
    case Op::lasthalfn:
    case Op::lasthalf2n:
    case Op::lasthalf2p:
    case Op::lasthalf2np: call_block(c); break;
    case Op::get_force:
    case Op::get_force_etc: call_force(c, rows); break;
    case Op::get_neighbour_list: call_list(c); break;
    case Op::get_predicted:
    case Op::predict: call_prediction(c); break;
    case Op::set_j_particle:
    case Op::set_j_particle_mxonly:
    case Op::multisend_mxfast:
    case Op::set_j_particles:
    case Op::set_j_softening:
    case Op::set_i_particle:
    case Op::set_i_particle_scales: call_particle(c); break;
    case Op::version:
    case Op::last_error:
    case Op::status_text:
    case Op::status_remedy:
    case Op::set_mode:
    case Op::set_option:
    case Op::get_option:
    case Op::option_row:
    case Op::backend_name:
    case Op::set_log: call_text(c); break;
    case Op::get_backend_info:
    case Op::get_device_info:
    case Op::get_stats: call_struct(c); break;
    case Op::traps:
        traps_ = c.i[0] != 0;
        answer_.has_status = false;
        break;
    case Op::fault:
        lose_device(c.i[0], c.i[1], c.i[2]);
        answer_.has_status = false;
        break;
    default: call_simple(c);
    }
}

void Library::call_block(const Call &c)
{
    Space &s = *space_;
    const BlockArgs a = block_args(c);
    const size_t n = static_cast<size_t>(std::max(a.ni, 0));
    int *index = s.index.take(a.index, n);
    double *x = s.x.take(a.x, 3 * n), *v = s.v.take(a.v, 3 * n), *h2 = s.h2.take(a.h2, n);
    double *eps2 = s.eps2.take(a.eps2, std::max<size_t>(a.each ? n : 1, 1));
    if (is_firsthalf(c.op)) {
        double *ao = s.aold.take(a.aold, 3 * n), *jo = s.j6old.take(a.j6old, 3 * n),
               *po = s.phiold.take(a.phiold, n);
        const auto x3 = rows(x), v3 = rows(v), ao3 = rows(ao), jo3 = rows(jo);
        const int nj = a.nj, ni = a.ni, mode = c.i[2];
        if (c.op == Op::firsthalf)
            G6FUZZ_CALL_ALL(g6calc_firsthalf, nj, ni, index, x3, v3, ao3, jo3, po, *eps2, h2);
        else
            G6FUZZ_CALL_ALL(g6calc_firsthalf0, nj, ni, index, x3, v3, ao3, jo3, po, eps2, h2, mode);
        answer_.has_status = false;
        if (!s.inputs_unchanged()) answer_.complaint = "an input of firsthalf was written";
        s.spoil_inputs();
        return;
    }
    s.aold.from = s.j6old.from = s.phiold.from = nullptr;
    s.clear_outputs(n + 1);
    std::vector<double> *acc_at = &s.acc, *jerk_at = &s.jerk, *pot_at = &s.pot;
    if (a.out & kIntoOld) {
        acc_at = &s.aold.copy, jerk_at = &s.j6old.copy, pot_at = &s.phiold.copy;
        acc_at->assign(3 * n + 3, kUntouched), jerk_at->assign(3 * n + 3, kUntouched);
        pot_at->assign(n + 1, kUntouched);
    }
    if (a.out & kAccIsJerk) jerk_at = acc_at;
    double *acc = a.out & kNullAcc ? nullptr : acc_at->data();
    double *jerk = a.out & kNullJerk ? nullptr : jerk_at->data();
    double *pot = a.out & kNullPot ? nullptr : pot_at->data();
    int *nn = a.out & kNullNearest ? nullptr : s.nearest.data();
    float *far = a.out & kNullDistance ? nullptr : s.distance.data();
    const auto x3 = rows(x), v3 = rows(v), acc3 = rows(acc), jerk3 = rows(jerk);
    const int nj = a.nj, ni = a.ni, mode = c.i[2];
    const double e = eps2 ? *eps2 : 0;
    int &status = answer_.status;
#define ARGS nj, ni, index, x3, v3, e, h2, acc3, jerk3, pot
    switch (c.op) {
    case Op::lasthalf: status = G6FUZZ_CALL_ALL(g6calc_lasthalf, ARGS); break;
    case Op::lasthalf0:
        status = G6FUZZ_CALL_ALL(g6calc_lasthalf0, nj, ni, index, x3, v3, eps2, h2, acc3, jerk3,
                                 pot, mode);
        break;
    case Op::lasthalf2: status = G6FUZZ_CALL_ALL(g6calc_lasthalf2, ARGS, nn); break;
    case Op::lasthalfn: status = G6FUZZ_CALL_ID(g6calc_lasthalfn, ARGS); break;
    case Op::lasthalf2n: status = G6FUZZ_CALL_ID(g6calc_lasthalf2n, ARGS, nn); break;
    case Op::lasthalf2p: status = G6FUZZ_CALL_ID(g6calc_lasthalf2p, ARGS, nn, far); break;
    default: status = G6FUZZ_CALL_ID(g6calc_lasthalf2np, ARGS, nn, far);
    }
#undef ARGS
    if (!s.inputs_unchanged()) answer_.complaint = "an input of lasthalf was written";
    answer_.rows = static_cast<int>(n) + 1;
    answer_.acc = acc, answer_.jerk = acc == jerk ? nullptr : jerk, answer_.pot = pot;
    if (has_nearest(c.op)) answer_.nearest = nn;
    if (has_distance(c.op)) answer_.distance = far;
    if (status) answer_.text = g6_last_error();
}

void Library::call_force(const Call &c, int n)
{
    Space &s = *space_;
    s.clear_outputs(static_cast<size_t>(n) + 1);
    const int out = c.i[0];
    double *acc = out & kNullAcc ? nullptr : s.acc.data(),
           *pot = out & kNullPot ? nullptr : s.pot.data();
    double *jerk = out & kNullJerk ? nullptr : out & kAccIsJerk ? acc : s.jerk.data();
    int *nn = out & kNullNearest ? nullptr : s.nearest.data();
    int *flag = out & kNullFlag ? nullptr : s.flag.data();
    const auto acc3 = rows(acc), jerk3 = rows(jerk);
    answer_.status = c.op == Op::get_force
                         ? G6FUZZ_CALL_ALL(g6_get_force, acc3, jerk3, pot, flag)
                         : G6FUZZ_CALL_ALL(g6_get_force_etc, acc3, jerk3, pot, nn, flag);
    answer_.rows = n + 1;
    answer_.acc = acc, answer_.jerk = acc == jerk ? nullptr : jerk, answer_.pot = pot;
    if (c.op == Op::get_force_etc) answer_.nearest = nn;
    answer_.flag = flag;
    if (answer_.status) answer_.text = g6_last_error();
}

void Library::call_list(const Call &c)
{
    Space &s = *space_;
    const int most = c.i[1];
    s.list.assign(static_cast<size_t>(std::max(most, 0)) + 1, kUntouchedInt);
    int *length = c.i[2] & kNullAcc ? nullptr : &answer_.length;
    int *list = c.i[2] & kNullJerk ? nullptr : s.list.data();
    const int pipe = c.i[0];
    answer_.status = G6FUZZ_CALL_ALL(g6_get_neighbour_list, pipe, most, length, list);
    answer_.list = s.list.data();
    answer_.rows = static_cast<int>(s.list.size());
    if (answer_.status) answer_.text = g6_last_error();
}

void Library::call_prediction(const Call &c)
{
    Space &s = *space_;
    const int nj = c.i[0];
    s.clear_outputs(static_cast<size_t>(std::max(nj, 0)) + 1);
    const auto x = c.i[1] & kNullAcc ? nullptr : rows(s.acc.data()),
               v = c.i[1] & kNullJerk ? nullptr : rows(s.jerk.data());
    answer_.status = c.op == Op::predict ? g6_predict(c.id, nj, x, v)
                                         : G6FUZZ_CALL_ALL(g6_get_predicted_j_particles, nj, x, v);
    answer_.rows = std::max(nj, 0) + 1;
    answer_.x = x ? s.acc.data() : nullptr, answer_.v = v ? s.jerk.data() : nullptr;
    if (answer_.status) answer_.text = g6_last_error();
}

void Library::call_particle(const Call &c)
{
    const int address = c.i[0], index = c.i[1];
    int &status = answer_.status;
    switch (c.op) {
    case Op::set_j_particle: {
        const double tj = c.d[0], dtj = c.d[1], mass = c.d[2];
        status = G6FUZZ_CALL_ALL(g6_set_j_particle, address, index, tj, dtj, mass, data(c.da[0]),
                                 data(c.da[1]), data(c.da[2]), data(c.da[3]), data(c.da[4]));
        break;
    }
    case Op::set_j_particle_mxonly: {
        const double mass = c.d[0];
        status = G6FUZZ_CALL_ALL(g6_set_j_particle_mxonly, address, index, mass, data(c.da[0]));
        break;
    }
    case Op::multisend_mxfast: {
        int id = c.id, clusters = c.i[0], where = c.i[1], who = c.i[2];
        double mass = c.d[0];
        auto *f = c.form == Form::kTwin1 ? g6_set_j_particle_multisend_mxfast_
                                         : g6_set_j_particle_multisend_mxfast__;
        status = f(c.null_id ? nullptr : &id, &clusters, &where, &who, &mass, data(c.da[0]));
        break;
    }
    case Op::set_j_particles:
        status = g6_set_j_particles(c.id, c.i[0], c.ia[0].data(), c.ia[1].data(), c.da[0].data(),
                                    c.da[1].data(), rows(c.da[2]), rows(c.da[3]), rows(c.da[4]),
                                    rows(c.da[5]), rows(c.da[6]));
        break;
    case Op::set_j_softening:
        status = g6_set_j_softening(c.id, c.i[0], c.ia[0].data(), c.da[0].data());
        break;
    case Op::set_i_particle: {
        const double eps2 = c.d[0], h2 = c.d[1];
        G6FUZZ_CALL_ALL(g6_set_i_particle, address, index, data(c.da[0]), data(c.da[1]), eps2, h2);
        answer_.has_status = false;
        break;
    }
    default: {
        const double phi = c.d[0], jfactor = c.d[1], ffactor = c.d[2];
        G6FUZZ_CALL_ALL(g6_set_i_particle_scales_from_real_value, address, data(c.da[0]),
                        data(c.da[1]), phi, jfactor, ffactor);
        answer_.has_status = false;
    }
    }
    if (answer_.has_status && status) answer_.text = g6_last_error();
}

void Library::call_simple(const Call &c)
{
    int &status = answer_.status;
    const int n = c.i[0];
    switch (c.op) {
    case Op::open: status = G6FUZZ_CALL_ALL(g6_open); break;
    case Op::close: status = G6FUZZ_CALL_ALL(g6_close); break;
    case Op::npipes: status = G6FUZZ_CALL(g6_npipes); break;
    case Op::get_number_of_pipelines: status = G6FUZZ_CALL(g6_get_number_of_pipelines); break;
    case Op::reset: status = G6FUZZ_CALL_ID(g6_reset); break;
    case Op::reset_fofpga: status = G6FUZZ_CALL_ID(g6_reset_fofpga); break;
    case Op::reinitialize: status = G6FUZZ_CALL_ID(g6_reinitialize); break;
    case Op::set_tunit: status = G6FUZZ_CALL(g6_set_tunit, n); break;
    case Op::set_xunit: status = G6FUZZ_CALL(g6_set_xunit, n); break;
    case Op::set_ti: {
        const double ti = c.d[0];
        status = G6FUZZ_CALL_ALL(g6_set_ti, ti);
        break;
    }
    case Op::read_neighbour_list: status = G6FUZZ_CALL_ALL(g6_read_neighbour_list); break;
    case Op::read_neighbour_list_old: status = G6FUZZ_CALL_ID(g6_read_neighbour_list_old); break;
    case Op::set_neighbour_list_sort_mode:
        status = G6FUZZ_CALL(g6_set_neighbour_list_sort_mode, n);
        break;
    case Op::get_neighbour_list_sort_mode:
        status = G6FUZZ_CALL(g6_get_neighbour_list_sort_mode);
        break;
    case Op::initialize_jp_buffer: status = G6FUZZ_CALL_ID(g6_initialize_jp_buffer, n); break;
    case Op::flush_jp_buffer: status = G6FUZZ_CALL_ID(g6_flush_jp_buffer); break;
    case Op::setup_njdata: status = G6FUZZ_CALL_ID(g6_setup_njdata, n); break;
    case Op::set_overflow_flag_test_mode: {
        const int j = c.i[1], p = c.i[2];
        status = G6FUZZ_CALL(g6_set_overflow_flag_test_mode, n, j, p);
        break;
    }
    case Op::print_chip_status: status = G6FUZZ_CALL_ID(g6_print_chip_status); break;
    case Op::flush_and_multisend:
        status = G6FUZZ_CALL_ID(g6_flush_jp_buffer_and_multisend, n);
        break;
    case Op::set_nip:
        G6FUZZ_CALL_ALL(g6_set_nip, n);
        answer_.has_status = false;
        break;
    case Op::set_njp:
        G6FUZZ_CALL_ALL(g6_set_njp, n);
        answer_.has_status = false;
        break;
    case Op::getnjmax: status = G6FUZZ_CALL_ALL(g6_getnjmax); break;
    case Op::devices_for: status = g6_devices_for(c.id, n, c.i[1]); break;
    case Op::open_special: status = g6_open_special(n, const_cast<int *>(c.ia[0].data())); break;
    case Op::open_special2:
        status = g6_open_special2(n, const_cast<int *>(c.ia[0].data()), c.i[1]);
        break;
    default: status = get_device_count();
    }
    if (status < 0) answer_.text = g6_last_error();
}

}  // namespace g6fuzz
