#pragma once

#include <functional>

namespace weft {

/// A session resource whose contents can be restored, so that a run that changed them can be restarted. Resources derive from it as well as from
/// SessionResource.
class Restorable {
 public:
  virtual ~Restorable() = default;
  /// Returns a function that restores the current contents. Cheap: tensors are shared, not copied. Call it at most once. REQUIRES: the resource still exists,
  /// and the run being restored is no longer waiting on it. Also undoes changes made by other runs in the meantime. Thread-safe.
  virtual std::function<void()> savePoint() = 0;
};

}  // namespace weft
