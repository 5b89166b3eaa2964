// SPDX-License-Identifier: MIT
#include "device.h"

#include "check.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace g6::opencl {
namespace {

constexpr int kTile = 64;
constexpr int kFields = 17;  // doubles of a j-record: x v a2 j6 k18 (three each), mass, t
constexpr int kMaxPlanes = 4;
constexpr size_t kWord = 16;
constexpr int kReduceGroup = 4;  // i-particles of a work-group that adds slices
// Staged bytes beyond this are sent before more are accepted.
constexpr size_t kMaxStaged = size_t{600} << 20;

int round_up(int n, int step)
{
    return (n + step - 1) / step * step;
}

// See iparticle.cl: closer than 2^-24 of the position the 48 bits of a split would show, and closer
// than 1e-10 a float r^-5 may overflow.
double close_limit(double largest_coordinate)
{
    const double r = largest_coordinate * 6e-8;
    return std::max(r * r, 1e-20);
}

// Whether the softening of an i-particle lets a pair come so close; a float's rounding aside.
bool may_be_close(const G6IRecord &i, double length)
{
    const double far = std::max({std::fabs(i.x[0]), std::fabs(i.x[1]), std::fabs(i.x[2])}) * length;
    return i.eps2 * length * length < 1.001 * close_limit(far);
}

bool same(const Scale &a, const Scale &b)
{
    return a.length == b.length && a.mass == b.mass && a.velocity == b.velocity;
}

// Errors after which less memory may help.
bool of_memory(cl_int code)
{
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY ||
           code == CL_INVALID_BUFFER_SIZE;
}

cl_int number(Arithmetic a)
{
    return static_cast<cl_int>(a);
}

}  // namespace

bool uses_double(const Hardware &hardware)
{
    const char *text = std::getenv("G6_OPENCL_FP64");
    return hardware.fp64 && !(text && std::strcmp(text, "0") == 0);
}

OpenClDevice::OpenClDevice(int number, const DeviceOptions &options)
    : number_(number), options_(options),
      fp64_(uses_double(all_hardware().at(static_cast<size_t>(number)))),
      engine_(Engine::of(number)), hardware_(engine_->hardware()),
      queue_(engine_->context(), hardware_.id)
{
    if (const char *fault = std::getenv("G6_OPENCL_FAULT")) {
        fault_ = fault;
        const size_t colon = fault_.find(':');
        fault_countdown_ = colon == std::string::npos ? 1 : std::atoi(fault_.c_str() + colon + 1);
    }
    if (injected("open"))
        throw ClError{CL_MEM_OBJECT_ALLOCATION_FAILURE, "opencl: injected shortage of memory"};
    if (spoilt_) engine_->program(kCheckText, engine_->base_options(fp64_), true);
    if (!fp64_ && options.precision == Precision::kDouble)
        throw ClError{CL_INVALID_OPERATION,
                      "opencl: " + hardware_.name + " has no doubles (cl_khr_fp64); use mixed"};
    require_exactness(*engine_, fp64_);
    build_options_ = engine_->base_options(fp64_) +
                     (engine_->verdict(fp64_).newton ? " -DG6_NEWTON=1" : " -DG6_NEWTON=0");
    for (Arithmetic a : {Arithmetic::kSplit, Arithmetic::kSingle, Arithmetic::kFull}) {
        std::vector<Shape> &rows = shapes_[static_cast<int>(a)];
        rows = shapes_for(hardware_, a);
        for (auto &jerk : force_[static_cast<int>(a)])
            for (auto &near : jerk) near.resize(rows.size());
    }
}

OpenClDevice::~OpenClDevice()
{
    clFinish(queue_.get());
}

DeviceStatus OpenClDevice::failed(const ClError &e)
{
    error_ = e.text + " (" + hardware_.name + ")";
    if (of_memory(e.code)) return kDeviceOutOfMemory;
    Engine::forget(number_);
    return kDeviceLost;
}

// G6_OPENCL_FAULT=phase:count:kind makes the count-th call of a phase fail: "memory" as if it were
// short, "lost" as if the device had gone, "build" by a program that the driver really refuses.
bool OpenClDevice::injected(const char *phase)
{
    if (fault_.empty() || fault_.compare(0, std::strlen(phase), phase) != 0 ||
        --fault_countdown_ != 0)
        return false;
    if (fault_.find(":lost") != std::string::npos)
        throw ClError{CL_DEVICE_NOT_AVAILABLE, "opencl: injected loss of the device"};
    spoilt_ = fault_.find(":build") != std::string::npos;
    return !spoilt_;
}

DeviceCounters OpenClDevice::counters() const
{
    DeviceCounters c = counters_;
    c.copies_up = queue_.counters().up;
    c.copies_down = queue_.counters().down;
    c.waits = queue_.counters().waits;
    return c;
}

void OpenClDevice::settle()
{
    if (!busy_) return;
    queue_.finish();
    busy_ = false;
}

// ---- kernels ----------------------------------------------------------------------------------

Kernel &OpenClDevice::support(Kernel &kernel, const char *name)
{
    if (!kernel)
        kernel = engine_->kernel(kSupportText,
                                 build_options_ +
                                     " -DG6_REDUCE_LANES=" + std::to_string(reduce_lanes()) +
                                     " -DG6_REDUCE_GROUP=" + std::to_string(kReduceGroup),
                                 name, spoilt_);
    return kernel;
}

const std::string OpenClDevice::layout_options(const Request &r) const
{
    return build_options_ + " -DG6_ARITHMETIC=" + std::to_string(number(r.arithmetic)) +
           " -DG6_JERK=" + std::to_string(r.jerk);
}

Kernel &OpenClDevice::predictor(const Request &r)
{
    Kernel &kernel = predict_[number(r.arithmetic)][r.jerk];
    if (!kernel) kernel = engine_->kernel(kPredictText, layout_options(r), "predict", spoilt_);
    return kernel;
}

Kernel &OpenClDevice::forcer(const Request &r)
{
    Kernel &kernel = force_[number(r.arithmetic)][r.jerk][r.near][r.shape];
    const Shape &shape = shapes_[number(r.arithmetic)][r.shape];
    if (!kernel)
        kernel = engine_->kernel(shape.vector() ? kForceCpuText : kForceText,
                                 layout_options(r) + " -DG6_NEAR=" + std::to_string(r.near) +
                                     shape.options(),
                                 "force", spoilt_);
    return kernel;
}

// ---- j-particles ------------------------------------------------------------------------------

DeviceStatus OpenClDevice::reserve(int nj)
{
    if (nj <= capacity_) return kDeviceOk;
    return attempt("reserve", [&] { grow(nj); });
}

// New arrays, old contents; twice the size unless that does not fit.
void OpenClDevice::grow(int nj)
{
    settle();
    const int wanted = round_up(nj, 2 * kTile);
    constexpr unsigned long long kBytes = kFields * 8 + 8 + kMaxPlanes * kWord + 24;
    const long long doubled = std::max<long long>(wanted, 2LL * capacity_);
    const auto fits = [&](long long n) {
        return static_cast<unsigned long long>(n) * kBytes < hardware_.memory_bytes / 4 * 3 &&
               static_cast<unsigned long long>(n) * kFields * 8 <= hardware_.largest_allocation;
    };
    const int larger = doubled < 0x7fffff00 && fits(doubled) ? static_cast<int>(doubled) : wanted;
    if (!fits(larger))
        throw ClError{CL_MEM_OBJECT_ALLOCATION_FAILURE,
                      "opencl: " + std::to_string(static_cast<size_t>(larger) * kBytes >> 20) +
                          " MiB needed for " + std::to_string(nj) + " particles, the device has " +
                          std::to_string(hardware_.memory_bytes >> 20) +
                          " MiB; use more devices (G6_DEVICES=0,1)"};
    const size_t n = static_cast<size_t>(larger), old = static_cast<size_t>(capacity_);
    if (fp64_) {
        DeviceBuffer fields, ids;
        fields.need(queue_, n * kFields * 8);
        ids.need(queue_, n * 8);
        queue_.zero(ids, n * 8);
        for (size_t f = 0; old && f < kFields; f++)
            queue_.copy(fields, n * 8 * f, fields_, old * 8 * f, old * 8);
        if (old) queue_.copy(ids, 0, ids_, 0, old * 8);
        queue_.finish();
        fields_.swap(fields);
        ids_.swap(ids);
        exact_.need(queue_, n * 24);
    } else {
        host_.resize(larger);
        ids_.need(queue_, n * 8);
    }
    planes_.need(queue_, n * kMaxPlanes * kWord);
    range_.need(queue_, n / kTile * 8);
    capacity_ = larger;
    holds_.valid = false;
}

// Bytes at the end of the arena.
char *OpenClDevice::room(size_t bytes)
{
    settle();
    arena_.need(queue_, arena_bytes_ + bytes, arena_bytes_);
    char *place = arena_.host() + arena_bytes_;
    arena_bytes_ += bytes;
    return place;
}

template <class T> T *OpenClDevice::stage_run(std::vector<Run> &runs, int n)
{
    T *place = nullptr;
    attempt("stage", [&] {
        const size_t bytes = static_cast<size_t>(n) * sizeof(T);
        if (arena_bytes_ > 0 && arena_bytes_ + bytes > kMaxStaged) receive(nullptr, nullptr);
        const size_t at = arena_bytes_;
        T *fresh = reinterpret_cast<T *>(room(bytes));
        if (!runs.empty() && runs.back().at + static_cast<size_t>(runs.back().n) * sizeof(T) == at)
            runs.back().n += n;
        else
            runs.push_back({at, n});
        place = fresh;
    });
    return place;
}

G6JRecord *OpenClDevice::stage(int n)
{
    return stage_run<G6JRecord>(records_, n);
}

G6JPoint *OpenClDevice::stage_points(int n)
{
    return stage_run<G6JPoint>(points_, n);
}

// What was staged goes to its slots, and with it the i-block of r, when there is one.
void OpenClDevice::receive(const Request *r, const Block *block)
{
    if (!records_.empty() || !points_.empty()) holds_.valid = false;
    if (!fp64_) return receive_on_host();
    const size_t i_at = arena_bytes_;
    if (r) {
        const size_t bytes = static_cast<size_t>(r->ni) * sizeof(G6IRecord);
        std::memcpy(room(bytes), block->i, bytes);
    }
    if (arena_bytes_ == 0) return;
    staging_.need(queue_, arena_bytes_);
    queue_.write(staging_, arena_.host(), arena_bytes_);
    busy_ = true;
    const size_t runs = std::max({size_t{1}, records_.size(), points_.size()});
    for (size_t run = 0; run < runs; run++) receive_run(r, run, i_at);
    arena_bytes_ = 0;
    records_.clear();
    points_.clear();
}

// One run of records, one of points and, the first time, the i-block.
void OpenClDevice::receive_run(const Request *r, size_t run, size_t i_at)
{
    const Run none{0, 0}, record = run < records_.size() ? records_[run] : none,
                          point = run < points_.size() ? points_[run] : none;
    const cl_int ni = r && run == 0 ? r->ni : 0;
    const Kernel &k = support(receive_, "receive");
    const Scale scale = r ? r->scale : Scale{};
    const auto place = [](size_t byte) { return static_cast<cl_int>(byte / 8); };
    const cl_int single = r && r->arithmetic != Arithmetic::kFull;
    set_args(k.get(), staging_.get(), record.n, place(record.at), point.n, place(point.at), ni,
             place(i_at), options_.use_snap, scale.length, scale.velocity, single, capacity_,
             fields_.get(), ids_.get(), i_values_.get(), i_index_.get());
    const size_t items = static_cast<size_t>(record.n) * 18 + static_cast<size_t>(point.n + ni);
    queue_.run(k, (items + kTile - 1) / kTile, kTile);
}

void OpenClDevice::receive_on_host()
{
    for (const Run &run : records_)
        for (int k = 0; k < run.n; k++)
            host_.put(reinterpret_cast<const G6JRecord *>(arena_.host() + run.at)[k]);
    for (const Run &run : points_)
        for (int k = 0; k < run.n; k++)
            host_.put(reinterpret_cast<const G6JPoint *>(arena_.host() + run.at)[k]);
    arena_bytes_ = 0;
    records_.clear();
    points_.clear();
}

DeviceStatus OpenClDevice::clear()
{
    return attempt("clear", [&] {
        settle();
        arena_bytes_ = 0;
        records_.clear();
        points_.clear();
        holds_.valid = false;
        host_.clear();
        if (capacity_ && fp64_) queue_.zero(ids_, static_cast<size_t>(capacity_) * 8);
    });
}

// ---- one block --------------------------------------------------------------------------------

// Shape and slices: enough groups to fill the device once or a few times over, in whole waves.
void OpenClDevice::choose_launch(Request &r) const
{
    const std::vector<Shape> &rows = shapes_[number(r.arithmetic)];
    r.shape = best_shape(rows, r.ni, r.arithmetic);
    const Shape &s = rows[r.shape];
    const int i_tiles = (r.ni + s.i_particles() - 1) / s.i_particles();
    const int fill = hardware_.compute_units * s.resident;
    const int most = std::max(1, r.tiles / std::max(2, s.lanes_j));
    // More waves even out groups of unequal length, but each slice costs its share of adding up.
    const int most_waves = r.ni >= 4096 ? 6 : 2;
    int best = 1;
    double best_use = 0;
    for (int waves = 1; waves <= most_waves; waves++) {
        const int slices = std::max(1, std::min(most, waves * fill / i_tiles));
        const double groups = static_cast<double>(slices) * i_tiles;
        const double use = groups / (std::ceil(groups / fill) * fill) - 0.05 / waves;
        if (use > best_use) {
            best_use = use;
            best = slices;
        }
    }
    if (const char *slices = std::getenv("G6_OPENCL_SLICES"))
        best = std::max(1, std::min(most, std::atoi(slices)));
    r.slices = best;
}

Request OpenClDevice::plan(const Block &b) const
{
    Request r{};
    r.ni = b.ni;
    r.nj = b.nj;
    r.t = b.t;
    r.motion = b.motion;
    r.scale = b.scale;
    r.tiles = (r.nj + kTile - 1) / kTile;
    r.jerk = b.want & kWantJerk;
    for (int k = 0; k < b.ni && !r.guard; k++) r.guard = may_be_close(b.i[k], b.scale.length);
    r.near = (b.want & kWantNearest) || r.guard;
    r.arithmetic =
        options_.precision == Precision::kDouble ? Arithmetic::kFull : Arithmetic::kSplit;
    if (options_.precision == Precision::kSingle && !r.jerk && !r.near)
        r.arithmetic = Arithmetic::kSingle;
    choose_launch(r);
    return r;
}

DeviceStatus OpenClDevice::start(const Block &block)
{
    return attempt("start", [&] {
        settle();
        request_ = Request{};
        own_in_lists_ = block.own_in_lists != 0;
        if (block.ni == 0 || block.nj == 0) {
            request_.ni = block.ni;
            receive(nullptr, nullptr);
            return;
        }
        request_ = plan(block);
        launch(request_, block);
    });
}

bool OpenClDevice::current(const Request &r) const
{
    return holds_.valid && holds_.t == r.t && holds_.nj == r.nj && holds_.motion == r.motion &&
           same(holds_.scale, r.scale) && holds_.arithmetic == r.arithmetic &&
           holds_.jerk == r.jerk;
}

void OpenClDevice::predict(const Request &r)
{
    if (current(r)) return;
    if (fp64_) {
        const Kernel &k = predictor(r);
        set_args(k.get(), r.nj, r.t, static_cast<cl_int>(r.motion), r.scale.length, r.scale.mass,
                 r.scale.velocity, capacity_, capacity_, fields_.get(), ids_.get(), planes_.get(),
                 exact_.get(), range_.get());
        queue_.run(k, static_cast<size_t>(r.tiles), kTile);
    }
    counters_.predictions++;
    holds_ = {true, r.t, r.nj, r.motion, r.scale, r.arithmetic, r.jerk};
}

void OpenClDevice::need_memory(const Request &r)
{
    const size_t ni = static_cast<size_t>(r.ni), parts = ni * static_cast<size_t>(r.slices);
    const size_t per_i = fp64_ ? 64 : HostSide::kIFloats * 4;
    i_values_.need(queue_, ni * per_i);
    i_index_.need(queue_, ni * 4);
    partial_sums_.need(queue_, parts * 7 * 8);
    partial_keys_.need(queue_, parts * 2 * 4);
    partial_tiles_.need(queue_, parts * 4);
    sums_.need(queue_, ni * sizeof(G6Sums));
    results_.need(queue_, ni * sizeof(G6Sums));
}

void OpenClDevice::launch(const Request &r, const Block &block)
{
    need_memory(r);
    receive(&r, &block);
    if (!fp64_) send_from_host(r, block, current(r));
    predict(r);
    force(r);
    reduce(r);
    queue_.read(results_.host(), sums_,
                static_cast<size_t>(r.ni) * (fp64_ ? sizeof(G6Sums) : sizeof(FloatSums)));
    busy_ = true;
    queue_.flush();
}

void OpenClDevice::force(const Request &r)
{
    const Kernel &k = forcer(r);
    const Shape &s = shapes_[number(r.arithmetic)][r.shape];
    set_args(k.get(), r.ni, r.nj, r.slices, r.tiles, cl_int{r.guard}, capacity_, capacity_,
             planes_.get(), ids_.get(), range_.get(), positions(), i_values_.get(), i_index_.get(),
             partial_sums_.get(), partial_keys_.get(), partial_tiles_.get());
    queue_.run(k, static_cast<size_t>((r.ni + s.i_particles() - 1) / s.i_particles()),
               static_cast<size_t>(s.items()), static_cast<size_t>(r.slices));
}

void OpenClDevice::reduce(const Request &r)
{
    const Kernel &k = support(reduce_, "reduce");
    const cl_int high_word = r.arithmetic == Arithmetic::kFull;
    const double l = r.scale.length, acc = l * l / r.scale.mass;
    set_args(k.get(), r.ni, r.nj, r.slices, r.tiles, cl_int{r.jerk}, cl_int{r.near}, high_word,
             cl_int{r.guard}, capacity_, ids_.get(), positions(), i_values_.get(), i_index_.get(),
             partial_sums_.get(), partial_keys_.get(), partial_tiles_.get());
    if (fp64_) {
        const double units[] = {acc, acc * l / r.scale.velocity, l / r.scale.mass, 1 / (l * l)};
        for (cl_uint u = 0; u < 4; u++) set_arg(k.get(), 16 + u, units[u]);
    }
    set_arg(k.get(), fp64_ ? 20 : 16, sums_.get());
    queue_.run(k, static_cast<size_t>((r.ni + kReduceGroup - 1) / kReduceGroup),
               static_cast<size_t>(kReduceGroup * reduce_lanes()));
}

DeviceStatus OpenClDevice::finish(G6Sums *sums)
{
    return attempt("finish", [&] {
        const size_t ni = static_cast<size_t>(request_.ni);
        if (request_.nj == 0 || ni == 0) {
            std::fill_n(sums, ni, G6Sums{{}, {}, 0, 0, -1, 0});
            return;
        }
        queue_.finish();
        busy_ = false;
        if (fp64_)
            std::memcpy(static_cast<void *>(sums), results_.host(), ni * sizeof(G6Sums));
        else
            collect_from_host(sums);
    });
}

}  // namespace g6::opencl
