#include <atomic>
#include <mutex>

#include "weft/debugger.h"

namespace weft {

struct NanWatch::Impl {
  std::atomic<bool> found{false};
  mutable std::mutex mutex;
  std::optional<Finding> finding;  // guarded by mutex
};

NanWatch::NanWatch() : impl_(std::make_unique<Impl>()) {}
NanWatch::~NanWatch() = default;

void NanWatch::opDone(const OpEvent& event) {
  if (impl_->found.load(std::memory_order_relaxed)) return;
  for (size_t k = 0; k < event.outputs.size(); ++k) {
    const Tensor* t = event.outputs[k];
    if (!t || !t->hasValue() || t->place() != 0) continue;
    const NonFinite kind = nonFiniteIn(*t);
    // Infinities are often meant (the identity of max, masks); NaN never is.
    if (!(uint8_t(kind) & uint8_t(NonFinite::Nan))) continue;
    const std::lock_guard lock(impl_->mutex);
    if (impl_->finding) return;
    Finding f;
    f.tensor = event.node.name + ":" + std::to_string(k);
    f.op = event.node.op;
    if (!event.frame.empty()) f.loops = {{std::string(event.frame), event.iteration}};
    f.kind = kind;
    impl_->finding = std::move(f);
    impl_->found = true;
    return;
  }
}

std::optional<NanWatch::Finding> NanWatch::finding() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->finding;
}

void NanWatch::reset() {
  const std::lock_guard lock(impl_->mutex);
  impl_->finding.reset();
  impl_->found = false;
}

}  // namespace weft
