C     SPDX-License-Identifier: MIT
C
C     A Fortran 77 client written for 48 pipelines: arrays of 48, blocks
C     of G6_NPIPES(), literal arguments, neighbour lists with a COMMON
C     array, no own index expected in them.  100 bodies on a lattice line with spacing 1 and
C     masses 1: all sums have a closed form that is added up here.
      PROGRAM BLK48
      IMPLICIT NONE
      INTEGER N, NP, I, K, NB, I0, J, NBAD, LEN, LIST(128), IERR
      PARAMETER (N = 100)
      INTEGER G6_NPIPES, G6CALC_LASTHALF2, G6_READ_NEIGHBOUR_LIST
      INTEGER G6_GET_NEIGHBOUR_LIST
      EXTERNAL G6_NPIPES, G6CALC_LASTHALF2, G6_READ_NEIGHBOUR_LIST
      EXTERNAL G6_GET_NEIGHBOUR_LIST
      INTEGER INDEX(48), NN(48)
      DOUBLE PRECISION X(3,48), V(3,48), A(3,48), JK(3,48), P(48)
      DOUBLE PRECISION H2(48), ZERO(3), PLACE(3), WA, WP, U, SIZE
      COMMON /NEIGH/ LIST
      DATA ZERO /3*0D0/

      U = 2D0**(-24)
      NBAD = 0
      NP = G6_NPIPES()
      IF (NP .NE. 48) STOP 2
      CALL G6_OPEN(0)
      CALL G6_SET_TUNIT(45)
      CALL G6_SET_XUNIT(51)
      DO 10 J = 1, N
         PLACE(1) = DBLE(J)
         PLACE(2) = 0D0
         PLACE(3) = 0D0
         CALL G6_SET_J_PARTICLE(0, J-1, J, 0D0, 0.125D0, 1D0, ZERO,
     &                          ZERO, ZERO, ZERO, PLACE)
   10 CONTINUE
      CALL G6_SET_TI(0, 0D0)

      DO 60 I0 = 1, N, NP
         NB = MIN(NP, N - I0 + 1)
         DO 20 K = 1, NB
            INDEX(K) = I0 + K - 1
            X(1,K) = DBLE(I0 + K - 1)
            X(2,K) = 0D0
            X(3,K) = 0D0
            V(1,K) = 0D0
            V(2,K) = 0D0
            V(3,K) = 0D0
C           Two neighbours on each side: 2 squared is 4, 3 squared 9.
            H2(K) = 6.25D0
            P(K) = -1D0
   20    CONTINUE
         CALL G6CALC_FIRSTHALF(0, N, NB, INDEX, X, V, V, V, P, 0D0, H2)
         IERR = G6CALC_LASTHALF2(0, N, NB, INDEX, X, V, 0D0, H2, A, JK,
     &                           P, NN)
         IF (IERR .NE. 0) NBAD = NBAD + 1
         IF (G6_READ_NEIGHBOUR_LIST(0) .NE. 0) NBAD = NBAD + 1
         DO 50 K = 1, NB
            I = INDEX(K)
            WA = 0D0
            WP = 0D0
            SIZE = 0D0
            DO 30 J = 1, N
               IF (J .EQ. I) GOTO 30
               WA = WA + SIGN(1D0, DBLE(J-I)) / DBLE(J-I)**2
               WP = WP - 1D0 / ABS(DBLE(J-I))
               SIZE = SIZE + 1D0 / DBLE(J-I)**2
   30       CONTINUE
            IF (.NOT. ABS(A(1,K) - WA) .LE. 32D0*U*SIZE) NBAD = NBAD + 1
            IF (.NOT. ABS(P(K) - WP) .LE. -16D0*U*WP) NBAD = NBAD + 1
C           Of the two at distance 1 the lower address is nearest.
            IF (NN(K) .NE. MAX(I-1, 1) .AND. I .NE. 1) NBAD = NBAD + 1
            IF (I .EQ. 1 .AND. NN(K) .NE. 2) NBAD = NBAD + 1
            IERR = G6_GET_NEIGHBOUR_LIST(0, K-1, 128, LEN, LIST)
            IF (IERR .NE. 0) NBAD = NBAD + 1
            IF (LEN .NE. MIN(I+2,N) - MAX(I-2,1)) NBAD = NBAD + 1
            DO 40 J = 1, LEN
               IF (LIST(J) .EQ. I) NBAD = NBAD + 1
               IF (ABS(LIST(J) - I) .GT. 2) NBAD = NBAD + 1
   40       CONTINUE
   50    CONTINUE
   60 CONTINUE
      CALL G6_CLOSE(0)
      WRITE (*, '(A,I4,A)') ' blocks48 (Fortran 77):', NBAD, ' wrong'
      IF (NBAD .NE. 0) STOP 1
      END
