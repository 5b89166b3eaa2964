// SPDX-License-Identifier: MIT
// A process with more rights than the user who starts it takes no file name from the user.  Root
// gives a copy of the probe the setuid bit and starts the copy as another user.
#include "process.h"

#include <grp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <vector>

namespace g6test {
namespace {

constexpr uid_t kNobody = 65534;

class Rights : public Process {
protected:
    std::string program() const { return folder + "/probe"; }

    // Only the copy's own variables; name: argv[0].  user: of the process.
    Result start(uid_t user, const std::string &name, std::vector<std::string> variables,
                 const char *what = "run") const
    {
        Result r;
        int out[2];
        if (pipe(out) != 0) return r;
        variables.push_back(
            "ASAN_OPTIONS=detect_leaks=0");  // which asks for the rights of a tracer
        std::vector<char *> environment;
        for (std::string &v : variables) environment.push_back(v.data());
        environment.push_back(nullptr);
        const pid_t child = fork();
        if (child == 0) {
            dup2(out[1], STDOUT_FILENO);
            char *const arguments[] = {const_cast<char *>(name.c_str()), const_cast<char *>(what),
                                       nullptr};
            const bool good = user == geteuid() || (setgroups(0, nullptr) == 0 &&
                                                    setgid(user) == 0 && setuid(user) == 0);
            if (good && chdir("/") == 0) execve(program().c_str(), arguments, environment.data());
            _exit(126);
        }
        close(out[1]);
        char part[4096];
        for (ssize_t n; (n = read(out[0], part, sizeof part)) > 0;)
            r.out.append(part, static_cast<size_t>(n));
        close(out[0]);
        int status = 0;
        waitpid(child, &status, 0);
        r.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        return r;
    }

    void SetUp() override
    {
        Process::SetUp();
        std::filesystem::copy_file(folder_of_this_program() + "/g6test-static", program());
        // Two places with a backend: the one that a variable names, and g6gpu/ beside a name.
        std::filesystem::create_directory(folder + "/g6gpu");
        std::filesystem::create_directory(folder + "/elsewhere");
        std::filesystem::create_directory(folder + "/elsewhere/g6gpu");
        for (const char *place : {"/g6gpu", "/elsewhere", "/elsewhere/g6gpu"})
            std::filesystem::copy_file(fake_folder() + "/g6_fake.so",
                                       folder + place + "/g6_fake.so");
        write("settings", "npipes = 96\n");
    }

    // "" once the copy gets root's rights from the system whoever starts it, else why not.
    std::string why_not_setuid() const
    {
        if (geteuid() != 0) return "only root can make a program setuid root";
        if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1) return "no_new_privs is set";
        struct statvfs place;
        if (statvfs(folder.c_str(), &place) != 0 || place.f_flag & ST_NOSUID)
            return folder + " is mounted nosuid";
        const std::filesystem::perms all = std::filesystem::perms(0755);
        for (const char *path : {"", "/g6gpu", "/elsewhere", "/elsewhere/g6gpu"})
            std::filesystem::permissions(folder + path, all);
        if (start(kNobody, program(), {}).exit_code != 0)
            return "user 65534 cannot start a program in " + folder;
        return chmod(program().c_str(), 04755) == 0 ? "" : "no setuid bit";
    }
};

constexpr const char *kOnFake = " backend=fake ", *kOnCpu = " backend=cpu ";

TEST_F(Rights, a_setuid_program_opens_no_backend_and_no_settings_of_its_user)
{
    const std::vector<std::string> hostile = {"G6_BACKEND_DIR=" + folder + "/elsewhere",
                                              "G6_CONFIG=" + folder + "/settings",
                                              "G6_TRACE=" + folder + "/trace", "G6_BACKEND=fake"};
    const std::string why = why_not_setuid();
    if (!why.empty()) GTEST_SKIP() << why;
    const Result r = start(kNobody, program(), hostile);
    EXPECT_EQ(r.exit_code, 0);
    EXPECT_TRUE(r.says(kRight) && r.says(kOnCpu) && r.says(" npipes=48,")) << r.out;
    EXPECT_FALSE(std::filesystem::exists(folder + "/trace"));
    // Without the bit the same variables act.
    ASSERT_EQ(chmod(program().c_str(), 0755), 0);
    std::filesystem::permissions(folder, std::filesystem::perms(0777));
    const Result plain = start(kNobody, program(), hostile);
    EXPECT_TRUE(std::filesystem::exists(folder + "/trace"));
    EXPECT_TRUE(plain.says(kOnFake) && plain.says(" npipes=96,")) << plain.out;
}

// Drivers (OpenCL's above all) load what variables of the user name.
TEST_F(Rights, a_setuid_program_opens_not_even_its_own_backends)
{
    const std::string why = why_not_setuid();
    if (!why.empty()) GTEST_SKIP() << why;
    EXPECT_TRUE(start(kNobody, program(), {"G6_BACKEND=fake"}).says(kOnCpu));
    const Result list = start(kNobody, program(), {}, "backends");
    EXPECT_TRUE(list.says("[fake 0 not opened in a process with more rights than its user"))
        << list.out;
    EXPECT_TRUE(list.says("[cpu 1 ]")) << list.out;
}

// Whoever starts a program chooses its argv[0].
TEST_F(Rights, backends_are_looked_for_beside_the_program_not_beside_its_name)
{
    const std::string name = folder + "/elsewhere/probe";
    EXPECT_TRUE(start(geteuid(), name, {"G6_BACKEND=fake"}).says(kOnFake));
    std::filesystem::remove_all(folder + "/g6gpu");
    EXPECT_TRUE(start(geteuid(), name, {"G6_BACKEND=fake"}).says(kOnCpu));
}

}  // namespace
}  // namespace g6test
