// SPDX-License-Identifier: MIT
// Two bodies on a circular orbit, integrated over one revolution with the Hermite scheme
// (Makino & Aarseth 1992, PASJ 44, 141).  The shortest complete client in C: one cluster, two
// j-particles, blocks of two i-particles.  Exit status 1 when the energy error exceeds its bound.
//
// Masses 1/2 and 1/2 at distance 1, so that the angular velocity is 1 and the period 2 pi, which is
// 402.1 steps.  The step is a power of two and all times are multiples of it, as a GRAPE-6 wants.
#include <g6lib.h>

#include <math.h>
#include <stdio.h>

enum { kBodies = 2, kSteps = 402 };

static const double kStep = 1.0 / 64;

struct body {
    double mass, t, x[3], v[3], a[3], jerk[3];
};

static const int kId = 0;

// Body k lives at address k and is called k + 1: an index may be any number.
static void send(const struct body *b, int k)
{
    double zero[3] = {0, 0, 0}, j6[3], a2[3], v[3], x[3];
    for (int d = 0; d < 3; d++) {
        j6[d] = b->jerk[d] / 6;
        a2[d] = b->a[d] / 2;
        v[d] = b->v[d];
        x[d] = b->x[d];
    }
    // The snap is left out: the prediction below goes to third order as well.
    g6_set_j_particle(kId, k, k + 1, b->t, kStep, b->mass, zero, j6, a2, v, x);
}

// Force at time t on bodies at x, v.  Returns the library's status.
static int force(double t, double x[][3], double v[][3], double a[][3], double jerk[][3])
{
    int index[kBodies] = {1, 2};
    double pot[kBodies], h2[kBodies] = {0, 0};
    g6_set_ti(kId, t);
    g6calc_firsthalf(kId, kBodies, kBodies, index, x, v, a, jerk, pot, 0.0, h2);
    return g6calc_lasthalf(kId, kBodies, kBodies, index, x, v, 0.0, h2, a, jerk, pot);
}

static double energy(const struct body b[])
{
    double kinetic = 0, r2 = 0;
    for (int d = 0; d < 3; d++) {
        const double r = b[0].x[d] - b[1].x[d];
        r2 += r * r;
        for (int k = 0; k < kBodies; k++) kinetic += 0.5 * b[k].mass * b[k].v[d] * b[k].v[d];
    }
    return kinetic - b[0].mass * b[1].mass / sqrt(r2);
}

// One step of both bodies: predict, evaluate, correct, send.
static int step(struct body b[], double t)
{
    double x[kBodies][3], v[kBodies][3], a[kBodies][3] = {{0}}, jerk[kBodies][3] = {{0}};
    const double s = t - b[0].t;
    for (int k = 0; k < kBodies; k++)
        for (int d = 0; d < 3; d++) {
            const double a0 = b[k].a[d], j0 = b[k].jerk[d];
            x[k][d] = b[k].x[d] + s * (b[k].v[d] + s * (a0 / 2 + s * j0 / 6));
            v[k][d] = b[k].v[d] + s * (a0 + s * j0 / 2);
        }
    const int status = force(t, x, v, a, jerk);
    if (status != G6_OK) return status;
    for (int k = 0; k < kBodies; k++) {
        struct body *q = &b[k];
        for (int d = 0; d < 3; d++) {
            const double v0 = q->v[d], v1 = v0 + (q->a[d] + a[k][d]) * s / 2 +
                                            (q->jerk[d] - jerk[k][d]) * s * s / 12;
            q->x[d] += (v0 + v1) * s / 2 + (q->a[d] - a[k][d]) * s * s / 12;
            q->v[d] = v1;
            q->a[d] = a[k][d];
            q->jerk[d] = jerk[k][d];
        }
        q->t = t;
        send(q, k);
    }
    return G6_OK;
}

int main(void)
{
    // On this orbit every derivative of the relative position has size 1, and the error of one step
    // is
    //   in v:  s^5 (1/720 quadrature + 1/24 + 1/36 force and jerk at a predicted place),
    //   in x:  s^5 / 720.
    // With E = -mu/2 that changes E by at most 2 (0.072) s^5 |E|; one orbit is 2 pi / s steps, so
    // |dE/E| <= 0.91 s^4; terms of higher order are covered by 2 s^4.  Rounding: in the default
    // precision a force may be off by 25 float roundings, 1.5e-6 of it; over one orbit that is
    // 2 (2 pi) 1.5e-6 = 1.9e-5 of |E|.
    const double s = kStep, bound = 2 * s * s * s * s + 1.9e-5;
    struct body b[kBodies] = {{.mass = 0.5, .x = {0.5, 0, 0}, .v = {0, 0.5, 0}},
                              {.mass = 0.5, .x = {-0.5, 0, 0}, .v = {0, -0.5, 0}}};

    if (g6_open(kId) != G6_OK) {
        fprintf(stderr, "two_body: %s\n", g6_last_error());
        return 1;
    }
    for (int k = 0; k < kBodies; k++) send(&b[k], k);
    // First the force at t = 0, which the first prediction needs.
    double x[kBodies][3] = {{0.5, 0, 0}, {-0.5, 0, 0}}, v[kBodies][3] = {{0, 0.5, 0}, {0, -0.5, 0}};
    double a[kBodies][3] = {{0}}, jerk[kBodies][3] = {{0}};
    int status = force(0.0, x, v, a, jerk);
    for (int k = 0; k < kBodies; k++) {
        for (int d = 0; d < 3; d++) {
            b[k].a[d] = a[k][d];
            b[k].jerk[d] = jerk[k][d];
        }
        send(&b[k], k);
    }

    const double e0 = energy(b);
    for (int n = 1; n <= kSteps && status == G6_OK; n++) status = step(b, n * s);
    if (status != G6_OK) {
        fprintf(stderr, "two_body: %s\n", g6_last_error());
        return 1;
    }
    const double error = fabs((energy(b) - e0) / e0);
    printf("two_body: backend %s, |dE/E| = %.2e after one orbit, bound %.2e\n",
           g6_backend_name(kId), error, bound);
    g6_close(kId);
    return error <= bound ? 0 : 1;
}
