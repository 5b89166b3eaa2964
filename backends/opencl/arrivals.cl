/* SPDX-License-Identifier: MIT
 *
 * Where the words of a staged row go in device memory, on a device with doubles.
 */
#define G6_RECORD_WORDS 18 /* 17 fields, and at G6_IDENTITY the index and the slot */
#define G6_IDENTITY 4
#define G6_I_WORDS 9

/* Fields of a j-particle: x, mass, t, v, a2, j6, k18.  They are all words of a G6JRecord except
 * the identity. */
#define G6_FIELDS 17
#define G6_MASS_FIELD 3
#define G6_TIME_FIELD 4
#define G6_V_FIELD 5
#define G6_A2_FIELD 8
#define G6_J6_FIELD 11
#define G6_SNAP_FIELD 14
#define G6_WORD_OF(f) ((f) + ((f) >= G6_IDENTITY))

/* Field f of a row that has `words` words; 0 where the row is too short to have the field. */
#define G6_KEPT_FIELD(row, words, f) (G6_WORD_OF(f) < (words) ? (row)[G6_WORD_OF(f)] : 0.0)

/* Scale of libg6gpu/backend.h. */
typedef struct Scale {
    double length, mass, velocity, common_velocity[3];
} Scale;

/* r: the words of i-particle n, those of a G6IRecord: x, eps2, index and aold, v, h2. */
G6_FN void store_i(const double *r, int n, int ni, Scale scale, __global double *iv,
                   __global int *ii)
{
    for (int c = 0; c < 3; c++) {
        iv[(size_t)c * ni + n] = r[c] * scale.length;
        iv[(size_t)(3 + c) * ni + n] = (r[5 + c] - scale.common_velocity[c]) * scale.velocity;
    }
    iv[(size_t)6 * ni + n] = r[3] * scale.length * scale.length;
    iv[(size_t)7 * ni + n] = r[8] * scale.length * scale.length;
    ii[n] = as_int2(r[4]).x;
}
