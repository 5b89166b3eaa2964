/* SPDX-License-Identifier: MIT
 *
 * The particles of a tiny block, which go to the device as an argument of a kernel, without a
 * transfer.  Shared by C++ and OpenCL C.
 */
#ifndef G6_OPENCL_FEW_H
#define G6_OPENCL_FEW_H

/* Records, and i-particles.  Devices of OpenCL 1.2 take 1024 bytes of arguments or more. */
#define G6_FEW 3

/* G6JRecord and G6IRecord as words. */
typedef struct G6FewParticles {
    double record[G6_FEW][18], i[G6_FEW][9];
} G6FewParticles;

#endif
