C     SPDX-License-Identifier: MIT
C
C     Two bodies on a circular orbit, one revolution with the Hermite
C     scheme, in Fortran 77: no module, the calls are externals that
C     reach the library's names with a trailing underscore.  Arrays have
C     48 entries, as codes written for GRAPE-6 have.  Stops with
C     status 1 when the energy error exceeds its bound.
C
C     Masses 1/2 and 1/2 at distance 1: angular velocity 1, period 2 pi,
C     which is 100.5 steps.  The step S is a power of two and all times
C     are multiples of it, as a GRAPE-6 wants.
C     On this orbit every derivative of the relative position has size
C     1.  The truncation error of one Hermite step S changes the energy
C     by at most 2 (0.072) S**5 abs(E) (terms: see two_body.c), one
C     orbit by 0.91 S**4; 2 S**4 covers higher orders.  Rounding: in the
C     default precision a force may be off by 25 float roundings, 1.5E-6
C     of it; over one orbit that is 2 (2 pi) 1.5E-6 = 1.9E-5 abs(E).
      PROGRAM TWOBOD
      IMPLICIT NONE
      INTEGER NSTEP, N, K, D, G6CALC_LASTHALF, IERR
      PARAMETER (NSTEP = 101)
      EXTERNAL G6CALC_LASTHALF
      DOUBLE PRECISION S, T, E0, E1, DE, BOUND, ENERGY
      INTEGER INDEX(48)
      DOUBLE PRECISION M(48), X(3,48), V(3,48), A(3,48), J(3,48)
      DOUBLE PRECISION XP(3,48), VP(3,48), AP(3,48), JP(3,48)
      DOUBLE PRECISION POT(48), H2(48), V1

      S = 1D0 / 16
      BOUND = 2D0 * S**4 + 1.9D-5

      DO 20 K = 1, 48
         INDEX(K) = K
         M(K) = 0D0
         POT(K) = 0D0
         H2(K) = 0D0
         DO 10 D = 1, 3
            X(D,K) = 0D0
            V(D,K) = 0D0
            A(D,K) = 0D0
            J(D,K) = 0D0
            AP(D,K) = 0D0
            JP(D,K) = 0D0
   10    CONTINUE
   20 CONTINUE
      M(1) = 0.5D0
      M(2) = 0.5D0
      X(1,1) = 0.5D0
      X(1,2) = -0.5D0
      V(2,1) = 0.5D0
      V(2,2) = -0.5D0

      CALL G6_OPEN(0)
      CALL G6_SET_TUNIT(51)
      CALL G6_SET_XUNIT(51)
      CALL SEND(M, 0D0, S, X, V, A, J)
C     The first prediction needs the force at the start.
      CALL G6_SET_TI(0, 0D0)
      CALL G6CALC_FIRSTHALF(0, 2, 2, INDEX, X, V, A, J, POT, 0D0, H2)
      IERR = G6CALC_LASTHALF(0, 2, 2, INDEX, X, V, 0D0, H2, A, J, POT)
      IF (IERR .NE. 0) STOP 1
      CALL SEND(M, 0D0, S, X, V, A, J)
      E0 = ENERGY(M, X, V)

      DO 60 N = 1, NSTEP
         T = N * S
         DO 40 K = 1, 2
            DO 30 D = 1, 3
               XP(D,K) = X(D,K) + S * (V(D,K) + S * (A(D,K) / 2D0
     &                 + S * J(D,K) / 6D0))
               VP(D,K) = V(D,K) + S * (A(D,K) + S * J(D,K) / 2D0)
   30       CONTINUE
   40    CONTINUE
         CALL G6_SET_TI(0, T)
         CALL G6CALC_FIRSTHALF(0, 2, 2, INDEX, XP, VP, A, J, POT, 0D0,
     &                         H2)
         IERR = G6CALC_LASTHALF(0, 2, 2, INDEX, XP, VP, 0D0, H2, AP, JP,
     &                          POT)
         IF (IERR .NE. 0) STOP 1
         DO 50 K = 1, 2
            DO 45 D = 1, 3
               V1 = V(D,K) + (A(D,K) + AP(D,K)) * S / 2D0
     &            + (J(D,K) - JP(D,K)) * S**2 / 12D0
               X(D,K) = X(D,K) + (V(D,K) + V1) * S / 2D0
     &                + (A(D,K) - AP(D,K)) * S**2 / 12D0
               V(D,K) = V1
               A(D,K) = AP(D,K)
               J(D,K) = JP(D,K)
   45       CONTINUE
   50    CONTINUE
         CALL SEND(M, T, S, X, V, A, J)
   60 CONTINUE

      E1 = ENERGY(M, X, V)
      DE = ABS((E1 - E0) / E0)
      CALL G6_CLOSE(0)
      WRITE (*, '(A,1P,E9.2,A,E9.2)') ' two_body (Fortran): |dE/E| =',
     &      DE, ' after one orbit, bound', BOUND
      IF (.NOT. DE .LE. BOUND) STOP 1
      END

C     Sends both bodies: addresses 0 and 1, indices 1 and 2, no snap.
      SUBROUTINE SEND(M, T, S, X, V, A, J)
      IMPLICIT NONE
      DOUBLE PRECISION M(48), T, S, X(3,48), V(3,48), A(3,48), J(3,48)
      DOUBLE PRECISION ZERO(3), J6(3), A2(3)
      INTEGER K, D
      DO 20 K = 1, 2
         DO 10 D = 1, 3
            ZERO(D) = 0D0
            J6(D) = J(D,K) / 6D0
            A2(D) = A(D,K) / 2D0
   10    CONTINUE
         CALL G6_SET_J_PARTICLE(0, K-1, K, T, S, M(K), ZERO, J6, A2,
     &                          V(1,K), X(1,K))
   20 CONTINUE
      END

      DOUBLE PRECISION FUNCTION ENERGY(M, X, V)
      IMPLICIT NONE
      DOUBLE PRECISION M(48), X(3,48), V(3,48), R2
      INTEGER D
      ENERGY = 0D0
      R2 = 0D0
      DO 10 D = 1, 3
         ENERGY = ENERGY + 0.5D0 * (M(1) * V(D,1)**2 + M(2) * V(D,2)**2)
         R2 = R2 + (X(D,1) - X(D,2))**2
   10 CONTINUE
      ENERGY = ENERGY - M(1) * M(2) / SQRT(R2)
      END
