// SPDX-License-Identifier: MIT
// The walk of the tree that chooses the cells and bodies of interaction lists, and the copying of
// chosen cells and bodies into tiles; compiled once for each instruction set (G6_ISA).
//
// Floor, AVX-512: 18 vector operations test a cell for 8 groups.  Precision: tests in double.
#include "lists.h"
#include "simd.h"
#include "tiles.h"

namespace g6::cpu::G6_ISA_NAMESPACE {
namespace {

// ---- walk ---------------------------------------------------------------------------------------

// The groups, one bit each, that are far enough from the cell to take it as a whole (criteria:
// libg6gpu/formulas/tree.h).
template <bool acceleration> G6_INLINE unsigned far_groups(const G6Cell &c, const Boxes &b)
{
    unsigned near = 0, near_known = 0;
    const D x[3] = {D{} + c.x[0], D{} + c.x[1], D{} + c.x[2]};
    const D radius2 = D{} + static_cast<double>(c.radius2);
    for (int g = 0; g < kTogether; g += kDoubleLanes) {
        D r2{};
        for (int d = 0; d < 3; d++) {
            const D out =
                max(max(load<D>(b.low[d] + g) - x[d], x[d] - load<D>(b.high[d] + g)), D{});
            r2 = fma(out, out, r2);
        }
        const D least2 = load<D>(b.least2 + g);
        near |= bits_le(r2, max(radius2, least2)) << g;
        if (!acceleration) continue;
        const D near2 = max(D{} + static_cast<double>(c.near2), least2);
        near_known |= (bits_le(r2, near2) |
                       bits_le(r2 * r2 * load<D>(b.a + g), D{} + static_cast<double>(c.weight)))
                      << g;
    }
    return acceleration ? ~(near & b.unknown) & ~(near_known & b.known) : ~near;
}

// Takes out of `far` the groups that have an own body in the cell: a body with the index of an
// i-particle of the group.  They must open the cell, so that no particle acts on itself.
G6_INLINE unsigned without_own(const G6Cell &c, const Boxes &b, unsigned far)
{
    const int last = c.first + c.count;
    if (c.first > b.own_high || last <= b.own_low) return far;
    unsigned free = far;
    for (unsigned left = far; left; left &= left - 1) {
        const int g = __builtin_ctz(left);
        if (b.holds_own(b.who, g, c.first, last)) free &= ~(1u << g);
    }
    return free;
}

template <bool acceleration>
int walk(const TreeView &tree, const Boxes &boxes, WalkState &state, ChosenCell *chosen, int most)
{
    WalkState s = state;
    int n = 0;
    while (s.k < tree.cells && n < most) {
        while (s.waits > 0 && s.waiting[s.waits - 1].until == s.k)
            s.active |= s.waiting[--s.waits].groups;
        const G6Cell &c = tree.cell[s.k];
        __builtin_prefetch(tree.cell + c.next);
        const bool leaf = c.next == s.k + 1;
        s.tests += static_cast<unsigned>(__builtin_popcount(s.active));
        unsigned far = s.active & far_groups<acceleration>(c, boxes);
        if (far) far = without_own(c, boxes, far);
        const unsigned open = s.active & ~far;
        const unsigned whole = c.mass != 0 ? far : 0, bodies = leaf ? open : 0;
        chosen[n] = {s.k, static_cast<std::uint8_t>(whole), static_cast<std::uint8_t>(bodies)};
        n += (whole | bodies) != 0;
        if (leaf || !open) {
            s.k = c.next;
            continue;
        }
        if (far) {
            s.waiting[s.waits++] = {c.next, far};
            s.active = open;
        }
        s.k++;
    }
    state = s;
    return n;
}

// ---- entries ------------------------------------------------------------------------------------

template <class Real>
void copy_cells(const TreeView &tree, const double *middle, const int *cell, int n, void *tiles)
{
    const int padded = (n + kListStep - 1) / kListStep * kListStep;
    for (int k = 0; k < padded; k++) {
        CellTile<Real> &t = static_cast<CellTile<Real> *>(tiles)[k / kListTile];
        const int at = k % kListTile, number = cell[k < n ? k : n - 1];
        const G6Cell &c = tree.cell[number];
        for (int d = 0; d < 3; d++) t.x[d][at] = static_cast<Real>(c.x[d] - middle[d]);
        t.mass[at] = k < n ? static_cast<Real>(c.mass) : 0;
        for (int d = 0; d < 3; d++)
            t.v[d][at] = tree.velocity ? static_cast<Real>(tree.velocity[number][d]) : 0;
        for (int d = 0; tree.quadrupole && d < 6; d++)
            t.s[d][at] = k < n ? static_cast<Real>(tree.quadrupole[number][d]) : 0;
    }
}

template <int n, class Real>
G6_INLINE void copy_less(Real *__restrict to, const double *__restrict from, double less)
{
    for (int k = 0; k < n; k++) to[k] = static_cast<Real>(from[k] - less);
}

// Copies n bodies from place p on.
template <int n, class Real>
G6_INLINE void copy_some(const TreeView &tree, const double *middle, int p, BodyTile<Real> &t,
                         int at)
{
    for (int d = 0; d < 3; d++) {
        copy_less<n>(t.x[d] + at, tree.x[d] + p, middle[d]);
        if (tree.v[d])
            copy_less<n>(t.v[d] + at, tree.v[d] + p, 0);
        else
            for (int k = 0; k < n; k++) t.v[d][at + k] = 0;
    }
    copy_less<n>(t.mass + at, tree.mass + p, 0);
    __builtin_memcpy(t.index + at, tree.index + p, n * sizeof(std::int32_t));
    for (int k = 0; k < n; k++) t.place[at + k] = p + k;
}

template <class Real>
void copy_bodies(const TreeView &tree, const double *middle, const Range *range, int n, void *tiles)
{
    auto *tile = static_cast<BodyTile<Real> *>(tiles);
    int count = 0;
    for (int r = 0; r < n; r++)
        for (int p = range[r].first; p < range[r].last;) {
            const int at = count % kListTile, left = range[r].last - p,
                      fits = kListTile - at < 8 ? kListTile - at : 8,
                      now = left < fits ? left : fits;
            BodyTile<Real> &t = tile[count / kListTile];
            if (p + 8 <= tree.bodies)
                copy_some<8>(tree, middle, p, t, at);
            else
                for (int k = 0; k < now; k++) copy_some<1>(tree, middle, p + k, t, at + k);
            p += now;
            count += now;
        }
    BodyTile<Real> &t = tile[(count - 1) / kListTile];
    for (; count % kListStep; count++) {
        copy_some<1>(tree, middle, range[n - 1].last - 1, t, count % kListTile);
        t.mass[count % kListTile] = 0;
    }
}

}  // namespace
}  // namespace g6::cpu::G6_ISA_NAMESPACE

namespace g6::cpu {

void G6_JOIN(add_list_entries, G6_ISA)(ListKernels &table)
{
    using namespace G6_ISA_NAMESPACE;
    table.walk[0] = walk<false>;
    table.walk[1] = walk<true>;
    table.copy_cells[0] = copy_cells<float>;
    table.copy_cells[1] = copy_cells<double>;
    table.copy_bodies[0] = copy_bodies<float>;
    table.copy_bodies[1] = copy_bodies<double>;
}

}  // namespace g6::cpu
