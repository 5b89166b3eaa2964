// SPDX-License-Identifier: MIT
#include "peer.h"

#include "error.h"

namespace g6::cuda {

// Atomic operations on another device's memory work over NVLink and not over PCI Express.
bool link_to(int own, int other)
{
    int has_access = 0, has_atomics = 0;
    if (cudaDeviceCanAccessPeer(&has_access, own, other) != cudaSuccess ||
        cudaDeviceGetP2PAttribute(&has_atomics, cudaDevP2PAttrNativeAtomicSupported, own, other) !=
            cudaSuccess) {
        cudaGetLastError();
        return false;
    }
    if (!has_access || !has_atomics) return false;
    const cudaError_t code = cudaDeviceEnablePeerAccess(other, 0);
    if (code == cudaSuccess) return true;
    cudaGetLastError();
    return code == cudaErrorPeerAccessAlreadyEnabled;  // another cluster, or the client
}

}  // namespace g6::cuda
