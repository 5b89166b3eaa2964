// SPDX-License-Identifier: MIT
#include "backend_file.h"

#include "../settings/files.h"

#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>

namespace g6 {
namespace {

// Why the core cannot work with this entry; "": it can.
std::string refusal_of_entry(const Backend *entry)
{
    if (!entry || entry->abi != kBackendAbi)
        return "built for backend interface " + std::to_string(entry ? entry->abi : 0) +
               ", this library has " + std::to_string(kBackendAbi) +
               "; install both from one version";
    if (!entry->count || !entry->describe || !entry->open)
        return "lacks functions of backend interface " + std::to_string(kBackendAbi);
    return "";
}

}  // namespace

const Backend *open_entry(const std::string &path, std::string &reason)
{
    void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *why = dlerror();
        reason = std::string("cannot be loaded: ") + (why ? why : "unknown reason");
        return nullptr;
    }
    void *symbol = dlsym(handle, kBackendEntryName);
    if (!symbol) {
        reason = std::string("no symbol ") + kBackendEntryName + "; not a backend of this library";
        return nullptr;
    }
    const Backend *entry = reinterpret_cast<BackendEntry>(symbol)();
    reason = refusal_of_entry(entry);
    return reason.empty() ? entry : nullptr;
}

// Looks for the section by the names in the file's table of sections.  A file that is damaged or of
// another kind of machine has no rule: every offset is only a place to read from.
std::optional<AutoRule> auto_rule(const std::string &path)
{
    struct stat kind;
    if (stat(path.c_str(), &kind) != 0 || !S_ISREG(kind.st_mode)) return {};
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    const auto read_at = [&](void *to, size_t bytes, unsigned long long at) {
        return pread(file.number(), to, bytes, static_cast<off_t>(at)) ==
               static_cast<ssize_t>(bytes);
    };
    ElfW(Ehdr) head;
    ElfW(Shdr) names, section;
    const auto read_section = [&](unsigned n, ElfW(Shdr) & to) {
        return n < head.e_shnum && read_at(&to, sizeof to, head.e_shoff + n * sizeof to);
    };
    if (!read_at(&head, sizeof head, 0) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_shentsize != sizeof section || !read_section(head.e_shstrndx, names))
        return {};
    for (unsigned n = 0; read_section(n, section); n++) {
        char name[sizeof kAutoSection];
        AutoRule rule;
        if (read_at(name, sizeof name, names.sh_offset + section.sh_name) &&
            std::memcmp(name, kAutoSection, sizeof name) == 0 &&
            read_at(&rule, sizeof rule, section.sh_offset))
            return rule;
    }
    return {};
}

bool has_gpu(const Backend &entry, int devices)
{
    for (int d = 0; d < devices; d++) {
        DeviceInfo info{};
        if (entry.describe(d, &info) == kDeviceOk && !info.is_cpu) return true;
    }
    return false;
}

}  // namespace g6
