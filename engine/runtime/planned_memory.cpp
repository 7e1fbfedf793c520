#include "weft/planned_memory.h"

#include <sys/sysinfo.h>

#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "runtime/executable_plan.h"
#include "tensor/allocator.h"
#include "weft/mutex.h"

namespace weft {

std::string memoryText(size_t bytes) {
  static constexpr const char* kUnits[] = {"bytes", "kB", "MB", "GB", "TB"};
  double value = double(bytes);
  int unit = 0;
  while (value >= 1023.5 && unit < 4) {
    value /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 || value >= 100 ? "%.0f %s" : value >= 10 ? "%.1f %s" : "%.2f %s", value, kUnits[unit]);
  return text;
}

Result<int64_t> memoryLimitOf(std::string_view text) {
  const std::string all(text);
  const auto wrong = [&] { return invalidArgument(all, " is no number of bytes; expected one such as 2G, 512M or 1000000"); };
  size_t digits = 0;
  while (digits < all.size() && (std::isdigit(static_cast<unsigned char>(all[digits])) || all[digits] == '.')) ++digits;
  double number = -1;
  const auto [end, error] = std::from_chars(all.data(), all.data() + digits, number, std::chars_format::fixed);
  if (error != std::errc() || end != all.data() + digits || digits > 20) return wrong();
  std::string unit;
  for (const char c : all.substr(digits)) unit += char(std::toupper(static_cast<unsigned char>(c)));
  static constexpr std::string_view kUnits = "KMGT";
  double factor = 1;
  if (!unit.empty() && kUnits.find(unit[0]) != std::string_view::npos) {
    factor = std::pow(1024., double(kUnits.find(unit[0]) + 1));
    unit.erase(0, 1);
    if (unit == "IB") unit.clear();
  }
  if (unit == "B") unit.clear();
  if (!unit.empty()) return wrong();
  const double bytes = number * factor;
  if (bytes < 1) return invalidArgument(all, " is too little: a memory limit is at least one byte");
  struct sysinfo info {};
  const double machine = sysinfo(&info) == 0 ? double(info.totalram) * double(info.mem_unit) : 0;
  if (machine > 0 && bytes > machine) return invalidArgument(all, " is more than this machine has (", memoryText(size_t(machine)), ")");
  return int64_t(bytes);
}

namespace {

/// The guards of all running steps.
struct Guards {
  Mutex mutex;
  std::map<const StepState*, const MemoryGuard*> all WEFT_GUARDED_BY(mutex);
  std::atomic<int> count{0};  ///< Of `all`, for those that have none.
};
Guards& guards() {
  static auto* all = new Guards;  // never destroyed, as threads may end after static destructors
  return *all;
}

}  // namespace

MemoryGuard::MemoryGuard(size_t limit, size_t held, const StepState& step) : limit_(limit), held_(held), before_(hostAllocator().bytesInUse()), step_(step) {
  Guards& g = guards();
  const MutexLock lock(g.mutex);
  g.all[&step] = this;
  ++g.count;
}

MemoryGuard::~MemoryGuard() {
  Guards& g = guards();
  const MutexLock lock(g.mutex);
  g.all.erase(&step_);
  --g.count;
}

const MemoryGuard* MemoryGuard::of(const StepState& step) {
  Guards& g = guards();
  if (g.count.load(std::memory_order_relaxed) == 0) return nullptr;
  const MutexLock lock(g.mutex);
  const auto found = g.all.find(&step);
  return found == g.all.end() ? nullptr : found->second;
}

Status MemoryGuard::ask(size_t bytes) const {
  const size_t now = hostAllocator().bytesInUse();
  const size_t used = held_ + (now > before_ ? now - before_ : 0);
  if (used + bytes <= limit_) return {};
  return resourceExhausted("The step has ", memoryText(used), " in use and needs ", memoryText(bytes), " more, which the memory limit of ", memoryText(limit_),
                           " does not allow");
}

}  // namespace weft
