#include "runtime/moved_reads.h"

#include "weft/mutex.h"

namespace weft {

std::atomic<uint64_t> MovedReads::epoch_{0};
std::atomic<int> MovedReads::count_{0};

/// Shared by all sessions. A buffer belongs to one variable, so reads never follow another session's variable.
struct MovedReadsRegistry {
  Mutex mutex;
  std::vector<MovedReads::Move> moves WEFT_GUARDED_BY(mutex);

  void forget() WEFT_REQUIRES(mutex) {
    std::erase_if(moves, [](const MovedReads::Move& m) { return m.from.ownsBufferAlone() || m.variable.expired(); });
    MovedReads::count_.store(int(moves.size()), std::memory_order_relaxed);
  }
  static MovedReadsRegistry& instance() {
    static MovedReadsRegistry& registry = *new MovedReadsRegistry;  // sessions may outlive all statics
    return registry;
  }
};

void MovedReads::moved(const Tensor& from, const std::shared_ptr<Variable>& variable) {
  MovedReadsRegistry& r = MovedReadsRegistry::instance();
  const MutexLock lock(r.mutex);
  r.forget();
  r.moves.push_back({from, variable});
  count_.store(int(r.moves.size()), std::memory_order_relaxed);
  epoch_.fetch_add(1, std::memory_order_acq_rel);
}

void MovedReads::forgetAll() {
  MovedReadsRegistry& r = MovedReadsRegistry::instance();
  const MutexLock lock(r.mutex);
  r.forget();
}

MovedReads::MovedReads() {
  MovedReadsRegistry& r = MovedReadsRegistry::instance();
  const MutexLock lock(r.mutex);
  moves_ = r.moves;
}

void MovedReads::follow(Tensor& read) const {
  if (!read.hasValue()) return;
  for (const Move& m : moves_) {
    if (!read.sharesBufferWith(m.from)) continue;
    const std::shared_ptr<Variable> variable = m.variable.lock();
    if (!variable) return;
    const MutexLock lock(variable->mutex);
    Tensor& now = variable->value;
    const bool fits = now.hasValue() && now.dtype() == m.from.dtype() && now.elements() == m.from.elements() && now.place() == m.from.place();
    if (!fits || now.sharesBufferWith(m.from)) return;
    const ptrdiff_t offset = static_cast<const char*>(read.raw()) - static_cast<const char*>(m.from.raw());
    read = Tensor(read.dtype(), read.shape(), now.buffer(), static_cast<char*>(now.mutableRaw()) + offset);
    return;
  }
}

}  // namespace weft
