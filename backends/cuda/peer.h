// SPDX-License-Identifier: MIT
// Whether one device reads the memory of another one over a link of their own, such as NVLink.
#pragma once

namespace g6::cuda {

// Makes the memory of device `other` readable by kernels of device `own`, whose context is current.
// Returns false, and changes nothing, when the bus of the host is the only path between them.  Over
// the bus, reading another device's memory is not faster than reading host memory, and it takes up
// the other device's connection to the host.
bool link_to(int own, int other);

}  // namespace g6::cuda
