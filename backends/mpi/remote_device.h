// SPDX-License-Identifier: MIT
// A device of a worker, as the client sees it.
//
// Invariants
//  * start() does not wait for the worker's answer: finish() reports what has failed there.
//  * The result of a block is received before the next block of this device is sent.
//  * Sums are received straight into the leader's memory, where this has the form G6Sums.
//  * No other device shares a walk with this one (division.h).
#pragma once

#include "device.h"

namespace g6::mpi {

class RemoteDevice : public MpiDevice {
public:
    // Null and a reason when the worker cannot open it.
    static RemoteDevice *open(Link &link, int device, const DeviceOptions &options,
                              const char **reason);
    ~RemoteDevice() override;
    RemoteDevice(const RemoteDevice &) = delete;
    RemoteDevice &operator=(const RemoteDevice &) = delete;

    const char *error() const override { return error_; }
    DeviceStatus reserve(int nj) override;
    double *stage(int n, int words) override;
    void note_walk(double, double, int) override { noted_ = true; }
    DeviceStatus start(const Block &block) override;
    DeviceStatus neighbours(NeighbourView *view) override;
    DeviceStatus clear() override;
    DeviceCounters counters() const override { return counters_; }
    SumsMemory sums_memory() override { return {whole_ ? nullptr : sums_memory_.data(), nullptr}; }

private:
    RemoteDevice(Link &link, int object) : link_(link), object_(object) {}
    template <class F> DeviceStatus attempt(F &&f);
    DeviceStatus order_reserve(int nj);
    Command command(Order order, std::int32_t number = 0) const { return {order, object_, number}; }
    DeviceStatus finish_whole(G6Sums *sums) override;
    DeviceStatus finish_part() override;
    std::uint32_t next_serial() { return serial_ = serial_ == UINT32_MAX ? 1 : serial_ + 1; }
    BlockMessage message_of(const Block &b);
    const ResultMessage &take_result();
    DeviceStatus unpack(const ResultMessage &result, const Home &home);
    void receive_sums(const ResultMessage &result, std::size_t &at, const Home &to);
    void receive_lists(const ResultMessage &result, std::size_t &at);
    void forget_result();

    Link &link_;
    const int object_;
    char error_[320] = "";
    int reserved_ = 0;
    std::uint32_t serial_ = 0;  // of the last result that was asked for
    bool outstanding_ = false;  // a result is to come
    bool noted_ = false;        // BlockMessage::noted of the next block
    std::vector<G6Sums> sums_;
    bool has_lists_ = false;
    std::vector<std::int64_t> offset_;
    std::vector<int> index_, slot_;
    DeviceCounters counters_;
};

}  // namespace g6::mpi
