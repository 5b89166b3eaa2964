// SPDX-License-Identifier: MIT
// The search for backends: a refused one is remembered with its reason, and never stops the
// library.
#include "fixture.h"

#include "../physics.h"

#include <algorithm>

namespace g6test {
namespace {

const std::vector<Body> bodies = moving_bodies(20, 1);
const IBlock block = block_of(bodies, 0, 5);

void serve(Client &client)
{
    client.set_all(bodies);
    client.run_and_check(block);
}

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

// Another number of the interface, no entry symbol, no shared object, a backend without
// devices, which says why, and a driver that ends the program: its start is tried in another
// process.
TEST_F(Loader, refuses_a_backend_with_the_reason)
{
    const std::pair<const char *, const char *> reasons[] = {
        {"badabi", "4242"},
        {"noentry", "g6_backend_entry"},
        {"text", "load"},
        {"nodevice", "too old"},
        {"aborts", "its driver ends the program that starts it (signal 6, Aborted: driver: /sys is "
                   "missing)"}};
    for (const auto &[name, reason] : reasons) expect_reason(name, reason);
}

// auto means a GPU of a backend that the library knows by name, or the cpu: it chooses neither
// another file nor processors by way of OpenCL.
TEST_F(Loader, auto_does_not_choose_an_unknown_backend)
{
    Client client;
    serve(client);
    EXPECT_STREQ(g6_backend_name(client.id()), "cpu");
    EXPECT_EQ(info("opencl").ndevices, kFakeDevices);
    client.option("backend", "opencl");
    client.run_and_check(block);
    EXPECT_STREQ(g6_backend_name(client.id()), "opencl");
}

// The folder has mpi, cuda and opencl.
TEST_F(Loader, auto_takes_mpi_only_where_there_are_workers_and_else_cuda)
{
    setenv("G6_BACKEND_DIR", (fake_folder() + "/../ranked").c_str(), 1);
    const auto backend = [](const char *variable, const char *programs) {
        setenv(variable, programs, 1);
        Client client;
        unsetenv(variable);
        return std::string(g6_backend_name(client.id()));
    };
    for (const char *variable : {"OMPI_NUM_APP_CTX", "SLURM_HET_SIZE"}) {
        EXPECT_EQ(backend(variable, "1"), "cuda") << variable;
        EXPECT_EQ(backend(variable, "many"), "cuda") << variable;
        EXPECT_EQ(backend(variable, "2"), "mpi") << variable;
    }
    SetUpTestSuite();
}

TEST_F(Loader, a_refused_backend_that_is_asked_for_gives_way_to_the_cpu)
{
    for (const char *name : {"badabi", "noentry", "text", "nodevice", "cannotopen", "aborts"}) {
        Client client;
        g6_set_option(client.id(), "backend", name);  // an error or a warning: never fatal
        serve(client);
        EXPECT_STREQ(g6_backend_name(client.id()), "cpu") << name;
    }
}

TEST_F(Loader, a_device_that_cannot_be_opened_is_said_once)
{
    Client client;
    client.option("backend", "cannotopen");
    for (int k = 0; k < 5; ++k) serve(client);
    EXPECT_EQ(warnings(),
              std::vector<std::string>{
                  "cannotopen device 0 refused: fake device is in exclusive use by another "
                  "process; going on with the cpu"});
}

TEST_F(Loader, a_device_that_cannot_be_opened_leaves_the_work_to_the_others)
{
    fake_control().device[1].gone = true;
    Client client(on("0,1,2"));
    serve(client);
    EXPECT_EQ(client.stats().devices, 2);
    expect_warning({"fake device 1 refused: ", "; going on with fake device 0,2"});
}

// The fakes are called "fake 0" to "fake 3".
TEST_F(Loader, devices_are_chosen_by_numbers_and_by_parts_of_their_names)
{
    struct {
        const char *list;
        std::vector<int> chosen;
    } const cases[] = {{"2,1", {1, 2}},        {"FAKE 2", {2}},     {"e 1, fake 3", {1, 3}},
                       {"fake", {0, 1, 2, 3}}, {"3,fake 3,3", {3}}, {"0,Ke 2", {0, 2}}};
    for (const auto &c : cases) {
        SCOPED_TRACE(c.list);
        SetUp();
        Client client(on(c.list));
        serve(client);
        EXPECT_EQ(client.stats().devices, int(c.chosen.size()));
        for (int d = 0; d < kFakeDevices; ++d) {
            const bool wanted = std::count(c.chosen.begin(), c.chosen.end(), d) == 1;
            EXPECT_EQ(calls(d, kStart) > 0, wanted) << d;
        }
    }
}

TEST_F(Loader, a_name_that_no_device_has_is_reported_with_those_that_there_are)
{
    Client client(on("0,abacus"));
    serve(client);
    expect_warning({"\"abacus\"", "0 fake 0, 1 fake 1, 2 fake 2, 3 fake 3"});
}

TEST_F(Loader, a_device_number_that_does_not_exist_is_not_fatal)
{
    for (const char *number : {"9", "4"}) {  // there are 0 to 3: the default serves
        Client client;
        client.option("backend", "fake");
        g6_set_option(client.id(), "devices", number);
        serve(client);
        EXPECT_STREQ(g6_backend_name(client.id()), "fake");
    }
}

// ---- G6_DEVICES=local

constexpr const char *kRankVariables[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                          "PMI_LOCAL_RANK", "SLURM_LOCALID"};

class LocalDevice : public FakeTest {
protected:
    LocalDevice() { forget_rank(); }
    ~LocalDevice() override { forget_rank(); }
    static void forget_rank()
    {
        for (const char *name : kRankVariables) unsetenv(name);
    }
    void expect_block_on(int chosen)
    {
        SetUp();
        Client client(on("local"));
        serve(client);
        EXPECT_EQ(client.stats().devices, 1);
        for (int d = 0; d < kFakeDevices; ++d) EXPECT_EQ(calls(d, kStart) > 0, d == chosen) << d;
    }
    // Lines of the log, of any level, about the rank.
    std::vector<std::string> about_rank() const
    {
        std::vector<std::string> found;
        for (const LogLine &line : lines)
            if (line.text.find("rank") != std::string::npos) found.push_back(line.text);
        return found;
    }
};

TEST_F(LocalDevice, is_the_one_of_the_rank_that_the_launcher_tells)
{
    for (const char *name : kRankVariables) {
        SCOPED_TRACE(name);
        forget_rank();
        setenv(name, "2", 1);
        expect_block_on(2);
        setenv(name, "3", 1);
        expect_block_on(3);
        EXPECT_TRUE(about_rank().empty()) << about_rank()[0];
        EXPECT_TRUE(warnings().empty()) << warnings()[0];
    }
}

// Devices 0 to 3 for ranks 0 to 3, and from the first one again.
TEST_F(LocalDevice, serves_several_ranks_when_there_are_more_than_devices)
{
    setenv("MPI_LOCALRANKID", "6", 1);
    expect_block_on(2);
    EXPECT_TRUE(warnings().empty());
    ASSERT_EQ(about_rank().size(), 1u);
    EXPECT_NE(about_rank()[0].find("rank 6"), std::string::npos) << about_rank()[0];
    EXPECT_NE(about_rank()[0].find("shares with rank 2"), std::string::npos) << about_rank()[0];
    setenv("MPI_LOCALRANKID", "4", 1);
    expect_block_on(0);
    EXPECT_EQ(about_rank().size(), 1u);
}

TEST_F(LocalDevice, is_told_by_the_first_variable_that_holds_a_number)
{
    setenv("SLURM_LOCALID", "3", 1);
    setenv("PMI_LOCAL_RANK", "1", 1);
    for (const char *no_rank : {"", "-1", "2x", "99999999999"}) {
        SCOPED_TRACE(no_rank);
        setenv("MPI_LOCALRANKID", no_rank, 1);
        expect_block_on(1);
    }
    setenv("OMPI_COMM_WORLD_LOCAL_RANK", "2", 1);
    expect_block_on(2);
}

TEST_F(LocalDevice, without_a_rank_is_device_0_with_a_line_that_names_the_variables)
{
    expect_block_on(0);
    expect_warning({"G6_DEVICES=local", "fake device 0", "OMPI_COMM_WORLD_LOCAL_RANK",
                    "MPI_LOCALRANKID", "PMI_LOCAL_RANK", "SLURM_LOCALID"});
}

// The cpu computes in place of a backend that is refused; there no rank is asked for.
TEST_F(LocalDevice, means_nothing_where_the_cpu_takes_the_place_of_a_backend)
{
    Client client;
    client.option("backend", "badabi");
    client.option("devices", "local");
    serve(client);
    EXPECT_STREQ(g6_backend_name(client.id()), "cpu");
    expect_warning({});
    EXPECT_TRUE(about_rank().empty()) << about_rank()[0];
}

}  // namespace
}  // namespace g6test
