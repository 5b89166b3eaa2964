// SPDX-License-Identifier: MIT
// Opening, closing, resetting, the number of pipelines, and silence.
#include "client.h"
#include "rule.h"

#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

namespace g6check {
namespace {

void npipes_before_open(const Library &library)
{
    const int n = library.npipes();
    expect(n > 0, "a positive number before g6_open", text(n));
}

// Does not judge a number that a setting chose, nor a libsapporo, which is made for GPUs.
void npipes_48(const Library &library)
{
    const std::string profile = library.setting("profile"), file = library.shared().file();
    const bool chosen = profile == "gpu" || profile == "ph4" || std::getenv("G6_NPIPES");
    if (chosen) throw NotOffered{"settings choose the number"};
    if (file.substr(file.rfind('/') + 1).rfind("libsapporo", 0) == 0)
        throw NotOffered{"its name is that of a library for GPUs"};
    int id = 0;
    library.open(&id);
    expect_equal("g6_npipes_ without settings, the hardware's", 48, library.npipes());
}

void npipes_most(const Library &library)
{
    int id = 0;
    library.open(&id);
    const int n = library.npipes();
    expect(n <= 16384, "at most 16384", text(n));
}

void npipes_constant(const Library &library)
{
    Client c(library);
    const int n = library.npipes();
    c.set_all(neutral(8));
    c.run(probes(2));
    expect_equal("after a force still", n, library.npipes());
    c.close();
    expect_equal("after g6_close still", n, library.npipes());
    c.open();
    expect_equal("opened again still", n, library.npipes());
}

void npipes_same(const Library &library)
{
    int id = 0;
    library.open(&id);
    const int n = library.npipes();
    expect_equal("g6_get_number_of_pipelines_", n, library.pipelines());
}

void send_and_judge(Client &c)
{
    c.set_all(neutral(16));
    c.run_and_judge(probes(3));
}

void any_id(const Library &library)
{
    for (int id : {841610929, -5, 3}) {
        Client c(library, id);
        send_and_judge(c);
        c.close();
    }
}

void other_id(const Library &library)
{
    Client opened(library, 3);
    Client c(library, 11, false);
    send_and_judge(c);
    Client mixed(library, 3, false);
    mixed.set_all(neutral(8));
    *mixed.id() = 12;
    mixed.run_and_judge(probes(3));
}

void not_open(const Library &library)
{
    Client c(library, 0, false);
    send_and_judge(c);
}

void open_twice(const Library &library)
{
    Client c(library);
    c.open();
    send_and_judge(c);
}

void reopen(const Library &library)
{
    Client c(library);
    for (int cycle = 0; cycle < 20; cycle++) {
        send_and_judge(c);
        c.close();
        c.open();
    }
}

void close_unopened(const Library &library)
{
    int id = 5;
    expect_equal("g6_close_ of an id that is not open returns", 0, library.close(&id));
    Client c(library);
    send_and_judge(c);
    c.close();
    expect_equal("a second g6_close_ returns", 0, library.close(c.id()));
}

void reset_safe(const Library &library)
{
    Client c(library);
    library.reset(c.id());
    if (library.reset_fofpga) library.reset_fofpga(c.id());
    c.set_all(neutral(16));
    library.reset(c.id());
    if (library.reset_fofpga) library.reset_fofpga(c.id());
    c.run_and_judge(probes(3));
    c.first(probes(3), c.nj());
    library.reset(c.id());
    c.judge_acc(c.last());
}

void reinitialize(const Library &library)
{
    Client c(library);
    library.reinitialize(c.id());
    send_and_judge(c);
}

void buffers(const Library &library)
{
    Client c(library);
    int size = 100;
    library.initialize_buffer(c.id(), &size);
    send_and_judge(c);
    library.flush_buffer(c.id());
    c.run_and_judge(probes(3));
}

void setup_njdata(const Library &library)
{
    Client c(library);
    int nj = 4;  // a hint: 16 follow
    library.setup_njdata(c.id(), &nj);
    send_and_judge(c);
}

void overflow_flags(const Library &library)
{
    Client c(library);
    int flag = 0;
    library.overflow_test(&flag, &flag, &flag);
    send_and_judge(c);
}

long printed(int stream)
{
    std::fflush(nullptr);
    struct stat file {};
    return fstat(stream, &file) == 0 ? static_cast<long>(file.st_size) : 0;
}

// The runner has replaced stdout and stderr by files.
void silent(const Library &library, int stream)
{
    Client c(library);
    send_and_judge(c);
    if (library.chip_status) library.chip_status(c.id());
    if (library.reset) library.reset(c.id());
    c.close();
    const long n = printed(stream);
    expect(n == 0, "nothing", text(static_cast<int>(n)) + " characters");
}

void silent_stdout(const Library &library)
{
    silent(library, STDOUT_FILENO);
}

void silent_stderr(const Library &library)
{
    for (const char *loud : {"log", "stats"}) {
        const std::string value = library.setting(loud);
        if (!value.empty() && value != "none" && value != "error" && value != "0")
            throw NotOffered{"G6_LOG or G6_STATS asks for messages"};
    }
    silent(library, STDERR_FILENO);
}

void other_folder(const Library &library)
{
    if (chdir("/") != 0) throw NotOffered{"the folder / cannot be entered"};
    Client c(library);
    send_and_judge(c);
}

}  // namespace

std::vector<Rule> lifecycle_rules()
{
    return {
        {"npipes-before-open", "codes size their arrays before they open", npipes_before_open,
         kShared},
        {"npipes-48", "NBODY1 and NBODY4 have arrays of 192, banana01 of 128", npipes_48, kShared},
        {"npipes-16384", "phiGRAPE has arrays of 16384", npipes_most, kShared},
        {"npipes-constant", "the number of pipes never changes: codes size arrays once",
         npipes_constant, kShared},
        {"npipes-same", "g6_get_number_of_pipelines is the same number", npipes_same, kShared},
        {"id-any", "any int is an id: ph4 passes garbage, MPI codes their rank", any_id, kShared},
        {"id-other",
         "ph4 opens its GPU's number, then passes its rank: the one open cluster serves", other_id,
         kShared},
        {"id-not-open", "a call opens its cluster when none is open", not_open, kShared},
        {"open-twice", "open may be repeated", open_twice, kShared},
        {"open-close-open", "phiGRAPE opens and closes around every call", reopen},
        {"close-unopened", "closing what is not open is no fault", close_unopened, kShared},
        {"reset-safe", "kira resets when it likes: j-particles and a running block stay",
         reset_safe},
        {"reinitialize-safe", "codes reinitialize after a fault, and go on", reinitialize},
        {"buffer-flushed", "firsthalf sends what is buffered, also without a flush", buffers,
         kShared},
        {"njdata-hint", "NBODY4 announces its number of particles", setup_njdata, kShared},
        {"overflow-flags-accepted", "calls for overflow tests of the hardware's sums are accepted",
         overflow_flags, kShared},
        {"silent-stdout", "kira writes its snapshots to stdout", silent_stdout},
        {"silent-stderr", "nothing on stderr by default", silent_stderr},
        {"folder-any", "nothing is read from the current directory", other_folder},
        {"exit-while-open", "kira and ph4 exit without g6_close",
         [](const Library &library) {
             Client c(library);
             send_and_judge(c);
         },
         kEndsByExit},
    };
}

}  // namespace g6check
