#pragma once

#include "tensor/variant.h"

namespace tensorflow {
class VariantTensorDataProto;
}  // namespace tensorflow

namespace weft {

/// An element of a Variant tensor as a message; an empty one has no type name. UNIMPLEMENTED for variants that exist only in memory.
Status variantToProto(const VariantValue& value, tensorflow::VariantTensorDataProto* proto);
Result<VariantValue> variantFromProto(const tensorflow::VariantTensorDataProto& proto);

}  // namespace weft
