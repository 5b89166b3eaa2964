// SPDX-License-Identifier: MIT
// Any number of devices of one kind gives the same bits: forces, nearest neighbours and lists, of
// direct sums and of tree walks.
// Runs on every backend that has several devices here; OpenCL on the processor shows several with
// POCL_DEVICES="pthread pthread pthread pthread pthread".
#include "../physics.h"

namespace g6test {
namespace {

struct Devices {
    std::string backend, precision;
    int count;
};

// The number of devices of the backend, from the first one on, that have the name of the first.
int devices_of_one_kind(const std::string &backend)
{
    const std::vector<g6_device_info> devices = devices_of(backend);
    size_t count = 0;
    while (count < devices.size() && std::string(devices[count].name) == devices[0].name) ++count;
    return int(count);
}

std::vector<Devices> several_devices()
{
    std::vector<Devices> found;
    for (const g6_backend_info &b : all_backends()) {
        const int count = b.reason[0] ? 0 : devices_of_one_kind(b.name);
        for (const char *precision : {"mixed", "double"})
            if (count > 1) found.push_back({b.name, precision, count});
    }
    return found;
}

// The first n devices, as G6_DEVICES takes them.
std::string first_devices(int n)
{
    std::string list = "0";
    for (int d = 1; d < n; ++d) list += "," + std::to_string(d);
    return list;
}

class DivisionOfBlocks : public testing::TestWithParam<Devices> {
protected:
    struct Result {
        Output out;
        std::vector<std::vector<int>> lists;
    };
    Result run(int devices, const std::string &mode, const std::vector<Body> &bodies, int first,
               int n)
    {
        Client client({GetParam().backend, GetParam().precision, first_devices(devices), ""});
        client.debug("divide", "i");
        client.option("mode", mode);
        client.option("direct", "0");
        client.set_all(bodies);
        client.set_ti(0.125);
        const IBlock block = block_of(bodies, first, n, 0.125);
        client.run(block);
        client.set(7, bodies[8]);  // a step of few particles, as in block steps
        Result r{client.run(block), {}};
        EXPECT_EQ(g6_read_neighbour_list(client.id()), 0);
        for (int i = 0; i < n; ++i) r.lists.push_back(client.list(i));
        EXPECT_EQ(client.stats().recoveries, 0);
        EXPECT_EQ(client.stats().devices, devices);
        return r;
    }
    void expect_same(const std::string &mode, const std::vector<Body> &bodies, int first, int n)
    {
        const Result one = run(1, mode, bodies, first, n);
        for (int devices : {2, 3, 5}) {
            if (devices > GetParam().count) continue;
            const Result many = run(devices, mode, bodies, first, n);
            EXPECT_TRUE(same_bits(many.out, one.out)) << mode << " n " << n << " on " << devices;
            EXPECT_EQ(many.lists, one.lists) << mode << " n " << n << " on " << devices;
        }
    }
};

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DivisionOfBlocks);
INSTANTIATE_TEST_SUITE_P(, DivisionOfBlocks, testing::ValuesIn(several_devices()),
                         [](const auto &info) {
                             return info.param.backend + "_" + info.param.precision;
                         });

TEST_P(DivisionOfBlocks, of_direct_sums)
{
    const std::vector<Body> bodies = moving_bodies(3000, 1);
    for (int n : {1, 3, 16, 17, 40, 64, 100}) expect_same("hermite", bodies, 11, n);
}

TEST_P(DivisionOfBlocks, of_large_direct_sums)
{
    const std::vector<Body> bodies = moving_bodies(6000, 1);
    for (int n : {200, 257, 1000, 3001}) expect_same("hermite", bodies, 11, n);
}

// A close pair, and i-particles that are no j-particles, make a device look closer at some of them.
TEST_P(DivisionOfBlocks, of_close_pairs)
{
    std::vector<Body> bodies = moving_bodies(3000, 2);
    for (int k = 0; k < 3000; k += 100) {
        bodies[k].x = bodies[k + 1].x;
        bodies[k].x[0] += 1e-9;
    }
    for (int n : {64, 500, 2500}) expect_same("hermite", bodies, 100, n);
}

TEST_P(DivisionOfBlocks, of_tree_walks)
{
    for (bool moving : {true, false}) {
        const std::vector<Body> bodies =
            moving ? moving_bodies(20000, 3) : resting_bodies(20000, 3);
        for (int n : {1, 70, 1000, 9000}) expect_same("treewalk", bodies, 50, n);
    }
}

// Small blocks stay on one device, where they pay to do so.  The other one gets what was written
// for them with the next large block.
TEST_P(DivisionOfBlocks, after_blocks_that_a_device_missed)
{
    const std::vector<Body> bodies = moving_bodies(16384, 4);
    const IBlock large = block_of(bodies, 0, 16384, 0.125), small = block_of(bodies, 40, 3, 0.125);
    std::vector<Output> one;
    for (int devices : {1, 2}) {
        Client client({GetParam().backend, GetParam().precision, first_devices(devices), ""},
                      bodies);
        client.set_ti(0.125);
        for (int round = 0; round < 3; ++round) {
            for (int k = 0; k < 4; ++k) {
                client.set(1000 * round + 7 * k % 5, bodies[500 + k]);
                client.run(small);
            }
            client.set(9000, bodies[round]);
            const Output out = client.run(large);
            if (devices == 1)
                one.push_back(out);
            else
                EXPECT_TRUE(same_bits(out, one[static_cast<size_t>(round)])) << round;
        }
    }
}

TEST(DivisionOfBlocksThere, is_tested_where_a_backend_has_several_devices)
{
    if (several_devices().empty()) GTEST_SKIP() << "no backend has more than one device here";
}

}  // namespace
}  // namespace g6test
