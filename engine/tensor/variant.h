#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weft/error.h"
#include "weft/tensor.h"

namespace weft {

/// An object of a Variant tensor as messages and checkpoints hold it, in TensorFlow's terms.
struct EncodedVariant {
  std::string typeName;  ///< Of the C++ class in TensorFlow, such as "tensorflow::Tensor".
  std::string metadata;
  std::vector<Tensor> tensors;
};

/// An object stored in a Variant tensor (tensor list, optional, dataset). Immutable once shared.
class VariantObject {
 public:
  virtual ~VariantObject() = default;

  using Made = Result<std::shared_ptr<const VariantObject>>;
  /// A copy with zeros inside (ZerosLike); null for kinds without such a form.
  virtual Made zerosLike() const { return std::shared_ptr<const VariantObject>(); }
  /// The sum of two objects of the same kind (AddN).
  virtual Made plus(const VariantObject&) const { return unimplemented("Variants of this kind cannot be added"); }
  /// The form in which it is saved; UNIMPLEMENTED for kinds that exist only in memory, such as data sets.
  virtual Result<EncodedVariant> encoded() const { return unimplemented("A variant of this kind cannot be saved"); }
};

/// Element of a Variant tensor.
struct VariantValue {
  std::shared_ptr<const VariantObject> object;
};

/// Makes the object that VariantObject::encoded() wrote.
using DecodeVariant = VariantObject::Made (*)(EncodedVariant);
/// States how objects of a type name are read. Thread-safe; stating the same again has no effect.
void setVariantDecoder(const std::string& typeName, DecodeVariant decode);
/// UNIMPLEMENTED for type names that no decoder is stated for.
VariantObject::Made decodedVariant(EncodedVariant encoded);

}  // namespace weft
