// SPDX-License-Identifier: MIT
// Data that the tests and the fake backend share: faults to inject, counts of calls, violations of
// the contract.
#pragma once

#include "libg6gpu/backend.h"

namespace g6test {

// clang-format off
enum Call {
    kOpen, kReserve, kStage, kSendStaged, kCopyFrom, kStageI, kSendI, kStart, kFinish, kNeighbours,
    kClear, kDestroy, kDescribe, kCalls
};
// clang-format on

constexpr int kFakeDevices = 4;

// One fake device number, over all Device objects that were made for it.
struct FakeDevice {
    int calls[kCalls];       // how often each was called
    int lose_at[kCalls];     // n > 0: the n-th call from now loses the Device object; counts down
    bool gone;               // open() refuses; an object that exists goes on until it is lost
    bool gone_when_lost;     // a loss makes it gone
    bool lose_every_object;  // each new object is lost at its first start
    bool out_of_memory;      // reserve() refuses
    int room;                // reserve() refuses more slots than this; 0: no limit
    bool no_stage;           // stage() returns null
    bool unsupported;        // start() refuses what is wanted
    bool linked;             // it copies from the leader
    int meets;               // each start() waits until so many devices are inside their starts
    unsigned long starter;   // the thread that called the last start()
    long rows, doubles;      // staged so far
    long copies;             // of particles, from the leader
    unsigned want;           // of the last start
    bool walk;               // the last start was a walk
    int ni, nj, parts;       // of the last start
};

struct FakeControl {
    FakeDevice device[kFakeDevices];
    int objects;          // Device objects alive
    int meeting;          // starts that have waited for others
    char violation[256];  // first breach of the contract, "" when there was none
};

}  // namespace g6test

extern "C" g6test::FakeControl *g6_fake_control();
