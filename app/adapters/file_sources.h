// Tensors of files as the widgets show them.
#pragma once

#include <memory>

#include "adapters/file_tensors.h"
#include "tensor_view/tensor_source.h"

namespace weft::app {

using TensorSourcePtr = std::shared_ptr<const widgets::TensorSource>;

/// The tensor with its statistics. Reads all values; any thread. Null if the task was cancelled.
TensorSourcePtr sourceOf(const TensorDataPtr& data, TaskState& task);
/// What a source made by sourceOf() shows; null for others.
TensorDataPtr dataOf(const widgets::TensorSource& source);
/// `there` minus `here`, elementwise, as float64. Null unless both are numeric with equal shape and type.
TensorSourcePtr differenceSource(const TensorDataPtr& here, const TensorDataPtr& there, TaskState& task);

}  // namespace weft::app
