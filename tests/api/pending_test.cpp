// SPDX-License-Identifier: MIT
// A block carries its own settings and particles: nothing that is called between firsthalf and
// lasthalf, or between lasthalf and the reading of the lists, changes it.
#include "../physics.h"

#include <functional>

namespace g6test {
namespace {

struct Between {
    const char *name;
    std::function<void(Client &)> call;
};

// A call on the cluster that a careless client may make at any moment.
const std::vector<Between> &calls_between()
{
    static const std::vector<Between> calls = {
        {"mode treeonly", [](Client &c) { c.option("mode", "treeonly"); }},
        {"mode treewalk", [](Client &c) { c.option("mode", "treewalk"); }},
        {"precision", [](Client &c) { c.option("precision", "double"); }},
        {"threads", [](Client &c) { c.option("threads", "1"); }},
        {"snap", [](Client &c) { c.option("snap", "0"); }},
        {"nn_none", [](Client &c) { c.option("nn_none", "-1"); }},
        {"neighbour_self", [](Client &c) { c.option("neighbour_self", "0"); }},
        {"backend", [](Client &c) { c.option("backend", "cpu"); }},
        {"backend name", [](Client &c) { g6_backend_name(c.id()); }},
        {"division", [](Client &c) { g6_devices_for(c.id(), 1 << 20, 1 << 20); }},
        {"open", [](Client &c) { g6_open(c.id()); }},
        {"reset", [](Client &c) { g6_reset(c.id()); }},
        {"reinitialize", [](Client &c) { g6_reinitialize(c.id()); }},
        {"time", [](Client &c) { g6_set_ti(c.id(), 17); }},
        {"more particles", [](Client &c) { c.set_all(moving_bodies(80, 99)); }},
        {"pipes", [](Client &c) { g6_set_nip(c.id(), 3); }},
    };
    return calls;
}

class PendingBase : public Physics {
protected:
    const std::vector<Body> bodies = moving_bodies(50, 1);
    const IBlock block = block_of(bodies, 0, 10);

    // Forces and lists of the block after f was called between the halves, and g between lasthalf
    // and the lists.
    void expect_unchanged(const Between &between)
    {
        SCOPED_TRACE(between.name);
        for (bool early : {true, false})
            for (bool twice : {false, true}) {
                client.reopen();
                for (const char *fresh : {"mode", "snap", "nn_none", "neighbour_self", "threads"})
                    client.option(fresh, defaults(fresh));
                client.option("backend", GetParam().backend);
                client.option("precision", client.precision());
                client.set_ti(0);
                client.set_all(bodies);
                const Memory memory = client.memory();
                client.first(block, 50);
                if (early) act(between, twice);
                const Output out = client.last(block, 50);
                client.expect_right(block, 50, out, memory, 0);
                if (!early) act(between, twice);
                client.expect_lists(block, 50, memory, 0);
            }
    }

private:
    static std::string defaults(const std::string &key)
    {
        return key == "mode" || key == "neighbour_self" ? "auto" : key == "snap" ? "1" : "0";
    }
    void act(const Between &between, bool looks_for_devices)
    {
        between.call(client);
        if (!looks_for_devices) return;
        g6_open(client.id());
        g6_backend_name(client.id());
        g6_reset(client.id());
    }
};

class Pending : public PendingBase {};
INSTANTIATE_TEST_SUITE_P(, Pending, testing::ValuesIn(usable_machines("Pending")), machine_name);

TEST_P(Pending, block_is_not_changed_by_calls_between_the_halves)
{
    for (const Between &between : calls_between()) expect_unchanged(between);
}

// A setting takes effect at the firsthalf that follows.
TEST_P(Pending, next_block_has_the_new_settings)
{
    client.set_all(bodies);
    client.run_and_check(block);
    client.option("mode", "treeonly");
    const Output out = client.run(block, 50);
    for (int k = 0; k < 10; ++k) {
        EXPECT_EQ(out.nearest[k], 0);
        EXPECT_EQ(out.jerk[k], Vec3{});
    }
    client.option("mode", "auto");
    client.option("nn_none", "-1");
    IBlock alone = block;
    EXPECT_EQ(client.run(alone, 0).nearest[0], -1);
}

// Two clusters on one device, each with a block under way, every block larger than the one before.
TEST_P(Pending, blocks_of_two_clusters_may_grow)
{
    Client other(GetParam());
    const std::vector<Body> many = moving_bodies(1000, 5);
    client.set_all(many);
    other.set_all(many);
    for (int n = 8; n <= 500; n += n / 2) {
        const IBlock a = block_of(many, 0, n), b = block_of(many, 0, n + n / 4);
        client.first(a, 1000);
        other.first(b, 1000);
        client.expect_right(a, 1000, client.last(a, 1000));
        other.expect_right(b, 1000, other.last(b, 1000));
    }
}

}  // namespace
}  // namespace g6test
