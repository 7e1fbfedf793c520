#include "runtime/memory_report.h"

#include <algorithm>

#include "weft/planned_memory.h"

namespace weft {
namespace {

constexpr size_t kNamed = 5;

}  // namespace

void nameLargest(Error& error, std::vector<HeldMemory> held, const SessionState& session) {
  if (error.code != Code::ResourceExhausted) return;
  for (const auto& v : session.variables()) {
    // The failed run may be in the middle of an update of this very variable.
    if (!v->mutex.try_lock()) continue;
    const MutexLock lock(v->mutex, std::adopt_lock);
    if (v->value.hasValue()) held.push_back({v->name + " (variable)", v->value.dtype(), v->value.shape(), v->value.bytes()});
  }
  const size_t named = std::min(kNamed, held.size());
  std::partial_sort(held.begin(), held.begin() + std::ptrdiff_t(named), held.end(), [](const HeldMemory& a, const HeldMemory& b) { return a.bytes > b.bytes; });
  std::string text;
  for (size_t i = 0; i < named && held[i].bytes > 0; ++i) {
    text += concat(i ? ", " : "; the largest tensors held are ", held[i].name, " ", held[i].shape.toString(), " ", dtypeShortName(held[i].dtype), " ",
                   memoryText(held[i].bytes));
  }
  error.message += text;
}

}  // namespace weft
