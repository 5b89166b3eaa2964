// SPDX-License-Identifier: MIT
// Finds and describes the devices of all platforms, and builds programs from their texts.
#include "engine.h"

#include <cstdlib>

namespace g6::opencl {
namespace {

template <class T> T device_value(cl_device_id id, cl_device_info what)
{
    T value{};
    check(clGetDeviceInfo(id, what, sizeof value, &value, nullptr), "device");
    return value;
}

// get: clGetDeviceInfo or clGetPlatformInfo.
template <class Get, class Id> std::string text_of(Get get, Id id, cl_uint what)
{
    size_t bytes = 0;
    check(get(id, what, 0, nullptr, &bytes), "device");
    std::string text(bytes, '\0');
    check(get(id, what, bytes, &text[0], nullptr), "device");
    return text.c_str();
}

// Whether kernels must take turns (Queue in memory.h): with PoCL before version 6, which shows in
// the platform's version, as "OpenCL 3.0 PoCL 5.0-debian Linux, ..." or "OpenCL 1.2 pocl 1.6 ...".
bool takes_turns(const std::string &version)
{
    for (const char *name : {"PoCL ", "pocl "}) {
        const size_t at = version.find(name);
        if (at != std::string::npos) return std::atoi(version.c_str() + at + 5) < 6;
    }
    return false;
}

Hardware describe(cl_platform_id platform, cl_device_id id)
{
    Hardware h{};
    h.platform = platform;
    h.id = id;
    h.name = text_of(clGetDeviceInfo, id, CL_DEVICE_NAME);
    h.driver = text_of(clGetDeviceInfo, id, CL_DRIVER_VERSION);
    h.platform_name = text_of(clGetPlatformInfo, platform, CL_PLATFORM_NAME);
    h.platform_version = text_of(clGetPlatformInfo, platform, CL_PLATFORM_VERSION);
    h.is_cpu = device_value<cl_device_type>(id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU;
    constexpr cl_uint kNvidia = 0x10de;  // the PCI vendor number
    h.nvidia = !h.is_cpu && device_value<cl_uint>(id, CL_DEVICE_VENDOR_ID) == kNvidia;
    const std::string extensions = " " + text_of(clGetDeviceInfo, id, CL_DEVICE_EXTENSIONS) + " ";
    h.fp64 = extensions.find(" cl_khr_fp64 ") != std::string::npos;
    h.compute_units = static_cast<int>(device_value<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS));
    h.max_group = device_value<size_t>(id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    h.local_bytes = device_value<cl_ulong>(id, CL_DEVICE_LOCAL_MEM_SIZE);
    h.memory_bytes = device_value<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE);
    h.largest_allocation = device_value<cl_ulong>(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    h.takes_turns = takes_turns(h.platform_version);
    return h;
}

// Whether this device can run the kernels at all.
bool is_usable(cl_device_id id)
{
    return device_value<cl_bool>(id, CL_DEVICE_AVAILABLE) &&
           device_value<cl_bool>(id, CL_DEVICE_COMPILER_AVAILABLE) &&
           device_value<cl_bool>(id, CL_DEVICE_ENDIAN_LITTLE);
}

struct HardwareScan {
    std::vector<Hardware> hardware;
    std::string reason;
};

void scan_platform(cl_platform_id platform, HardwareScan &scan)
{
    cl_uint n = 0;
    const cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &n);
    if (code == CL_DEVICE_NOT_FOUND || (code == CL_SUCCESS && n == 0)) return;
    check(code, "devices");
    std::vector<cl_device_id> ids(n);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, n, ids.data(), nullptr), "devices");
    for (cl_device_id id : ids) {
        try {
            if (is_usable(id)) scan.hardware.push_back(describe(platform, id));
        } catch (const ClError &e) {
            scan.reason = e.text;  // a device that cannot be described is left out
        }
    }
}

HardwareScan scan()
{
    constexpr cl_int kNoPlatform = -1001;  // CL_PLATFORM_NOT_FOUND_KHR of cl_khr_icd
    HardwareScan s;
    cl_uint n = 0;
    const cl_int code = clGetPlatformIDs(0, nullptr, &n);
    if (code == kNoPlatform || (code == CL_SUCCESS && n == 0)) {
        const char *vendors = std::getenv("OCL_ICD_VENDORS");
        s.reason = std::string("no OpenCL platform (no driver's .icd file in ") +
                   (vendors && *vendors ? vendors : "/etc/OpenCL/vendors") + ")";
        return s;
    }
    check(code, "platforms");
    std::vector<cl_platform_id> platforms(n);
    check(clGetPlatformIDs(n, platforms.data(), nullptr), "platforms");
    for (cl_platform_id p : platforms) {
        try {
            scan_platform(p, s);
        } catch (const ClError &e) {
            s.reason = e.text;  // other platforms may have devices
        }
    }
    std::stable_partition(s.hardware.begin(), s.hardware.end(),
                          [](const Hardware &h) { return !h.is_cpu; });
    if (s.hardware.empty())
        s.reason =
            "no device on any OpenCL platform" + (s.reason.empty() ? "" : " (" + s.reason + ")");
    return s;
}

std::mutex registry_mutex;
std::map<int, std::shared_ptr<Engine>> &registry()
{
    static auto *engines = new std::map<int, std::shared_ptr<Engine>>;
    return *engines;
}

}  // namespace

const std::vector<Hardware> &all_hardware(std::string *reason)
{
    static const auto *found = new HardwareScan(scan());
    if (reason) *reason = found->reason;
    return found->hardware;
}

std::shared_ptr<Engine> Engine::of(int number)
{
    std::lock_guard<std::mutex> lock(registry_mutex);
    std::shared_ptr<Engine> &engine = registry()[number];
    if (!engine) engine = std::make_shared<Engine>(all_hardware().at(static_cast<size_t>(number)));
    return engine;
}

void Engine::forget(int number)
{
    std::lock_guard<std::mutex> lock(registry_mutex);
    registry().erase(number);
}

Engine::Engine(const Hardware &hardware) : hardware_(hardware)
{
    const cl_context_properties properties[] = {
        CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(hardware.platform), 0};
    cl_int code = CL_SUCCESS;
    context_ = Context(clCreateContext(properties, 1, &hardware_.id, nullptr, nullptr, &code));
    check(code, "context");
}

std::string Engine::base_options(bool fp64, const std::string &more) const
{
    return "-cl-std=CL1.2 -DG6_TILE=" + std::to_string(gpu::kTile) +
           " -DG6_FP64=" + std::to_string(fp64) + " -DG6_PTX=" + std::to_string(hardware_.nvidia) +
           (more.empty() ? "" : " " + more);
}

std::string Engine::build_log(cl_program program) const
{
    size_t bytes = 0;
    if (clGetProgramBuildInfo(program, hardware_.id, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes) !=
        CL_SUCCESS)
        return "";
    std::string log(bytes, '\0');
    clGetProgramBuildInfo(program, hardware_.id, CL_PROGRAM_BUILD_LOG, bytes, &log[0], nullptr);
    log = log.c_str();
    // The line with the log's first error, or else its first line.
    size_t at = log.find("error");
    at = at == std::string::npos ? 0 : log.rfind('\n', at) + 1;
    return log.substr(at, std::min<size_t>(log.find('\n', at) - at, 160));
}

Program Engine::build(const KernelText &text, const std::string &options)
{
    const char *source = text.text;
    cl_int code = CL_SUCCESS;
    Program program(clCreateProgramWithSource(context(), 1, &source, nullptr, &code));
    check(code, "program");
    code = clBuildProgram(program.get(), 1, &hardware_.id, options.c_str(), nullptr, nullptr);
    if (code != CL_SUCCESS)
        throw ClError{code, "opencl: the driver cannot build \"" + std::string(text.name) + "\" (" +
                                code_name(code) + "): " + build_log(program.get())};
    return program;
}

cl_program Engine::program(const KernelText &text, const std::string &options)
{
    std::lock_guard<std::mutex> lock(mutex_);
    Program &known = programs_[options + "\n" + text.name];
    if (!known) known = build(text, options);
    return known.get();
}

Kernel Engine::kernel(const KernelText &text, const std::string &options, const char *name)
{
    cl_int code = CL_SUCCESS;
    Kernel kernel(clCreateKernel(program(text, options), name, &code));
    check(code, name);
    return kernel;
}

}  // namespace g6::opencl
