#pragma once

#include <memory>

#include "tensor_view/tensor_source.h"
#include "weft/tensor.h"

namespace weft::app {

/// A tensor of the engine for a TensorView; shares its buffer. Computes statistics: not for the GUI thread if it may be large.
std::shared_ptr<const widgets::TensorSource> tensorSource(Tensor tensor);

}  // namespace weft::app
