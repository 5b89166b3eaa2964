// SPDX-License-Identifier: MIT
// The density centre of a star cluster (Casertano & Hut 1985, ApJ 298, 80): the mean of the bodies'
// places, each weighted by the density there.  The density is the mass of a body's five nearest
// neighbours over the cube of the distance of the sixth, so that a body thrown out of the cluster
// counts for nothing, while it may carry the centre of mass far away.
#pragma once

#include "body.h"

namespace g6run {

using Place = std::array<double, 3>;

Place mass_centre(const std::vector<Body> &bodies);

// Bodies without mass are left out.  Of more than 2^14 bodies every n-th is taken, which puts the
// centre off by some per cent of the core's radius at most.  Where fewer than seven bodies have
// mass, or one has half of it, as a star among its planets, the centre is that of mass.
Place density_centre(const std::vector<Body> &bodies);

}  // namespace g6run
