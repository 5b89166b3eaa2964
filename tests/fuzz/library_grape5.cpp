// SPDX-License-Identifier: MIT
// The g5 calls.
#include "library.h"

#include "library_space.h"
#include "twins.h"

#include <algorithm>
#include <limits>

namespace g6fuzz {
namespace {

using Rows = double (*)[3];

// What a client has in memory: element adr is the first of the array's, and those before it are not
// to be read.
class ByAddress {
public:
    ByAddress(const Array<double> &a, int adr, int width) : null_(a.null)
    {
        constexpr int kMost = 1 << 16;
        const size_t before = adr > 0 && adr < kMost ? static_cast<size_t>(adr * width) : 0;
        values_.assign(before, std::numeric_limits<double>::quiet_NaN());
        values_.insert(values_.end(), a.v.begin(), a.v.end());
        values_.push_back(0);  // so that data() of nothing is a pointer, too
        copy_ = values_;
    }
    double *data() { return null_ ? nullptr : values_.data(); }
    Rows rows() { return reinterpret_cast<Rows>(data()); }
    bool unchanged() const
    {
        return std::memcmp(values_.data(), copy_.data(), values_.size() * sizeof(double)) == 0;
    }

private:
    bool null_;
    std::vector<double> values_, copy_;
};

}  // namespace

void Library::set_grape5(const Call &c)
{
    const int adr = c.i[0], nj = c.i[1];
    const bool mass_first = c.op == Op::g5_set_jp || c.op == Op::g5_set_mj;
    ByAddress first(c.da[0], adr, mass_first ? 1 : 3), second(c.da[1], adr, mass_first ? 3 : 1);
    ByAddress third(c.da[2], adr, 1);
    switch (c.op) {
    case Op::g5_set_xmj0:
        G6FUZZ_CALL_MC0(g5_set_xmj, adr, nj, first.rows(), second.data(), third.data());
        break;
    case Op::g5_set_xmj: G6FUZZ_CALL_MC(g5_set_xmj, adr, nj, first.rows(), second.data()); break;
    case Op::g5_set_jp: G6FUZZ_CALL_MC(g5_set_jp, adr, nj, first.data(), second.rows()); break;
    case Op::g5_set_mj: G6FUZZ_CALL_MC(g5_set_mj, adr, nj, first.data()); break;
    default: G6FUZZ_CALL_MC(g5_set_xj, adr, nj, first.rows());
    }
    if (!first.unchanged() || !second.unchanged() || !third.unchanged())
        answer_.complaint = "an input was written";
}

void Library::call_grape5(const Call &c)
{
    const int n = c.i[0];
    Space &s = *space_;
    ByAddress x(c.da[0], 0, 3), eps2(c.da[1], 0, 1), h(c.da[2], 0, 1);
    std::vector<int> list = c.ia[0].v;
    const auto count = static_cast<size_t>(std::max(n, 0));
    const bool gives = c.op == Op::g5_get_force || calculates(c.op);
    if (gives) s.clear_outputs(count + 1);
    const int out = c.i[1];
    double *const acc = out & kNullAcc ? nullptr : s.acc.data(), *const p = out & kNullPot
                                                                                ? nullptr
                                                                                : s.pot.data();
    const auto a = reinterpret_cast<Rows>(acc);
    double d[3] = {c.d[0], c.d[1], c.d[2]};
    answer_.has_status = false;
    int &status = answer_.status;
    switch (c.op) {
    case Op::g5_open: G6FUZZ_CALL(g5_open); break;
    case Op::g5_close: G6FUZZ_CALL(g5_close); break;
    case Op::g5_pipelines: status = G6FUZZ_CALL(g5_get_number_of_pipelines); break;
    case Op::g5_board_pipelines: status = G6FUZZ_CALL(g5_get_number_of_pipelines_per_board); break;
    case Op::g5_boards: status = G6FUZZ_CALL(g5_get_number_of_boards); break;
    case Op::g5_firstcluster: status = G6FUZZ_CALL(g5_get_firstcluster); break;
    case Op::g5_jmemsize: status = G6FUZZ_CALL(g5_get_jmemsize); break;
    case Op::g5_set_range: G6FUZZ_CALL(g5_set_range, d[0], d[1], d[2]); break;
    case Op::g5_set_eta: G6FUZZ_CALL(g5_set_eta, d[0]); break;
    case Op::g5_set_eps_to_all: G6FUZZ_CALL(g5_set_eps_to_all, d[0]); break;
    case Op::g5_set_eps2_to_all: G6FUZZ_CALL(g5_set_eps2_to_all, d[0]); break;
    case Op::g5_set_n: G6FUZZ_CALL_MC(g5_set_n, n); break;
    case Op::g5_set_eps: G6FUZZ_CALL_MC(g5_set_eps, n, x.data()); break;
    case Op::g5_set_xi: G6FUZZ_CALL_MC(g5_set_xi, n, x.rows()); break;
    case Op::g5_set_xei: G6FUZZ_CALL_MC(g5_set_xei, n, x.rows(), eps2.data()); break;
    case Op::g5_run: G6FUZZ_CALL_MC(g5_run); break;
    case Op::g5_get_force: G6FUZZ_CALL_MC(g5_get_force, n, a, p); break;
    case Op::g5_calculate_on_x: G6FUZZ_CALL_MC(g5_calculate_force_on_x, x.rows(), a, p, n); break;
    case Op::g5_calculate_on_xe:
        G6FUZZ_CALL_MC(g5_calculate_force_on_xe, x.rows(), eps2.data(), a, p, n);
        break;
    case Op::g5_real_pipelines: status = G6FUZZ_CALL(g5_get_number_of_real_pipelines); break;
    case Op::g5_open_special: G6FUZZ_CALL(g5_open_special, n, list.data()); break;
    case Op::g5_set_ip: G6FUZZ_CALL(g5_set_ip, n, x.rows(), eps2.data(), h.data()); break;
    case Op::g5_set_xi0: G6FUZZ_CALL_ID(g5_set_xiMC0, n, x.rows(), eps2.data()); break;
    case Op::g5_run0: G6FUZZ_CALL_ID(g5_runMC0); break;
    case Op::g5_calculate_on_x0:
        G6FUZZ_CALL_MC0(g5_calculate_force_on_x, x.rows(), a, p, n, eps2.data());
        break;
    default: set_grape5(c);
    }
    if (!x.unchanged() || !eps2.unchanged()) answer_.complaint = "an input was written";
    if (!gives) return;
    answer_.rows = static_cast<int>(count) + 1;
    answer_.acc = acc, answer_.pot = p;
}

}  // namespace g6fuzz
