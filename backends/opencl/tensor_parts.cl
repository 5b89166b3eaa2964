/* SPDX-License-Identifier: MIT
 *
 * The parts of the kernel in tensor.cl: i-particles that are careful, rows, the nearest neighbour, and
 * what is added to the results; the twin of backends/cuda/tensor_parts.cuh.
 */
typedef struct Arrays {
    int ni, nj, stride, capacity;
    __global const float4 *plane;
    __global const int2 *id;
    __global const double *exact, *iv;
    __global const int *ii;
} Arrays;

G6_FN int2 identity(const Arrays *a, int slot)
{
    return slot < a->nj ? a->id[slot] : (int2)(0, 0);
}

/* A tile with a particle that is too far or too fast. */
G6_FN int is_far_range(int2 range)
{
    return range.x > range.y;
}

/* Whether an i-particle of this index is careful for what a tile holds: its own index, or a particle
 * that is far or fast.  Ranges are wide where indices are in no order of the slots, and those of
 * tiles with an empty slot are all of int.  The whole warp calls, each lane with its own index. */
G6_FN int is_careful(const Arrays *a, int tile, int2 range, int index)
{
    if (is_far_range(range)) return 1;
    if (!any_lane(index >= range.x && index <= range.y)) return 0;
    const int lane = (int)get_local_id(0) % 32;
    const int2 low = identity(a, tile * G6_TILE + lane),
               high = identity(a, tile * G6_TILE + 32 + lane);
    int may = 0;
#pragma unroll 4
    for (int row = 0; row < G6_ROWS; row++) {
        const int own = shuffle_int(index, row);
        may = may | (low.x == own) | (high.x == own);
    }
    if (!any_lane(may)) return 0;
    const uint low_written = ballot(low.y), high_written = ballot(high.y);
    int found = 0;
    for (int k = 0; k < 32; k++) {
        const int first = shuffle_int(low.x, k), second = shuffle_int(high.x, k);
        found = (first == index && (low_written >> k & 1)) ||
                (second == index && (high_written >> k & 1)) || found;
    }
    return found;
}

/* The same for some tiles.  For most stages the ranges show that no i-particle is careful. */
G6_FN int is_careful_in(const Arrays *a, int first, int tiles, __local const int2 *range, int index)
{
    int may = 0, is = 0;
    for (int k = 0; k < tiles; k++)
        may = may || is_far_range(range[k]) || (index >= range[k].x && index <= range[k].y);
    if (!any_lane(may)) return 0;
    for (int k = 0; k < tiles; k++) is = is_careful(a, first + k, range[k], index) || is;
    return is;
}

/* Adds the forces of slots from ... to-1 on i-particle n in double to result[0], result[plane], ...;
 * returns the key of the closest of them.  The whole warp calls. */
static __attribute__((noinline)) int add_row(const Arrays *a, int from, int to, int n,
                                             __global double *result, size_t plane)
{
    const int lane = (int)get_local_id(0) % 32, own = a->ii[n];
    __global const double *i = a->iv + n;
    const double eps2 = i[6 * (size_t)a->ni];
    PairSums s = {0, 0, 0, 0, 0, 0, 0};
    int key = G6_NO_KEY;
    for (int slot = from + lane; slot < to; slot += 32) {
        const int2 id = identity(a, slot);
        const int k = min(slot, a->nj - 1);
        const double dx = a->exact[k] - i[0], dy = a->exact[(size_t)a->capacity + k] - i[a->ni],
                     dz = a->exact[2 * (size_t)a->capacity + k] - i[2 * (size_t)a->ni];
        const double soft = g6_length2(dx, dy, dz) + eps2;
        const int counts = id.y && id.x != own, adds = counts && soft > G6_COINCIDENT;
        const double rinv = adds ? inverse_root_double(soft) : 0.0, m = a->plane[k].w;
        key = counts ? min(key, key_of_lifted(soft * G6_LIFT)) : key;
#if G6_JERK
        const float2 rest = a->plane[2 * (size_t)a->stride + k].xy;
        g6_pair_hermite(&s, dx, dy, dz, a->plane[(size_t)a->stride + k].w - i[3 * (size_t)a->ni],
                        rest.x - i[4 * (size_t)a->ni], rest.y - i[5 * (size_t)a->ni], m, rinv);
#else
        g6_pair_force(&s, dx, dy, dz, m, rinv);
#endif
    }
    double sum[7] = {s.ax, s.ay, s.az, s.jx, s.jy, s.jz, s.pot};
    for (int d = 16; d; d /= 2) {
        key = min(key, swap_int(key, d));
#pragma unroll
        for (int k = 0; k < 7; k++) sum[k] += swap_double(sum[k], d);
    }
#pragma unroll
    for (int k = 0; k < 7; k++)
        if (G6_IS_RESULT(k) && lane == k) result[k * plane] += sum[k];
    meet_warp(); /* other lanes read the results at the end */
    return key;
}

/* ---- parts of the kernel --------------------------------------------------------------------- */

/* An i-particle, relative to the centre. */
typedef struct Row {
    double x[3], v[3], eps2;
} Row;

G6_FN Row load_row(const Arrays *a, int n, __global const double *centre)
{
    Row row;
#pragma unroll
    for (int c = 0; c < 3; c++) {
        row.x[c] = a->iv[(size_t)c * a->ni + n] - centre[c];
        row.v[c] = G6_JERK ? a->iv[(size_t)(3 + c) * a->ni + n] : 0;
    }
    row.eps2 = a->iv[6 * (size_t)a->ni + n];
    return row;
}

/* The smallest key, the first tile of its stage, and a lower bound of the keys of all other
 * stages. */
typedef struct NearestTile {
    int key, runner, tile;
} NearestTile;

G6_FN void add_nearest(NearestTile *n, int key, int tile)
{
    n->runner = min(n->runner, max(n->key, key));
    if (key < n->key) {
        n->key = key;
        n->tile = tile;
    }
}
G6_FN void merge_nearest(NearestTile *n, int distance)
{
    const int key = swap_int(n->key, distance), runner = swap_int(n->runner, distance),
              tile = swap_int(n->tile, distance);
    if (tile == n->tile)
        n->key = min(n->key, key);
    else
        add_nearest(n, key, tile);
    n->runner = min(n->runner, runner);
}

/* The rows of a warp that met a close pair, a bit for each.  The whole warp calls. */
G6_FN uint close_rows(int (*nearest)[2], int (*close)[2])
{
    uint found = 0;
#pragma unroll
    for (int q = 0; q < G6_GROUPS; q++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            uint lanes = ballot(nearest[q][h] < close[q][h]);
            lanes |= lanes >> 1;
            lanes |= lanes >> 2;
            for (int k = 0; k < 8; k++) found |= (lanes >> (4 * k) & 1) << (q * 16 + h * 8 + k);
        }
    return found;
}

/* The results that the two columns of lane t of four belong to.  -1: none.  The sums of w and of u are
 * in lane 3. */
G6_FN int result_of_column(int t, int column)
{
    const int number = t == 0   ? column
                       : t == 1 ? (column ? 5 : 2)
                       : t == 2 ? 3 + column
                                : (column ? -1 : 6);
    return G6_IS_RESULT(number) ? number : -1;
}

/* Adds what the products gave to the results of a row, which have the sums of add_row(): x_i and v_i
 * times the sums of w and u, w1 and u1, are subtracted from the columns' sums. */
G6_FN void add_to_results(const Arrays *a, __global double *result, size_t plane, int n,
                          __global const double *centre, int t, double2 sum, double w1, double u1,
                          double pot)
{
    const double restore = t == 3 ? 1 - G6_INVERSE_MEAN : 1 - 3 * G6_INVERSE_MEAN;
#pragma unroll
    for (int c = 0; c < 2; c++) {
        const int number = result_of_column(t, c);
        if (number < 0) continue;
        double value = pot;
        if (t < 3) {
            const int d = number % 3;
            const double x = a->iv[(size_t)d * a->ni + n] - centre[d];
            value = c ? sum.y : sum.x;
            if (number < 3)
                value = G6_FMA(-x, w1, value);
            else
                value = G6_FMA(-a->iv[(size_t)(3 + d) * a->ni + n], w1, G6_FMA(-x, u1, value));
        }
        result[(size_t)number * plane] = G6_FMA(value, restore, result[(size_t)number * plane]);
    }
}

G6_FN void fetch(__local float4 *to, __global const float4 *from)
{
    for (int k = (int)get_local_id(0); k < G6_STAGE_WORDS; k += G6_THREADS)
        copy_word(to + k, from + k);
    end_copies();
}
