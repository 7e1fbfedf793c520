#pragma once

#include <functional>

namespace weft {

/// A resource of a session whose contents can be set back, so that a run which changed them can begin again. Resources derive from it beside
/// SessionResource.
class Restorable {
 public:
  virtual ~Restorable() = default;
  /// What sets it back to how it is now. Cheap: tensors are shared, not copied. To be called once, or dropped; REQUIRES: the resource lives. What
  /// other runs changed meanwhile is undone too. Safe to call from several threads; the run that goes back must not wait for the resource any more.
  virtual std::function<void()> savePoint() = 0;
};

}  // namespace weft
