#pragma once

#include <string>

#include "weft/error.h"
#include "weft/shape.h"
#include "weft/tensor.h"

namespace tensorflow {
class TensorProto;
class TensorShapeProto;
}  // namespace tensorflow

namespace weft {

/// INVALID_ARGUMENT (kind "invalid_tensor") for sizes below -1, a rank over 254 or a product over 2^63.
Result<Shape> shapeFromProto(const tensorflow::TensorShapeProto& proto);
void shapeToProto(const Shape& shape, tensorflow::TensorShapeProto* proto);

/// Checks that dtype, shape and the number of bytes or values agree, without allocating memory for the shape. Returns the number of elements. Errors are
/// INVALID_ARGUMENT of kind "invalid_tensor".
Result<int64_t> checkTensorProto(const tensorflow::TensorProto& proto);

/// Raw bytes take precedence over typed values. The last typed value fills missing elements and surplus values are ignored, as in TensorFlow.
Result<Tensor> tensorFromProto(const tensorflow::TensorProto& proto);

/// How a tensor's elements are written.
enum class TensorForm {
  Python,   ///< As tf.make_tensor_proto: raw bytes for two or more numbers of the common types, else typed values.
  Content,  ///< Raw bytes; strings as values.
  Fields,   ///< Typed values.
};
/// Resource handles keep device, container and name. UNIMPLEMENTED for variants.
Status tensorToProto(const Tensor& tensor, TensorForm form, tensorflow::TensorProto* proto);

}  // namespace weft
