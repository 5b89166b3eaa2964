/* SPDX-License-Identifier: MIT
 *
 * What becomes of the words of a staged record in device memory, on a device with doubles.
 */
#define G6_RECORD_WORDS 18 /* 17 fields, index and slot */
#define G6_I_WORDS 9

/* Field number `part` of a j-record, as it is kept. */
G6_FN double kept_field(int part, double value, int use_snap)
{
    const int snap = part >= 12 && part < 15;
    return snap && !use_snap ? 0.0 : value;
}

/* Scale of libg6gpu/backend.h. */
typedef struct Scale {
    double length, mass, velocity, common_velocity[3];
} Scale;

/* r: the words of i-particle n. */
G6_FN void store_i(const double *r, int n, int ni, Scale scale, __global double *iv,
                   __global int *ii)
{
    for (int c = 0; c < 3; c++) {
        iv[(size_t)c * ni + n] = r[c] * scale.length;
        iv[(size_t)(3 + c) * ni + n] = (r[3 + c] - scale.common_velocity[c]) * scale.velocity;
    }
    iv[(size_t)6 * ni + n] = r[6] * scale.length * scale.length;
    iv[(size_t)7 * ni + n] = r[7] * scale.length * scale.length;
    ii[n] = as_int2(r[8]).x;
}
