! SPDX-License-Identifier: MIT
!
! A cluster of 128 bodies, half an N-body time unit with the Hermite scheme and a shared step: the
! shortest complete client in modern Fortran.  Uses the module g6lib, sends i-particles in blocks of
! at most g6_npipes(), asks for nearest neighbours and for one neighbour list.
! Stops with status 1 when the energy error exceeds its bound or a call fails.
program cluster
    use g6lib
    implicit none

    integer, parameter :: n = 128, nsteps = 128
    integer(c_int), parameter :: id = 0
    real(c_double), parameter :: eps2 = 1.0d0 / 32**2, dt = 0.5d0 / nsteps
    real(c_double), parameter :: pi = 3.14159265358979323846d0
    real(c_double) :: mass(n), x(3, n), v(3, n), a(3, n), jerk(3, n), pot(n), h2(n)
    real(c_double) :: xp(3, n), vp(3, n), a1(3, n), jerk1(3, n), v1(3)
    integer(c_int) :: index(n), nearest(n), list(n), length
    real(c_double) :: start, error, bound
    integer :: k, step, random_state

    random_state = 1
    index = [(k, k = 1, n)]
    mass = 1.0d0 / n
    h2 = 0.25d0**2
    a = 0
    jerk = 0
    pot = 0
    do k = 1, n
        call plummer_body(x(:, k), v(:, k))
    end do

    if (g6_open(id) /= G6_OK) call fail()
    call send(0.0d0)
    call force(0.0d0, x, v, a, jerk)
    call send(0.0d0)
    start = energy()
    do step = 1, nsteps
        xp = x + dt * (v + dt * (a / 2 + dt * jerk / 6))
        vp = v + dt * (a + dt * jerk / 2)
        call force(step * dt, xp, vp, a1, jerk1)
        do k = 1, n
            v1 = v(:, k) + (a(:, k) + a1(:, k)) * dt / 2 + (jerk(:, k) - jerk1(:, k)) * dt**2 / 12
            x(:, k) = x(:, k) + (v(:, k) + v1) * dt / 2 + (a(:, k) - a1(:, k)) * dt**2 / 12
            v(:, k) = v1
        end do
        a = a1
        jerk = jerk1
        call send(step * dt)
    end do
    ! pot belongs to the predicted places; the energy needs it where the bodies are.
    call force(nsteps * dt, x, v, a, jerk)
    error = abs((energy() - start) / start)
    if (g6_read_neighbour_list(id) /= G6_OK) call fail()
    ! The neighbours of the first body of the last block, which is pipe 0.
    if (g6_get_neighbour_list(id, 0, int(n, c_int), length, list) /= G6_OK) call fail()

    bound = energy_bound(abs(start))
    print '(a,a,a,es8.1,a,es8.1)', ' cluster: backend ', g6_text(g6_backend_name(id)), &
        ', |dE/E| = ', error, ', bound ', bound
    print '(a,i0,a,i0)', ' cluster: nearest to body 1 is ', nearest(1), &
        '; bodies within 0.25 of the first body of the last block: ', length
    k = g6_close(id)
    if (.not. error <= bound) stop 1

contains

    ! Sends all bodies as they are at time t.  The snap is left out, as in the prediction above.
    subroutine send(t)
        real(c_double), intent(in) :: t
        real(c_double), parameter :: zero(3) = 0
        integer :: k
        do k = 1, n
            if (g6_set_j_particle(id, int(k - 1, c_int), index(k), t, dt, mass(k), zero, &
                jerk(:, k) / 6, a(:, k) / 2, v(:, k), x(:, k)) /= G6_OK) call fail()
        end do
    end subroutine send

    ! Force at time t on all bodies at xi, vi, in blocks of at most g6_npipes() bodies.
    subroutine force(t, xi, vi, acc, jrk)
        real(c_double), intent(in) :: t, xi(3, n), vi(3, n)
        real(c_double), intent(inout) :: acc(3, n), jrk(3, n)
        integer(c_int) :: first, ni
        if (g6_set_ti(id, t) /= G6_OK) call fail()
        do first = 1, n, g6_npipes()
            ni = min(g6_npipes(), n - first + 1)
            call g6calc_firsthalf(id, n, ni, index(first), xi(1, first), vi(1, first), &
                a(1, first), jerk(1, first), pot(first), eps2, h2(first))
            if (g6calc_lasthalf2(id, n, ni, index(first), xi(1, first), vi(1, first), eps2, &
                h2(first), acc(1, first), jrk(1, first), pot(first), nearest(first)) /= G6_OK) &
                call fail()
        end do
    end subroutine force

    real(c_double) function energy()
        energy = 0.5d0 * sum(mass * (sum(v**2, dim=1) + pot))
    end function energy

    ! The fastest motion is that of a pair inside the softening: angular velocity w with
    ! w^2 = 2 m / eps^3.  The Hermite scheme changes its energy, at most m eps^2 w^2, by less
    ! than the part 2 (0.072) (w dt)^4 w dt a step (see two_body.c).  Were every body in such a pair
    ! all the time, the total would change by what is summed here.  Rounding: forces in the default
    ! precision are good to 1.5e-6 of a pair's term, times sum(m |v| |a|) and the time, in N-body
    ! units less than 1: 1.5e-6 / 0.25 of the energy.
    real(c_double) function energy_bound(size)
        real(c_double), intent(in) :: size
        real(c_double) :: w, pair
        w = sqrt(2 * mass(1) / eps2**1.5d0)
        pair = mass(1) * eps2 * w**2
        energy_bound = (n / 2) * pair * 0.144d0 * (w * dt)**4 * w * nsteps * dt / size &
            + 1.5d-6 / 0.25d0
    end function energy_bound

    ! Plummer sphere, G = M = 1, E = -1/4 (Aarseth, Henon & Wielen 1974, A&A 37, 183).
    subroutine plummer_body(place, velocity)
        real(c_double), intent(out) :: place(3), velocity(3)
        real(c_double), parameter :: unit = 3 * pi / 16
        real(c_double) :: r, q, speed
        r = 10
        do while (r > 5)
            r = 1 / sqrt(uniform()**(-2.0d0 / 3) - 1)
        end do
        place = unit * r * direction()
        do
            q = uniform()
            if (0.1d0 * uniform() < q**2 * (1 - q**2)**3.5d0) exit
        end do
        speed = q * sqrt(2.0d0) / (1 + r**2)**0.25d0
        velocity = speed / sqrt(unit) * direction()
    end subroutine plummer_body

    function direction() result(d)
        real(c_double) :: d(3), z, phi
        z = 2 * uniform() - 1
        phi = 2 * pi * uniform()
        d = [sqrt(1 - z**2) * cos(phi), sqrt(1 - z**2) * sin(phi), z]
    end function direction

    ! Uniform in (0, 1), the same with every compiler (Park & Miller 1988, CACM 31, 1192).
    real(c_double) function uniform()
        random_state = int(mod(16807_c_long_long * random_state, 2147483647_c_long_long))
        uniform = random_state / 2147483647.0d0
    end function uniform

    subroutine fail()
        print '(2a)', ' cluster: ', g6_text(g6_last_error())
        stop 1
    end subroutine fail

end program cluster
