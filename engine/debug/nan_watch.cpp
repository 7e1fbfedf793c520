#include <atomic>

#include "weft/debugger.h"
#include "weft/mutex.h"

namespace weft {

struct NanWatch::Impl {
  explicit Impl(bool ends) : endsRun(ends) {}
  const bool endsRun;
  std::atomic<bool> found{false};
  mutable Mutex mutex;
  std::optional<Finding> finding WEFT_GUARDED_BY(mutex);
};

NanWatch::NanWatch(bool endsRun) : impl_(std::make_unique<Impl>(endsRun)) {}
NanWatch::~NanWatch() = default;

// Infinities are often intentional (the identity of max, masks); NaN never is.
bool NanWatch::isSuspicious(const Tensor& value) { return hasNan(value) && (impl_->endsRun || !impl_->found.load(std::memory_order_relaxed)); }

bool NanWatch::found(const Node& node, int output, const Tensor& value, std::string_view frame, int64_t iteration) {
  const MutexLock lock(impl_->mutex);
  if (!impl_->finding) {
    Finding f;
    f.tensor = concat(node.name, ":", output);
    f.op = node.op;
    if (!frame.empty()) f.loops = {{std::string(frame), iteration}};
    f.kind = nonFiniteIn(value);
    impl_->finding = std::move(f);
    impl_->found = true;
  }
  return !impl_->endsRun;
}

std::optional<NanWatch::Finding> NanWatch::finding() const {
  const MutexLock lock(impl_->mutex);
  return impl_->finding;
}

void NanWatch::reset() {
  const MutexLock lock(impl_->mutex);
  impl_->finding.reset();
  impl_->found = false;
}

}  // namespace weft
