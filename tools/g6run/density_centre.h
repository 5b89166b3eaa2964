// SPDX-License-Identifier: MIT
// The density centre of a star cluster (Casertano & Hut 1985, ApJ 298, 80): the mean of the bodies'
// positions, each weighted by the density there.  The density at a body is the mass of its five
// nearest neighbours over the cube of its distance to the sixth.  So a body that was thrown out of
// the cluster has almost no weight, while it may carry the centre of mass far away.
#pragma once

#include "body.h"

namespace g6run {

using Place = std::array<double, 3>;

Place mass_centre(const std::vector<Body> &bodies);

// Bodies without mass are left out.  Of more than 2^14 bodies every n-th is taken, which moves the
// centre by some per cent of the core radius at most.  The function returns the centre of mass
// where fewer than seven bodies have mass, where one body has half of the total mass, as a star
// among its planets, and where seven bodies are in one place.
Place density_centre(const std::vector<Body> &bodies);

// The place of the body with the largest density, or the centre of mass as above.  Of two clusters
// it lies in one, while the density centre lies between them.
Place densest_place(const std::vector<Body> &bodies);

}  // namespace g6run
