/* SPDX-License-Identifier: MIT
 *
 * The particles of a tiny block.  They go to the device as an argument of a kernel, which saves a
 * transfer.  Shared by C++ and OpenCL C.
 */
#ifndef G6_OPENCL_FEW_H
#define G6_OPENCL_FEW_H

/* The most j-particles, and the most i-particles.  OpenCL 1.2 guarantees 1024 bytes of arguments. */
#define G6_FEW 3

/* G6JRecord and G6IRecord as words. */
typedef struct G6FewParticles {
    double record[G6_FEW][18], i[G6_FEW][9];
} G6FewParticles;

#endif
