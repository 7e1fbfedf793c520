#pragma once

#include <memory>

#include "weft/error.h"

namespace weft {

/// Any object that travels in a Variant tensor (tensor lists, optionals, datasets). Immutable once shared.
class VariantObject {
 public:
  virtual ~VariantObject() = default;

  using Made = Result<std::shared_ptr<const VariantObject>>;
  /// The same with zeros inside (ZerosLike); nothing of what has no such form.
  virtual Made zerosLike() const { return std::shared_ptr<const VariantObject>(); }
  /// The sum of two objects of one kind (AddN).
  virtual Made plus(const VariantObject&) const { return unimplemented("Variants of this kind cannot be added"); }
};

/// Element of a Variant tensor.
struct VariantValue {
  std::shared_ptr<const VariantObject> object;
};

}  // namespace weft
