// SPDX-License-Identifier: MIT
// Makes the calls of a session and compares each answer with long-double sums.  answers() computes
// these in a separate pass, without calls and before anything fails.
#include "session.h"

#include "include/gp5util.h"
#include "tests/info.h"

#include <cmath>

namespace g6test {
namespace {

constexpr int kId = 3, kTargets = 40, kMostNeighbours = 20000;
constexpr double kEps2 = 1.0 / 65536;
// Trees of theta 0.5 with quadrupoles err by less than 1e-2 of the sum of the terms' sizes.  A
// particle or a cell that is missing, or in the sum twice, is more than that.
constexpr double kTreeError = 2e-2;

}  // namespace

// ---- the sequence of calls ----------------------------------------------------------------------

Client::Answers Client::answers(const Session &session)
{
    Answers found;
    Client c(session);
    c.noted_ = &found;
    c.go_through();
    return found;
}

std::string Client::run(const Answers &answers)
{
    answers_ = &answers;
    go_through();
    return problem_;
}

void Client::go_through()
{
    block_ = 0;
    known_ = true;
    set_up();
    write_all(1);
    set_time(0);
    block(0, kTargets, true);
    if (session_.points) points(kTargets);
    if (session_.host_sums) host_sums();
    write(7, 60);
    set_time(1.0 / 64);
    block(5, kTargets, false);
    block(5, kTargets, true);
    low_level(3, 2);
    bodies_[4].index = 7001;  // breaks the rule that an index is twice its slot plus two
    bodies_[5].index = bodies_[6].index;
    send(4, 2);
    grow(150);
    if (!noted_) first_half(kId, nj(), block_of(bodies_, 0, 3, ti_));  // no lasthalf follows
    block(0, 90, true);
    option("theta", "0.5");
    block(10, 3, false, kTreeError);
    option("theta", "0");
    if (*session_.other_mode) {
        option("mode", session_.other_mode);
        write(100, 20);
        block(1, kTargets, true);
        option("mode", session_.mode);
        block(2, 3, true);
    }
    ask();
    if (!session_.of_one_cluster) ask_about_all();
    close();
    live_in("double", 2);
    live_in("mixed", 3);
}

// Opens the cluster anew, for a block and one after g6_reset.
void Client::live_in(const char *precision, unsigned seed)
{
    option("precision", precision);
    call("g6_open", [] { return g6_open(kId); });
    write_all(seed);
    set_time(1.0 / 32);
    block(9, kTargets, true);
    call("g6_reset", [] { return g6_reset(kId); });
    block(9, 1, true);
    close();
}

void Client::close()
{
    if (!noted_) last_backend_ = g6_backend_name(kId);
    if (!call("g6_close", [] { return g6_close(kId); })) return;
    written_.clear();
    written_ti_ = 0;
}

void Client::set_up()
{
    if (!noted_ && g6_npipes() < 1) wrong("g6_npipes() is below 1");
    option("backend", session_.backend);
    option("devices", session_.devices);
    option("threads", std::to_string(session_.threads).c_str());
    option("mode", session_.mode);
    option("theta", "0");
    option("multipole", "2");
    option("direct", "0");
    option("neighbour_self", "0");
    option("neighbour_softened", "1");
    if (*session_.debug) option("debug", session_.debug);
    call("g6_open", [] { return g6_open(kId); });
    call("g6_set_neighbour_list_sort_mode", [] { return g6_set_neighbour_list_sort_mode(1); });
}

void Client::write_all(unsigned seed)
{
    const int n = session_.bodies + 37 * static_cast<int>(seed);
    bodies_ =
        session_.sending == Sending::kPoints ? resting_bodies(n, seed) : moving_bodies(n, seed);
    for (Body &b : bodies_) b.index *= 2;
    send(0, n);
}

// Moves n particles and sends them.
void Client::write(int first, int n)
{
    for (int k = first; k < first + n; ++k) bodies_[static_cast<size_t>(k)].x[k % 3] *= 0.5;
    send(first, n);
}

// Sends n particles more.
void Client::grow(int n)
{
    const int before = nj();
    for (Body b : moving_bodies(n, 9)) {
        if (session_.sending == Sending::kPoints) b.t = 0, b.v = b.a2 = b.j6 = b.k18 = {};
        b.index = 2 * (nj() + 1);
        bodies_.push_back(b);
    }
    send(before, n);
}

void Client::send(int first, int n)
{
    if (session_.sending == Sending::kBulk) {
        std::vector<int> address, index;
        std::vector<double> t, mass;
        std::vector<Vec3> k18, j6, a2, v, x;
        for (int k = first; k < first + n; ++k) {
            const Body &b = bodies_[static_cast<size_t>(k)];
            address.push_back(k), index.push_back(b.index), t.push_back(b.t);
            mass.push_back(b.mass), k18.push_back(b.k18), j6.push_back(b.j6);
            a2.push_back(b.a2), v.push_back(b.v), x.push_back(b.x);
        }
        const bool done = call("g6_set_j_particles", [&] {
            return g6_set_j_particles(kId, n, address.data(), index.data(), t.data(), mass.data(),
                                      rows(k18), rows(j6), rows(a2), rows(v), rows(x));
        });
        certain_ = certain_ && done;  // else some of them have arrived
        for (int k = first; k < first + n; ++k) written_[k] = bodies_[static_cast<size_t>(k)];
        return;
    }
    for (int k = first; k < first + n; ++k) {
        const Body &b = bodies_[static_cast<size_t>(k)];
        const bool done = call("g6_set_j_particle", [&] {
            return session_.sending == Sending::kPoints ? g6test::send_point(kId, k, b)
                                                        : g6test::send(kId, k, b);
        });
        if (done) written_[k] = b;
    }
}

void Client::set_time(double ti)
{
    ti_ = ti;
    if (call("g6_set_ti", [&] { return g6_set_ti(kId, ti); })) written_ti_ = ti;
}

void Client::option(const char *key, const char *value)
{
    if (!call("g6_set_option", [&] { return g6_set_option(kId, key, value); })) certain_ = false;
}

// Asks for statistics, predictions, settings and names.
void Client::ask()
{
    auto stats = sized<g6_stats>();
    call("g6_get_stats", [&] { return g6_get_stats(kId, &stats); });
    std::vector<Vec3> x(static_cast<size_t>(nj())), v(x);
    const bool predicted =
        call("g6_predict", [&] { return g6_predict(kId, nj(), rows(x), rows(v)); });
    for (int k = 0; predicted && known_ && !noted_ && k < nj(); ++k) {
        const Predicted p = predict(bodies_[static_cast<size_t>(k)], ti_);
        if (far_off(p.x, x[static_cast<size_t>(k)], 1e-14L * p.x_size))
            return wrong("g6_predict is wrong for address " + std::to_string(k));
    }
    char value[64];
    call("g6_get_option", [&] { return g6_get_option(kId, "threads", value, sizeof value); });
    call("g6_print_chip_status", [] { return g6_print_chip_status(kId); });
    call("g6_setup_njdata", [] { return g6_setup_njdata(kId, 20000); });
    call("g6_devices_for", [] { return std::min(g6_devices_for(kId, 20000, 100), 0); });
    if (noted_) return;
    if (!*g6_backend_name(kId)) wrong("g6_backend_name is empty");
    if (g6_getnjmax(kId) < 0) wrong("g6_getnjmax is negative");
}

// Makes calls that concern the whole process, and opens a second cluster.
void Client::ask_about_all()
{
    const auto log = [](int, const char *, void *lines) { ++*static_cast<int *>(lines); };
    static int lines = 0;
    call("g6_set_log", [&] { return g6_set_log(log, 4, &lines); });
    auto backend = sized<g6_backend_info>();
    call("g6_get_backend_info", [&] { return g6_get_backend_info(0, &backend); });
    int list[1] = {0};
    call("g6_open_special", [&] { return g6_open_special(1, list); });
    double x[3] = {0, 0, 0};
    call("g6_set_j_particle_mxonly", [&] { return g6_set_j_particle_mxonly(0, 0, 1, 1.0, x); });
    call("g6_close", [] { return g6_close(0); });
    call("g6_set_log", [] { return g6_set_log(nullptr, 0, nullptr); });
    if (!noted_ && get_device_count() < 1) wrong("get_device_count() is below 1");
}

// ---- single calls and their checks --------------------------------------------------------------

void Client::wrong(const std::string &what)
{
    if (problem_.empty()) problem_ = what;
}

// Makes a call, and makes it a second time if it was refused and the client is patient.  Returns
// whether it succeeded.
template <class F> bool Client::call(const char *what, F &&f)
{
    for (int attempt = 1; !noted_; ++attempt) {
        const int status = f();
        if (status == G6_OK) return true;
        const std::string said =
            std::string(what) + ", status " + std::to_string(status) + ": " + g6_last_error();
        statuses_++;
        if (!*g6_last_error()) wrong(said + "(no text)");
        if (!failures_.met || !failures_.met()) wrong("an error though nothing failed: " + said);
        if (!patient_) {
            known_ = false;
            return false;
        }
        if (failures_.end) failures_.end();
        if (attempt == 2) {
            wrong("an error again: " + said);
            return known_ = false;
        }
    }
    return true;
}

void Client::block(int first, int n, bool nearest, double error)
{
    IBlock b = block_of(bodies_, first, n, ti_, kEps2, 0.04);
    for (int k = 0; k < n; k += 3) b.h2[static_cast<size_t>(k)] = 0;
    if (noted_) {
        Memory memory;
        for (int k = 0; k < nj(); ++k) memory[k] = bodies_[static_cast<size_t>(k)];
        noted_->emplace_back();
        for (int k = 0; k < n; ++k)
            noted_->back().push_back(evaluate(memory, nj(), ti_, b.particle(k)));
        return;
    }
    const bool done = call("a block", [&] {
        first_half(kId, nj(), b);
        out_ = last_half(kId, nj(), b, nearest ? Half::kLast2 : Half::kLast);
        if (out_.status != G6_OK) check_zeros();
        return out_.status;
    });
    if (done && known_) check(b, error);
    if (done && !known_ && certain_) check_written(b, error);
    if (done && nearest) lists(b);
    block_++;
}

void Client::check_zeros()
{
    if (!is_zero(out_)) wrong("outputs are not zero after an error");
}

void Client::check(const IBlock &b, double error)
{
    const std::vector<Expected> &expected = (*answers_)[block_];
    char mode[32] = "";
    g6_get_option(kId, "mode", mode, sizeof mode);
    const bool points = !std::strcmp(mode, "treeonly") ||
                        (!std::strcmp(mode, "auto") && session_.sending == Sending::kPoints);
    for (int n = 0; n < b.size(); ++n) {
        const std::string part = wrong_part(expected[static_cast<size_t>(n)], out_, n,
                                            points ? Parts::kPoints : Parts::kAll, error);
        if (!part.empty())
            return wrong(part + " of i-particle " + std::to_string(n) + " in block " +
                         std::to_string(block_) + " is wrong, status 0");
    }
}

// After refused calls: compares the forces with the sums over those particles that arrived.
void Client::check_written(const IBlock &b, double error)
{
    for (int n = 0; n < b.size(); ++n) {
        const Expected e = evaluate(written_, nj(), written_ti_, b.particle(n));
        if (!wrong_part(e, out_, n, Parts::kPull, error).empty())
            return wrong("force on i-particle " + std::to_string(n) + " in block " +
                         std::to_string(block_) + " is wrong after errors, status 0");
    }
}

void Client::lists(const IBlock &b)
{
    if (!std::strcmp(session_.mode, "treeonly")) return;
    if (!call("g6_read_neighbour_list", [] { return g6_read_neighbour_list(kId); })) return;
    std::vector<int> list(kMostNeighbours);
    for (int n = 0; n < b.size(); ++n) {
        int length = -1;
        const bool done = call("g6_get_neighbour_list", [&] {
            return g6_get_neighbour_list(kId, n, kMostNeighbours, &length, list.data());
        });
        if (!done || !known_) continue;
        const std::vector<int> &expected = (*answers_)[block_][static_cast<size_t>(n)].neighbours;
        if (length != static_cast<int>(expected.size()) ||
            !std::equal(expected.begin(), expected.end(), list.begin()))
            wrong("list " + std::to_string(n) + " of block " + std::to_string(block_) +
                  " is wrong, status 0");
    }
}

// The calls that take i-particles one by one.
void Client::low_level(int first, int n)
{
    IBlock b = block_of(bodies_, first, n, ti_, kEps2, 0);
    if (noted_) return;
    const bool done = call("g6_get_force", [&] {
        std::vector<int> flag(static_cast<size_t>(n));
        out_ = Output(n);
        g6_set_njp(kId, nj());
        g6_set_nip(kId, n);
        for (int k = 0; k < n; ++k) {
            const size_t i = static_cast<size_t>(k);
            g6_set_i_particle(kId, k, b.index[i], data(b.x[i]), data(b.v[i]), b.eps2, 0);
        }
        const int status = g6_get_force_etc(kId, rows(out_.acc), rows(out_.jerk), out_.pot.data(),
                                            out_.nearest.data(), flag.data());
        // Without a cluster the library does not know how many outputs there are.
        if (status != G6_OK && known_) check_zeros();
        return status;
    });
    if (done && known_ && out_.pot[0] >= 0) wrong("pot of g6_get_force is wrong, status 0");
}

// The calls of the GRAPE-5 return no status.  Those that are refused write forces of 0.
void Client::points(int n)
{
    if (noted_) return;
    std::vector<Vec3> x, acc(static_cast<size_t>(n));
    std::vector<double> mass, pot(acc.size());
    for (const Body &b : bodies_) x.push_back(b.x), mass.push_back(b.mass);
    const bool done = call("g5_calculate_force_on_x", [&] {
        g5_set_eps2_to_all(kEps2);
        g5_set_xmj(0, nj(), rows(x), mass.data());
        g5_set_n(nj());
        g5_calculate_force_on_x(rows(x), rows(acc), pot.data(), n);
        return pot[0] > 0 ? G6_OK : G6_ERR_MEMORY;
    });
    for (int i = 0; done && known_ && i < n; ++i) {
        long double sum = 0;
        for (int k = 0; k < nj(); ++k) {
            long double s2 = kEps2;
            for (int d = 0; d < 3; ++d) {
                const long double r = static_cast<long double>(x[k][d]) - x[i][d];
                s2 += r * r;
            }
            sum += mass[k] / std::sqrt(s2);
        }
        if (std::fabs(static_cast<double>(sum) - pot[i]) > 1e-4 * pot[i])
            return wrong("potential " + std::to_string(i) + " of the g5 calls is wrong");
    }
}

// Two i-particles whose products leave the range of float, and one far away, whose list the host
// has, too.
void Client::host_sums()
{
    if (noted_) return;
    constexpr int kOther = kId + 1, kFar = 2;
    std::vector<Body> bodies = moving_bodies(60, 40);
    for (Body &b : bodies) b.x[1] += 30166;
    Body heavy;
    heavy.index = 1000, heavy.mass = 1.7e33;
    bodies.push_back(heavy);
    const int n = static_cast<int>(bodies.size());
    call("g6_open", [] { return g6_open(kOther); });
    for (int k = 0; k < n; ++k)
        call("g6_set_j_particle",
             [&] { return g6test::send(kOther, k, bodies[static_cast<size_t>(k)]); });
    IBlock b;
    b.add(-1, {1, 1, 0}, {-7.5e16, -6.1e16, -5.9e16}, 4);
    b.add(-2, {0, 2, 1}, {7.5e16, 1e16, 0}, 9);
    b.add(-3, {1e100, 0, 0}, {}, 1.1e200);
    std::vector<int> list(bodies.size());
    int length = -1;
    first_half(kOther, n, b);
    const bool done = call("a block on the host", [&] { return last_half(kOther, n, b).status; }) &&
                      call("g6_get_neighbour_list", [&] {
                          return g6_get_neighbour_list(kOther, kFar, n, &length, list.data());
                      });
    if (done && known_ && length != n) wrong("a list of the host is wrong, status 0");
    call("g6_close", [] { return g6_close(kOther); });
}

}  // namespace g6test
