// SPDX-License-Identifier: MIT
// Keeps a variable of the environment as it is over a call that takes its text apart in place: the
// Khronos loader does so with OCL_ICD_FILENAMES (khrIcdVendorsEnumerateEnv), and programs that the
// process starts later would see its first entry alone.
#pragma once

#include <cstdlib>
#include <cstring>
#include <string>

namespace g6::opencl {

class KeptVariable {
public:
    explicit KeptVariable(const char *name) : at_(std::getenv(name)), text_(at_ ? at_ : "") {}
    ~KeptVariable()
    {
        if (at_) std::memcpy(at_, text_.data(), text_.size());
    }
    KeptVariable(const KeptVariable &) = delete;
    KeptVariable &operator=(const KeptVariable &) = delete;

private:
    char *const at_;
    const std::string text_;
};

}  // namespace g6::opencl
