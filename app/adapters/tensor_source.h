#pragma once

#include <memory>

#include "tensor_view/tensor_source.h"
#include "weft/tensor.h"

namespace weft::app {

/// An engine tensor for a TensorView; shares its buffer. Computes statistics, so large tensors should not be passed on the GUI thread.
std::shared_ptr<const widgets::TensorSource> tensorSource(Tensor tensor);

}  // namespace weft::app
