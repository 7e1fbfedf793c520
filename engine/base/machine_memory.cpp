#include "base/machine_memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace weft {
namespace {

/// The number at the start of a file; −1 if there is none ("max").
int64_t numberIn(const char* path) {
  long long value = -1;
  if (FILE* file = std::fopen(path, "re")) {
    if (std::fscanf(file, "%lld", &value) != 1) value = -1;
    std::fclose(file);
  }
  return value;
}

/// The number of a line, such as "MemAvailable: %lld kB"; −1 if there is none.
int64_t namedIn(const char* path, const char* format) {
  long long value = -1;
  if (FILE* file = std::fopen(path, "re")) {
    char line[256];
    for (long long found = 0; std::fgets(line, sizeof line, file);)
      if (std::sscanf(line, format, &found) == 1) value = found;
    std::fclose(file);
  }
  return value;
}

}  // namespace

int64_t availableBytes() {
  const int64_t kib = namedIn("/proc/meminfo", "MemAvailable: %lld kB");
  int64_t free = kib < 0 ? -1 : kib * 1024;
  const int64_t most = numberIn("/sys/fs/cgroup/memory.max"), used = numberIn("/sys/fs/cgroup/memory.current");
  if (most >= 0 && used >= 0) {
    // Pages of files that can be dropped count as used there.
    const int64_t left = std::max<int64_t>(most - used, 0) + std::max<int64_t>(namedIn("/sys/fs/cgroup/memory.stat", "inactive_file %lld"), 0);
    free = free < 0 ? left : std::min(free, left);
  }
  return free;
}

int64_t residentBytes() {
  long long all = 0, resident = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%lld %lld", &all, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return int64_t(resident) * ::sysconf(_SC_PAGESIZE);
}

}  // namespace weft
