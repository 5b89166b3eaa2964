/* SPDX-License-Identifier: MIT
 *
 * gp5util.h - the calls of the GRAPE-5 computer, as libg6gpu has them: softened gravity of point
 * masses, for tree codes that send interaction lists and for direct sums.
 *
 *     g5_open();
 *     g5_set_eps_to_all(eps);
 *     for each list   g5_set_xmj(0, nj, xj, mj);  g5_set_n(nj);
 *                     g5_calculate_force_on_x(xi, a, p, ni);
 *     g5_close();
 *
 * With r = x_j - x_i and s = sqrt(|r|^2 + eps^2), summed over slots j = 0 ... n-1:
 *
 *     a = sum m r / s^3
 *     p = sum m / s          positive, as Phantom-GRAPE's
 *
 * Notes:
 *   1 Self.  The sums leave no slot out: an i-particle that is also a j-particle has its own m /
 *     eps in its p, which the caller takes out.  A pair at distance 0 with eps 0 adds nothing.
 *   2 Addresses.  A slot is the place of a j-particle.  Slot k is set from element k of the arrays:
 *     the first element that g5_set_xmj(adr, nj, x, m) reads is x[adr].  Memory grows as needed; a
 *     slot that was never set adds nothing.
 *   3 Devices.  A form whose name ends in MC has a device, 0 to 127, as its first argument.  Each
 *     device has masses, n, i-particles and forces of its own; the softening of
 *     g5_set_eps_to_all() is that of all devices.  The other forms use device 0.  Different devices
 *     may be used from different threads at the same time, without g5_open() in each.  Calls on one
 *     device may not overlap (note 5).
 *   4 Counts.  ni and nj may be any number from 0; g5_get_number_of_pipelines() and
 *     g5_get_jmemsize() are for codes that divide their work by them.
 *   5 Errors.  A call is refused for a negative count, a device out of range, a NULL array, a value
 *     that is NaN, infinite or above 1e301, or a device that is busy with a call of another thread.
 *     The forces of a refused call are 0, slots whose values were refused have no mass, and all
 *     else stays as it was.  stderr or the function of g6_set_log() gets a line, and
 *     g6_last_error() (g6lib.h) has the text.  No call ends the program.
 *   6 Fortran.  Every g5_x has a twin g5_x_ (and g5_x__) that takes each scalar by pointer.  The
 *     twins of names with MC also exist in small letters: g5_runmc_.
 *   7 Settings are those of g6lib.h, read at g5_open(), or else at the first use of a device.
 *     docs/grape5.md says which of them act.
 *
 * Reference: Kawai, Fukushige, Makino & Taiji 2000, PASJ 52, 659 (GRAPE-5).
 */
#ifndef GP5UTIL_H
#define GP5UTIL_H

/* Codes size arrays by this number. */
#define JMEMSIZE (1 << 16)

#if defined(__GNUC__)
#define G5_API __attribute__((visibility("default")))
#else
#define G5_API
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------------------------------------------
 * 1. Devices
 * -------------------------------------------------------------------------------------------- */
/** Opens device 0.  Opening an open device is allowed and changes nothing. */
G5_API void g5_open(void);
/** As g5_open(), on chosen GPUs; a call of sapporo 2.  The choice holds until g5_close().  n > 0:
 *  the GPUs list[n]; 0: all; < 0: any |n|.  @return 0, or a status of g6lib.h below 0. */
G5_API int g5_open_special(int n, int *list);
/** Forgets all particles of all devices.  The next call reads the settings anew.  The softening of
 *  g5_set_eps_to_all() stays.  Refused, and without effect, while another g5 call is at work. */
G5_API void g5_close(void);
/** @return 96, the i-particles of a GRAPE-5 board. */
G5_API int g5_get_number_of_pipelines(void);
/** @return The same as g5_get_number_of_pipelines(). */
G5_API int g5_get_number_of_pipelines_per_board(void);
/** @return 16, the pipelines of a GRAPE-5 board, each of which serves 6 i-particles in turn. */
G5_API int g5_get_number_of_real_pipelines(void);
/** @return 1: there is no bus.  A double, as in GRAPE-7's library; sapporo 2's returns an int. */
G5_API double g5_get_pcibus_freq(void);
/** @return 1. */
G5_API int g5_get_number_of_boards(void);
/** @return 0, the device of that board. */
G5_API int g5_get_firstcluster(void);
/** @return JMEMSIZE. */
G5_API int g5_get_jmemsize(void);
/** Range of coordinates and smallest mass, for the hardware's number formats.  Ignored. */
G5_API void g5_set_range(double xmin, double xmax, double mmin);
/** Scale length of a force with cutoff, as TreePM codes use.  This library has the full force of
 *  every pair only: after an eta other than 0 all forces are refused (note 5), until eta is 0 or
 *  g5_close(). */
G5_API void g5_set_eta(double eta);

/* ----------------------------------------------------------------------------------------------
 * 2. j-particles
 * -------------------------------------------------------------------------------------------- */
/** Slots 0 ... n-1 act. */
G5_API void g5_set_n(int n);
G5_API void g5_set_nMC(int device, int n);
/** Sets slots adr ... adr+nj-1 from x[adr] ... and m[adr] ... (note 2).  x [adr + nj][3]:
 *  positions; m [adr + nj]: masses, of any sign. */
G5_API void g5_set_xmj(int adr, int nj, double (*x)[3], double *m);
G5_API void g5_set_xmjMC(int device, int adr, int nj, double (*x)[3], double *m);
/** The same with m before x, as GRAPE-7's library has it. */
G5_API void g5_set_jp(int adr, int nj, double *m, double (*x)[3]);
G5_API void g5_set_jpMC(int device, int adr, int nj, double *m, double (*x)[3]);
/** Sets masses alone; a slot whose position was never set is at 0. */
G5_API void g5_set_mj(int adr, int nj, double *m);
G5_API void g5_set_mjMC(int device, int adr, int nj, double *m);
/** Sets positions alone; a slot whose mass was never set has none. */
G5_API void g5_set_xj(int adr, int nj, double (*x)[3]);
G5_API void g5_set_xjMC(int device, int adr, int nj, double (*x)[3]);

/* ----------------------------------------------------------------------------------------------
 * 3. Softening and i-particles
 * -------------------------------------------------------------------------------------------- */
/** Softening length for all i-particles, of any device, that are set from this call on.  At first
 *  it is 0. */
G5_API void g5_set_eps_to_all(double eps);
/** The same by its square, as GRAPE-7's library has it. */
G5_API void g5_set_eps2_to_all(double eps2);
/** Softening lengths of the first ni i-particles that were set, until g5_set_xi() sets others. */
G5_API void g5_set_eps(int ni, double *eps);
G5_API void g5_set_epsMC(int device, int ni, double *eps);

/** Sets ni i-particles with the softening of g5_set_eps_to_all().  x [ni][3]: positions. */
G5_API void g5_set_xi(int ni, double (*x)[3]);
G5_API void g5_set_xiMC(int device, int ni, double (*x)[3]);
/** Sets ni i-particles.  eps2 [ni]: the square of each one's softening length. */
G5_API void g5_set_xei(int ni, double (*x)[3], double *eps2);
G5_API void g5_set_xeiMC(int device, int ni, double (*x)[3], double *eps2);
/** Sets ni i-particles with softening lengths eps [ni], not squared.  h, for the hardware's lists
 *  of neighbours, is ignored. */
G5_API void g5_set_ip(int ni, double (*x)[3], double *eps, double *h);

/* ----------------------------------------------------------------------------------------------
 * 4. Forces
 * -------------------------------------------------------------------------------------------- */
/** Computes the forces on the i-particles that were set. */
G5_API void g5_run(void);
G5_API void g5_runMC(int device);
/** The forces on the first ni i-particles, as the last run found them.  a [ni][3] and p [ni]: the
 *  sums above. */
G5_API void g5_get_force(int ni, double (*a)[3], double *p);
G5_API void g5_get_forceMC(int device, int ni, double (*a)[3], double *p);

/** g5_set_xi(), g5_run() and g5_get_force() in one call; the i-particles that were set stay. */
G5_API void g5_calculate_force_on_x(double (*x)[3], double (*a)[3], double *p, int ni);
G5_API void g5_calculate_force_on_xMC(int device, double (*x)[3], double (*a)[3], double *p,
                                      int ni);
/** g5_set_xei(), g5_run() and g5_get_force() in one call. */
G5_API void g5_calculate_force_on_xe(double (*x)[3], double *eps2, double (*a)[3], double *p,
                                     int ni);
G5_API void g5_calculate_force_on_xeMC(int device, double (*x)[3], double *eps2, double (*a)[3],
                                       double *p, int ni);

/* ----------------------------------------------------------------------------------------------
 * 5. Forms with a softening of each j-particle.  They are Phantom-GRAPE's, whose names end in 0,
 * and soften a pair by both lengths: s = sqrt(|r|^2 + eps_i^2 + eps_j^2).  The cpu sums them in
 * double, whatever backend and precision are set; a pair takes some fifteen times as long as in
 * the other forms.
 * -------------------------------------------------------------------------------------------- */
/** As g5_set_xmj(), and the squares of softening lengths, epsj2 [adr + nj].  A slot keeps its
 *  softening until this call sets another; a slot for which none was set has softening 0. */
G5_API void g5_set_xmj0(int adr, int nj, double (*x)[3], double *m, double *epsj2);
G5_API void g5_set_xmjMC0(int device, int adr, int nj, double (*x)[3], double *m, double *epsj2);
/** The same as g5_set_xeiMC(). */
G5_API void g5_set_xiMC0(int device, int ni, double (*x)[3], double *eps2);
/** As g5_runMC(). */
G5_API void g5_runMC0(int device);
/** As g5_calculate_force_on_xe(). */
G5_API void g5_calculate_force_on_x0(double (*x)[3], double (*a)[3], double *p, int ni,
                                     double *eps2);
G5_API void g5_calculate_force_on_xMC0(int device, double (*x)[3], double (*a)[3], double *p,
                                       int ni, double *eps2);

#ifdef __cplusplus
}
#endif
#endif
