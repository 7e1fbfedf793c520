#pragma once

#include <memory>

namespace weft {

/// Any object that travels in a Variant tensor (tensor lists, datasets). Immutable once shared.
class VariantObject {
 public:
  virtual ~VariantObject() = default;
};

/// Element of a Variant tensor.
struct VariantValue {
  std::shared_ptr<const VariantObject> object;
};

}  // namespace weft
