/* SPDX-License-Identifier: MIT
 * A client that opens and closes the GRAPE around every force, as phiGRAPE does, gives the arrays
 * of the old values for the answers, and leaves at the end without a last close. */
#include "client.h"

static struct bodies b;
static struct force f;

static int force(int id, double *eps2)
{
    double h2[kBodies] = {0}, t = 0;
    int n = kBodies;
    g6_open_(&id);
    send(&id, &b, 0, kBodies);
    g6_set_ti_(&id, &t);
    g6calc_firsthalf_(&id, &n, &n, b.index, b.x, b.v, f.acc, f.jerk, f.pot, eps2, h2);
    const int status =
        g6calc_lasthalf_(&id, &n, &n, b.index, b.x, b.v, eps2, h2, f.acc, f.jerk, f.pot);
    g6_close_(&id);
    return status;
}

int main(void)
{
    int bad = 0, id = 0;
    double eps2 = 1e-4;
    place(&b);
    for (int call = 0; call < 50; call++) {
        b.x[call][2] += 0.5; /* every call has other places */
        bad |= force(id, &eps2) != 0;
        for (int i = 0; i < kBodies; i++) {
            const struct sum want = own_sum(&b, 0, kBodies, i, eps2);
            bad |= wrong(&want, f.acc[i], f.pot[i]);
        }
    }
    g6_open_(&id);
    printf("open_close: 50 forces, %s\n", bad ? "WRONG" : "good");
    return bad;
}
