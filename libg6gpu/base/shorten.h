// SPDX-License-Identifier: MIT
// Shortens messages that are longer than their buffer: they end after a whole word, and " ..."
// tells that there was more.
#pragma once

#include <cstdio>
#include <cstring>

namespace g6 {

constexpr const char *kMoreText = " ...";

// How many of the first `most` bytes of a longer text a message keeps: up to the end of a word, and
// never a part of a UTF-8 character.  A last word of more than most / 2 bytes is divided.
inline size_t kept_bytes(const char *text, size_t most)
{
    size_t end = most;
    while (end > most / 2 && text[end] != ' ') end--;
    if (text[end] != ' ') end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) end--;
    while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == ',')) end--;
    return end;
}

// Ends a text of `length` bytes that snprintf() cut to a buffer of `size` bytes, at least 8.
inline void mark_shortened(char *buffer, size_t size, int length)
{
    if (length < 0 || static_cast<size_t>(length) < size) return;
    std::strcpy(buffer + kept_bytes(buffer, size - 1 - std::strlen(kMoreText)), kMoreText);
}

}  // namespace g6
