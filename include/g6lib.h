/* SPDX-License-Identifier: MIT
 *
 * g6lib.h - the interface of libg6gpu: gravity behind the calls of the GRAPE-6 special-purpose
 * computer.
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
 * Units: G = 1; length, mass and time are the caller's.  Every array is C row-major: x[n][3] here
 * is x(3,n) in Fortran. Return values: 0 is success everywhere; otherwise one of enum g6_status,
 * and g6_last_error() has the text. The library never exits and never aborts.  It prints
 * nothing on stdout, and on stderr one line for each kind of event that makes results wrong, was
 * refused, or cost a device (G6_LOG=none: nothing).
 *
 * Every function g6_x of parts 1 to 4 and 7 has a Fortran twin g6_x_ (and g6_x__) that takes each scalar
 * by pointer. Threads: calls on different ids may run at the same time; calls on one id may not
 * overlap.
 *
 * References: Makino, Fukushige, Koga & Namura 2003, PASJ 55, 1163 (GRAPE-6);
 *             Makino & Aarseth 1992, PASJ 44, 141 (the Hermite scheme, eqs. 1-5: force, jerk,
 * predictor).
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
 * Status codes.  One row: code, value, text, remedy.  New rows go to the end; a value never
 * changes.
 * -------------------------------------------------------------------------------------------- */
/* clang-format off */
#define G6_STATUS_TABLE(row)                                                                                     \
    row(G6_OK, 0, "success", "")                                                                                 \
    row(G6_LIST_OVERFLOW, 1, "neighbour list longer than the caller's array", "call again with a larger array")  \
    row(G6_ERR_ARGUMENT, -1, "bad argument", "the message of g6_last_error() names it")                          \
    row(G6_ERR_OPTION, -2, "unknown setting or value", "g6info lists the settings and their values")             \
    row(G6_ERR_MEMORY, -3, "out of memory", "use fewer particles or more devices (G6_DEVICES)")                  \
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

/** Opens cluster id (any int: a GPU number, an MPI rank).  Opening an open cluster is allowed and
 * changes nothing. Calls with an id that is not open use the single open cluster, or open the id.
 */
G6_API int g6_open(int id);
/** Closes a cluster: its j-particles are forgotten, its device context stays warm for the next
 * g6_open(). */
G6_API int g6_close(int id);
/** Number of i-particles to send at once: constant for the process, 1 to 16384.  48, the
 * hardware's, which codes of its time have arrays for; 2048 in profile gpu (G6_PROFILE, G6_NPIPES). */
G6_API int g6_npipes(void);
/** The same as g6_npipes(). */
G6_API int g6_get_number_of_pipelines(void);
/** Clears a device fault.  Safe at any time; j-particles stay. */
G6_API int g6_reset(int id);
/** Clears a device fault (GRAPE-6 reset its FPGAs here).  Safe at any time; j-particles stay. */
G6_API int g6_reset_fofpga(int id);
/** Clears a device fault and looks for devices again.  j-particles stay. */
G6_API int g6_reinitialize(int id);
/** The hardware's unit of time (a power of two).  Ignored: times are doubles here. */
G6_API int g6_set_tunit(int newtunit);
/** The hardware's unit of length (a power of two).  Ignored: positions are doubles here. */
G6_API int g6_set_xunit(int newxunit);
/** Time to which j-particles are predicted; 0 before the first call; may go backwards. */
G6_API int g6_set_ti(int id, double ti);

/** Writes one j-particle into slot address (0-based; any order; memory grows; the last write wins).
 *  index: the particle's identity, any int; used for self-exclusion and reported as neighbour; need
 * not be unique. tj: time of the data; dtj: ignored; a2by18 = (d2a/dt2)/18, a1by6 = (da/dt)/6, aby2
 * = a/2, v, x at tj: x_p = x + v s + aby2 s^2 + a1by6 s^3 + 3/4 a2by18 s^4,  s = ti - tj, and v_p
 * its derivative. A non-finite value or a negative address is refused (G6_ERR_ARGUMENT): the slot
 * keeps what it had. */
G6_API int g6_set_j_particle(int id, int address, int index, double tj, double dtj, double mass,
                             double a2by18[3], double a1by6[3], double aby2[3], double v[3],
                             double x[3]);

/** Starts the force of j-slots 0 ... nj-1 on ni particles and returns at once; collect with
 * g6calc_lasthalf(). index [ni]: own identities: every j with that index is left out. xi, vi
 * [ni][3]: positions and velocities at the time of g6_set_ti(); all inputs are copied. aold, j6old
 * [ni][3], phiold [ni]: scaling hints of the hardware; may be anything, may be NULL (but see
 * g6_set_mode()). eps2:
 * softening squared; h2 [ni]: neighbour radii squared (NULL: no neighbour lists). An error here is
 * kept and returned by the lasthalf that follows.  ni may exceed g6_npipes(). */
G6_API void g6calc_firsthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                             double aold[][3], double j6old[][3], double phiold[], double eps2,
                             double h2[]);

/** Waits for the block of the last firsthalf and writes (Makino & Aarseth 1992, eqs. 1, 2)
 *  acc [ni][3] = sum m r / (r^2+eps2)^(3/2),  jerk [ni][3] = d acc / dt,  pot [ni] = -sum m /
 * sqrt(r^2+eps2). Writes nothing else; outputs may alias the old values given to firsthalf. Without
 * a pending firsthalf of this ni and nj the arguments given here are computed.  Returns 0, or
 * non-zero when nothing could compute (outputs 0). */
G6_API int g6calc_lasthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                           double eps2, double h2[], double acc[][3], double jerk[][3],
                           double pot[]);
/** As g6calc_lasthalf(), and nnbindex [ni]: index of the nearest j with another index by unsoftened
 * distance, ties to the lowest address; when there is none, 0 (or -1: G6_NN_NONE=-1). */
G6_API int g6calc_lasthalf2(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                            double eps2, double h2[], double acc[][3], double jerk[][3],
                            double pot[], int nnbindex[]);

/** Fetches the neighbour lists of the last block: j with r^2 + eps2 < h2 (profile
 * gpu: r^2 < h2).  0 ok; > 0 never
 * (no limit); < 0 fault. */
G6_API int g6_read_neighbour_list(int id);
/** The same as g6_read_neighbour_list(). */
G6_API int g6_read_neighbour_list_old(int id);
/** List of i-particle ipipe (0-based in the block): index values, ascending (see the sort mode),
 * into nbl[maxlength]. Returns 0 and *nblen = count; 1 when count > maxlength: maxlength entries
 * written, *nblen = maxlength; < 0 on error.  A pipe beyond the block's has an empty list. */
G6_API int g6_get_neighbour_list(int id, int ipipe, int maxlength, int *nblen, int nbl[]);
/** Sort mode of neighbour lists: non-zero (default) sorts by index, 0 leaves them by address. */
G6_API int g6_set_neighbour_list_sort_mode(int mode);
G6_API int g6_get_neighbour_list_sort_mode(void);

/** Buffering hints of the hardware; writes are always buffered here and sent by firsthalf. */
G6_API int g6_initialize_jp_buffer(int id, int size);
G6_API int g6_flush_jp_buffer(int id);
/** NBODY4's hint that nj particles follow: reserves memory. */
G6_API int g6_setup_njdata(int id, int nj);
/** Overflow tests of the hardware's fixed-point sums: accepted and ignored (nothing overflows
 * here). */
G6_API int g6_set_overflow_flag_test_mode(int aflag, int jflag, int pflag);
/** Writes the cluster's state to the log (G6_LOG=info), never to stdout. */
G6_API int g6_print_chip_status(int id);

/* ----------------------------------------------------------------------------------------------
 * 2. Calls of the GRAPE treecodes: mass and position only.  While all j-particles of a cluster came
 * through these and no mode was chosen, the cluster computes acc and pot only (mode treeonly; jerk
 * = 0).
 * -------------------------------------------------------------------------------------------- */
G6_API int g6_set_j_particle_mxonly(int id, int address, int index, double mass, double x[3]);
/** Fortran-style call (all pointers): writes the particle to cluster *id and to those open clusters
 * that are among the *nclusters - 1 ids that follow. */
G6_API int g6_set_j_particle_multisend_mxfast_(int *id, int *nclusters, int *address, int *index,
                                               double *mass, double x[3]);
G6_API int g6_flush_jp_buffer_and_multisend(int id, int nclusters);

/* ----------------------------------------------------------------------------------------------
 * 3. Phantom-GRAPE's forms of lasthalf.  rnnb [ni]: softened distance to the nearest neighbour,
 * sqrt(r^2+eps2).
 * -------------------------------------------------------------------------------------------- */
G6_API int g6calc_lasthalfn(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                            double eps2, double h2[], double acc[][3], double jerk[][3],
                            double pot[]);
G6_API int g6calc_lasthalf2n(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                             double eps2, double h2[], double acc[][3], double jerk[][3],
                             double pot[], int nnbindex[]);
G6_API int g6calc_lasthalf2p(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                             double eps2, double h2[], double acc[][3], double jerk[][3],
                             double pot[], int nnbindex[], float rnnb[]);
G6_API int g6calc_lasthalf2np(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                              double eps2, double h2[], double acc[][3], double jerk[][3],
                              double pot[], int nnbindex[], float rnnb[]);

/* ----------------------------------------------------------------------------------------------
 * 4. Calls of the K&F library: one pipe at a time, eps2 per particle, and forms without id over all
 * devices.
 * -------------------------------------------------------------------------------------------- */
/** Bit 0 of mode set (1): eps2[0] for all i; clear (0): eps2 [ni], one for each i. */
G6_API void g6calc_firsthalf0(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                              double aold[][3], double j6old[][3], double phiold[], double *eps2,
                              double h2[], int mode);
G6_API int g6calc_lasthalf0(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                            double *eps2, double h2[], double acc[][3], double jerk[][3],
                            double pot[], int mode);
/** Low level: number of i-particles and of j-particles of the next g6_get_force(). */
G6_API void g6_set_nip(int id, int nip);
G6_API void g6_set_njp(int id, int njp);
/** Scaling hints of the hardware: accepted and ignored. */
G6_API void g6_set_i_particle_scales_from_real_value(int id, int address, double acc[3],
                                                     double jerk[3], double phi, double jfactor,
                                                     double ffactor);
/** Writes i-particle `address` (0-based) of the next g6_get_force(). */
G6_API void g6_set_i_particle(int id, int address, int index, double x[3], double v[3], double eps2,
                              double h2);
/** Computes the i-particles set so far; arrays of nip entries; flag [nip] = 0 (no overflow; may be
 * NULL).  When the last number of i-particles found no memory, zeros are written for as many, but
 * for g6_npipes() at most, and G6_ERR_MEMORY is returned. */
G6_API int g6_get_force(int id, double acc[][3], double jerk[][3], double phi[], int flag[]);
G6_API int g6_get_force_etc(int id, double acc[][3], double jerk[][3], double phi[], int nnbindex[],
                            int flag[]);
/** Predicted positions and velocities [nj][3] of slots 0 ... nj-1 at the time of g6_set_ti() (0 in
 * empty slots). */
G6_API int g6_get_predicted_j_particles(int id, int nj, double x[][3], double v[][3]);
/** Largest number of j-particles that the cluster's devices hold. */
G6_API int g6_getnjmax(int id);

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
 * 5. sapporo's calls (C only).  ngpu > 0: the devices list[ngpu]; 0: all devices; < 0: any |ngpu|
 * devices. They choose the devices of the clusters opened next; g6_open_special also opens cluster
 * 0.
 * -------------------------------------------------------------------------------------------- */
G6_API int g6_open_special(int ngpu, int *list);
/** As g6_open_special(); nmax: number of j-particles to reserve. */
G6_API int g6_open_special2(int ngpu, int *list, int nmax);
/** Number of devices of the backend in use (at least 1: the CPU). */
G6_API int get_device_count(void);
/** For debugging: the j-particle at address of cluster 0.  x, v, acc, jerk [3] as they were sent (acc
 * = 2 aby2, jerk = 6 a1by6), px, pv [3]: position and velocity at the time of g6_set_ti().  nj is
 * not read, any pointer may be NULL.  An address without a particle is G6_ERR_ARGUMENT, and all
 * outputs are 0. */
G6_API int get_j_part_data(int address, int nj, double x[3], double v[3], double acc[3],
                           double jerk[3], double px[3], double pv[3]);

/* ----------------------------------------------------------------------------------------------
 * 6. libg6gpu's own additions
 * -------------------------------------------------------------------------------------------- */

/** "1.0.0". */
G6_API const char *g6_version(void);
/** What went wrong last in the calling thread: what, where, what to do; "" after nothing.  Valid
 * until the next error. */
G6_API const char *g6_last_error(void);
/** Text of a status code, e.g. "bad argument", and what to do about it. */
G6_API const char *g6_status_text(int status);
G6_API const char *g6_status_remedy(int status);

/** n j-particles at once; arrays as in g6_set_j_particle(): address, index, t, mass [n], k18, j6,
 * a2, v, x [n][3]. k18, j6, a2, v may be NULL (zero); address NULL: 0 ... n-1; index NULL: the
 * address; t NULL: 0. */
G6_API int g6_set_j_particles(int id, int n, const int address[], const int index[],
                              const double t[], const double mass[], const double k18[][3],
                              const double j6[][3], const double a2[][3], const double v[][3],
                              const double x[][3]);
/** Predicted x, v [nj][3] at the time of g6_set_ti(), by the host in double precision; either may
 * be NULL. */
G6_API int g6_predict(int id, int nj, double x[][3], double v[][3]);

/** "hermite", "treeonly", "treewalk".  The same as g6_set_option(id, "mode", mode).  In treewalk
 * acc, pot and jerk are Barnes-Hut sums (settings theta, mac, multipole, leaf, curve, rebuild,
 * direct, tune); aold of firsthalf is read when mac is "acceleration", as accelerations in the
 * caller's units; neighbours and self-exclusion stay exact. */
G6_API int g6_set_mode(int id, const char *mode);
/** Sets one setting of one cluster, effective from its next firsthalf.  key: a name of the settings
 * table, as "mode" or "G6_MODE".  An unknown key or value is G6_ERR_OPTION and changes nothing. */
G6_API int g6_set_option(int id, const char *key, const char *value);
/** Value in force, as text, into value[size]. */
G6_API int g6_get_option(int id, const char *key, char *value, int size);
/** One row of the settings table: name without G6_, allowed values, meaning; returns 0, or non-zero
 * past the end. */
G6_API int g6_option_row(int row, const char **key, const char **values, const char **help);

/** Backend that computes for this cluster: "cuda", "opencl", "cpu". */
G6_API const char *g6_backend_name(int id);

/** Receives each log line (without newline); level: 1 error, 2 warn, 3 info, 4 debug.  NULL: back
 * to stderr by G6_LOG.  The thread whose call made a line calls the function at the end of that
 * call.  The function may make any call of this library; lines of these calls are dropped, their
 * status and, until the function returns, g6_last_error() tell what failed.  g6_set_log() waits
 * until the earlier function runs in no thread: then its user data may go.  Only a g6_set_log() that
 * a log function calls does not wait. */
typedef void (*g6_log_function)(int level, const char *line, void *user);
G6_API int g6_set_log(g6_log_function function, int level, void *user);

/** One backend that was looked at.  size: set to sizeof(struct) by the caller. */
struct g6_backend_info {
    size_t size;
    char name[32];
    char path[512];   /* file it came from; "built in" */
    char reason[512]; /* "" when usable, else why it was refused */
    int ndevices;
};
/** Backend n = 0, 1, ...; non-zero past the end. */
G6_API int g6_get_backend_info(int n, struct g6_backend_info *info);

struct g6_device_info {
    size_t size;
    char name[256];
    char notes[256];     /* driver, instruction set, precisions */
    double memory_bytes; /* total */
    double memory_free_bytes;
    int compute_units; /* SMs, cores */
    int has_double;
};
/** Device of backend n; non-zero past the end. */
G6_API int g6_get_device_info(int n, int device, struct g6_device_info *info);

/** Counters of one cluster since it was first opened.  Times in seconds of wall clock. */
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
};
G6_API int g6_get_stats(int id, struct g6_stats *stats);

/* ----------------------------------------------------------------------------------------------
 * 7. Calls that only GRAPE-6's host library of 2002 and Phantom-GRAPE have.  Those with an
 * underscore exist in Fortran style only: all arguments are pointers, of which a null scalar
 * counts as 0.  The others have twins as in parts 1 to 4, that of g6_preset_... with jfactor and
 * ffactor as the last two arguments.
 * -------------------------------------------------------------------------------------------- */
/** The pipe whose sum overflowed in the last lasthalf, so that the library changed its scale and
 * computed again.  Always -1, none: nothing overflows here. */
G6_API int g6_changed_index(int id);
/** As g6_set_j_particle(), for the clusters id, id + 1 ... id + nclusters - 1: `id` is chosen as
 * in any call, of the others those that are open receive the particle.  nclusters below 1 counts as
 * 1. */
G6_API int g6_set_j_particle_multisend(int id, int nclusters, int address, int index, double tj,
                                       double dtj, double mass, double a2by18[3], double a1by6[3],
                                       double aby2[3], double v[3], double x[3]);
/** The same as g6_set_j_particle_multisend_mxfast_(). */
G6_API int g6_set_j_particle_multisend_mxf_(int *id, int *nclusters, int *address, int *index,
                                            double *mass, double x[3]);
/** Writes i-particles address ... address + ni - 1 of the next g6_get_force(), as ni calls of
 * g6_set_i_particle() do. */
G6_API int g6_set_i_particle_vector_(int *id, int *address, int *ni, int index[], double x[][3],
                                     double v[][3], double eps2[], double h2[]);
/** The same as g6_set_njp(). */
G6_API int g6_set_njp_real_(int *id, int *njp);
/** g6calc_lasthalf0() with the nearest neighbours of g6calc_lasthalf2(). */
G6_API int g6calc_lasthalf0a_(int *id, int *nj, int *ni, int index[], double xi[][3],
                              double vi[][3], double eps2[], double h2[], double acc[][3],
                              double jerk[][3], double pot[], int nnbindex[], int *mode);
/** 1 when flag, of g6_get_force(), tells a fault, else 0: always, with the flags of this library. */
G6_API int g6_test_flag_(int *id, int *flag);

/** The scales of the hardware's fixed-point sums.  Accepted and ignored, and any pointer may be
 * NULL: nothing overflows here.  g6_calc_... writes 0 into entry *address of its last three
 * arrays, where g6_copy_... would find the scales of that i-particle. */
G6_API int g6_set_ip_scales_(int *id, int *address, double acc[3], double jerk[3], double *phi,
                             double *jfactor, double *ffactor);
G6_API int g6_preset_i_particle_scales_from_real_value(int id, int address, double acc[3],
                                                       double jerk[3], double *phi);
G6_API int g6_calc_i_particle_scales_from_real_value_(int *id, int *address, double acc[3],
                                                      double jerk[3], double *phi, double *jfactor,
                                                      double *ffactor, int acc_scale[],
                                                      int jerk_scale[], int pot_scale[]);
G6_API int g6_copy_i_particle_scales_(int *id, int *address, int acc_scale[], int jerk_scale[],
                                      int pot_scale[]);
G6_API int g6_adjust_ip_scales_(int *id, int *address, int *flag);

/** Modes of the boards: accepted and ignored.  g6_mccount_() returns what g6_setmccount() got, at
 * first 1. */
G6_API int g6_setfoerrchkmode_(int *id, int *mode);
G6_API int g6_change_cbjpmode(int id, int mode);
G6_API int g6_set_simulator_use(int mode);
G6_API int g6_setmccount(int count);
G6_API int g6_mccount_(void);

/** Phantom-GRAPE's help for debugging.  Writes mass, x, v of n particles, one a line with 17
 * digits, into the file dump.dat.00012 of the current folder (12: the whole part of t). */
G6_API int g6_dump(double t, int n, double mass[], double x[][3], double v[][3]);
/** Adds one number to the file dump.dat of the current folder. */
G6_API int g6_debugfunc(int number);
G6_API int g6_debugfunc_double(double number);

#ifdef __cplusplus
}

/** sapporo 2's form of get_j_part_data(), also with the particle's mass and index.  eps2 is 0: no
 * call of this interface gives a j-particle a softening of its own. */
G6_API void get_j_part_data(int address, int nj, double *x, double *v, double *acc, double *jerk,
                            double *px, double *pv, double &mass, double &eps2, int &id);
#endif
#endif
