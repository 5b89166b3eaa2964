// SPDX-License-Identifier: MIT
// Finds the chunks of a file by reading through it, and takes the calls out of them.
#include "recording.h"

#include "recorded_fields.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>

namespace g6tools {

using namespace g6::trace;

const char *RecordedCall::name() const
{
    const KindRow *row = find_kind(static_cast<int>(kind));
    return row ? row->name : "?";
}

bool is_firsthalf(Kind kind)
{
    return kind == Kind::kFirsthalf || kind == Kind::kFirsthalf0;
}

bool is_lasthalf(Kind kind)
{
    return kind == Kind::kLasthalf || kind == Kind::kLasthalf2 || kind == Kind::kLasthalf2p ||
           kind == Kind::kLasthalf0 || kind == Kind::kLasthalf0a;
}

Recording::Recording(const std::string &file) : name_(file)
{
    struct stat what;
    if (stat(file.c_str(), &what) != 0) throw Failure(file + ": " + std::strerror(errno));
    if (!S_ISREG(what.st_mode)) throw Failure(file + " is no regular file");
    file_.reset(std::fopen(file.c_str(), "rb"));
    if (!file_) throw Failure(file + ": " + std::strerror(errno));
    bytes_ = static_cast<std::uint64_t>(what.st_size);
    FileHead head;
    if (!read(0, &head, sizeof head) || std::memcmp(head.magic, kMagic, sizeof kMagic) != 0)
        throw Failure(file + " is no recorded session (G6_TRACE)");
    if (head.byte_order != kByteOrder)
        throw Failure(file + " was recorded on a machine with another order of bytes");
    if (head.version != kVersion)
        throw Failure(file + " has version " + std::to_string(head.version) +
                      " of the format; this program reads version " + std::to_string(kVersion));
    scan();
}

void Recording::damaged(const std::string &what) const
{
    throw Failure(name_ + ": " + what + "; the " + std::to_string(number_) +
                  " calls before it are good");
}

bool Recording::read(std::uint64_t offset, void *to, std::size_t bytes)
{
    return offset <= bytes_ && bytes <= bytes_ - offset &&
           fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) == 0 &&
           std::fread(to, 1, bytes, file_.get()) == bytes;
}

// False when there is no complete chunk.
bool Recording::read_head(std::uint64_t offset, ChunkHead &head)
{
    return read(offset, &head, sizeof head) && head.mark == kChunkMark &&
           head.bytes <= bytes_ - offset - sizeof head;
}

std::string Recording::payload_of(const Chunk &chunk)
{
    std::string payload(static_cast<std::size_t>(chunk.head.bytes), '\0');
    if (!read(chunk.offset + sizeof chunk.head, &payload[0], payload.size()) ||
        checksum(chunk.head, payload.data()) != chunk.head.checksum)
        damaged("the chunk at byte " + std::to_string(chunk.offset) + " is damaged");
    return payload;
}

void Recording::add_chunk(std::uint64_t offset, const ChunkHead &head)
{
    if (head.first_call != calls_ + 1 || head.calls > head.bytes / sizeof(RecordHead)) {
        number_ = calls_;
        damaged("the chunk at byte " + std::to_string(offset) + " does not follow the one before");
    }
    chunks_.push_back({offset, head});
    calls_ += head.calls;
}

void Recording::read_settings(const Chunk &chunk)
{
    const std::string text = payload_of(chunk);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::size_t equals = std::min(text.find('=', at), end);
        if (equals < end)
            settings_.emplace_back(text.substr(at, equals - at),
                                   text.substr(equals + 1, end - equals - 1));
        at = end + 1;
    }
}

// Goes through the chunks of the file.
void Recording::scan()
{
    ChunkHead head;
    for (std::uint64_t at = sizeof(FileHead); read_head(at, head); at += sizeof head + head.bytes) {
        if (head.type == kSettingsChunk) read_settings({at, head});
        if (head.type == kCallsChunk) add_chunk(at, head);
        complete_ = head.type == kEndChunk;
        if (complete_ && head.first_call != calls_ + 1) {
            number_ = calls_;
            damaged("there are fewer calls than the end of the file says");
        }
    }
}

bool Recording::next(RecordedCall &call)
{
    while (at_ == payload_.size()) {
        if (next_chunk_ == chunks_.size()) return false;
        payload_ = payload_of(chunks_[next_chunk_++]);
        at_ = 0;
    }
    RecordHead head;
    const std::size_t left = payload_.size() - at_;
    if (left >= sizeof head) std::memcpy(&head, payload_.data() + at_, sizeof head);
    if (left < sizeof head || head.bytes < sizeof head || head.bytes > left)
        damaged("call " + std::to_string(number_ + 1) + " is damaged");
    parse(head, payload_.data() + at_ + sizeof head, payload_.data() + at_ + head.bytes, call);
    at_ += head.bytes;
    number_++;
    return true;
}

void Recording::parse(const RecordHead &head, const char *at, const char *end, RecordedCall &call)
{
    const std::string place = "call " + std::to_string(number_ + 1);
    const KindRow *row = find_kind(static_cast<int>(head.kind));
    if (!row)
        damaged(place + " is of kind " + std::to_string(static_cast<int>(head.kind)) +
                ", which this program does not know");
    const std::pair<bool, int> cluster{(head.flags & kAllCluster) != 0, head.id};
    RecordedCall fresh;
    const char *fields = row->fields;
    if (head.flags & kSameInputs) {
        const auto first = first_.find(cluster);
        if (!is_lasthalf(head.kind) || first == first_.end())
            damaged(place + " has the arguments of a firsthalf that is not there");
        fresh = first->second;
        fields = std::strchr(fields, '|');
    }
    fresh.number = number_ + 1;
    fresh.kind = head.kind;
    fresh.flags = head.flags;
    fresh.thread = head.thread;
    fresh.id = head.id;
    fresh.status = head.status;
    fresh.start_ns = head.start_ns;
    fresh.ns = head.ns;
    if (!read_fields(fields, at, end, fresh)) damaged(place + " is damaged");
    if (!lengths_fit(fresh)) damaged(place + " has arrays of other lengths than its numbers say");
    if (is_firsthalf(head.kind)) {
        first_[cluster] = fresh;
        first_[cluster].doubles.resize(kOld);
    }
    call = std::move(fresh);
}

}  // namespace g6tools
