// SPDX-License-Identifier: MIT
// Stores i-particles, grows their arrays, and remembers what was refused until check() throws.
#include "pipes.h"

#include "../base/host_memory.h"
#include "../base/status.h"
#include "../base/vec3.h"

#include <algorithm>
#include <climits>
#include <utility>

namespace g6 {
namespace {

// Bytes of host memory for an i-particle: in Pipes, as a record of the block, and for its sums.
constexpr double kBytesPerPipe =
    8 * sizeof(double) + sizeof(int) + sizeof(G6IRecord) + sizeof(G6Sums);

}  // namespace

void Pipes::resize(int number)
{
    const size_t n = static_cast<size_t>(number);
    // All vectors reserve their memory first, so that a call that runs out of memory changes
    // nothing.
    const size_t capacity = n <= index_.capacity() ? n : std::max(n, 2 * index_.size());
    refused_ = number;
    const double bytes = static_cast<double>(n) * kBytesPerPipe;
    try {
        if (bytes > physical_memory()) throw std::bad_alloc();
        for (auto *list : {&x_, &v_}) list->reserve(3 * capacity);
        for (auto *list : {&eps2_, &h2_}) list->reserve(capacity);
        index_.reserve(capacity);
    } catch (const std::bad_alloc &) {
        throw Error(G6_ERR_MEMORY,
                    "%.3g GiB of host memory are needed for %d i-particles and are not there; set "
                    "fewer",
                    bytes / 1073741824.0, number);
    }
    for (auto *list : {&x_, &v_}) list->resize(3 * n);
    for (auto *list : {&eps2_, &h2_}) list->resize(n);
    index_.resize(n);
    refused_ = 0;
}

void Pipes::set_nip(int nip)
{
    refused_ = nip;
    if (nip < 0) throw Error(G6_ERR_ARGUMENT, "nip = %d is negative", nip);
    resize(nip);
}

void Pipes::set_njp(int njp)
{
    nj_ = njp;  // kept if negative, so that the block is refused as well
    if (njp < 0) throw Error(G6_ERR_ARGUMENT, "njp = %d is negative", njp);
}

void Pipes::set(int address, int n, const int *index, const double (*x)[3], const double (*v)[3],
                const double *eps2, const double *h2)
{
    const bool earlier = std::exchange(lacks_particle_, true);
    if (n < 0 || address < 0 || address > INT_MAX - n)
        throw Error(G6_ERR_ARGUMENT,
                    "ni = %d i-particles from address %d on: both must be 0 or more, and their sum "
                    "within int",
                    n, address);
    if (n > 0 && (!index || !x || !v || !eps2 || !h2))
        throw Error(G6_ERR_ARGUMENT, "one of index, x, v, eps2, h2 is NULL");
    if (n > 0 && address + n > size()) resize(address + n);
    for (int k = 0; k < n; k++) {
        const size_t a = static_cast<size_t>(address + k);
        index_[a] = index[k];
        copy3(&x_[3 * a], x[k]);
        copy3(&v_[3 * a], v[k]);
        eps2_[a] = eps2[k];
        h2_[a] = h2[k];
    }
    lacks_particle_ = earlier;
}

void Pipes::check()
{
    const bool lacks_particle = std::exchange(lacks_particle_, false);
    if (refused_ > 0)
        throw Error(G6_ERR_MEMORY, "there was no memory for %d i-particles; set them again",
                    refused_);
    if (refused_ < 0)
        throw Error(G6_ERR_ARGUMENT,
                    "the number of i-particles was refused; call g6_set_nip again");
    if (lacks_particle)
        throw Error(G6_ERR_ARGUMENT,
                    "a g6_set_i_particle was refused; set all i-particles of the block again");
}

BlockArgs Pipes::args() const
{
    using Rows = const double(*)[3];
    return {nj_,
            size(),
            index_.data(),
            reinterpret_cast<Rows>(x_.data()),
            reinterpret_cast<Rows>(v_.data()),
            eps2_.data(),
            1,
            h2_.data()};
}

}  // namespace g6
