/* SPDX-License-Identifier: MIT
 *
 * Keys of the nearest neighbour: one source for CUDA C++ and OpenCL C.  The force kernels keep the
 * smallest distance measure of each tile, its key: a softened distance squared as a float, or the
 * high word of a double (high_word).  Two keys this close do not tell which distance is the
 * smaller:
 *   a factor of G6_KEY_TOLERANCE, since distances are measured to 20 bits
 *   roots that differ by `doubt`, where positions are two floats: G6_SPLIT_DOUBT (range.h) times
 *   the i-particle's largest coordinate, else 0
 *
 * Included with G6_FN, G6_AS_INT(float) and G6_AS_FLOAT(int) defined.
 */
#define G6_KEY_TOLERANCE (1 + 4e-6f)

/* The largest key that the nearest neighbour may have where the smallest key is `key`; infinity
 * where all keys are infinite. */
G6_FN float key_limit(float key, int high_word, float doubt)
{
    const float largest = 3e38f; /* near the largest that is finite */
    return high_word
               ? G6_AS_FLOAT(min(G6_AS_INT(key) + 2, 0x7ff00000))
               : key * G6_KEY_TOLERANCE + 1e-30f + doubt * (2 * sqrt(fmin(key, largest)) + doubt);
}

G6_FN int key_within(float key, float limit, int high_word)
{
    return high_word ? G6_AS_INT(key) <= G6_AS_INT(limit) : key <= limit;
}
