// SPDX-License-Identifier: MIT
// The application's current CUDA context stays the same through every call, whether the application
// made one itself, as a program on the driver's interface does, or has none.
#include "../physics.h"

#include <dlfcn.h>
#include <thread>

namespace g6test {
namespace {

// What the test needs of the driver.
struct Driver {
    int (*init)(unsigned) = nullptr;
    int (*get)(void **) = nullptr;
    int (*set)(void *) = nullptr;
    int (*create)(void **, unsigned, int) = nullptr;
    int (*destroy)(void *) = nullptr;

    Driver()
    {
        void *library = dlopen("libcuda.so.1", RTLD_NOW);
        const auto load = [&](auto &function, const char *name) {
            if (library)
                function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
        };
        load(init, "cuInit");
        load(get, "cuCtxGetCurrent");
        load(set, "cuCtxSetCurrent");
        load(create, "cuCtxCreate_v2");
        load(destroy, "cuCtxDestroy_v2");
    }
    void *current() const
    {
        void *context = nullptr;
        EXPECT_EQ(get(&context), 0);
        return context;
    }
};

// A session, with a look at the context after each call.
void run_session(const Driver &driver, void *expected)
{
    const auto stays = [&](const char *after) {
        EXPECT_EQ(driver.current(), expected) << "after " << after;
    };
    {
        Client client({"cuda", "mixed", "0", ""});
        stays("open");
        const std::vector<Body> bodies = moving_bodies(600, 41);
        for (const char *mode : {"hermite", "treewalk"}) {
            client.use_mode(mode);
            client.set_all(bodies);
            for (int n : {3, 100}) {
                const IBlock block = block_of(bodies, 0, n);
                client.first(block, 600);
                stays("firsthalf");
                client.expect_right(block, 600, client.last(block, 600));
                stays("lasthalf");
                client.expect_lists(block, 600);
                stays("lists");
            }
            client.reopen();
            stays("close and open");
        }
        g6_reinitialize(client.id());
        stays("reinitialize");
        for (const g6_backend_info &b : all_backends()) devices_of(b.name);
        stays("device_info");
        client.option("backend", "cpu");
        client.set(0, bodies[0]);
        stays("change to the cpu");
    }
    stays("close");
}

TEST(CudaContext, stays_the_callers)
{
    if (!why_not("cuda").empty()) GTEST_SKIP() << "no CUDA device";
    const Driver driver;
    ASSERT_TRUE(driver.init && driver.get && driver.set);
    ASSERT_EQ(driver.init(0), 0);
    std::thread none([&] {
        ASSERT_EQ(driver.set(nullptr), 0);
        run_session(driver, nullptr);
    });
    none.join();
    if (!driver.create || !driver.destroy) GTEST_SKIP() << "this driver makes no contexts";
    std::thread own([&] {
        void *context = nullptr;
        ASSERT_EQ(driver.create(&context, 0, 0), 0);
        run_session(driver, context);
        EXPECT_EQ(driver.destroy(context), 0);
    });
    own.join();
}

}  // namespace
}  // namespace g6test
