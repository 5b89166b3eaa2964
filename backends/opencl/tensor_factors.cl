/* SPDX-License-Identifier: MIT
 *
 * The kernel that writes the factors of the predicted j-particles, of which tensor.cl makes the right
 * operands of its products, stage by stage; the twin of backends/cuda/tensor_factors.cu.
 */
/* The median of coordinate c of 32 slots at equal distances, or of those of them that were written.
 * The whole warp calls. */
G6_FN float median(__global const int2 *id, __global const double *x, int nj)
{
    const int lane = (int)get_local_id(0) % 32, slot = (int)((long)lane * nj / 32);
    const int is_written = id[slot].y;
    const uint written = ballot(is_written);
    if (!written) return 0;
    const float mine = convert_float(x[slot]);
    int below = 0;
#pragma unroll
    for (int k = 0; k < 32; k++) {
        const float other = as_float(shuffle_int(as_int(mine), k));
        below += (other < mine || (other == mine && k < lane)) && (written >> k & 1);
    }
    const uint middle = ballot(is_written && below == popcount(written) / 2);
    return as_float(shuffle_int(as_int(mine), 31 - (int)clz(middle & -middle)));
}

/* Each item of a work-group has a j-particle. */
#define G6_PREPARE G6_PREPARE_ITEMS

/* The stages of all j-particles, as far as there are tiles. */
__kernel __attribute__((reqd_work_group_size(G6_PREPARE, 1, 1))) void
prepare(int nj, int stride, int capacity, __global const float4 *plane, __global const int2 *id,
        __global const int2 *range, __global const double *exact, __global float4 *stages)
{
    __local double centre[3];
    __local int is_far[G6_PREPARE / G6_TILE];
    const int item = (int)get_local_id(0), slot = (int)get_global_id(0);
    if (item < G6_PREPARE / G6_TILE) is_far[item] = 0;
    if (item < 96) {
        const int c = item / 32;
        centre[c] = median(id, exact + (size_t)c * capacity, nj);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (slot < 3) ((__global double *)stages)[slot] = centre[slot];
    const int is_empty = slot >= nj || !id[slot].y, n = min(slot, nj - 1);
    const float4 high = plane[n], low = plane[(size_t)stride + n];
    const double x = is_empty ? 0 : exact[n] - centre[0],
                 y = is_empty ? 0 : exact[(size_t)capacity + n] - centre[1],
                 z = is_empty ? 0 : exact[2 * (size_t)capacity + n] - centre[2],
                 x2 = g6_length2(x, y, z), m = is_empty ? 0 : high.w, scaled = m * G6_BITS_SCALE;
    __global float4 *stage = stages + G6_CENTRE_WORDS + (size_t)(slot / G6_SLOTS) * G6_STAGE_WORDS;
    __global double *factor = (__global double *)stage + slot % G6_SLOTS;
    int far = x2 >= G6_FAR_R2;
    /* A group has two tiles, of which the second may be past the end. */
    if (slot < (nj + G6_TILE - 1) / G6_TILE * G6_TILE) {
        factor[G6_FACTOR_X * G6_STRIDE] = x;
        factor[G6_FACTOR_Y * G6_STRIDE] = y;
        factor[G6_FACTOR_Z * G6_STRIDE] = z;
        factor[G6_FACTOR_X2 * G6_STRIDE] = is_empty ? G6_EMPTY_R2 : x2;
        factor[G6_FACTOR_WX(G6_JERK) * G6_STRIDE] = scaled * x;
        factor[G6_FACTOR_WY(G6_JERK) * G6_STRIDE] = scaled * y;
        factor[G6_FACTOR_WZ(G6_JERK) * G6_STRIDE] = scaled * z;
        factor[G6_FACTOR_W1(G6_JERK) * G6_STRIDE] = scaled;
#if G6_JERK
        const float2 rest = plane[2 * (size_t)stride + n].xy;
        const double vx = is_empty ? 0 : low.w, vy = is_empty ? 0 : rest.x,
                     vz = is_empty ? 0 : rest.y;
        factor[G6_FACTOR_VX * G6_STRIDE] = vx;
        factor[G6_FACTOR_VY * G6_STRIDE] = vy;
        factor[G6_FACTOR_VZ * G6_STRIDE] = vz;
        factor[G6_FACTOR_XV * G6_STRIDE] = G6_FMA(z, vz, G6_FMA(y, vy, x * vx));
        factor[G6_FACTOR_WVX * G6_STRIDE] = scaled * vx;
        factor[G6_FACTOR_WVY * G6_STRIDE] = scaled * vy;
        factor[G6_FACTOR_WVZ * G6_STRIDE] = scaled * vz;
        factor[G6_FACTOR_UX * G6_STRIDE] = m * x;
        factor[G6_FACTOR_UY * G6_STRIDE] = m * y;
        factor[G6_FACTOR_UZ * G6_STRIDE] = m * z;
        factor[G6_FACTOR_U1 * G6_STRIDE] = m;
        far = far || g6_length2(vx, vy, vz) >= G6_FAST_V2;
#endif
        ((__global float *)((__global double *)stage + G6_STAGE_DOUBLES))[slot % G6_SLOTS] = m;
    }
    if (far) is_far[item / G6_TILE] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item % G6_TILE == 0 && slot < nj)
        ((__global int2 *)((__global float *)((__global double *)stage + G6_STAGE_DOUBLES) +
                           G6_SLOTS))[slot % G6_SLOTS / G6_TILE] =
            is_far[item / G6_TILE] ? (int2)(INT_MAX, INT_MIN) : range[slot / G6_TILE];
}
