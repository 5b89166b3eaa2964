! SPDX-License-Identifier: MIT
!
! Module g6lib: the C interface of libg6gpu (g6lib.h, which is the manual) for Fortran 2003.
!
!   use g6lib
!   ierr = g6_open(0_c_int)
!   ierr = g6_set_j_particle(id, address, index, tj, dtj, mass, a2by18, a1by6, aby2, v, x)
!   ierr = g6_set_ti(id, t)
!   call g6calc_firsthalf(id, nj, ni, index, xi, vi, aold, j6old, phiold, eps2, h2)
!   ierr = g6calc_lasthalf2(id, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot, nnbindex)
!
! * Left out: the hints for scales of one pipe; of the calls without an id those of one pipe,
!   g6_get_predicted_j_particles_all and g6_getnjmax_all; multisend_mxfast and part 7, whose calls
!   are externals; get_j_part_data, g6_status_remedy and g6_serve; and what serves C only (the log
!   function, g6info's calls).
! * g6_parallel takes the procedure by c_funloc(): subroutine part(first, end, user) bind(c), with
!   integer(c_int), value :: first, end and type(c_ptr), value :: user.
! * The module has the plain C names, with scalars by value, and the compiler checks every argument.
!   Fortran 77 codes need no module: they call the same names as externals and reach the twins
!   g6_open_ and so on, which take everything by reference (examples/two_body.f).
! * C's x[n][3] is x(3, n) here.  Addresses and pipes count from 0; an index may be any number.
! * G = 1; length, mass and time are the caller's own.  Functions return 0 or a status;
!   g6_text(g6_last_error()) tells what went wrong.
! * Texts go in as 'mode' // c_null_char and come out as pointers that g6_text() turns into strings.
! * Compile this file with the application; nothing of it is in the library.
module g6lib
    use, intrinsic :: iso_c_binding
    implicit none
    public

    ! Status codes (enum g6_status).
    integer(c_int), parameter :: G6_OK = 0
    integer(c_int), parameter :: G6_LIST_OVERFLOW = 1
    integer(c_int), parameter :: G6_ERR_ARGUMENT = -1
    integer(c_int), parameter :: G6_ERR_OPTION = -2
    integer(c_int), parameter :: G6_ERR_MEMORY = -3
    integer(c_int), parameter :: G6_ERR_DEVICE = -4
    integer(c_int), parameter :: G6_ERR_STATE = -5
    integer(c_int), parameter :: G6_ERR_INTERNAL = -6

    ! Counters of one cluster (struct g6_stats); seconds are of wall clock.
    type, bind(c) :: g6_stats
        integer(c_size_t) :: size         ! set to c_sizeof(stats) before the call
        real(c_double) :: blocks          ! firsthalf calls that were computed
        real(c_double) :: i_particles
        real(c_double) :: interactions    ! sum of ni * nj
        real(c_double) :: j_writes        ! set_j calls
        real(c_double) :: j_sent          ! j-records sent to devices
        real(c_double) :: repeats         ! blocks computed again: the code wanted more than guessed
        real(c_double) :: recoveries      ! devices lost and replaced
        real(c_double) :: copies_up       ! transfers to devices
        real(c_double) :: copies_down
        real(c_double) :: waits
        real(c_double) :: seconds_send    ! packing and starting (firsthalf)
        real(c_double) :: seconds_wait    ! waiting and adding (lasthalf)
        real(c_double) :: seconds_lists   ! neighbour lists
        integer(c_int) :: devices
        real(c_double) :: messages        ! to and from workers on other machines, and their bytes
        real(c_double) :: message_bytes
        real(c_double) :: overflows       ! i-particles out of a device's range: the host's sums
    end type g6_stats

    interface
        ! ---- 1. The GRAPE-6 calls ----

        integer(c_int) function g6_open(id) bind(c)
            import; integer(c_int), value :: id
        end function
        ! Number of i-particles to send at once, 1 to 16384; may be called before g6_open.
        integer(c_int) function g6_npipes() bind(c)
            import
        end function
        integer(c_int) function g6_set_tunit(newtunit) bind(c)
            import; integer(c_int), value :: newtunit
        end function
        integer(c_int) function g6_set_xunit(newxunit) bind(c)
            import; integer(c_int), value :: newxunit
        end function
        ! Time to which the j-particles are predicted.
        integer(c_int) function g6_set_ti(id, ti) bind(c)
            import; integer(c_int), value :: id
            real(c_double), value :: ti
        end function
        ! One j-particle: x, v at time tj, aby2 = a/2, a1by6 = (da/dt)/6, a2by18 = (d2a/dt2)/18.
        integer(c_int) function g6_set_j_particle(id, address, index, tj, dtj, mass, a2by18, &
                a1by6, aby2, v, x) bind(c)
            import; integer(c_int), value :: id, address, index
            real(c_double), value :: tj, dtj, mass
            real(c_double), intent(in) :: a2by18(3), a1by6(3), aby2(3), v(3), x(3)
        end function
        ! Starts the force on ni particles and returns at once; all inputs are copied.
        subroutine g6calc_firsthalf(id, nj, ni, index, xi, vi, aold, j6old, phiold, eps2, &
                h2) bind(c)
            import; integer(c_int), value :: id, nj, ni
            integer(c_int), intent(in) :: index(*)
            real(c_double), intent(in) :: xi(3, *), vi(3, *), aold(3, *), j6old(3, *), &
                phiold(*), h2(*)
            real(c_double), value :: eps2
        end subroutine
        ! Waits for the sums: acc, jerk (3, ni) and pot (ni), negative.
        integer(c_int) function g6calc_lasthalf(id, nj, ni, index, xi, vi, eps2, h2, acc, jerk, &
                pot) bind(c)
            import; integer(c_int), value :: id, nj, ni
            integer(c_int), intent(in) :: index(*)
            real(c_double), intent(in) :: xi(3, *), vi(3, *), h2(*)
            real(c_double), value :: eps2
            real(c_double), intent(inout) :: acc(3, *), jerk(3, *), pot(*)
        end function
        ! As g6calc_lasthalf, and the index of each nearest neighbour.
        integer(c_int) function g6calc_lasthalf2(id, nj, ni, index, xi, vi, eps2, h2, acc, &
                jerk, pot, nnbindex) bind(c)
            import; integer(c_int), value :: id, nj, ni
            integer(c_int), intent(in) :: index(*)
            real(c_double), intent(in) :: xi(3, *), vi(3, *), h2(*)
            real(c_double), value :: eps2
            real(c_double), intent(inout) :: acc(3, *), jerk(3, *), pot(*)
            integer(c_int), intent(inout) :: nnbindex(*)
        end function
        ! List of i-particle ipipe = 0, 1, ...; 1 when it is longer than maxlength.
        integer(c_int) function g6_get_neighbour_list(id, ipipe, maxlength, nblen, nbl) bind(c)
            import; integer(c_int), value :: id, ipipe, maxlength
            integer(c_int), intent(out) :: nblen
            integer(c_int), intent(inout) :: nbl(*)
        end function
        integer(c_int) function g6_set_neighbour_list_sort_mode(mode) bind(c)
            import; integer(c_int), value :: mode
        end function
        integer(c_int) function g6_initialize_jp_buffer(id, size) bind(c)
            import; integer(c_int), value :: id, size
        end function
        integer(c_int) function g6_setup_njdata(id, nj) bind(c)
            import; integer(c_int), value :: id, nj
        end function
        integer(c_int) function g6_set_overflow_flag_test_mode(aflag, jflag, pflag) bind(c)
            import; integer(c_int), value :: aflag, jflag, pflag
        end function

        ! ---- 2. Calls of the GRAPE treecodes: mass and position only ----

        integer(c_int) function g6_set_j_particle_mxonly(id, address, index, mass, x) bind(c)
            import; integer(c_int), value :: id, address, index
            real(c_double), value :: mass
            real(c_double), intent(in) :: x(3)
        end function
        integer(c_int) function g6_flush_jp_buffer_and_multisend(id, nclusters) bind(c)
            import; integer(c_int), value :: id, nclusters
        end function

        ! ---- 3. Phantom-GRAPE's forms of lasthalf (rnnb: softened distance) ----

        integer(c_int) function g6calc_lasthalf2p(id, nj, ni, index, xi, vi, eps2, h2, acc, &
                jerk, pot, nnbindex, rnnb) bind(c)
            import; integer(c_int), value :: id, nj, ni
            integer(c_int), intent(in) :: index(*)
            real(c_double), intent(in) :: xi(3, *), vi(3, *), h2(*)
            real(c_double), value :: eps2
            real(c_double), intent(inout) :: acc(3, *), jerk(3, *), pot(*)
            integer(c_int), intent(inout) :: nnbindex(*)
            real(c_float), intent(inout) :: rnnb(*)
        end function

        ! ---- 4. Calls of Kawai & Fukushige's library ----

        ! Bit 0 of mode set (1): eps2(1) for all i-particles; clear (0): eps2(ni), one for each.
        subroutine g6calc_firsthalf0(id, nj, ni, index, xi, vi, aold, j6old, phiold, eps2, h2, &
                mode) bind(c)
            import; integer(c_int), value :: id, nj, ni, mode
            integer(c_int), intent(in) :: index(*)
            real(c_double), intent(in) :: xi(3, *), vi(3, *), aold(3, *), j6old(3, *), &
                phiold(*), eps2(*), h2(*)
        end subroutine
        integer(c_int) function g6calc_lasthalf0(id, nj, ni, index, xi, vi, eps2, h2, acc, &
                jerk, pot, mode) bind(c)
            import; integer(c_int), value :: id, nj, ni, mode
            integer(c_int), intent(in) :: index(*)
            real(c_double), intent(in) :: xi(3, *), vi(3, *), eps2(*), h2(*)
            real(c_double), intent(inout) :: acc(3, *), jerk(3, *), pot(*)
        end function
        subroutine g6_set_nip(id, nip) bind(c)
            import; integer(c_int), value :: id, nip
        end subroutine
        subroutine g6_set_njp(id, njp) bind(c)
            import; integer(c_int), value :: id, njp
        end subroutine
        subroutine g6_set_i_particle(id, address, index, x, v, eps2, h2) bind(c)
            import; integer(c_int), value :: id, address, index
            real(c_double), intent(in) :: x(3), v(3)
            real(c_double), value :: eps2, h2
        end subroutine
        integer(c_int) function g6_get_force(id, acc, jerk, pot, flag) bind(c)
            import; integer(c_int), value :: id
            real(c_double), intent(inout) :: acc(3, *), jerk(3, *), pot(*)
            integer(c_int), intent(inout) :: flag(*)
        end function
        integer(c_int) function g6_get_force_etc(id, acc, jerk, pot, nnbindex, flag) bind(c)
            import; integer(c_int), value :: id
            real(c_double), intent(inout) :: acc(3, *), jerk(3, *), pot(*)
            integer(c_int), intent(inout) :: nnbindex(*), flag(*)
        end function

        ! ---- Calls for the cluster of all devices, without an id ----

        integer(c_int) function g6_set_ti_all(ti) bind(c)
            import; real(c_double), value :: ti
        end function
        integer(c_int) function g6_set_j_particle_all(address, index, tj, dtj, mass, a2by18, &
                a1by6, aby2, v, x) bind(c)
            import; integer(c_int), value :: address, index
            real(c_double), value :: tj, dtj, mass
            real(c_double), intent(in) :: a2by18(3), a1by6(3), aby2(3), v(3), x(3)
        end function
        integer(c_int) function g6_set_j_particle_mxonly_all(address, index, mass, x) bind(c)
            import; integer(c_int), value :: address, index
            real(c_double), value :: mass
            real(c_double), intent(in) :: x(3)
        end function
        subroutine g6calc_firsthalf_all(nj, ni, index, xi, vi, aold, j6old, phiold, eps2, &
                h2) bind(c)
            import; integer(c_int), value :: nj, ni
            integer(c_int), intent(in) :: index(*)
            real(c_double), intent(in) :: xi(3, *), vi(3, *), aold(3, *), j6old(3, *), &
                phiold(*), h2(*)
            real(c_double), value :: eps2
        end subroutine
        subroutine g6calc_firsthalf0_all(nj, ni, index, xi, vi, aold, j6old, phiold, eps2, h2, &
                mode) bind(c)
            import; integer(c_int), value :: nj, ni, mode
            integer(c_int), intent(in) :: index(*)
            real(c_double), intent(in) :: xi(3, *), vi(3, *), aold(3, *), j6old(3, *), &
                phiold(*), eps2(*), h2(*)
        end subroutine
        integer(c_int) function g6calc_lasthalf_all(nj, ni, index, xi, vi, eps2, h2, acc, jerk, &
                pot) bind(c)
            import; integer(c_int), value :: nj, ni
            integer(c_int), intent(in) :: index(*)
            real(c_double), intent(in) :: xi(3, *), vi(3, *), h2(*)
            real(c_double), value :: eps2
            real(c_double), intent(inout) :: acc(3, *), jerk(3, *), pot(*)
        end function
        integer(c_int) function g6calc_lasthalf0_all(nj, ni, index, xi, vi, eps2, h2, acc, &
                jerk, pot, mode) bind(c)
            import; integer(c_int), value :: nj, ni, mode
            integer(c_int), intent(in) :: index(*)
            real(c_double), intent(in) :: xi(3, *), vi(3, *), eps2(*), h2(*)
            real(c_double), intent(inout) :: acc(3, *), jerk(3, *), pot(*)
        end function
        integer(c_int) function g6calc_lasthalf2_all(nj, ni, index, xi, vi, eps2, h2, acc, &
                jerk, pot, nnbindex) bind(c)
            import; integer(c_int), value :: nj, ni
            integer(c_int), intent(in) :: index(*)
            real(c_double), intent(in) :: xi(3, *), vi(3, *), h2(*)
            real(c_double), value :: eps2
            real(c_double), intent(inout) :: acc(3, *), jerk(3, *), pot(*)
            integer(c_int), intent(inout) :: nnbindex(*)
        end function
        integer(c_int) function g6_get_neighbour_list_all(ipipe, maxlength, nblen, nbl) bind(c)
            import; integer(c_int), value :: ipipe, maxlength
            integer(c_int), intent(out) :: nblen
            integer(c_int), intent(inout) :: nbl(*)
        end function

        ! ---- 5. sapporo's calls (ngpu > 0: devices list(ngpu); 0: all; < 0: any |ngpu|) ----

        integer(c_int) function g6_open_special(ngpu, list) bind(c)
            import; integer(c_int), value :: ngpu
            integer(c_int), intent(in) :: list(*)
        end function
        integer(c_int) function g6_open_special2(ngpu, list, nmax) bind(c)
            import; integer(c_int), value :: ngpu, nmax
            integer(c_int), intent(in) :: list(*)
        end function

        ! ---- 6. libg6gpu's own additions ----

        ! Texts: give the result to g6_text().
        type(c_ptr) function g6_version() bind(c)
            import
        end function
        type(c_ptr) function g6_status_text(status) bind(c)
            import; integer(c_int), value :: status
        end function
        type(c_ptr) function g6_backend_name(id) bind(c)
            import; integer(c_int), value :: id
        end function
        ! n j-particles at once.
        integer(c_int) function g6_set_j_particles(id, n, address, index, t, mass, k18, j6, a2, &
                v, x) bind(c)
            import; integer(c_int), value :: id, n
            integer(c_int), intent(in) :: address(*), index(*)
            real(c_double), intent(in) :: t(*), mass(*), k18(3, *), j6(3, *), a2(3, *), &
                v(3, *), x(3, *)
        end function
        ! Softenings squared of n j-particles: eps_ij^2 = eps_i^2 + eps2 of j.
        integer(c_int) function g6_set_j_softening(id, n, address, eps2) bind(c)
            import; integer(c_int), value :: id, n
            integer(c_int), intent(in) :: address(*)
            real(c_double), intent(in) :: eps2(*)
        end function
        ! Predicted positions and velocities of slots 0 ... nj-1, by the host.
        integer(c_int) function g6_predict(id, nj, x, v) bind(c)
            import; integer(c_int), value :: id, nj
            real(c_double), intent(inout) :: x(3, *), v(3, *)
        end function
        ! mode: 'auto', 'hermite', 'treeonly' or 'treewalk', ended by c_null_char.
        integer(c_int) function g6_set_mode(id, mode) bind(c)
            import; integer(c_int), value :: id
            character(kind=c_char), intent(in) :: mode(*)
        end function
        ! key and value end with c_null_char.
        integer(c_int) function g6_set_option(id, key, value) bind(c)
            import; integer(c_int), value :: id
            character(kind=c_char), intent(in) :: key(*), value(*)
        end function
        ! value(size) receives the value in force, ended by c_null_char.
        integer(c_int) function g6_get_option(id, key, value, size) bind(c)
            import; integer(c_int), value :: id, size
            character(kind=c_char), intent(in) :: key(*)
            character(kind=c_char), intent(inout) :: value(*)
        end function
        ! The number of devices that a block would take, or a status below 0.
        integer(c_int) function g6_devices_for(id, nj, ni) bind(c)
            import; integer(c_int), value :: id, nj, ni
        end function
        integer(c_int) function g6_get_stats(id, stats) bind(c)
            import; integer(c_int), value :: id
            type(g6_stats), intent(inout) :: stats
        end function
        ! Runs a loop of the program's own on the library's threads.
        integer(c_int) function g6_parallel(n, size, procedure, user) bind(c)
            import; integer(c_int), value :: n, size
            type(c_funptr), value :: procedure
            type(c_ptr), value :: user
        end function
    end interface

    ! Calls that have the same arguments as a call above.
    procedure(g6_open), bind(c) :: g6_close, g6_reset, g6_reset_fofpga, g6_reinitialize, &
        g6_read_neighbour_list, g6_read_neighbour_list_old, g6_flush_jp_buffer, &
        g6_print_chip_status, g6_getnjmax
    procedure(g6_npipes), bind(c) :: g6_get_number_of_pipelines, g6_get_neighbour_list_sort_mode, &
        g6_open_all, g6_close_all, g6_read_neighbour_list_all, get_device_count
    procedure(g6calc_lasthalf), bind(c) :: g6calc_lasthalfn
    procedure(g6calc_lasthalf2), bind(c) :: g6calc_lasthalf2n
    procedure(g6calc_lasthalf2p), bind(c) :: g6calc_lasthalf2np
    procedure(g6_predict), bind(c) :: g6_get_predicted_j_particles
    procedure(g6_version), bind(c) :: g6_last_error

contains

    ! The text behind a C string; empty for a null pointer.
    function g6_text(pointer) result(text)
        type(c_ptr), intent(in) :: pointer
        character(len=:), allocatable :: text
        character(kind=c_char), pointer :: bytes(:)
        integer, parameter :: longest = 65536
        integer :: n

        text = ''
        if (.not. c_associated(pointer)) return
        call c_f_pointer(pointer, bytes, [longest])
        do n = 1, longest
            if (bytes(n) == c_null_char) exit
            text = text // bytes(n)
        end do
    end function g6_text

end module g6lib
