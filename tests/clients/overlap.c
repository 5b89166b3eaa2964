/* SPDX-License-Identifier: MIT
 * A client that works on the host between the halves: it sums the next block there, in the buffers
 * that the running block was given, and fills those anew for lasthalf. */
#include "client.h"

enum { kBlock = 32 };

int main(void)
{
    static struct bodies b;
    static struct force f;
    static struct sum want[kBlock];
    double h2[kBlock] = {0}, eps2 = 1e-4, t = 0, x[kBlock][3], v[kBlock][3];
    int id = 0, nj = kBodies, ni = kBlock, index[kBlock], bad = 0;
    place(&b);
    g6_open_(&id);
    send(&id, &b, 0, kBodies);
    for (int from = 0; from < kBodies; from += kBlock) {
        g6_set_ti_(&id, &t);
        for (int half = 0; half < 2; half++) {
            for (int k = 0; k < kBlock; k++) {
                index[k] = b.index[from + k];
                for (int d = 0; d < 3; d++) x[k][d] = b.x[from + k][d], v[k][d] = b.v[from + k][d];
            }
            if (half == 1) break;
            g6calc_firsthalf_(&id, &nj, &ni, index, x, v, f.acc, f.jerk, f.pot, &eps2, h2);
            for (int k = 0; k < kBlock; k++) {
                want[k] = own_sum(&b, 0, kBodies, from + k, eps2);
                index[k] = -7, x[k][0] = x[k][1] = x[k][2] = want[k].pot;
            }
        }
        bad |= g6calc_lasthalf_(&id, &nj, &ni, index, x, v, &eps2, h2, f.acc, f.jerk, f.pot) != 0;
        for (int k = 0; k < kBlock; k++) bad |= wrong(&want[k], f.acc[k], f.pot[k]);
    }
    g6_close_(&id);
    printf("overlap: %d blocks with host work between the halves, %s\n", kBodies / kBlock,
           bad ? "WRONG" : "good");
    return bad;
}
