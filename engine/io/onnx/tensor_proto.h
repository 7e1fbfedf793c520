#pragma once

#include <string>

#include "weft/dtype.h"
#include "weft/file_system.h"
#include "weft/tensor.h"

namespace onnx {
class TensorProto;
class TypeProto;
}  // namespace onnx

namespace weft::onnx_io {

/// Element types by ONNX's numbers.
enum OnnxType : int {
  kOnnxFloat = 1,
  kOnnxUInt8 = 2,
  kOnnxInt8 = 3,
  kOnnxUInt16 = 4,
  kOnnxInt16 = 5,
  kOnnxInt32 = 6,
  kOnnxInt64 = 7,
  kOnnxString = 8,
  kOnnxBool = 9,
  kOnnxHalf = 10,
  kOnnxDouble = 11,
  kOnnxUInt32 = 12,
  kOnnxUInt64 = 13,
  kOnnxComplex64 = 14,
  kOnnxComplex128 = 15,
  kOnnxBFloat16 = 16,
};

DType dtypeOfOnnx(int type);         ///< Invalid for types that TensorFlow lacks (8-bit floats, 4-bit integers).
int onnxTypeOf(DType type);          ///< 0 for types that ONNX lacks.
std::string onnxTypeName(int type);  ///< "float32", "float8e4m3fn", "unknown_99".

/// Bytes that the elements take in the model or in a file of their own; -1 if the dimensions make no sense.
int64_t bytesOfOnnxTensor(const ::onnx::TensorProto& proto);

/// Reads tensors of a model.
struct TensorReader {
  std::string folder;  ///< The only one whose files are read.
  FileSystem& files;

  Result<Tensor> read(const ::onnx::TensorProto& proto) const;

 private:
  Result<std::string> external(const ::onnx::TensorProto& proto, size_t wanted) const;
};

/// UNIMPLEMENTED for types that ONNX lacks.
Status tensorToOnnx(const Tensor& tensor, const std::string& name, ::onnx::TensorProto* proto);

/// The shape that a type states: unknown where it states none.
Shape shapeOfOnnx(const ::onnx::TypeProto& type);

}  // namespace weft::onnx_io
