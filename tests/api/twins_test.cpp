// SPDX-License-Identifier: MIT
// The hints of Fortran twins, whose type differs between codes.  The fuzzer calls all twins, in each
// of their forms, and compares their answers.
#include "../client.h"

#include <sys/mman.h>
#include <unistd.h>

extern "C" {
int g6_open_(int *), g6_close_(int *), g6_set_tunit_(void *), g6_set_xunit_(void *);
int g6_set_overflow_flag_test_mode_(void *, void *, void *),
    g6_initialize_jp_buffer_(int *, void *);
int g6_set_neighbour_list_sort_mode_(void *), g6_get_neighbour_list_sort_mode_();
}

namespace g6test {
namespace {

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
