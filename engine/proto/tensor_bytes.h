#pragma once

#include <string>
#include <string_view>

#include "weft/error.h"
#include "weft/export.h"
#include "weft/tensor.h"

namespace weft {

/// Tensors as serialised TensorProto messages, for libraries that must not know the message itself. INVALID_ARGUMENT for bytes that are no such message or
/// whose parts do not agree.
WEFT_API Result<Tensor> tensorFromBytes(std::string_view message);
/// Numbers as raw bytes, strings as values. UNIMPLEMENTED for variants.
WEFT_API Result<std::string> tensorToBytes(const Tensor& tensor);

}  // namespace weft
