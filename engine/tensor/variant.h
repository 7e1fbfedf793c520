#pragma once

#include <memory>

#include "weft/error.h"

namespace weft {

/// An object stored in a Variant tensor (tensor list, optional, dataset). Immutable once shared.
class VariantObject {
 public:
  virtual ~VariantObject() = default;

  using Made = Result<std::shared_ptr<const VariantObject>>;
  /// A copy with zeros inside (ZerosLike); null for kinds without such a form.
  virtual Made zerosLike() const { return std::shared_ptr<const VariantObject>(); }
  /// The sum of two objects of the same kind (AddN).
  virtual Made plus(const VariantObject&) const { return unimplemented("Variants of this kind cannot be added"); }
};

/// Element of a Variant tensor.
struct VariantValue {
  std::shared_ptr<const VariantObject> object;
};

}  // namespace weft
