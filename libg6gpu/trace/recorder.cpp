// SPDX-License-Identifier: MIT
// Makes a record of each call (CallRecord), collects records in a chunk in memory (Recorder), and
// writes the chunk when it is full or due.
#include "recorder.h"

#include "trace_file.h"
#include "../base/fork.h"
#include "../base/status.h"
#include "../base/version.h"
#include "../settings/config.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <string>
#include <sys/auxv.h>
#include <unordered_map>

namespace g6::trace {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kChunkBytes = std::size_t{256} << 10;
// The pause before a chunk may be written (recorder.h) is the longer of two times.  One is
// kWriteShare times what the last writing took.  The other is the age of the recording /
// kWritesOfAge, at most a second, so that a long recording does not get too many chunks.
constexpr int kWritesOfAge = 1024;
constexpr int kWriteShare = 32;
// One of so many calls that set one j-particle is timed: the clock costs as much as such a call.
constexpr unsigned kTimedShare = 8;

// Stands for "G6_TRACE was not looked at yet".
Recorder *undecided() noexcept
{
    static char place;
    return reinterpret_cast<Recorder *>(&place);
}

struct ThreadTrace {
    Fields fields;
    unsigned writes = 0;  // calls that set a j-particle
    int number = -1;
};
// A plain pointer, since functions of atexit() and destructors of static objects, which may make
// calls, run after the destructors of a thread's own objects.
thread_local ThreadTrace *t_thread = nullptr;
struct ThreadEnd {
    ~ThreadEnd()
    {
        delete t_thread;
        t_thread = nullptr;
    }
};
// Null when there is no memory.
ThreadTrace *this_thread() noexcept
{
    if (t_thread) return t_thread;
    static thread_local ThreadEnd end;
    static_cast<void>(&end);
    return t_thread = new (std::nothrow) ThreadTrace;
}
std::atomic<int> g_threads{0};

bool is_write(Kind kind)
{
    return kind == Kind::kSetJ || kind == Kind::kSetJPoint || kind == Kind::kSetJMulti ||
           kind == Kind::kSetJPointMulti;
}
bool is_first(Kind kind)
{
    return kind == Kind::kFirsthalf || kind == Kind::kFirsthalf0;
}
bool is_last(Kind kind)
{
    return kind == Kind::kLasthalf || kind == Kind::kLasthalf2 || kind == Kind::kLasthalf2p ||
           kind == Kind::kLasthalf0 || kind == Kind::kLasthalf0a;
}

// %p in a name is the number of the process, %% is %.
std::string expanded(const std::string &name)
{
    std::string out;
    for (std::size_t k = 0; k < name.size(); k++) {
        const char next = k + 1 < name.size() ? name[k + 1] : '\0';
        if (name[k] != '%' || (next != 'p' && next != '%')) {
            out += name[k];
            continue;
        }
        out += next == 'p' ? std::to_string(getpid()) : "%";
        k++;
    }
    return out;
}

// The settings with which a replay gets the same results.
std::string settings_text()
{
    const Config config = given_settings();
    std::string text = std::string("version=") + g6::kVersion + "\n";
    for (const OptionRow &row : option_rows())
        if (std::string(row.key) != "trace") text += row.key + ("=" + row.print(config)) + "\n";
    return text;
}

}  // namespace

std::atomic<Recorder *> g_recorder{undecided()};

class Recorder {
public:
    // parent: the recorder that was made before this one, in a parent process; null: none was.
    Recorder(const std::string &name, const Recorder *parent) : parent_(parent), file_(name) {}

    const Recorder *const parent_;  // no recorder is ever destroyed

    unsigned generation() const { return generation_; }
    std::uint64_t since_begin(Clock::time_point t) const
    {
        return static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(t - begin_).count());
    }

    // Called before a call: writes a chunk that is due, which would be lost if the call crashed.
    void call_begins(Clock::time_point now)
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!chunk_.empty() && now >= next_write_) write_chunk();
    }

    // inputs: how many of the bytes are arguments.
    void add(RecordHead head, const Fields &fields, std::size_t inputs)
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        const char *from = fields.data();
        std::size_t bytes = fields.size();
        if (is_first(head.kind)) {
            known_first(head).assign(from, inputs);
        } else if (is_last(head.kind) && is_known(head, from, inputs)) {
            head.flags = static_cast<std::uint8_t>(head.flags | kSameInputs);
            from += inputs, bytes -= inputs;
        }
        head.bytes = static_cast<std::uint32_t>(sizeof head + bytes);
        if (sizeof head + bytes > UINT32_MAX)
            throw std::length_error("one call has more than 4 GiB of arguments and results");
        append(&head, sizeof head);
        append(from, bytes);
        calls_++;
        chunk_calls_++;
        const bool due = !(head.flags & kUntimed) &&
                         begin_ + std::chrono::nanoseconds(head.start_ns + head.ns) >= next_write_;
        if (due || chunk_.size() >= kChunkBytes) write_chunk();
    }

    // Writes the records that are left, and the end of the file.
    void close()
    {
        const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
        if (!lock) return;  // a signal has interrupted the thread that holds it
        write_chunk();
        file_.close();
    }

private:
    std::string &known_first(const RecordHead &head)
    {
        return first_[head.flags & kAllCluster ? INT64_MAX : head.id];
    }
    bool is_known(const RecordHead &head, const char *inputs, std::size_t bytes)
    {
        const std::string &known = known_first(head);
        return known.size() == bytes && std::memcmp(known.data(), inputs, bytes) == 0;
    }
    void append(const void *from, std::size_t bytes)
    {
        const char *at = static_cast<const char *>(from);
        chunk_.insert(chunk_.end(), at, at + bytes);
    }
    void write_chunk()
    {
        const Clock::time_point start = Clock::now();
        if (!described_) {
            const std::string text = settings_text();
            file_.write(kSettingsChunk, text.data(), text.size(), 1, 0);
            described_ = true;
        }
        if (chunk_calls_ > 0)
            file_.write(kCallsChunk, chunk_.data(), chunk_.size(), calls_ - chunk_calls_ + 1,
                        chunk_calls_);
        chunk_.clear();
        chunk_calls_ = 0;
        const Clock::time_point end = Clock::now();
        const Clock::duration longest = std::chrono::seconds(1);
        next_write_ = end + std::max(kWriteShare * (end - start),
                                     std::min((end - begin_) / kWritesOfAge, longest));
    }

    const unsigned generation_ = fork_generation();
    const Clock::time_point begin_ = Clock::now();
    std::mutex mutex_;  // for all members that follow
    TraceFile file_;
    bool described_ = false;
    std::vector<char> chunk_;
    std::uint64_t calls_ = 0, chunk_calls_ = 0;
    Clock::time_point next_write_ = begin_;
    // Arguments of the last firsthalf, by id; INT64_MAX: of the cluster of all devices.
    std::unordered_map<std::int64_t, std::string> first_;
};

namespace {

// The last recorder that was made.  It stays when its recording has ended: other threads may still
// use it.
Recorder *g_made = nullptr;

std::mutex g_mutex;  // for making a recorder
[[maybe_unused]] const bool g_renewed = (renew_in_children(g_mutex), true);

// The recorder of this process, made at its first call; null when nothing is to be recorded.
Recorder *begin_recording() noexcept
{
    const std::lock_guard<std::mutex> lock(g_mutex);
    Recorder *const known = g_recorder.load();
    if (known != undecided() && (!known || known->generation() == fork_generation())) return known;
    Recorder *made = nullptr;
    try {
        const std::string name = given_settings().trace;
        if (!name.empty() && getauxval(AT_SECURE) != 0)
            log(kLogError, "G6_TRACE is ignored in a process with more rights than its user");
        else if (!name.empty())
            made = g_made = new Recorder(expanded(name), g_made);
    } catch (const std::exception &e) {
        log(kLogError, "G6_TRACE: %s; this run is not recorded", e.what());
    }
    g_recorder = made;
    return made;
}

Recorder *recorder() noexcept
{
    Recorder *r = g_recorder.load(std::memory_order_acquire);
    if (r && (r == undecided() || r->generation() != fork_generation())) r = begin_recording();
    return r;
}

// Runs when the process ends.
__attribute__((destructor)) void end_recording()
{
    Recorder *const r = g_recorder.exchange(nullptr);
    if (!r || r == undecided() || r->generation() != fork_generation()) return;
    try {
        r->close();
    } catch (const std::exception &e) {
        log(kLogError, "G6_TRACE: %s; the end of the run is not recorded", e.what());
    }
}

}  // namespace

CallRecord::CallRecord(Kind kind, int id, unsigned flags) noexcept : recorder_(recorder())
{
    ThreadTrace *const t = recorder_ ? this_thread() : nullptr;
    if (recorder_ && !t) give_up("no memory");
    if (!t) return;
    fields_ = &t->fields;
    if (t->number < 0) t->number = g_threads++;
    head_.kind = kind;
    head_.id = id;
    head_.flags = static_cast<std::uint8_t>(flags);
    head_.thread = static_cast<std::uint16_t>(t->number);
    if (is_write(kind) && t->writes++ % kTimedShare != 0)
        head_.flags = static_cast<std::uint8_t>(flags | kUntimed);
}

void CallRecord::after_inputs()
{
    input_bytes_ = fields_->size();
    if (head_.flags & kUntimed) return;
    start_ = Clock::now();
    recorder_->call_begins(start_);
}

void CallRecord::stop_clock()
{
    if (head_.flags & kUntimed) return;
    head_.start_ns = recorder_->since_begin(start_);
    head_.ns = recorder_->since_begin(Clock::now()) - head_.start_ns;
}

void CallRecord::write(int status)
{
    head_.status = status;
    recorder_->add(head_, *fields_, input_bytes_);
}

void CallRecord::give_up(const char *why) noexcept
{
    if (g_recorder.exchange(nullptr) == recorder_)
        log(kLogError, "G6_TRACE: %s; the recording ends here, the run goes on", why);
    recorder_ = nullptr;
}

}  // namespace g6::trace
