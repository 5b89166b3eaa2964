// SPDX-License-Identifier: MIT
// Makes each call on the library and on the model, in one process.
#pragma once

#include "generator.h"

#include <functional>

namespace g6fuzz {

class Session {
public:
    // made: told of each call before it is made.
    Session(World world, std::function<void(const Call &)> made);

    // "" or what was wrong.
    std::string execute(const Call &call);
    // A random sequence; then all is closed and process-wide settings are as at the start.
    std::string run(std::uint64_t seed, int calls, const Features &features);
    const Model &model() const { return model_; }

private:
    std::string tidy_up();
    void set_environment(const Call &call);

    World world_;
    Library library_;
    Model model_;
    std::function<void(const Call &)> made_;
    bool ready_ = false;  // looked around: the library was called
};

// Asks the library what there is.
void look_around(World &world);

// G6_KEY for a setting's key.
void set_variable(const std::string &key, const std::string &value);

}  // namespace g6fuzz
