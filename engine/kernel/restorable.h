#pragma once

#include <functional>

namespace weft {

/// A session resource whose contents can be reset, so that a run which changed them can start again. Resources derive from it beside SessionResource.
class Restorable {
 public:
  virtual ~Restorable() = default;
  /// A function that restores the present contents. Cheap: tensors are shared, not copied. Call it at most once. REQUIRES: the resource still exists, and the
  /// run being restored no longer waits for it. Also undoes changes that other runs made meanwhile. Thread-safe.
  virtual std::function<void()> savePoint() = 0;
};

}  // namespace weft
