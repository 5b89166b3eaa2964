/* SPDX-License-Identifier: MIT
 *
 * Exact nearest neighbours on devices with doubles, an item for each i-particle in the order of
 * keys.  An item walks the core's tree depth first (formulas/cells.h) and skips every box that is
 * farther away than its nearest body so far.  Distances to boxes and bodies are rounded as on the
 * host (libg6gpu/tree/search.cpp), so that host and device agree; ties go to the lowest slot.
 */
#include "prelude.cl"
#include "walk_layout.h"

typedef struct Nearest {
    __global const double *x;
    __global const int *index, *slot;
    int stride, own;
    double at[3], r2;
    int place;
} Nearest;

G6_FN void look(Nearest *n, int first, int last)
{
    for (int p = first; p < last; p++) {
        const double dx = n->x[p] - n->at[0], dy = n->x[(size_t)n->stride + p] - n->at[1],
                     dz = n->x[2 * (size_t)n->stride + p] - n->at[2];
        const double r2 = dx * dx + dy * dy + dz * dz;
        if (r2 > n->r2 || n->index[p] == n->own) continue;
        if (r2 < n->r2 || n->place < 0 || n->slot[p] < n->slot[n->place]) {
            n->r2 = r2;
            n->place = p;
        }
    }
}

G6_FN double outside(double x, double low, double high)
{
    return fmax(fmax(low - x, x - high), 0.0);
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void
nearest(int ni, int cells, int bodies, G6WalkLayout at, __global const float4 *memory,
        __global double *results, int nearest_at)
{
    const int n = (int)get_global_id(0);
    if (n >= ni) return;
    __global const double *i = (__global const double *)(memory + at.values) + n;
    Nearest best;
    best.x = (__global const double *)(memory + at.exact);
    best.index = (__global const int *)(memory + at.body_index);
    best.slot = (__global const int *)(memory + at.body_slot);
    best.stride = at.stride;
    best.own = ((__global const int *)(memory + at.index))[n];
    for (int c = 0; c < 3; c++) best.at[c] = i[(size_t)c * ni];
    best.r2 = INFINITY;
    best.place = -1;
    const int guess = ((__global const int *)(memory + at.guess))[n];
    look(&best, max(0, guess - 4), min(bodies, guess + 5));
    __global const G6Box *box = (__global const G6Box *)(memory + at.box);
    for (int k = 0; k < cells;) {
        const G6Box b = box[k];
        const double dx = outside(best.at[0], b.low[0], b.high[0]),
                     dy = outside(best.at[1], b.low[1], b.high[1]),
                     dz = outside(best.at[2], b.low[2], b.high[2]);
        if (dx * dx + dy * dy + dz * dz > best.r2) {
            k = b.next;
            continue;
        }
        if (b.next == k + 1) look(&best, b.first, b.first + b.count);
        k++;
    }
    const G6Nearest found = {best.r2, best.place, 0};
    ((__global G6Nearest *)(results + nearest_at))[n] = found;
}
