// SPDX-License-Identifier: MIT
// Counts open descriptors, threads and resident memory of this process in /proc.
#include "resources.h"

#include <cstdio>
#include <dirent.h>
#include <fstream>
#include <unistd.h>

namespace g6tools {
namespace {

int entries_of(const char *folder)
{
    DIR *d = opendir(folder);
    if (!d) return 0;
    int n = 0;
    while (const dirent *entry = readdir(d)) n += entry->d_name[0] != '.';
    closedir(d);
    return n;
}

}  // namespace

Resources resources()
{
    Resources r;
    r.descriptors = entries_of("/proc/self/fd");
    r.threads = entries_of("/proc/self/task");
    if (std::FILE *file = std::fopen("/proc/self/statm", "r")) {
        long pages = 0;
        if (std::fscanf(file, "%*d %ld", &pages) == 1)
            r.memory = static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
        std::fclose(file);
    }
    return r;
}

std::string processor_name()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    return "processor unknown";
}

}  // namespace g6tools
