// SPDX-License-Identifier: MIT
// Names for messages of the OpenCL error codes that a correct backend can get.
#include "memory.h"

namespace g6::opencl {

std::string code_name(cl_int code)
{
    switch (code) {
#define G6_CODE(name)                                                                              \
    case name: return #name;
        G6_CODE(CL_DEVICE_NOT_FOUND)
        G6_CODE(CL_DEVICE_NOT_AVAILABLE)
        G6_CODE(CL_COMPILER_NOT_AVAILABLE)
        G6_CODE(CL_MEM_OBJECT_ALLOCATION_FAILURE)
        G6_CODE(CL_OUT_OF_RESOURCES)
        G6_CODE(CL_OUT_OF_HOST_MEMORY)
        G6_CODE(CL_BUILD_PROGRAM_FAILURE)
        G6_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        G6_CODE(CL_INVALID_BUFFER_SIZE)
        G6_CODE(CL_INVALID_BUILD_OPTIONS)
        G6_CODE(CL_INVALID_COMMAND_QUEUE)
        G6_CODE(CL_INVALID_CONTEXT)
        G6_CODE(CL_INVALID_OPERATION)
        G6_CODE(CL_INVALID_WORK_GROUP_SIZE)
#undef G6_CODE
    }
    return "error " + std::to_string(code);
}

}  // namespace g6::opencl
