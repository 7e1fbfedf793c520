#include "io/onnx/import_windows.h"
#include "io/onnx/tensor_proto.h"

// Quantized tensors: q = saturate(round(x / scale) + zero point). Products of quantized numbers are computed in double, which holds their sums exactly.

namespace weft::onnx_io {
namespace {

bool rangeOf(DType type, double* low, double* high) {
  switch (type) {
    case DType::UInt8: *low = 0, *high = 255; return true;
    case DType::Int8: *low = -128, *high = 127; return true;
    case DType::UInt16: *low = 0, *high = 65535; return true;
    case DType::Int16: *low = -32768, *high = 32767; return true;
    case DType::Int32: *low = -2147483648.0, *high = 2147483647.0; return true;
    default: return false;
  }
}

}  // namespace

Result<Output> quantizedTo(ImportNode& n, Output x, Output zero, DType to) {
  double low, high;
  if (!rangeOf(to, &low, &high)) return unimplemented("quantized numbers of type ", dtypeName(to));
  const DType type = n.b.dtype(x);
  Output q = n.op("Round", {x});
  if (zero.valid()) q = n.op("AddV2", {q, n.b.cast(zero, type)});
  const Output least = n.scalar(q, low), most = n.scalar(q, high);
  q = n.op("Minimum", {n.op("Maximum", {q, least}), most});
  return n.b.cast(q, to);
}

namespace {

/// Scales and zero points of an axis, shaped to broadcast against the tensor.
Result<Output> spread(ImportNode& n, Output parameter, int rank) {
  const Shape shape = n.b.shape(parameter);
  if (shape.rank() == 0) return parameter;
  if (shape.rank() != 1) return unimplemented("scales for blocks");
  if (shape.dim(0) == 1) return n.reshape(parameter, {});
  const int64_t axis = rank < 0 ? -1 : axisOf(n.integer("axis", 1), rank);
  if (axis < 0) return unimplemented("the rank of its input is not known");
  Ints full(size_t(rank), 1);
  full[size_t(axis)] = -1;
  return n.reshape(parameter, full);
}

Translation quantize(ImportNode& n) {
  Output x = n.in(0);
  const int rank = n.rank(0);
  if (n.integer("block_size")) return unimplemented("scales for blocks");
  const int stated = int(n.integer("output_dtype"));
  const DType to = n.has(2) ? n.b.dtype(n.in(2)) : stated ? dtypeOfOnnx(stated) : DType::UInt8;
  WEFT_LET(const Output scale, spread(n, n.in(1), rank));
  Output zero;
  if (n.has(2)) {
    WEFT_LET(zero, spread(n, n.in(2), rank));
  }
  const DType type = n.b.dtype(scale);
  x = n.b.cast(x, type);
  WEFT_LET(const Output q, quantizedTo(n, n.op("RealDiv", {x, scale}), zero, to));
  return Outputs{q};
}

Translation dequantize(ImportNode& n) {
  const int rank = n.rank(0);
  if (n.integer("block_size")) return unimplemented("scales for blocks");
  WEFT_LET(const Output scale, spread(n, n.in(1), rank));
  const DType type = n.b.dtype(scale), middle = type == DType::Double ? type : DType::Float;
  const int stated = int(n.integer("output_dtype"));
  const DType to = stated ? dtypeOfOnnx(stated) : type;
  if (to == DType::Invalid) return unimplemented("TensorFlow's graphs do not have the type ", onnxTypeName(stated));
  Output x = n.b.cast(n.in(0), n.b.dtype(n.in(0)) == DType::Int32 ? DType::Double : middle);
  if (n.has(2)) {
    WEFT_LET(const Output zero, spread(n, n.in(2), rank));
    x = n.op("Sub", {x, n.b.cast(zero, n.b.dtype(x))});
  }
  const Output made = n.op("Mul", {x, n.b.cast(scale, n.b.dtype(x))});
  return Outputs{n.b.cast(made, to)};
}

Translation dynamicQuantize(ImportNode& n) {
  const Output x = n.in(0), none = n.scalar(x, 0), steps = n.scalar(x, 255);
  const int rank = n.rank(0);
  if (rank < 0) return unimplemented("the rank of its input is not known");
  Ints axes;
  for (int d = 0; d < rank; ++d) axes.push_back(d);
  const Output low = n.op("Minimum", {n.reduce("Min", x, axes, false), none}), high = n.op("Maximum", {n.reduce("Max", x, axes, false), none});
  const Output scale = n.op("RealDiv", {n.op("Sub", {high, low}), steps});
  WEFT_LET(const Output zero, quantizedTo(n, n.op("RealDiv", {n.op("Neg", {low}), scale}), {}, DType::UInt8));
  WEFT_LET(const Output q, quantizedTo(n, n.op("RealDiv", {x, scale}), zero, DType::UInt8));
  return Outputs{q, scale, zero};
}

/// A quantized operand without its zero point, in double. A vector of zero points belongs to rows (`column` false) or columns.
Output centred(ImportNode& n, int input, int zeroInput, bool column) {
  const Output x = n.b.cast(n.in(input), DType::Double);
  if (!n.has(zeroInput)) return x;
  Output zero = n.b.cast(n.in(zeroInput), DType::Double);
  if (n.rank(zeroInput) == 1 && !column && n.b.shape(zero).dim(0) != 1) zero = n.reshape(zero, {-1, 1});
  return n.op("Sub", {x, zero});
}

Output product(ImportNode& n, Output x, Output y) { return n.op(n.rank(0) == 2 && n.b.shape(y).rank() == 2 ? "MatMul" : "BatchMatMulV2", {x, y}); }

Translation matMulInteger(ImportNode& n) {
  const Output x = centred(n, 0, 2, false), y = centred(n, 1, 3, true);
  return Outputs{n.b.cast(product(n, x, y), DType::Int32)};
}

Translation qLinearMatMul(ImportNode& n) {
  const Output x = centred(n, 0, 2, false), y = centred(n, 3, 5, true);
  if (n.rank(1) > 0 && n.b.shape(n.in(1)).elements() != 1) return unimplemented("a scale for each row");
  const Output scaleX = n.b.cast(n.reshape(n.in(1), {}), DType::Double), scaleY = n.b.cast(n.in(4), DType::Double), scale = n.b.cast(n.in(6), DType::Double);
  const Output factor = n.op("RealDiv", {n.op("Mul", {scaleX, scaleY}), scale});
  WEFT_LET(const Output q, quantizedTo(n, n.op("Mul", {product(n, x, y), factor}), n.in(7), n.b.dtype(n.in(7))));
  return Outputs{q};
}

}  // namespace

std::vector<ImportRule> quantizationImports() {
  return {{"QuantizeLinear", quantize},
          {"DequantizeLinear", dequantize},
          {"DynamicQuantizeLinear", dynamicQuantize},
          {"MatMulInteger", matMulInteger},
          {"QLinearMatMul", qLinearMatMul}};
}

}  // namespace weft::onnx_io
