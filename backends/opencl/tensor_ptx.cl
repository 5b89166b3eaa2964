/* SPDX-License-Identifier: MIT
 *
 * Instructions of PTX, NVIDIA's virtual machine, for tensor.cl: votes and exchanges of a warp, copies to
 * local memory, products on tensor cores, and how numbers change between float and double.
 */
G6_FN uint ballot(int x)
{
    uint lanes;
    __asm__ volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; "
                     "vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                     : "=r"(lanes)
                     : "r"(x));
    return lanes;
}
G6_FN int any_lane(int x)
{
    return ballot(x) != 0;
}
G6_FN int shuffle_int(int x, int lane)
{
    int y;
    __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(y) : "r"(x), "r"(lane));
    return y;
}
G6_FN int swap_int(int x, int distance)
{
    int y;
    __asm__ volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, 0xffffffff;"
                     : "=r"(y)
                     : "r"(x), "r"(distance));
    return y;
}
G6_FN double shuffle_double(double x, int lane)
{
    const int2 u = as_int2(x);
    return as_double((int2)(shuffle_int(u.x, lane), shuffle_int(u.y, lane)));
}
G6_FN double swap_double(double x, int distance)
{
    const int2 u = as_int2(x);
    return as_double((int2)(swap_int(u.x, distance), swap_int(u.y, distance)));
}
/* What lanes of the warp have written to memory is there for its other lanes. */
G6_FN void meet_warp(void)
{
    __asm__ volatile("bar.warp.sync 0xffffffff;" : : : "memory");
}

G6_FN void copy_word(__local float4 *to, __global const float4 *from)
{
    __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "l"(to), "l"(from) : "memory");
}
G6_FN void end_copies(void)
{
    __asm__ volatile("cp.async.commit_group;" : : : "memory");
}
/* Waits for all copies of the item; but_last: except those since the last end_copies() but one. */
G6_FN void wait_for_copies(int but_last)
{
    if (but_last)
        __asm__ volatile("cp.async.wait_group 1;" : : : "memory");
    else
        __asm__ volatile("cp.async.wait_group 0;" : : : "memory");
}

/* Products of 16 x 4 by 4 x 8, and of 16 x 8 by 8 x 8; tensor_parts.cuh says which thread holds
 * what. */
G6_FN void multiply4(double *d, const double *a, double b, const double *c)
{
    __asm__("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
            "{%7,%8,%9,%10};"
            : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
            : "d"(a[0]), "d"(a[1]), "d"(b), "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3]));
}
G6_FN void multiply8(double *d, const double *a, double b0, double b1, const double *c)
{
    __asm__("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
            "{%8,%9}, {%10,%11,%12,%13};"
            : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
            : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b0), "d"(b1), "d"(c[0]), "d"(c[1]),
              "d"(c[2]), "d"(c[3]));
}

/* x / G6_LIFT, cut to a float, for quotients of 2^-126 to 2^127.  Any other x gives a number without
 * meaning: that of a pair whose i-particle is careful. */
G6_FN float cut(double x)
{
    const int2 u = as_int2(x);
    int bits;
    __asm__("shf.l.wrap.b32 %0, %1, %2, 3;" : "=r"(bits) : "r"(u.x), "r"(u.y));
    return as_float(bits);
}
/* x / G6_BITS_SCALE, for zero and normal x > 0. */
G6_FN double widen(float x)
{
    const uint bits = as_uint(x);
    return as_double((uint2)(bits << 29, bits >> 3));
}

/* Measure of a squared distance: the upper word of r2 G6_LIFT, and back. */
G6_FN int key_of_lifted(double lifted)
{
    return as_int2(lifted).y;
}
G6_FN float distance_of(int key)
{
    return key == G6_NO_KEY ? INFINITY : convert_float(as_double((int2)(0, key)) * (1 / G6_LIFT));
}
