// SPDX-License-Identifier: MIT
// The Fortran twins: every scalar by pointer, INTEGER*4 and REAL*8; hints whose type differs
// between codes.
#include "../client.h"

#include <sys/mman.h>
#include <unistd.h>

extern "C" {
int g6_open_(int *), g6_close_(int *), g6_npipes_(), g6_reset_(int *), g6_reset_fofpga_(int *);
int g6_set_tunit_(void *), g6_set_xunit_(void *), g6_set_ti_(int *, double *);
int g6_set_overflow_flag_test_mode_(void *, void *, void *);
int g6_set_neighbour_list_sort_mode_(void *), g6_get_neighbour_list_sort_mode_();
int g6_initialize_jp_buffer_(int *, void *), g6_flush_jp_buffer_(int *),
    g6_setup_njdata_(int *, int *);
int g6_set_j_particle_(int *, int *, int *, double *, double *, double *, double *, double *,
                       double *, double *, double *);
void g6calc_firsthalf_(int *, int *, int *, int *, double *, double *, double *, double *, double *,
                       double *, double *);
int g6calc_lasthalf_(int *, int *, int *, int *, double *, double *, double *, double *, double *,
                     double *, double *);
int g6calc_lasthalf2_(int *, int *, int *, int *, double *, double *, double *, double *, double *,
                      double *, double *, int *);
int g6calc_lasthalf2__(int *, int *, int *, int *, double *, double *, double *, double *, double *,
                       double *, double *, int *);
int g6_read_neighbour_list_(int *), g6_read_neighbour_list_old_(int *);
int g6_get_neighbour_list_(int *, int *, int *, int *, int *);
int g6_print_chip_status_(int *), g6_get_number_of_pipelines_();
}

namespace g6test {
namespace {

double *flat(std::vector<Vec3> &v)
{
    return v.data()->data();
}

TEST(Twins, run_a_whole_block_step)
{
    int id = fresh_id(), nj = 30, ni = 6;
    const std::vector<Body> bodies = moving_bodies(nj, 1);
    Memory memory;
    EXPECT_EQ(g6_open_(&id), 0);
    EXPECT_EQ(g6_npipes_(), g6_npipes());
    EXPECT_EQ(g6_get_number_of_pipelines_(), g6_npipes());
    EXPECT_EQ(g6_setup_njdata_(&id, &nj), 0);
    for (int k = 0; k < nj; ++k) {
        Body b = bodies[k];
        double dtj = 0;
        EXPECT_EQ(g6_set_j_particle_(&id, &k, &b.index, &b.t, &dtj, &b.mass, b.k18.data(),
                                     b.j6.data(), b.a2.data(), b.v.data(), b.x.data()),
                  0);
        memory[k] = bodies[k];
    }
    EXPECT_EQ(g6_flush_jp_buffer_(&id), 0);
    EXPECT_EQ(g6_reset_(&id) | g6_reset_fofpga_(&id) | g6_print_chip_status_(&id), 0);
    double ti = 0.125;
    EXPECT_EQ(g6_set_ti_(&id, &ti), 0);
    IBlock b = block_of(bodies, 0, ni, ti);
    const IBlock block = b;
    for (int form = 0; form < 3; ++form) {
        Output out(ni);
        out.half = form ? Half::kLast2 : Half::kLast;
        g6calc_firsthalf_(&id, &nj, &ni, b.index.data(), flat(b.x), flat(b.v), flat(out.acc),
                          flat(out.jerk), out.pot.data(), &b.eps2, b.h2.data());
        if (form == 0)
            out.status =
                g6calc_lasthalf_(&id, &nj, &ni, b.index.data(), flat(b.x), flat(b.v), &b.eps2,
                                 b.h2.data(), flat(out.acc), flat(out.jerk), out.pot.data());
        else
            out.status = (form == 1 ? g6calc_lasthalf2_ : g6calc_lasthalf2__)(
                &id, &nj, &ni, b.index.data(), flat(b.x), flat(b.v), &b.eps2, b.h2.data(),
                flat(out.acc), flat(out.jerk), out.pot.data(), out.nearest.data());
        Client().expect_right(block, nj, out, memory, ti);
    }
    EXPECT_EQ(g6_read_neighbour_list_(&id) | g6_read_neighbour_list_old_(&id), 0);
    int pipe = 3, maxlength = 30, n = 0;
    std::vector<int> nbl(30);
    EXPECT_EQ(g6_get_neighbour_list_(&id, &pipe, &maxlength, &n, nbl.data()), 0);
    nbl.resize(n);
    EXPECT_EQ(nbl, evaluate(memory, nj, ti, block.particle(3)).neighbours);
    EXPECT_EQ(g6_close_(&id), 0);
}

// gfortran passes a constant as four read-only bytes.  Here nothing is readable behind them: a read
// of eight bytes, or a write, ends the test.
class ReadOnlyInt {
public:
    explicit ReadOnlyInt(int value) : page_(size_t(sysconf(_SC_PAGESIZE)))
    {
        base_ = static_cast<char *>(
            mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        std::memcpy(base_ + page_ - sizeof value, &value, sizeof value);
        mprotect(base_, page_, PROT_READ);
        mprotect(base_ + page_, page_, PROT_NONE);
    }
    ~ReadOnlyInt() { munmap(base_, 2 * page_); }
    void *pointer() const { return base_ + page_ - sizeof(int); }

private:
    size_t page_;
    char *base_;
};

TEST(Twins, hints_may_be_four_read_only_bytes_or_eight_or_null)
{
    int id = fresh_id();
    const ReadOnlyInt constant(45);
    double eight = 45;
    EXPECT_EQ(g6_open_(&id), 0);
    for (void *hint :
         {constant.pointer(), static_cast<void *>(&eight), static_cast<void *>(nullptr)}) {
        EXPECT_EQ(g6_set_tunit_(hint), 0);
        EXPECT_EQ(g6_set_xunit_(hint), 0);
        EXPECT_EQ(g6_set_overflow_flag_test_mode_(hint, hint, hint), 0);
        EXPECT_EQ(g6_initialize_jp_buffer_(&id, hint), 0);
    }
    EXPECT_EQ(eight, 45);
    const ReadOnlyInt sorted(1);
    EXPECT_EQ(g6_set_neighbour_list_sort_mode_(sorted.pointer()), 0);
    EXPECT_NE(g6_get_neighbour_list_sort_mode_(), 0);
    EXPECT_EQ(g6_close_(&id), 0);
}

// Some codes pass the hints by value: the "pointer" is then a small number.
TEST(Twins, hints_may_be_values)
{
    EXPECT_EQ(g6_set_tunit_(reinterpret_cast<void *>(45)), 0);
    EXPECT_EQ(g6_set_xunit_(reinterpret_cast<void *>(15)), 0);
    void *one = reinterpret_cast<void *>(1);
    EXPECT_EQ(g6_set_overflow_flag_test_mode_(one, one, one), 0);
    EXPECT_EQ(g6_set_neighbour_list_sort_mode_(one), 0);
    EXPECT_NE(g6_get_neighbour_list_sort_mode(), 0);
}

}  // namespace
}  // namespace g6test
