/* SPDX-License-Identifier: MIT
 *
 * g6lib.h - the interface of libg6gpu: gravity behind the calls of the GRAPE-6 computer.
 *
 * A collisional N-body code keeps its particles on the host, sends them to "the GRAPE" as
 * j-particles, and asks for the force on a block of i-particles at a time t:
 *
 *     g6_open(id);
 *     for each particle  g6_set_j_particle(id, address, index, t0, dt, m, a2/18, a1/6, a/2, v, x);
 *     g6_set_ti(id, t);                            // the j-particles are predicted to this time
 *     g6calc_firsthalf(id, nj, ni, index, xi, vi, aold, j6old, phiold, eps2, h2);
 *     ... host work while the device computes ...
 *     g6calc_lasthalf2(id, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot, nnbindex);
 *     g6_close(id);
 *
 * At the start a code knows no derivatives: it sends a2 = a1 = a = 0, asks for the force on all
 * particles, and sends them again with the accelerations and jerks that it got.  After each step it
 * sends the particles that have moved.
 *
 * Notes: Rules that several functions share.  The comments below name them by number.
 *
 *   1 Status.  Unless its comment tells another result, an int function returns 0 for success,
 *     else a value of enum g6_status, and g6_last_error() has the text.
 *   2 Clusters.  A cluster is one set of j-particles with its devices and settings.  Its id is any
 *     int: a GPU number, an MPI rank.  A call with an id that is not open uses the single open
 *     cluster; unless just one cluster is open, it opens the id.  The calls that set or read a
 *     setting are the exception: they always mean the id itself.
 *   3 Units.  G = 1; length, mass and time are the caller's own.
 *   4 Arrays.  All are C row-major: x[n][3] here is x(3,n) in Fortran.  Counting starts at 0.
 *   5 Identity.  The index of a particle is any int and need not be unique.  No i-particle feels,
 *     or has as its nearest neighbour, a j-particle with its own index.
 *   6 Refused input.  A negative count or address, a NULL array, a j-particle with a value that is
 *     NaN or infinite, an i-particle with such a position or eps2: the call returns a status and
 *     changes nothing.  A force that cannot be computed is 0.
 *   7 Hints.  Arguments that only served the hardware (number formats, buffers, scales of its
 *     fixed-point sums) are accepted and ignored.  Such pointers may be NULL.
 *   8 Fortran.  Every function g6_x of parts 1 to 4 and 7 has a twin g6_x_ (and g6_x__) that takes
 *     each scalar by pointer.
 *   9 Threads.  Calls on different clusters may run at the same time; calls on one cluster may not
 *     overlap.  A call on a cluster on which another call is at work returns G6_ERR_STATE, changes
 *     nothing, and the numbers that it writes are 0; the other call goes on.  g6calc_firsthalf()
 *     has no status: the next lasthalf of its thread and id returns G6_ERR_STATE.  So does the
 *     lasthalf of a thread whose block another thread's firsthalf has replaced: threads that share
 *     a cluster hold one lock from firsthalf to lasthalf.  An id that is not open may mean the
 *     cluster of another thread (note 2), so each thread must open its id.
 *     A thread that is cancelled (pthread_cancel) inside a call ends when the call returns.
 *  10 Messages.  The library never exits, aborts or prints on stdout.  stderr gets a line for each
 *     kind of event that makes results wrong, was refused, or cost a device (G6_LOG=none: nothing).
 *
 * References: Makino, Fukushige, Koga & Namura 2003, PASJ 55, 1163 (GRAPE-6);
 *             Makino & Aarseth 1992, PASJ 44, 141 (force, jerk, Hermite predictor: eqs. 1-5).
 */
#ifndef G6LIB_H
#define G6LIB_H
#include <stddef.h>

#define G6_VERSION_MAJOR 1
#define G6_VERSION_MINOR 0
#define G6_VERSION_PATCH 0

#if defined(__GNUC__)
#define G6_API __attribute__((visibility("default")))
#else
#define G6_API
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------------------------------------------
 * Status codes.  New rows go to the end; a value never changes.
 * -------------------------------------------------------------------------------------------- */
/* clang-format off */
#define G6_STATUS_TABLE(row)                                                                                     \
    row(G6_OK, 0, "success", "")                                                                                 \
    row(G6_LIST_OVERFLOW, 1, "neighbour list longer than the caller's array", "call again with a larger array")  \
    row(G6_ERR_ARGUMENT, -1, "bad argument", "the message of g6_last_error() names it")                          \
    row(G6_ERR_OPTION, -2, "unknown setting or value", "g6info lists the settings and their values")             \
    row(G6_ERR_MEMORY, -3, "out of memory", "use fewer particles")                                               \
    row(G6_ERR_DEVICE, -4, "no device can compute", "g6info tells why each backend was refused")                 \
    row(G6_ERR_STATE, -5, "call out of order", "the message of g6_last_error() names the missing call")          \
    row(G6_ERR_INTERNAL, -6, "internal error", "please report it with the text of g6_last_error()")
/* clang-format on */
enum g6_status {
#define G6_STATUS_ROW(code, value, text, remedy) code = value,
    G6_STATUS_TABLE(G6_STATUS_ROW)
#undef G6_STATUS_ROW
};

/* ----------------------------------------------------------------------------------------------
 * 1. The GRAPE-6 calls
 * -------------------------------------------------------------------------------------------- */
/** Opens cluster id.  Opening an open cluster is allowed and changes nothing. */
G6_API int g6_open(int id);
/** Closes a cluster: its j-particles are forgotten.  Its devices stay warm for the next g6_open(),
 *  which is cheap then.  Closing a cluster that is not open is allowed. */
G6_API int g6_close(int id);
/** @return Number of i-particles to send at once: 1 to 16384, constant for the process.  By default
 *  it is 48, for which codes of the hardware's time have arrays, and in profiles gpu and ph4 16384
 *  (G6_PROFILE, G6_NPIPES). */
G6_API int g6_npipes(void);
/** @return The same as g6_npipes(). */
G6_API int g6_get_number_of_pipelines(void);
/** Clears a device fault.  Safe at any time; j-particles stay. */
G6_API int g6_reset(int id);
/** The same as g6_reset(): the hardware's FPGAs were reset here. */
G6_API int g6_reset_fofpga(int id);
/** As g6_reset(), and looks for devices again.  j-particles stay. */
G6_API int g6_reinitialize(int id);
/** The hardware's unit of time (a power of two).  Ignored (note 7): times are doubles here. */
G6_API int g6_set_tunit(int newtunit);
/** The hardware's unit of length (a power of two).  Ignored (note 7): lengths are doubles here. */
G6_API int g6_set_xunit(int newxunit);
/** Sets the time to which j-particles are predicted.  It is 0 at first and may go backwards. */
G6_API int g6_set_ti(int id, double ti);

/** Writes one j-particle into a slot.  The last write wins; a refused one leaves the slot as it is.
 *  With s = ti - tj the particle is predicted to
 *
 *      x_p = x + v s +   aby2 s^2 +   a1by6 s^3 + 3/4 a2by18 s^4
 *      v_p =     v   + 2 aby2 s   + 3 a1by6 s^2 + 3   a2by18 s^3
 *  @param id the cluster
 *  @param address the slot, 0 or more, in any order; memory grows
 *  @param index the particle's identity (note 5), which is reported as neighbour
 *  @param tj time of the data
 *  @param dtj ignored (note 7): the particle's time step
 *  @param mass may be 0; such a particle is a neighbour all the same
 *  @param a2by18 second derivative of the acceleration / 18, at tj
 *  @param a1by6 first derivative of the acceleration / 6, at tj
 *  @param aby2 acceleration / 2, at tj
 *  @param v, x velocity and position at tj */
G6_API int g6_set_j_particle(int id, int address, int index, double tj, double dtj, double mass,
                             double a2by18[3], double a1by6[3], double aby2[3], double v[3],
                             double x[3]);

/** Starts the force on a block of ni i-particles and returns at once; collect with
 *  g6calc_lasthalf().  All inputs are copied.  An error is kept, and returned by the lasthalf that
 *  follows.  Of two firsthalfs without a lasthalf between them the last counts.
 *  @param id the cluster
 *  @param nj slots 0 ... nj-1 act; a slot that was never written adds nothing
 *  @param ni number of i-particles; may exceed g6_npipes()
 *  @param index [ni] their identities: every j with that index is left out (note 5)
 *  @param xi [ni][3] positions at the time of g6_set_ti()
 *  @param vi [ni][3] velocities at that time
 *  @param aold [ni][3] ignored (note 7), but for mode treewalk: see g6_set_mode()
 *  @param j6old, phiold [ni][3] and [ni]: ignored (note 7)
 *  @param eps2 softening squared (length^2)
 *  @param h2 [ni] neighbour radii squared; NULL: no neighbour lists */
G6_API void g6calc_firsthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                             double aold[][3], double j6old[][3], double phiold[], double eps2,
                             double h2[]);

/** Waits for the block of the last firsthalf and writes its sums over j, with r = x_j - x_i and
 *  u = v_j - v_i (Makino & Aarseth 1992, eqs. 1, 2):
 *
 *      acc  =  sum m r / (r^2 + eps2)^(3/2)
 *      jerk =  sum m (u / (r^2 + eps2)^(3/2) - 3 (r.u) r / (r^2 + eps2)^(5/2))
 *      pot  = -sum m / (r^2 + eps2)^(1/2)
 *  With eps2 = 0 a pair at r = 0 adds nothing, nor does one nearer than 1e-90 of the typical
 *  |x_j|.  Nothing but the outputs is written.  Where no firsthalf of this nj and ni waits to be
 *  collected, the function computes the block of its own arguments.  With ni = 0 it computes
 *  nothing, and a block that waits to be collected goes on waiting.
 *  @param id, nj, ni, index, xi, vi, eps2, h2 as in g6calc_firsthalf()
 *  @param acc [ni][3] accelerations; an output may be the array of an old value, as aold
 *  @param jerk [ni][3] their time derivatives; may be the array acc, which then receives acc: so a
 *         caller asks for no jerk, and is spared the time that it takes
 *  @param pot [ni] potentials, negative
 *  @return 0, or a status when nothing could compute: then the outputs are 0. */
G6_API int g6calc_lasthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                           double eps2, double h2[], double acc[][3], double jerk[][3],
                           double pot[]);
/** As g6calc_lasthalf(), and writes nnbindex [ni]: index of the nearest j-particle with another
 *  index, by unsoftened distance at any mass and radius; ties go to the lowest address.  When there
 *  is none, nnbindex is 0 (-1 with G6_NN_NONE=-1). */
G6_API int g6calc_lasthalf2(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                            double eps2, double h2[], double acc[][3], double jerk[][3],
                            double pot[], int nnbindex[]);

/** Makes the neighbour lists of the last firsthalf's block ready for g6_get_neighbour_list().  The
 *  list of an i-particle holds every j-particle with
 *
 *      r^2 + eps2 < h2     with up to 48 pipes, as the hardware has it
 *      r^2        < h2     with more, as sapporo has it (G6_NEIGHBOUR_SOFTENED)
 *  The particle's own index is left out with up to 48 pipes and listed with more
 *  (G6_NEIGHBOUR_SELF).  Lists have no limit of length, so this call never tells an overflow.
 *  @return 0, or a status below 0. */
G6_API int g6_read_neighbour_list(int id);
/** The same as g6_read_neighbour_list(). */
G6_API int g6_read_neighbour_list_old(int id);
/** Copies the list of one i-particle: index values, ascending (see the sort mode).
 *  @param id the cluster
 *  @param ipipe place of the i-particle in the block; beyond the block the list is empty
 *  @param maxlength entries that nbl can hold
 *  @param nblen receives the number of entries written
 *  @param nbl [maxlength] receives the entries
 *  @return 0; 1 (G6_LIST_OVERFLOW) when the list is longer than maxlength: then its first maxlength
 *  entries are written and nblen is maxlength; a status below 0 for an error. */
G6_API int g6_get_neighbour_list(int id, int ipipe, int maxlength, int *nblen, int nbl[]);
/** Sort mode of neighbour lists: non-zero (default) sorts by index, 0 leaves them by address. */
G6_API int g6_set_neighbour_list_sort_mode(int mode);
/** @return The sort mode that was set. */
G6_API int g6_get_neighbour_list_sort_mode(void);
/** Ignored (note 7): writes are always buffered here, and sent by firsthalf. */
G6_API int g6_initialize_jp_buffer(int id, int size);
/** Ignored (note 7), as g6_initialize_jp_buffer(). */
G6_API int g6_flush_jp_buffer(int id);
/** NBODY4's hint that nj particles follow: reserves memory for them. */
G6_API int g6_setup_njdata(int id, int nj);
/** Ignored (note 7): tests for overflow of fixed-point sums.  Nothing overflows here. */
G6_API int g6_set_overflow_flag_test_mode(int aflag, int jflag, int pflag);
/** Writes the cluster's state to the log (G6_LOG=info), never to stdout. */
G6_API int g6_print_chip_status(int id);

/* ----------------------------------------------------------------------------------------------
 * 2. Calls of the GRAPE treecodes: mass and position only.  A cluster that got all its j-particles
 * through these, and no mode, computes acc and pot only (mode treeonly; jerk = 0).
 * -------------------------------------------------------------------------------------------- */
/** As g6_set_j_particle(), with time, velocity and all derivatives 0. */
G6_API int g6_set_j_particle_mxonly(int id, int address, int index, double mass, double x[3]);
/** As g6_set_j_particle_mxonly(), for the cluster id and for each of the nclusters - 1 ids after
 *  it that is open.  This name exists in Fortran style only: it takes pointers. */
G6_API int g6_set_j_particle_multisend_mxfast_(int *id, int *nclusters, int *address, int *index,
                                               double *mass, double x[3]);
/** Ignored (note 7), as g6_initialize_jp_buffer(). */
G6_API int g6_flush_jp_buffer_and_multisend(int id, int nclusters);

/* ----------------------------------------------------------------------------------------------
 * 3. Phantom-GRAPE's forms of lasthalf.  rnnb [ni]: softened distance to the nearest neighbour,
 * sqrt(r^2 + eps2); 0 when there is none.
 * -------------------------------------------------------------------------------------------- */
/** The same as g6calc_lasthalf(). */
G6_API int g6calc_lasthalfn(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                            double eps2, double h2[], double acc[][3], double jerk[][3],
                            double pot[]);
/** The same as g6calc_lasthalf2(). */
G6_API int g6calc_lasthalf2n(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                             double eps2, double h2[], double acc[][3], double jerk[][3],
                             double pot[], int nnbindex[]);
/** As g6calc_lasthalf2(), and writes rnnb. */
G6_API int g6calc_lasthalf2p(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                             double eps2, double h2[], double acc[][3], double jerk[][3],
                             double pot[], int nnbindex[], float rnnb[]);
/** The same as g6calc_lasthalf2p(). */
G6_API int g6calc_lasthalf2np(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                              double eps2, double h2[], double acc[][3], double jerk[][3],
                              double pot[], int nnbindex[], float rnnb[]);

/* ----------------------------------------------------------------------------------------------
 * 4. Calls of Kawai & Fukushige's library: eps2 per particle, one pipe at a time, no id.
 * -------------------------------------------------------------------------------------------- */
/** As g6calc_firsthalf(), with eps2[0] for all i when bit 0 of mode is set (1), else eps2 [ni]. */
G6_API void g6calc_firsthalf0(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                              double aold[][3], double j6old[][3], double phiold[], double *eps2,
                              double h2[], int mode);
/** As g6calc_lasthalf(), with eps2 and mode as in g6calc_firsthalf0(). */
G6_API int g6calc_lasthalf0(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                            double *eps2, double h2[], double acc[][3], double jerk[][3],
                            double pot[], int mode);
/** Number of i-particles of the next g6_get_force().  g6_set_nip(), g6_set_njp() and
 *  g6_set_i_particle() have no status.  After a number that is refused g6_get_force() returns
 *  G6_ERR_ARGUMENT, and zeros, until another number is set; after an i-particle that is refused it
 *  does so once. */
G6_API void g6_set_nip(int id, int nip);
/** Number of j-particles of the next g6_get_force(): slots 0 ... njp-1. */
G6_API void g6_set_njp(int id, int njp);
/** Ignored (note 7): scales of the hardware's fixed-point sums. */
G6_API void g6_set_i_particle_scales_from_real_value(int id, int address, double acc[3],
                                                     double jerk[3], double phi, double jfactor,
                                                     double ffactor);
/** Writes i-particle number address of the next g6_get_force(); values as in g6calc_firsthalf(). */
G6_API void g6_set_i_particle(int id, int address, int index, double x[3], double v[3], double eps2,
                              double h2);
/** Computes the i-particles set so far.
 *  @param id the cluster
 *  @param acc, jerk, phi [nip][3], [nip][3], [nip]: as in g6calc_lasthalf()
 *  @param flag [nip] receives 0: no overflow; may be NULL
 *  @return 0, or a status.  G6_ERR_MEMORY: no memory for the number of i-particles that was set
 *  last; zeros were written for that many, but at most g6_npipes().  G6_ERR_STATE (note 9): zeros
 *  were written for as many as the calling thread has set. */
G6_API int g6_get_force(int id, double acc[][3], double jerk[][3], double phi[], int flag[]);
/** As g6_get_force(), and writes nnbindex as g6calc_lasthalf2() does. */
G6_API int g6_get_force_etc(int id, double acc[][3], double jerk[][3], double phi[], int nnbindex[],
                            int flag[]);
/** Predicted positions x and velocities v [nj][3] of slots 0 ... nj-1 at the time of g6_set_ti(); 0
 *  in empty slots.  Either may be NULL.  Where one of the values is beyond the range of double, the
 *  call returns G6_ERR_ARGUMENT, and all outputs are 0. */
G6_API int g6_get_predicted_j_particles(int id, int nj, double x[][3], double v[][3]);
/** @return Largest number of j-particles that the cluster's devices hold. */
G6_API int g6_getnjmax(int id);

/** As g6_open(), for one more cluster, which no id names and which has all devices.  Each function
 *  below does for this cluster what the function without _all in its name does for a cluster id. */
G6_API int g6_open_all(void);
G6_API int g6_close_all(void);
G6_API int g6_set_ti_all(double ti);
G6_API int g6_set_j_particle_all(int address, int index, double tj, double dtj, double mass,
                                 double a2by18[3], double a1by6[3], double aby2[3], double v[3],
                                 double x[3]);
G6_API int g6_set_j_particle_mxonly_all(int address, int index, double mass, double x[3]);
G6_API void g6calc_firsthalf_all(int nj, int ni, int index[], double xi[][3], double vi[][3],
                                 double aold[][3], double j6old[][3], double phiold[], double eps2,
                                 double h2[]);
G6_API void g6calc_firsthalf0_all(int nj, int ni, int index[], double xi[][3], double vi[][3],
                                  double aold[][3], double j6old[][3], double phiold[],
                                  double *eps2, double h2[], int mode);
G6_API int g6calc_lasthalf_all(int nj, int ni, int index[], double xi[][3], double vi[][3],
                               double eps2, double h2[], double acc[][3], double jerk[][3],
                               double pot[]);
G6_API int g6calc_lasthalf0_all(int nj, int ni, int index[], double xi[][3], double vi[][3],
                                double *eps2, double h2[], double acc[][3], double jerk[][3],
                                double pot[], int mode);
G6_API int g6calc_lasthalf2_all(int nj, int ni, int index[], double xi[][3], double vi[][3],
                                double eps2, double h2[], double acc[][3], double jerk[][3],
                                double pot[], int nnbindex[]);
G6_API int g6_read_neighbour_list_all(void);
G6_API int g6_get_neighbour_list_all(int ipipe, int maxlength, int *nblen, int nbl[]);
G6_API void g6_set_nip_all(int nip);
G6_API void g6_set_njp_all(int njp);
G6_API void g6_set_i_particle_scales_from_real_value_all(int address, double acc[3], double jerk[3],
                                                         double phi, double jfactor,
                                                         double ffactor);
G6_API void g6_set_i_particle_all(int address, int index, double x[3], double v[3], double eps2,
                                  double h2);
G6_API int g6_get_force_all(double acc[][3], double jerk[][3], double phi[], int flag[]);
G6_API int g6_get_force_etc_all(double acc[][3], double jerk[][3], double phi[], int nnbindex[],
                                int flag[]);
G6_API int g6_get_predicted_j_particles_all(int nj, double x[][3], double v[][3]);
G6_API int g6_getnjmax_all(void);

/* ----------------------------------------------------------------------------------------------
 * 5. sapporo's calls (C only).  They choose the devices of the clusters opened next.
 * -------------------------------------------------------------------------------------------- */
/** Opens cluster 0.  ngpu > 0: the devices list[ngpu]; 0: all devices; < 0: any |ngpu| devices. */
G6_API int g6_open_special(int ngpu, int *list);
/** As g6_open_special(); nmax: number of j-particles to reserve memory for. */
G6_API int g6_open_special2(int ngpu, int *list, int nmax);
/** @return Number of devices of the backend in use (at least 1: the CPU). */
G6_API int get_device_count(void);
/* The symbol for programs with this header: under the C name sapporo 2 has other arguments. */
#pragma redefine_extname get_j_part_data g6_get_j_part_data
/** For debugging: the j-particle at an address of cluster 0.  Any pointer may be NULL.  An address
 *  without a particle is G6_ERR_ARGUMENT, and all outputs are 0.  Programs without this header that
 *  are linked with libsapporo get the form with the 11 arguments of sapporo 2 under this name.
 *  @param address the slot
 *  @param nj ignored
 *  @param x, v position and velocity as sent
 *  @param acc, jerk 2 aby2 and 6 a1by6
 *  @param px, pv position and velocity at the time of g6_set_ti() */
G6_API int get_j_part_data(int address, int nj, double x[3], double v[3], double acc[3],
                           double jerk[3], double px[3], double pv[3]);

/* ----------------------------------------------------------------------------------------------
 * 6. libg6gpu's own additions
 * -------------------------------------------------------------------------------------------- */
/** @return "1.0.0". */
G6_API const char *g6_version(void);
/** @return What went wrong last in the calling thread: what, where, what to do; "" after nothing.
 *  Valid until the next error. */
G6_API const char *g6_last_error(void);
/** @return Text of a status, e.g. "bad argument". */
G6_API const char *g6_status_text(int status);
/** @return What to do about a status; "" for success. */
G6_API const char *g6_status_remedy(int status);

/** Writes n j-particles at once, up to the first that is refused; without memory for all of them,
 *  none.  Several host threads write thousands of particles.
 *  @param id the cluster
 *  @param n their number
 *  @param address [n] slots; NULL: 0 ... n-1
 *  @param index [n] identities; NULL: the addresses
 *  @param t [n] times of the data, tj; NULL: 0
 *  @param mass [n]
 *  @param k18, j6, a2 [n][3] a2by18, a1by6, aby2 of g6_set_j_particle(); NULL: 0
 *  @param v [n][3] velocities; NULL: 0
 *  @param x [n][3] positions */
G6_API int g6_set_j_particles(int id, int n, const int address[], const int index[],
                              const double t[], const double mass[], const double k18[][3],
                              const double j6[][3], const double a2[][3], const double v[][3],
                              const double x[][3]);
/** Sets softenings of j-particles.  A pair then has eps_ij^2 = eps_i^2 + eps_j^2, with eps_i^2 from
 *  the call that asks for the force: in acc, jerk and pot of every mode, and wherever a distance is
 *  softened (rnnb, neighbour lists with up to 48 pipes).  The nearest neighbour is found without
 *  softening.  A value belongs to its slot: it may be set before a j-particle is written there, and
 *  stays when another one is; g6_close() forgets all values.  Slots for which none was set have 0.
 *  A softening that is the same for all j-particles costs nothing; else each value, 0 included,
 *  costs a direct sum or walk of its own over the particles that have it.  Values act from the next
 *  firsthalf on.
 *  @param id the cluster
 *  @param n number of values
 *  @param address [n] slots; NULL: 0 ... n-1
 *  @param eps2 [n] eps_j^2 (length^2), finite and 0 or more
 *  @return 0; G6_ERR_ARGUMENT, and nothing changes, for a bad value or slot, or where the slots
 *  would have more than 16 different values besides 0. */
G6_API int g6_set_j_softening(int id, int n, const int address[], const double eps2[]);
/** The same as g6_get_predicted_j_particles(): computed by the host in double precision. */
G6_API int g6_predict(int id, int nj, double x[][3], double v[][3]);

/** The same as g6_set_option(id, "mode", mode).  mode: "hermite" (direct sums), "treeonly" (direct
 *  sums of acc and pot), "treewalk" or "auto" (treeonly as in part 2, else hermite).  In treewalk
 *  acc, pot and jerk are Barnes-Hut sums (settings theta, mac, multipole, direct); neighbours and
 *  self-exclusion stay exact.  With mac = acceleration, firsthalf reads aold: accelerations in the
 *  caller's units. */
G6_API int g6_set_mode(int id, const char *mode);
/** Sets one setting of one cluster, effective from its next firsthalf.  key: a name of the settings
 *  table, as "mode" or "G6_MODE".  The setting is that of exactly this id, also before the id is
 *  opened.  While another cluster is the only open one, that cluster serves other calls on this id
 *  with its own settings (note 2); a warning on the log says so.
 *  @return 0; G6_ERR_OPTION for an unknown key or value, or a setting that is fixed for the process
 *  (profile, npipes, log, trace, local_backend): then nothing changes. */
G6_API int g6_set_option(int id, const char *key, const char *value);
/** Writes the value in force as text into value[size], cut to size. */
G6_API int g6_get_option(int id, const char *key, char *value, int size);
/** Row 0, 1, ... of the settings table: name without G6_, allowed values, meaning; any pointer may
 *  be NULL.  @return 0, or non-zero past the end. */
G6_API int g6_option_row(int row, const char **key, const char **values, const char **help);

/** @return Backend that computes for this cluster: "cuda", "opencl", "cpu", "mpi". */
G6_API const char *g6_backend_name(int id);

/** Receives each log line (without newline).  level: 1 error, 2 warn, 3 info, 4 debug.  The thread
 *  whose call made a line calls the function at the end of that call.  The function may make any
 *  call of this library.  Such calls log nothing; their status, and g6_last_error() until the
 *  function returns, tell what failed.  The function may end its thread by pthread_exit(); the
 *  lines of that thread that still wait are then lost. */
typedef void (*g6_log_function)(int level, const char *line, void *user);
/** Sends log lines up to this level to a function; NULL: back to stderr, by G6_LOG.  Returns when
 *  the earlier function runs in no thread, so that its user data may be freed.  Only a call from
 *  within a log function does not wait. */
G6_API int g6_set_log(g6_log_function function, int level, void *user);

/** Part of a loop of the program's own: does the work for numbers first ... end - 1.  It must not
 *  throw, nor end its thread.  Where the loop has several parts, a call of this library from within
 *  the function runs on the calling thread alone. */
typedef void (*g6_part_function)(int first, int end, void *user);
/** Runs a loop over 0 ... n-1 on the calling thread and on the threads of the library's own loops.
 *  A program whose loops run here has no more threads than processors; with OpenMP regions beside
 *  the library's threads it would have twice as many.
 *  @param size most numbers that one call of the function gets.  Choose it so that a call takes 5
 *  microseconds or more: that is how long another thread needs to join.  Threads take parts until
 *  none is left, so that parts may differ in work; a loop over the same n and size gives each
 *  thread the same parts where it can.
 *  @return 0 when all calls have returned; G6_ERR_ARGUMENT for n < 0, size < 1 or function NULL. */
G6_API int g6_parallel(int n, int size, g6_part_function function, void *user);

/** One backend that was looked at.  size: set to sizeof(struct) by the caller. */
struct g6_backend_info {
    size_t size;
    char name[32];
    char path[512];   /* file it came from; "built in" */
    char reason[512]; /* "" when usable, else why it was refused */
    int ndevices;
};
/** Describes backend n = 0, 1, ...  @return 0, or non-zero past the end. */
G6_API int g6_get_backend_info(int n, struct g6_backend_info *info);

/** One device of a backend.  size: as in g6_backend_info. */
struct g6_device_info {
    size_t size;
    char name[256];
    char notes[256];     /* driver, instruction set, precisions */
    double memory_bytes; /* total */
    double memory_free_bytes;
    int compute_units; /* SMs, cores */
    int has_double;
};
/** Describes device 0, 1, ... of backend n.  @return 0, or non-zero past the end. */
G6_API int g6_get_device_info(int n, int device, struct g6_device_info *info);

/** Tells how a block would be divided over the devices of a cluster, and computes nothing.
 *  @param id the cluster
 *  @param nj, ni the block: ni i-particles over nj j-particles
 *  @return Number of devices, at least 1, that would share the i-particles.  In mode treewalk these
 *  are the devices of the walk, or of the direct sum where that costs less.  < 0: a status. */
G6_API int g6_devices_for(int id, int nj, int ni);

/** Counters of one cluster since it was first opened, times in s.  size: as in g6_backend_info. */
struct g6_stats {
    size_t size;
    double blocks; /* firsthalf calls that were computed */
    double i_particles;
    double interactions; /* sum of ni * nj; of a treewalk: bodies and cells that were summed */
    double j_writes;     /* set_j calls */
    double j_sent;       /* j-records sent to devices */
    double repeats;      /* blocks computed again because the client wanted more than was guessed */
    double recoveries;   /* devices lost and replaced */
    double copies_up;    /* transfers to devices */
    double copies_down;
    double waits;
    double seconds_send;  /* packing and starting (firsthalf) */
    double seconds_wait;  /* waiting and adding (lasthalf) */
    double seconds_lists; /* neighbour lists */
    int devices;
    double messages; /* to and from workers on other machines, and their bytes */
    double message_bytes;
    double overflows; /* i-particles that the host summed: out of range of a device's numbers */
};
/** Copies the counters of a cluster. */
G6_API int g6_get_stats(int id, struct g6_stats *stats);

/** Makes this process a worker, as g6worker is: its devices compute for a client in another
 *  process.  Returns when the client has ended.
 *  @param backend what connects the processes: "mpi"
 *  @param poll seconds for which the worker looks for the next message every few microseconds
 *  @param sleep longest pause in seconds between looks after that
 *  @param patience seconds after which a worker ends the job of a program that has started MPI and
 *  asks for no worker: such a program uses MPI itself
 *  @return 0; G6_ERR_DEVICE when there is no client or nothing to compute on. */
G6_API int g6_serve(const char *backend, double poll, double sleep, double patience);

/* ----------------------------------------------------------------------------------------------
 * 7. Calls that only GRAPE-6's host library of 2002 and Phantom-GRAPE have.  A final underscore:
 * Fortran style only, all arguments are pointers, and a null scalar counts as 0.  The other names
 * have twins (note 8); that of g6_preset_... has jfactor and ffactor as its last two arguments.
 * -------------------------------------------------------------------------------------------- */
/** @return The pipe whose sum overflowed in the last lasthalf and was computed again.  Always -1,
 *  none: nothing overflows here. */
G6_API int g6_changed_index(int id);
/** As g6_set_j_particle(), for the cluster id and for each of the nclusters - 1 ids after it that
 *  is open.  nclusters below 1 counts as 1. */
G6_API int g6_set_j_particle_multisend(int id, int nclusters, int address, int index, double tj,
                                       double dtj, double mass, double a2by18[3], double a1by6[3],
                                       double aby2[3], double v[3], double x[3]);
/** The same as g6_set_j_particle_multisend_mxfast_(). */
G6_API int g6_set_j_particle_multisend_mxf_(int *id, int *nclusters, int *address, int *index,
                                            double *mass, double x[3]);
/** Writes i-particles address ... address + ni - 1 of the next g6_get_force(), as ni calls of
 *  g6_set_i_particle() do. */
G6_API int g6_set_i_particle_vector_(int *id, int *address, int *ni, int index[], double x[][3],
                                     double v[][3], double eps2[], double h2[]);
/** The same as g6_set_njp(). */
G6_API int g6_set_njp_real_(int *id, int *njp);
/** g6calc_lasthalf0() with the nearest neighbours of g6calc_lasthalf2(). */
G6_API int g6calc_lasthalf0a_(int *id, int *nj, int *ni, int index[], double xi[][3],
                              double vi[][3], double eps2[], double h2[], double acc[][3],
                              double jerk[][3], double pot[], int nnbindex[], int *mode);
/** @return 0 for the flag 0, which is all that g6_get_force() writes here; 1 for any other flag. */
G6_API int g6_test_flag_(int *id, int *flag);

/** Ignored (note 7), as the next: the scales of the hardware's fixed-point sums. */
G6_API int g6_set_ip_scales_(int *id, int *address, double acc[3], double jerk[3], double *phi,
                             double *jfactor, double *ffactor);
G6_API int g6_preset_i_particle_scales_from_real_value(int id, int address, double acc[3],
                                                       double jerk[3], double *phi);
/** Writes 0 into entry *address of the last three arrays, where g6_copy_i_particle_scales_() would
 *  find the scales of that i-particle; any of them may be NULL. */
G6_API int g6_calc_i_particle_scales_from_real_value_(int *id, int *address, double acc[3],
                                                      double jerk[3], double *phi, double *jfactor,
                                                      double *ffactor, int acc_scale[],
                                                      int jerk_scale[], int pot_scale[]);
/** Ignored (note 7), as the next. */
G6_API int g6_copy_i_particle_scales_(int *id, int *address, int acc_scale[], int jerk_scale[],
                                      int pot_scale[]);
G6_API int g6_adjust_ip_scales_(int *id, int *address, int *flag);

/** Ignored (note 7), as the next two: modes of the boards. */
G6_API int g6_setfoerrchkmode_(int *id, int *mode);
G6_API int g6_change_cbjpmode(int id, int mode);
G6_API int g6_set_simulator_use(int mode);
/** Keeps a number for g6_mccount_(). */
G6_API int g6_setmccount(int count);
/** @return The number that g6_setmccount() got, at first 1. */
G6_API int g6_mccount_(void);

/** Does nothing and returns 0, as the next two: Phantom-GRAPE writes the numbers into files for
 *  debugging. */
G6_API int g6_dump(double t, int n, double mass[], double x[][3], double v[][3]);
G6_API int g6_debugfunc(int number);
G6_API int g6_debugfunc_double(double number);
#ifdef __cplusplus
}
/** sapporo 2's form of get_j_part_data(), also with the particle's mass and index.  eps2 is 0, also
 *  where g6_set_j_softening() has given the particle a softening. */
G6_API void get_j_part_data(int address, int nj, double *x, double *v, double *acc, double *jerk,
                            double *px, double *pv, double &mass, double &eps2, int &id);
#endif
#endif
