// SPDX-License-Identifier: MIT
// Asks the CUDA runtime once for each pair of devices whether a link exists, opens it, and keeps
// the answer for the life of the process.
#include "peer.h"

#include "error.h"

#include <map>
#include <mutex>
#include <utility>

namespace g6::cuda {
namespace {

// Atomic operations on another device's memory work over NVLink and not over PCI Express.
bool make_link(int own, int other)
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
    return code == cudaErrorPeerAccessAlreadyEnabled;  // by the client
}

}  // namespace

// A link stays for the life of the process, since all clusters share the devices' contexts.
bool link_to(int own, int other)
{
    static std::mutex mutex;
    static std::map<std::pair<int, int>, bool> links;
    const std::lock_guard<std::mutex> lock(mutex);
    const auto known = links.find({own, other});
    if (known != links.end()) return known->second;
    return links[{own, other}] = make_link(own, other);
}

}  // namespace g6::cuda
