// SPDX-License-Identifier: MIT
// Finding backends: refused ones are remembered with their reason, and never stop the library.
#include "fixture.h"

#include <algorithm>
#include "../physics.h"

namespace g6test {
namespace {

class Loader : public FakeTest {
protected:
    static g6_backend_info info(const std::string &name)
    {
        for (const g6_backend_info &b : all_backends())
            if (name == b.name) return b;
        ADD_FAILURE() << name << " is not listed";
        return {};
    }
    static void expect_reason(const std::string &name, const char *part)
    {
        EXPECT_NE(std::string(info(name).reason).find(part), std::string::npos)
            << name << ": " << info(name).reason;
        EXPECT_EQ(info(name).ndevices, 0) << name;
        EXPECT_EQ(info(name).path, fake_folder() + "/g6_" + name + ".so");
    }
};

TEST_F(Loader, lists_a_good_backend_with_its_devices)
{
    EXPECT_STREQ(info("fake").reason, "");
    EXPECT_EQ(info("fake").ndevices, kFakeDevices);
    EXPECT_EQ(info("fake").path, fake_folder() + "/g6_fake.so");
}

TEST_F(Loader, refuses_another_interface_number)
{
    expect_reason("badabi", "4242");
}
TEST_F(Loader, refuses_a_missing_entry_symbol)
{
    expect_reason("noentry", "g6_backend_entry");
}
TEST_F(Loader, refuses_an_entry_without_functions)
{
    expect_reason("incomplete", "lacks functions");
}
TEST_F(Loader, refuses_what_is_no_shared_object)
{
    expect_reason("text", "load");
}
// Its start is tried in another process, whatever the library is asked.
TEST_F(Loader, refuses_a_driver_that_ends_the_program)
{
    Client client;
    g6_set_option(client.id(), "backend", "aborts");
    client.set_all(moving_bodies(20, 2));
    client.run_and_check(block_of(moving_bodies(20, 2), 0, 5));
    EXPECT_STREQ(g6_backend_name(client.id()), "cpu");
    expect_reason("aborts", "its driver ends the program that starts it (signal 6, Aborted: "
                            "driver: /sys is missing)");
}
TEST_F(Loader, keeps_the_reason_of_a_backend_without_devices)
{
    expect_reason("nodevice", "too old");
}

TEST_F(Loader, always_lists_the_cpu)
{
    EXPECT_STREQ(info("cpu").reason, "");
    EXPECT_STREQ(info("cpu").path, "built in");
}

// auto means cuda, an OpenCL GPU or the cpu: neither a file that happens to lie there nor processors
// by way of OpenCL are chosen.
TEST_F(Loader, auto_does_not_choose_an_unknown_backend)
{
    Client client;
    client.set_all(moving_bodies(20, 1));
    client.run_and_check(block_of(moving_bodies(20, 1), 0, 5));
    EXPECT_STREQ(g6_backend_name(client.id()), "cpu");
    EXPECT_EQ(info("opencl").ndevices, kFakeDevices);
    client.option("backend", "opencl");
    client.run_and_check(block_of(moving_bodies(20, 1), 0, 5));
    EXPECT_STREQ(g6_backend_name(client.id()), "opencl");
}

TEST_F(Loader, a_refused_backend_that_is_asked_for_gives_way_to_the_cpu)
{
    for (const char *name : {"badabi", "noentry", "incomplete", "text", "nodevice", "cannotopen"}) {
        Client client;
        g6_set_option(client.id(), "backend", name);  // an error or a warning: never fatal
        client.set_all(moving_bodies(20, 2));
        client.run_and_check(block_of(moving_bodies(20, 2), 0, 5));
        EXPECT_STREQ(g6_backend_name(client.id()), "cpu") << name;
    }
}

TEST_F(Loader, a_device_that_cannot_be_opened_is_said_once)
{
    Client client;
    client.option("backend", "cannotopen");
    client.set_all(moving_bodies(20, 3));
    for (int k = 0; k < 5; ++k) client.run_and_check(block_of(moving_bodies(20, 3), 0, 5));
    const std::vector<std::string> said = warnings();
    ASSERT_EQ(said.size(), 1u);
    EXPECT_NE(said[0].find("exclusive use"), std::string::npos) << said[0];
}

TEST_F(Loader, devices_are_chosen_by_number)
{
    Client client(on("2,1"));
    client.set_all(moving_bodies(20, 4));
    client.run_and_check(block_of(moving_bodies(20, 4), 0, 5));
    EXPECT_EQ(stats(client).devices, 2);
    EXPECT_EQ(calls(0, kStart) + calls(3, kStart), 0);
    EXPECT_GE(calls(1, kStart), 1);
    EXPECT_GE(calls(2, kStart), 1);
}

// The fakes are called "fake 0" to "fake 3".
TEST_F(Loader, devices_are_chosen_by_parts_of_their_names)
{
    struct {
        const char *list;
        std::vector<int> chosen;
    } const cases[] = {{"FAKE 2", {2}},
                       {"e 1, fake 3", {1, 3}},
                       {"fake", {0, 1, 2, 3}},
                       {"3,fake 3,3", {3}},
                       {"0,Ke 2", {0, 2}}};
    for (const auto &c : cases) {
        SCOPED_TRACE(c.list);
        SetUp();
        Client client(on(c.list));
        client.set_all(moving_bodies(20, 4));
        client.run_and_check(block_of(moving_bodies(20, 4), 0, 5));
        EXPECT_EQ(stats(client).devices, int(c.chosen.size()));
        for (int d = 0; d < kFakeDevices; ++d) {
            const bool wanted = std::count(c.chosen.begin(), c.chosen.end(), d) == 1;
            EXPECT_EQ(calls(d, kStart) > 0, wanted) << d;
        }
    }
}

TEST_F(Loader, a_name_that_no_device_has_is_reported_with_those_that_there_are)
{
    Client client;
    client.option("backend", "fake");
    client.option("devices", "0,abacus");
    client.set_all(moving_bodies(20, 5));
    client.run_and_check(block_of(moving_bodies(20, 5), 0, 5));
    const std::vector<std::string> said = warnings();
    ASSERT_EQ(said.size(), 1u);
    for (const char *part : {"\"abacus\"", "0 fake 0, 1 fake 1, 2 fake 2, 3 fake 3"})
        EXPECT_NE(said[0].find(part), std::string::npos) << said[0];
}

TEST_F(Loader, a_device_number_that_does_not_exist_is_not_fatal)
{
    for (const char *number : {"9", "4"}) {  // there are 0 to 3: the default serves
        Client client;
        client.option("backend", "fake");
        g6_set_option(client.id(), "devices", number);
        client.set_all(moving_bodies(20, 5));
        client.run_and_check(block_of(moving_bodies(20, 5), 0, 5));
        EXPECT_STREQ(g6_backend_name(client.id()), "fake");
    }
}

}  // namespace
}  // namespace g6test
