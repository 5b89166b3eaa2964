// SPDX-License-Identifier: MIT
// Base of the tests with fake devices.  G6_BACKEND_DIR is set before the library looks for
// backends; each test starts with healthy devices, and at its end the fixture checks that the core
// has kept the contract of libg6gpu/backend.h.
#pragma once

#include "find.h"
#include "../child.h"
#include "../client.h"

namespace g6test {

struct LogLine {
    int level;
    std::string text;
};

class FakeTest : public testing::Test {
protected:
    static void SetUpTestSuite() { setenv("G6_BACKEND_DIR", fake_folder().c_str(), 1); }
    // Some tests begin anew with it.
    void SetUp() override
    {
        lines.clear();
        FakeControl &c = fake_control();
        EXPECT_STREQ(c.violation, "");
        const int objects = c.objects;
        c = FakeControl{};
        c.objects = objects;
        g6_set_log(take, 4, this);
    }
    void TearDown() override
    {
        g6_set_log(nullptr, 0, nullptr);
        EXPECT_STREQ(fake_control().violation, "");
    }
    static void take(int level, const char *line, void *self)
    {
        static_cast<FakeTest *>(self)->lines.push_back({level, line});
    }
    // Lines that a user with G6_LOG=warn would see.
    std::vector<std::string> warnings() const
    {
        std::vector<std::string> found;
        for (const LogLine &line : lines)
            if (line.level <= 2) found.push_back(line.text);
        return found;
    }
    // There is one warning, which has these parts.
    void expect_warning(std::initializer_list<std::string> parts) const
    {
        ASSERT_EQ(warnings().size(), 1u) << testing::PrintToString(warnings());
        for (const std::string &part : parts)
            EXPECT_NE(warnings()[0].find(part), std::string::npos) << warnings()[0];
    }
    static FakeDevice &device(int d) { return fake_control().device[d]; }
    static int calls(int d, Call call) { return device(d).calls[call]; }
    // divide: "i": all devices share each block; "auto": as many as pay.
    static Machine on(const std::string &devices, const char *divide = "i")
    {
        return {"fake", "double", devices, divide};
    }

    std::vector<LogLine> lines;
};

}  // namespace g6test
