C     SPDX-License-Identifier: MIT
C     A Fortran 77 client of the GRAPE-5 calls: two masses, in one step
C     and in three, on device 0 and on device 2.
      PROGRAM grape5
      INTEGER g5_get_number_of_pipelines, k
      EXTERNAL g5_get_number_of_pipelines
      DOUBLE PRECISION x(3,2), m(2), a(3,2), p(2), want
      DATA x /0D0, 0D0, 0D0, 2D0, 0D0, 0D0/, m /1D0, 4D0/
      CALL g5_open()
      IF (g5_get_number_of_pipelines() .LT. 1) STOP 1
      CALL g5_set_eps_to_all(1D0)
      CALL g5_set_range(-10D0, 10D0, 1D0)
      CALL g5_set_xmj(0, 2, x, m)
      CALL g5_set_n(2)
      CALL g5_calculate_force_on_x(x, a, p, 2)
C     At the first mass: 4*2/5**1.5, and 1/1 + 4/5**0.5.
      want = 8D0/5D0**1.5D0
      DO 10 k = 1, 3
         IF (ABS(a(1,1) - want) .GT. 2D-3*want) STOP 2
         IF (ABS(p(1) - 1D0 - 4D0/SQRT(5D0)) .GT. 2D-3) STOP 3
         a(1,1) = 0D0
         p(1) = 0D0
         IF (k .EQ. 1) THEN
            CALL g5_set_xi(2, x)
            CALL g5_run()
            CALL g5_get_force(2, a, p)
         ELSE IF (k .EQ. 2) THEN
            CALL g5_set_xmjMC(2, 0, 2, x, m)
            CALL g5_set_nMC(2, 2)
            CALL g5_calculate_force_on_xMC(2, x, a, p, 2)
         END IF
   10 CONTINUE
      CALL g5_close()
      END
