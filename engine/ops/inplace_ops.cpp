#include <cmath>

#include "device/cpu/dtypes.h"
#include "device/moves.h"
#include "ops/grad_ops.h"
#include "ops/inplace_ops.h"
#include "ops/registry.h"
#include "tensor/element_types.h"
#include "weft/file_system.h"

// Tensors created uninitialised, written row by row, or passed on: Empty, InplaceUpdate and similar ops, ParallelConcat, DeepCopy, Snapshot, GuaranteeConst,
// ImmutableConst; AccumulateNV2, ApproximateEqual.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

void clearTensor(Tensor& t) {
  if (sizeOf(t.dtype()) != 0) std::fill_n(static_cast<char*>(t.mutableRaw()), t.bytes(), 0);  // objects are default-constructed
}

// ---- Empty

Status emptyShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 1));
  WEFT_LET(Shape s, c.constantAsShape(0));
  c.setOutput(0, std::move(s));
  return {};
}
/// Uninitialised memory would make runs differ, so the result is always cleared, regardless of `init`.
Status runEmpty(KernelContext& c) {
  const Tensor& sizes = c.input(0);
  if (sizes.rank() != 1) return invalidArgument("shape must be a vector of int32, got shape ", sizes.shape().toString());
  Shape s;
  for (int64_t i = 0; i < sizes.elements(); ++i) {
    if (sizes.asInt(i) < 0) return invalidArgument("Dimension ", sizes.asInt(i), " must be >= 0");
    s.append(sizes.asInt(i));
  }
  WEFT_LET(Tensor* out, c.allocate(0, s));
  return fillWithZeros(c, *out);
}

// ---- rows that are written into a copy

Status copyAll(KernelContext& c, const Tensor& from, Tensor& to) {
  cpu::BoxCopy all;
  all.add(from.elements(), 1, 1);
  return moveBox(c, to, std::move(all), from.raw(), to.mutableRaw());
}

Status runInplace(KernelContext& c) {
  WEFT_TRY(checkInplace(c));
  const Tensor &x = c.input(0), &index = c.input(1), &v = c.input(2);
  const std::string& op = c.node().op;
  const DType type = x.dtype();
  const bool update = op == "InplaceUpdate";
  const Tensor values = v;  // the copy may take over input 0 only
  if (!update && !withNumber(type, [](auto) {})) return invalidArgument("Unsupported data type: ", dtypeShortName(type));
  const int64_t rows = x.dim(0), length = rows > 0 ? x.elements() / rows : 0;
  WEFT_LET(Tensor* out, copyToOutput(c, 0));
  for (int64_t k = 0; k < index.elements(); ++k) {
    const int64_t row = ((index.asInt(k) % rows) + rows) % rows;
    if (update) {
      copyElements(*out, row * length, values, k * length, length);
      continue;
    }
    withNumber(type, [&]<typename T>(std::type_identity<T>) {
      T* to = elementsOf<T>(*out) + row * length;
      const T* from = elementsOf<T>(values) + k * length;
      for (int64_t i = 0; i < length; ++i) to[i] = op == "InplaceAdd" ? T(to[i] + from[i]) : T(to[i] - from[i]);
    });
  }
  return {};
}

Status runDeepCopy(KernelContext& c) {
  const Tensor& x = c.input(0);
  WEFT_LET(Tensor* out, c.allocate(0, x.shape()));
  return copyAll(c, x, *out);
}

Status runPass(KernelContext& c) {
  c.setOutput(0, c.input(0));
  return {};
}

// ---- ParallelConcat

Status parallelConcatShape(ShapeContext& c) {
  const Shape wanted = c.attrs().shape("shape");
  if (!wanted.isFullyKnown()) return invalidArgument("shape attr must be fully defined.");
  Shape whole = Shape::unknown();
  for (int i = 0; i < c.inputCount(); ++i) {
    const Shape& in = c.input(i);
    if (!in.isFullyKnown()) return invalidArgument("All input shapes must be fully defined.");
    if (in.rank() < 1 || in.dim(0) != 1) return invalidArgument("Size of first dimension must be 1.");
    WEFT_LET(whole, c.merge(whole, in));
  }
  if (wanted.rank() < 1) return invalidArgument("Shape must be at least rank 1 but is rank 0");
  Shape row = wanted;
  row.setDim(0, 1);
  WEFT_TRY(c.merge(whole, row));
  c.setOutput(0, wanted);
  return {};
}
Status runParallelConcat(KernelContext& c) {
  const Shape wanted = c.node().attrs.shape("shape");
  if (!wanted.isFullyKnown() || wanted.rank() < 1) return invalidArgument("shape attr must be fully defined.");
  WEFT_LET(Tensor* out, c.allocate(0, wanted));
  const int64_t rows = wanted.dim(0), length = rows > 0 ? out->elements() / rows : 0;
  if (c.inputCount() > rows) return invalidArgument("There are ", c.inputCount(), " inputs, but ", rows, " rows in shape ", wanted.toString());
  WEFT_TRY(fillWithZeros(c, *out));
  std::vector<Pieces> pieces;
  for (int i = 0; i < c.inputCount(); ++i) {
    if (c.input(i).elements() != length)
      return invalidArgument("Input ", i, " has the shape ", c.input(i).shape().toString(), ", which is no row of ", wanted.toString());
    pieces.push_back({c.input(i).raw(), length, cpu::offsetBy(out->mutableRaw(), i * length, cpu::storageSize(out->dtype())), length, length});
  }
  return movePieces(c, *out, pieces, 1);
}

// ---- ImmutableConst

Status immutableConstShape(ShapeContext& c) {
  c.setOutput(0, c.attrs().shape("shape"));
  return {};
}
Status runImmutableConst(KernelContext& c) {
  const AttrMap& attrs = c.node().attrs;
  const Shape shape = attrs.shape("shape");
  if (!shape.isFullyKnown()) return invalidArgument("shape attr must be fully defined.");
  WEFT_LET(const std::string bytes, posixFileSystem().readAll(attrs.text("memory_region_name")));
  const DType type = attrs.type("dtype");
  const int64_t n = shape.elements();
  if (sizeOf(type) == 0) return unimplemented("Sorry, DT_", dtypeShortName(type), " is not currently supported");
  if (n < 0 || uint64_t(n) > bytes.size() / sizeOf(type)) {
    return internalError("Readonly memory region has wrong length (", bytes.size(), ") when allocating ", n < 0 ? uint64_t(0) : uint64_t(n) * sizeOf(type));
  }
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  std::copy_n(bytes.data(), out->bytes(), static_cast<char*>(out->mutableRaw()));
  return {};
}

// ---- AccumulateNV2

/// The attribute gives the shape; the kernel rejects inputs that do not fit.
Status accumulateShape(ShapeContext& c) {
  c.setOutput(0, c.attrs().shape("shape"));
  return {};
}
Status runAccumulate(KernelContext& c) {
  for (int i = 1; i < c.inputCount(); ++i) {
    if (!(c.input(i).shape() == c.input(0).shape())) return invalidArgument("Parameters and update must be the same size");
  }
  if (c.inputCount() == 1) return runPass(c);
  const DType type = c.input(0).dtype();
  WEFT_LET(Tensor* out, c.allocate(0, c.input(0).shape()));
  withNumber(type, [&]<typename T>(std::type_identity<T>) {
    T* y = elementsOf<T>(*out);
    std::copy_n(elementsOf<T>(c.input(0)), out->elements(), y);
    for (int k = 1; k < c.inputCount(); ++k) {
      const T* x = elementsOf<T>(c.input(k));
      for (int64_t i = 0; i < out->elements(); ++i) y[i] = T(y[i] + x[i]);
    }
  });
  return {};
}
Grads accumulateGradient(GradContext& c) { return std::vector<Output>(size_t(c.inputCount()), c.grad()); }

// ---- ApproximateEqual

Status runApproximateEqual(KernelContext& c) {
  const Tensor &x = c.input(0), &y = c.input(1);
  if (!(x.shape() == y.shape()))
    return invalidArgument("x and y must be of the same shape. x shape: ", x.shape().toString(), ". y shape: ", y.shape().toString());
  const float tolerance = c.node().attrs.number("tolerance", 1e-5f);
  WEFT_LET(Tensor* out, c.allocate(0, x.shape()));
  bool* z = out->mutableData<bool>();
  const auto compare = [&]<typename T>(std::type_identity<T>) {
    for (int64_t i = 0; i < x.elements(); ++i) z[i] = std::abs(x.at<T>(i) - y.at<T>(i)) <= T(tolerance);
  };
  if (x.dtype() == DType::Double) compare(std::type_identity<double>());
  else compare(std::type_identity<float>());
  return {};
}

// ---- TileGrad

/// The sum of all copies that Tile made.
Status tileGradShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(1), 1));
  const Shape& in = c.input(0);
  if (!in.hasRank()) return {};
  Shape out;
  for (int d = 0; d < in.rank(); ++d) {
    const auto n = c.constantInt(1, d);
    out.append(n && *n > 0 && in.dim(d) >= 0 ? in.dim(d) / *n : Shape::kUnknownDim);
  }
  c.setOutput(0, std::move(out));
  return {};
}
Status runTileGrad(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_LET(const Shape shape, untiledShape(in.shape(), c.input(1)));
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  clearTensor(*out);
  withNumber(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    const T* x = elementsOf<T>(in);
    T* y = elementsOf<T>(*out);
    std::vector<int64_t> index(size_t(in.rank()), 0);
    for (int64_t i = 0; i < in.elements(); ++i) {
      int64_t at = 0;
      for (int d = 0; d < in.rank(); ++d) at = at * shape.dim(d) + index[size_t(d)] % shape.dim(d);
      y[at] = T(y[at] + x[i]);
      for (int d = in.rank() - 1; d >= 0; --d) {
        if (++index[size_t(d)] < in.dim(d)) break;
        index[size_t(d)] = 0;
      }
    }
  });
  return {};
}

OpRecord& addArray(OpRegistry& ops, const char* name, const char* summary) { return ops.add(name).category("Arrays").summary(summary); }

}  // namespace

Status checkInplace(KernelContext& c) {
  const Tensor &x = c.input(0), &index = c.input(1), &v = c.input(2);
  if (index.rank() != 1) return invalidArgument("i must be a vector. ", index.shape().toString());
  if (x.rank() != v.rank()) return invalidArgument("x and v shape doesn't match (ranks differ): ", x.shape().toString(), " vs. ", v.shape().toString());
  if (x.rank() == 0) return invalidArgument("x must have at least one dimension");
  for (int d = 1; d < x.rank(); ++d) {
    if (x.dim(d) != v.dim(d)) return invalidArgument("x and v shape doesn't match at index ", d, " : ", x.shape().toString(), " vs. ", v.shape().toString());
  }
  if (index.dim(0) != v.dim(0)) return invalidArgument("i and x shape doesn't match at index 0: ", index.shape().toString(), " vs. ", v.shape().toString());
  if (x.dim(0) == 0 && index.elements() > 0) return invalidArgument("x has no rows to write to");
  return {};
}

Result<Tensor*> copyToOutput(KernelContext& c, int i) {
  const Tensor& x = c.input(i);
  const void* before = x.raw();
  WEFT_LET(Tensor* out, c.allocateOrForward(0, x.shape(), {i}));
  if (out->raw() != before) WEFT_TRY(copyAll(c, x, *out));
  return out;
}

Result<Shape> untiledShape(const Shape& in, const Tensor& multiples) {
  if (multiples.rank() != 1 || multiples.dim(0) != in.rank()) {
    return invalidArgument("Expected multiples argument to be a vector of length ", in.rank(), " but got length ", multiples.elements());
  }
  Shape shape;
  for (int d = 0; d < in.rank(); ++d) {
    const int64_t n = multiples.asInt(d);
    if (n <= 0) return invalidArgument("Expected multiples[", d, "] > 0, but got ", n);
    if (in.dim(d) % n != 0) return invalidArgument("Expected input_dim[", d, "] to be divisible by multiples[", d, "], but ", in.dim(d), " % ", n, " != 0");
    shape.append(in.dim(d) / n);
  }
  return shape;
}

void registerInplaceOps(OpRegistry& ops) {
  addArray(ops, "Empty", "Creates a tensor of a given shape; its elements are unspecified in TensorFlow, zero here.")
      .input("shape: int32", "Its shape.")
      .output("output: dtype", "The new tensor, filled with zeros.")
      .attr("dtype: type", "Type of the elements.")
      .attr("init: bool = false", "Whether zeros are required.")
      .stateful()
      .shape(emptyShape)
      .noGradient("It has no differentiable inputs.")
      .cpu({{"dtype", {DType::UInt8, DType::Bool, DType::Int64, DType::Int32, DType::String, DType::Half, DType::Double, DType::Float}}},
           simpleKernel(runEmpty))
      .gradientIsError = true;
  const struct {
    const char *name, *summary;
  } updates[] = {{"InplaceUpdate", "Replaces rows of a tensor."},
                 {"InplaceAdd", "Adds values to rows of a tensor."},
                 {"InplaceSub", "Subtracts values from rows of a tensor."}};
  for (const auto& u : updates) {
    addArray(ops, u.name, u.summary)
        .description("Indices are taken modulo the number of rows; repeated indices are applied in order.")
        .input("x: T", "The tensor.")
        .input("i: int32", "Row indices; a vector.")
        .input("v: T", "Values, one per index.")
        .output("y: T", "The changed tensor.")
        .attr("T: type", "Type of the elements.")
        .shape(shapes::unchanged)
        .noGradient("TensorFlow defines no gradient for it.")
        .cpu({}, simpleKernel(runInplace))
        .gradientIsError = true;
  }
  addArray(ops, "DeepCopy", "Copies a tensor into new memory.")
      .input("x: T", "Any tensor.")
      .output("y: T", "The copy.")
      .attr("T: type", "Type of the elements.")
      .stateful()
      .shape(shapes::unchanged)
      .noGradient("TensorFlow defines no gradient for it.")
      .cpu({}, simpleKernel(runDeepCopy))
      .gradientIsError = true;
  addArray(ops, "Snapshot", "Copies its input, so that later changes to the input's buffer do not show.")
      .input("input: T", "Any tensor.")
      .output("output: T", "The input, unchanged.")
      .attr("T: type", "Type of the elements.")
      .shape(shapes::unchanged)
      .noGradient("TensorFlow defines no gradient for it.")
      .cpu({}, simpleKernel(runDeepCopy))
      .gradientIsError = true;
  addArray(ops, "GuaranteeConst", "Passes its input through; the graph's author guarantees that the value never changes.")
      .input("input: T", "Any tensor.")
      .output("output: T", "The input, unchanged.")
      .attr("T: type", "Type of the elements.")
      .stateful()
      .shape(shapes::unchanged)
      .noGradient("Constants have no gradient.")
      .cpu({}, simpleKernel(runPass))
      .gradientIsError = true;
  addArray(ops, "ParallelConcat", "Concatenates tensors of one row each along the first dimension.")
      .input("values: N * T", "Tensors of the same shape, with first dimension 1.")
      .output("output: T", "The concatenated rows.")
      .attr("N: int >= 1", "Number of tensors.")
      .attr("T: type", "Type of the elements.")
      .attr("shape: shape", "Shape of the result, fully defined.")
      .shape(parallelConcatShape)
      .noGradient("TensorFlow defines no gradient for it.")
      .cpu({}, simpleKernel(runParallelConcat))
      .gradientIsError = true;
  addArray(ops, "ImmutableConst", "A constant tensor whose bytes are read from a file.")
      .output("tensor: dtype", "The tensor.")
      .attr("dtype: type", "Type of the elements.")
      .attr("shape: shape", "Its shape.")
      .attr("memory_region_name: string", "Name of the file.")
      .shape(immutableConstShape)
      .noGradient("It has no differentiable inputs.")
      .cpu({}, simpleKernel(runImmutableConst))
      .gradientIsError = true;
  addArray(ops, "AccumulateNV2", "Element-wise sum of tensors of the same shape.")
      .input("inputs: N * T", "The tensors.")
      .output("sum: T", "Their sum.")
      .attr("N: int >= 1", "Number of tensors.")
      .attr("T: numbertype", "Type of the elements.")
      .attr("shape: shape", "Shape of the inputs.")
      .commutative()
      .aggregate()
      .shape(accumulateShape)
      .gradient(accumulateGradient)
      .cpu({{"T", types::kCpuNumber}}, simpleKernel(runAccumulate));
  ops.add("ApproximateEqual")
      .category("Logic")
      .summary("|x - y| <= tolerance, element-wise.")
      .input("x: T", "Numbers.")
      .input("y: T", "Numbers, in the shape of `x`.")
      .output("z: bool", "The element-wise result.")
      .attr("T: numbertype", "Type of the elements.")
      .attr("tolerance: float = 1e-05", "Maximum difference.")
      .commutative()
      .shape(shapes::mergeAll)
      .noGradient("The result is boolean.")
      .cpu({{"T", {DType::Float, DType::Double}}}, simpleKernel(runApproximateEqual));
  addArray(ops, "TileGrad", "Gradient of Tile: sums over the copies.")
      .input("input: T", "Gradient with respect to the tiled tensor.")
      .input("multiples: int32", "Number of repetitions for each dimension.")
      .output("output: T", "Gradient with respect to the tensor before tiling.")
      .attr("T: type", "Type of the elements.")
      .deprecated(3, "TileGrad has been replaced with reduce_sum")
      .shape(tileGradShape)
      .noGradient("TensorFlow defines no second derivative for it.")
      .cpu({{"T", types::kCpuNumber}}, simpleKernel(runTileGrad))
      .gradientIsError = true;
  state(ops, OpRole::Compute, Effect::Declared, "Empty");
  state(ops, OpRole::Copy, Effect::Declared, "DeepCopy");
  state(ops, OpRole::Copy, Effect::None, "Snapshot");
  state(ops, OpRole::Identity, Effect::Declared, "GuaranteeConst");
}

}  // namespace weft
