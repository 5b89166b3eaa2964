// SPDX-License-Identifier: MIT
// Gives each call to the library and to the model, which judges the answer, and closes all clusters
// at the end of a run.
#include "session.h"

#include "fault.h"

#include "g6lib.h"

#include <cctype>
#include <cstdlib>

namespace g6fuzz {
Session::Session(World world, std::function<void(const Call &)> made)
    : world_(std::move(world)), model_(world_), made_(std::move(made))
{
}

// The library reads its environment at its first call: later variables have no effect.
void Session::set_environment(const Call &call)
{
    const std::string key = call.get_text(0), value = call.get_text(1);
    if (ready_) return;
    set_variable(key, value);
    if (key == "profile")
        world_.profile = value;
    else
        world_.environment[key] = value;
}

std::string Session::execute(const Call &call)
{
    made_(call);
    if (call.op == Op::environment) return set_environment(call), "";
    if (!ready_) {
        look_around(world_);
        library_.hear_errors();
    }
    ready_ = true;
    const int rows = model_.rows_of(call);
    const Answer &answer = library_.make(call, rows);
    std::string wrong = model_.check(call, answer);
    if (wrong.empty()) wrong = fake_violation();
    if (!wrong.empty()) return wrong;
    Call open;
    bool all = false;
    if (!model_.wants_open(open.id, all)) return "";
    open.form = all ? Form::kAllPlain : Form::kPlain;
    return execute(open);
}

std::string Session::run(std::uint64_t seed, int calls, const Features &features)
{
    Generator generator(seed, model_, features);
    for (int n = 0; n < calls; n++) {
        const std::string wrong = execute(generator.next());
        if (!wrong.empty()) return wrong;
    }
    return tidy_up();
}

std::string Session::tidy_up()
{
    Call call;
    for (long long key : model_.open_keys()) {
        call.op = Op::close;
        call.form = key == kAllKey ? Form::kAllPlain : Form::kPlain;
        call.id = key == kAllKey ? 0 : static_cast<int>(key);
        const std::string wrong = execute(call);
        if (!wrong.empty()) return wrong;
    }
    call.form = Form::kPlain;
    call.op = Op::set_neighbour_list_sort_mode;
    call.i = {1, 0, 0, 0};
    const std::string wrong = execute(call);
    if (!wrong.empty()) return wrong;
    call.i = {0, 0, 0, 0};
    call.op = Op::traps;
    execute(call);
    call.op = Op::set_log;
    return execute(call);
}

void set_variable(const std::string &key, const std::string &value)
{
    std::string name = "G6_" + key;
    for (char &c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    setenv(name.c_str(), value.c_str(), 1);
}

void look_around(World &world)
{
    world.pipes = g6_npipes();
    world.known_backends = {"auto", "cuda", "opencl"};
    g6_backend_info info{};
    info.size = sizeof info;
    for (int n = 0; g6_get_backend_info(n, &info) == 0; n++) {
        world.known_backends.push_back(info.name);
        world.devices.push_back(info.reason[0] ? 0 : info.ndevices);
    }
    world.single_on_device = world.computes() != "cpu" && !world.computes_on_fakes();
}

}  // namespace g6fuzz
