// SPDX-License-Identifier: MIT
// Whether one device reads the memory of another one over a link of their own, such as NVLink.
#pragma once

namespace g6::cuda {

// Makes the memory of device `other` readable by kernels of device `own`, whose context is current.
// Returns false, and changes nothing, when there is no such path between them but the bus of the
// host.  Over the bus a reader of another device's memory is not faster than one of host memory, and
// it shares the other device's connection to the host.
bool link_to(int own, int other);

}  // namespace g6::cuda
