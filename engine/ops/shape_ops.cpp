#include "device/cpu/dtypes.h"
#include "ops/registry.h"

// Ops on shapes: the shape of a tensor, and arithmetic with shapes.
namespace weft {
namespace {

void write(Tensor& t, int64_t i, int64_t v) {
  if (t.dtype() == DType::Int64) t.mutableData<int64_t>()[i] = v;
  else t.mutableData<int32_t>()[i] = int32_t(v);
}

Status writeVector(KernelContext& c, int k, const std::vector<int64_t>& v) {
  WEFT_LET(Tensor* out, c.allocate(k, Shape{int64_t(v.size())}));
  for (size_t i = 0; i < v.size(); ++i) write(*out, int64_t(i), v[i]);
  return {};
}

std::vector<int64_t> readVector(const Tensor& t) {
  std::vector<int64_t> out;
  for (int64_t i = 0; i < t.elements(); ++i) out.push_back(t.asInt(i));
  return out;
}

Status shapeShape(ShapeContext& c) {
  for (int i = 0; i < c.inputCount(); ++i) c.setOutput(i, c.input(i).hasRank() ? Shape{c.input(i).rank()} : Shape::unknownOfRank(1));
  return {};
}

/// Shape and ShapeN.
Status runShape(KernelContext& c) {
  for (int k = 0; k < c.inputCount(); ++k) {
    const Shape& s = c.input(k).shape();
    WEFT_LET(Tensor* out, c.allocate(k, Shape{s.rank()}));
    const bool narrow = out->dtype() == DType::Int32;
    for (int d = 0; d < s.rank(); ++d) {
      if (narrow && s.dim(d) > INT32_MAX) {
        return invalidArgument("Shape output type is 32-bit  but dim ", d, " is ", s.dim(d));
      }
      write(*out, d, s.dim(d));
    }
  }
  return {};
}

Status runRank(KernelContext& c) {
  WEFT_LET(Tensor* out, c.allocate(0, {}));
  write(*out, 0, c.input(0).rank());
  return {};
}

Status runSize(KernelContext& c) {
  const int64_t n = c.input(0).elements();
  WEFT_LET(Tensor* out, c.allocate(0, {}));
  if (out->dtype() == DType::Int32 && n > INT32_MAX) {
    return invalidArgument("Number of elements was larger than representable by 32-bit output type");
  }
  write(*out, 0, n);
  return {};
}

Status broadcastArgsShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 1));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  if (c.outputCount() == 2) {
    c.setOutput(0, Shape::unknownOfRank(1));
    c.setOutput(1, Shape::unknownOfRank(1));
    return {};
  }
  const Shape &a = c.input(0), &b = c.input(1);
  const int64_t na = a.hasRank() ? a.dim(0) : -1, nb = b.hasRank() ? b.dim(0) : -1;
  c.setOutput(0, na >= 0 && nb >= 0 ? Shape{std::max(na, nb)} : Shape::unknownOfRank(1));
  return {};
}

std::string listText(const std::vector<int64_t>& v) {
  std::string out = "[";
  for (size_t i = 0; i < v.size(); ++i) out += (i ? "," : "") + std::to_string(v[i]);
  return out + "]";
}

/// The axes over which the gradient is summed for each of two broadcast operands. Axes of length 1 in both count for both, unless the shapes are equal.
Status runBroadcastGradientArgs(KernelContext& c) {
  for (int i = 0; i < 2; ++i) {
    if (c.input(i).rank() != 1) return invalidArgument("In[", i, "] must be a vector.", c.input(i).shape().toString());
  }
  const auto x = readVector(c.input(0)), y = readVector(c.input(1));
  std::vector<int64_t> rx, ry;
  if (x != y) {
    const int64_t n = int64_t(std::max(x.size(), y.size())), dx = n - int64_t(x.size()), dy = n - int64_t(y.size());
    for (int64_t i = 0; i < n; ++i) {
      const int64_t a = i < dx ? 1 : x[size_t(i - dx)], b = i < dy ? 1 : y[size_t(i - dy)];
      if (a != b && a != 1 && b != 1) return invalidArgument("Incompatible shapes: ", listText(x), " vs. ", listText(y));
      if (a == 1) rx.push_back(i);
      if (b == 1) ry.push_back(i);
    }
  }
  WEFT_TRY(writeVector(c, 0, rx));
  return writeVector(c, 1, ry);
}

Status runBroadcastArgs(KernelContext& c) {
  for (int i = 0; i < 2; ++i) {
    if (c.input(i).rank() != 1) return invalidArgument("In[", i, "] must be a vector.", c.input(i).shape().toString());
  }
  const auto x = readVector(c.input(0)), y = readVector(c.input(1));
  const int64_t n = int64_t(std::max(x.size(), y.size())), dx = n - int64_t(x.size()), dy = n - int64_t(y.size());
  std::vector<int64_t> out;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t a = i < dx ? 1 : x[size_t(i - dx)], b = i < dy ? 1 : y[size_t(i - dy)];
    if (a != b && a != 1 && b != 1) return invalidArgument("Incompatible shapes: ", listText(x), " vs. ", listText(y));
    out.push_back(a == 1 ? b : a);
  }
  return writeVector(c, 0, out);
}

Status concatOffsetShape(ShapeContext& c) {
  for (int i = 1; i < c.inputCount(); ++i) c.setOutput(i - 1, c.input(i));
  return {};
}

Status runConcatOffset(KernelContext& c) {
  if (c.input(0).rank() != 0) return invalidArgument("Concat dim tensor should be a scalar integer, but got shape ", c.input(0).shape().toString());
  const int n = c.inputCount() - 1;
  for (int i = 0; i < n; ++i) {
    if (c.input(1 + i).rank() != 1) return invalidArgument("input ", i, " should be a vector, but got shape ", c.input(1 + i).shape().toString());
  }
  const auto first = readVector(c.input(1));
  const int64_t dims = int64_t(first.size()), given = c.input(0).asInt(0), axis = given < 0 ? given + dims : given;
  if (axis < 0 || axis >= dims) return invalidArgument("Concat dim is out of range: ", axis, " vs. ", dims);
  int64_t offset = 0;
  for (int i = 0; i < n; ++i) {
    const auto shape = readVector(c.input(1 + i));
    if (int64_t(shape.size()) != dims) return invalidArgument("input ", i, " should contain ", dims, " elements, but got ", shape.size());
    std::vector<int64_t> out(shape.size(), 0);
    for (int64_t d = 0; d < dims; ++d) {
      if (d == axis) {
        out[size_t(d)] = offset;
        offset += shape[size_t(d)];
      } else if (shape[size_t(d)] != first[size_t(d)]) {
        return invalidArgument("All dimensions except ", axis, " must match. Input ", i, " has shape ", listText(shape),
                               " and doesn't match input 0 with shape ", listText(first));
      }
    }
    WEFT_TRY(writeVector(c, i, out));
  }
  return {};
}

Status invertShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 1));
  c.setOutput(0, c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(1));
  return {};
}

Status runInvertPermutation(KernelContext& c) {
  const Tensor& x = c.input(0);
  if (x.rank() != 1) return invalidArgument("invert_permutation expects a 1D vector.");
  const int64_t n = x.elements();
  WEFT_LET(Tensor* out, c.allocate(0, x.shape()));
  std::vector<bool> seen(size_t(n), false);
  for (int64_t i = 0; i < n; ++i) {
    const int64_t d = x.asInt(i);
    if (d < 0 || d >= n) return invalidArgument(d, " is not between 0 and ", n);
    if (seen[size_t(d)]) return invalidArgument(d, " is duplicated in the input.");
    seen[size_t(d)] = true;
    write(*out, d, i);
  }
  return {};
}

constexpr const char* kReason = "The result is a shape or an index.";

}  // namespace

void registerShapeOps(OpRegistry& ops) {
  ops.add("Shape")
      .category("Arrays")
      .summary("Shape of a tensor, as a vector.")
      .input("input: T", "Any tensor.")
      .output("output: out_type", "Size of each dimension.")
      .attr("T: type", "Type of the tensor's elements.")
      .attr("out_type: {int32, int64} = DT_INT32", "Type of the lengths.")
      .shape(shapeShape)
      .noGradient(kReason)
      .cpu({}, simpleKernel(runShape));
  ops.add("ShapeN")
      .category("Arrays")
      .summary("Shapes of several tensors, each as a vector.")
      .input("input: N * T", "Tensors of one type.")
      .output("output: N * out_type", "The shape of each tensor.")
      .attr("N: int >= 1", "Number of tensors.")
      .attr("T: type", "Type of the tensors' elements.")
      .attr("out_type: {int32, int64} = DT_INT32", "Type of the lengths.")
      .shape(shapeShape)
      .noGradient(kReason)
      .cpu({}, simpleKernel(runShape));
  ops.add("Rank")
      .category("Arrays")
      .summary("Number of dimensions of a tensor.")
      .input("input: T", "Any tensor.")
      .output("output: int32", "The rank; a scalar.")
      .attr("T: type", "Type of the tensor's elements.")
      .shape(shapes::scalar)
      .noGradient(kReason)
      .cpu({}, simpleKernel(runRank));
  ops.add("Size")
      .category("Arrays")
      .summary("Number of elements of a tensor.")
      .input("input: T", "Any tensor.")
      .output("output: out_type", "The number of elements; a scalar.")
      .attr("T: type", "Type of the tensor's elements.")
      .attr("out_type: {int32, int64} = DT_INT32", "Type of the result.")
      .shape(shapes::scalar)
      .noGradient(kReason)
      .cpu({}, simpleKernel(runSize));
  ops.add("BroadcastGradientArgs")
      .category("Arrays")
      .summary("For two broadcast operands, the axes over which their gradients must be summed.")
      .input("s0: T", "Shape of the first operand.")
      .input("s1: T", "Shape of the second operand.")
      .output("r0: T", "Axes along which the first operand was broadcast.")
      .output("r1: T", "Axes along which the second operand was broadcast.")
      .attr("T: {int32, int64} = DT_INT32", "Type of the shapes.")
      .shape(broadcastArgsShape)
      .noGradient(kReason)
      .cpu({}, simpleKernel(runBroadcastGradientArgs));
  ops.add("BroadcastArgs")
      .category("Arrays")
      .summary("Shape to which two shapes broadcast.")
      .input("s0: T", "First shape.")
      .input("s1: T", "Second shape.")
      .output("r0: T", "The broadcast shape.")
      .attr("T: {int32, int64} = DT_INT32", "Type of the shapes.")
      .shape(broadcastArgsShape)
      .noGradient(kReason)
      .cpu({}, simpleKernel(runBroadcastArgs));
  ops.add("ConcatOffset")
      .category("Arrays")
      .summary("Offset of each of several tensors in their concatenation.")
      .input("concat_dim: int32", "Axis of the concatenation; a scalar.")
      .input("shape: N * int32", "Shapes of the tensors.")
      .output("offset: N * int32", "Offset of each tensor in the result.")
      .attr("N: int >= 2", "Number of tensors.")
      .shape(concatOffsetShape)
      .noGradient(kReason)
      .cpu({}, simpleKernel(runConcatOffset));
  ops.add("InvertPermutation")
      .category("Arrays")
      .summary("Inverse of a permutation.")
      .input("x: T", "A permutation of 0 … n-1.")
      .output("y: T", "The inverse: y[x[i]] = i.")
      .attr("T: {int32, int64} = DT_INT32", "Type of the indices.")
      .shape(invertShape)
      .noGradient(kReason)
      .cpu({}, simpleKernel(runInvertPermutation));
  state(ops, OpRole::ShapeOf, Effect::None, "Rank Shape ShapeN Size");
}

}  // namespace weft
