/* SPDX-License-Identifier: MIT
 *
 * How a predicted j-particle lies in device memory, for each G6_ARITHMETIC, and the position
 * difference that goes with it; as backends/cuda/layout.cuh.  A layout is G6_PLANES arrays of
 * 16-byte words, one word per particle and plane, "stride" words apart.
 *   G6_SPLIT   x = hi + lo in float; (hi_j - hi_i) + (lo_j - lo_i): 48 bits.  layout.cuh derives
 *              which pairs are so close that this is not enough, and how they are found
 *   G6_SINGLE  float positions: 24 bits; direct sums of precision "single" (gpu/request.h)
 *   G6_FULL    doubles throughout
 */
#define G6_SPLIT 0
#define G6_SINGLE 1
#define G6_FULL 2

#if G6_ARITHMETIC == G6_SPLIT

typedef float real;
typedef float2 pos; /* hi, lo */
#define G6_PLANES (G6_JERK ? 3 : 2)
/* A test defines a wrong G6_LOW_PARTS, which check.cpp must find. */
#ifndef G6_LOW_PARTS
#define G6_LOW_PARTS(j, i) ((j) - (i))
#endif
#define G6_DIFFERENCE(j, i) (((j).x - (i).x) + G6_LOW_PARTS((j).y, (i).y))
#define G6_LOAD_J(j, tile, stride, k)                                                              \
    {                                                                                              \
        const float4 high_ = (tile)[k], low_ = (tile)[(stride) + (k)];                             \
        j.x = (pos)(high_.x, low_.x);                                                              \
        j.y = (pos)(high_.y, low_.y);                                                              \
        j.z = (pos)(high_.z, low_.z);                                                              \
        j.m = high_.w;                                                                             \
        if (G6_JERK) {                                                                             \
            const float2 v_ = (tile)[2 * (stride) + (k)].xy;                                       \
            j.vx = low_.w;                                                                         \
            j.vy = v_.x;                                                                           \
            j.vz = v_.y;                                                                           \
        }                                                                                          \
    }

#elif G6_ARITHMETIC == G6_SINGLE

typedef float real;
typedef float pos;
#define G6_PLANES 1
#define G6_DIFFERENCE(j, i) ((j) - (i))
#define G6_LOAD_J(j, tile, stride, k)                                                              \
    {                                                                                              \
        const float4 word_ = (tile)[k];                                                            \
        j.x = word_.x;                                                                             \
        j.y = word_.y;                                                                             \
        j.z = word_.z;                                                                             \
        j.m = word_.w;                                                                             \
    }

#else

typedef double real;
typedef double pos;
#define G6_PLANES (G6_JERK ? 4 : 2)
#define G6_DIFFERENCE(j, i) ((j) - (i))
#define G6_LOAD_J(j, tile, stride, k)                                                              \
    {                                                                                              \
        const double2 a_ = as_double2((tile)[k]), b_ = as_double2((tile)[(stride) + (k)]);         \
        j.x = a_.x;                                                                                \
        j.y = a_.y;                                                                                \
        j.z = b_.x;                                                                                \
        j.m = b_.y;                                                                                \
        if (G6_JERK) {                                                                             \
            const double2 c_ = as_double2((tile)[2 * (stride) + (k)]);                             \
            j.vx = c_.x;                                                                           \
            j.vy = c_.y;                                                                           \
            j.vz = as_double2((tile)[3 * (stride) + (k)]).x;                                       \
        }                                                                                          \
    }

#endif

/* range: of the indices of a tile.  The range of a tile with an empty slot is all of int. */
#define G6_HAS_EMPTY_SLOT(range) ((range).x == INT_MIN && (range).y == INT_MAX)

typedef struct JParticle {
    pos x, y, z;
    real vx, vy, vz, m;
} JParticle;

#if G6_FP64
G6_FN float2 split(double x)
{
    const float high = convert_float_rte(x);
    return (float2)(high, convert_float_rte(x - (double)high));
}

G6_FN pos position_of(double x)
{
#if G6_ARITHMETIC == G6_SPLIT
    return split(x);
#else
    return (pos)x;
#endif
}
#endif
