#include "graph/indexed_slices.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"

// Ops that pass on the elements of their input unchanged, with the same or another shape.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

class PassKernel final : public Kernel {
 public:
  explicit PassKernel(KernelInit&) {}
  Status compute(KernelContext& c) override {
    c.setOutput(0, c.input(0));
    return {};
  }
  bool isCheap() const override { return true; }
};

Grads preventedGradient(GradContext& c) {
  return Error{Code::Unknown, "Gradient explicitly disabled. Reason: " + c.attrs().text("message"), c.node().name, {}, "LookupError"};
}

/// The gradient, reshaped to the input's shape.
Grads reshapedGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  std::vector<Output> out(size_t(c.inputCount()));
  const Output dims = py::shape(b, c.input(0));
  out[0] = py::reshape(b, c.grad(), dims);
  return out;
}

// Reshape.

Status reshapeShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  // A scalar is valid only as the constant -1.
  if (c.input(1).hasRank() && c.input(1).rank() != 1 && !(c.input(1).rank() == 0 && c.constant(1))) WEFT_TRY(c.requireRank(c.input(1), 1));
  WEFT_LET(Shape out, c.constantAsShape(1));
  if (!out.hasRank()) return {};
  int unknown = -1, unknowns = 0;
  int64_t product = 1;
  for (int d = 0; d < out.rank(); ++d) {
    if (out.dim(d) < 0) {
      unknown = d;
      ++unknowns;
    } else {
      // On overflow: more than any tensor has.
      if (__builtin_mul_overflow(product, out.dim(d), &product)) product = std::numeric_limits<int64_t>::max();
    }
  }
  const Tensor* target = c.constant(1);
  const int64_t n = in.elements();
  if (n >= 0 && unknowns == 1) {
    if (product == 0) {
      // For an empty tensor, the open size follows from the nonzero sizes; the kernel determines it.
      if (target && n > 0) return invalidArgument("Cannot reshape a tensor with ", n, " elements to shape ", out.toString(), " (0 elements)");
    } else if (n % product != 0) {
      return invalidArgument("Dimension size must be evenly divisible by ", product, " but is ", n);
    } else {
      out.setDim(unknown, n / product);
    }
  } else if (n >= 0 && unknowns == 0 && n != product) {
    return invalidArgument("Cannot reshape a tensor with ", n, " elements to shape ", out.toString(), " (", product, " elements)");
  } else if (in.hasRank() && unknowns <= 1) {
    int inUnknowns = 0;
    int64_t inProduct = 1;
    for (int d = 0; d < in.rank(); ++d) {
      if (in.dim(d) < 0) ++inUnknowns;
      else inProduct *= in.dim(d);
    }
    if (unknowns == 0 && inUnknowns == 1) {
      // The known part of the input's size must divide that of the output, or no open size fits.
      if (inProduct == 0 && product != 0)
        return invalidArgument("Cannot reshape a tensor with 0 elements to shape ", out.toString(), " (", product, " elements)");
      if (inProduct > 0 && product % inProduct != 0) return invalidArgument("Dimension size must be evenly divisible by ", inProduct, " but is ", product);
    }
    // One open dim on each side: equal if the known parts are equal.
    if (unknowns == 1 && inUnknowns == 1 && inProduct == product && product > 0) {
      for (int d = 0; d < in.rank(); ++d) {
        if (in.dim(d) < 0) out.setDim(unknown, in.dim(d));
      }
    }
  }
  c.setOutput(0, std::move(out));
  return {};
}

class ReshapeKernel final : public Kernel {
 public:
  explicit ReshapeKernel(KernelInit&) {}
  Status compute(KernelContext& c) override {
    const Tensor &x = c.input(0), &sizes = c.input(1);
    if (sizes.rank() != 1) {
      // A scalar -1 flattens the tensor to a vector.
      if (!(sizes.rank() == 0 && sizes.asInt(0) == -1)) {
        return invalidArgument("sizes input must be 1-D, not ", sizes.shape().toString());
      }
    }
    const int64_t n = x.elements();
    Shape shape;
    int unknown = -1;
    int64_t product = 1;  // of the nonzero sizes
    bool hasZero = false;
    for (int64_t i = 0; i < sizes.elements(); ++i) {
      const int64_t size = sizes.asInt(i);
      if (size == -1) {
        if (unknown >= 0) return invalidArgument("Only one input size may be -1, not both ", unknown, " and ", i);
        unknown = int(i);
        shape.append(1);
        continue;
      }
      if (size < 0) return invalidArgument("Size ", i, " must be non-negative, not ", size);
      hasZero = hasZero || size == 0;
      if (size > 0 && __builtin_mul_overflow(product, size, &product)) return invalidArgument("Shape ", shape.toString(), " overflows");
      shape.append(size);
    }
    if (unknown >= 0) {
      // If the result is empty for any open size, the open size is the ratio of the nonzero sizes.
      int64_t filled = 1;
      bool skips = false;
      for (const int64_t d : x.shape().dims()) {
        if (d == 0 && hasZero) skips = true;
        else if (__builtin_mul_overflow(filled, d, &filled)) return invalidArgument("Shape ", x.shape().toString(), " overflows");
      }
      const int64_t missing = filled / product;
      if (!skips && missing * product != filled) {
        return invalidArgument("Input to reshape is a tensor with ", n, " values, but the requested shape requires a multiple of ", product);
      }
      shape.setDim(unknown, missing);
    }
    const int64_t total = hasZero ? 0 : unknown >= 0 ? n : product;
    if (total != n) return invalidArgument("Input to reshape is a tensor with ", n, " values, but the requested shape has ", total);
    c.setOutput(0, x.reshaped(std::move(shape)));
    return {};
  }
  bool isCheap() const override { return true; }
};

// ExpandDims.

Status expandDimsShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  if (c.input(1).isFullyKnown() && c.input(1).elements() != 1) {
    return invalidArgument("'dim' input must be a tensor with a single value");
  }
  if (!in.hasRank()) return {};
  const auto dim = c.constantInt(1);
  if (!dim) {
    c.setOutput(0, Shape::unknownOfRank(in.rank() + 1));
    return {};
  }
  if (*dim < -1 - in.rank() || *dim > in.rank()) {
    return invalidArgument("dim ", *dim, " not in the interval [", -1 - in.rank(), ", ", in.rank(), "].");
  }
  const int at = int(*dim < 0 ? *dim + in.rank() + 1 : *dim);
  Shape out = in.slice(0, at);
  if (at == 0) out = Shape();
  out.append(1);
  for (int d = at; d < in.rank(); ++d) out.append(in.dim(d));
  c.setOutput(0, std::move(out));
  return {};
}

class ExpandDimsKernel final : public Kernel {
 public:
  explicit ExpandDimsKernel(KernelInit&) {}
  Status compute(KernelContext& c) override {
    const Tensor &x = c.input(0), &dim = c.input(1);
    if (dim.elements() != 1) return invalidArgument("'dim' must be a tensor with a single value");
    int64_t at = dim.asInt(0);
    if (at < -1 - x.rank() || at > x.rank()) {
      return invalidArgument("Tried to expand dim index ", at, " for tensor with ", x.rank(), " dimensions.");
    }
    if (at < 0) at += x.rank() + 1;
    Shape shape;
    for (int d = 0; d <= x.rank(); ++d) {
      if (d == at) shape.append(1);
      if (d < x.rank()) shape.append(x.dim(d));
    }
    c.setOutput(0, x.reshaped(std::move(shape)));
    return {};
  }
  bool isCheap() const override { return true; }
};

// Squeeze.

Status squeezeShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  const auto dims = c.attrs().integers("squeeze_dims");
  if (!in.hasRank()) return {};
  if (dims.empty() && !in.isFullyKnown()) {
    for (int64_t d : in.dims()) {
      if (d < 0) return {};  // an unknown dim may be 1, so not even the rank is known
    }
  }
  std::vector<bool> chosen(size_t(in.rank()), false);
  for (int64_t d : dims) {
    if (d < -in.rank() || d >= in.rank()) return invalidArgument("squeeze_dims[", d, "] not in [", -in.rank(), ",", in.rank(), ").");
    chosen[size_t(d < 0 ? d + in.rank() : d)] = true;
  }
  Shape out;
  for (int d = 0; d < in.rank(); ++d) {
    if (dims.empty()) {
      if (in.dim(d) != 1) out.append(in.dim(d));
    } else if (chosen[size_t(d)]) {
      if (in.dim(d) >= 0 && in.dim(d) != 1) return invalidArgument("Can not squeeze dim[", d, "], expected a dimension of 1, got ", in.dim(d));
    } else {
      out.append(in.dim(d));
    }
  }
  c.setOutput(0, std::move(out));
  return {};
}

class SqueezeKernel final : public Kernel {
 public:
  explicit SqueezeKernel(KernelInit& init) : dims_(init.attrs().integers("squeeze_dims")) {}
  Status compute(KernelContext& c) override {
    const Tensor& x = c.input(0);
    const int rank = x.rank();
    std::vector<bool> chosen(size_t(rank), false);
    for (int64_t d : dims_) {
      if (d < -rank || d >= rank) return invalidArgument("Tried to squeeze dim index ", d, " for tensor with ", rank, " dimensions.");
      chosen[size_t(d < 0 ? d + rank : d)] = true;
    }
    Shape shape;
    for (int d = 0; d < rank; ++d) {
      if (dims_.empty() ? x.dim(d) == 1 : chosen[size_t(d)]) {
        if (x.dim(d) != 1) return invalidArgument("Can not squeeze dim[", d, "], expected a dimension of 1, got ", x.dim(d));
      } else {
        shape.append(x.dim(d));
      }
    }
    c.setOutput(0, x.reshaped(std::move(shape)));
    return {};
  }
  bool isCheap() const override { return true; }

 private:
  const std::vector<int64_t> dims_;
};

}  // namespace

void registerViews(OpRegistry& ops) {
  ops.add("Identity")
      .category("Arrays")
      .summary("Passes its input through unchanged.")
      .input("input: T", "Any tensor.")
      .output("output: T", "The input, unchanged.")
      .attr("T: type", "Type of the elements.")
      .shape(shapes::unchanged)
      .gradient(passGradient)
      .cpu({}, kernelOf<PassKernel>());
  ops.add("StopGradient")
      .category("Arrays")
      .summary("Passes its input through; blocks gradients, which treat it as a constant.")
      .input("input: T", "Any tensor.")
      .output("output: T", "The input, unchanged.")
      .attr("T: type", "Type of the elements.")
      .shape(shapes::unchanged)
      .noGradient("It exists to block gradients.")
      .cpu({}, kernelOf<PassKernel>());
  OpRecord& prevent = ops.add("PreventGradient")
                          .category("Arrays")
                          .summary("Passes its input through; requesting a gradient through it is an error.")
                          .input("input: T", "Any tensor.")
                          .output("output: T", "The input, unchanged.")
                          .attr("T: type", "Type of the elements.")
                          .attr("message: string = ''", "Message of that error.")
                          .shape(shapes::unchanged)
                          .gradient(preventedGradient)
                          .cpu({}, kernelOf<PassKernel>());
  prevent.gradientIsError = true;
  ops.add("Reshape")
      .category("Arrays")
      .summary("Changes the shape of a tensor and keeps its elements in order.")
      .description("One dimension of the new shape may be -1; it is inferred from the number of elements.")
      .input("tensor: T", "The elements.")
      .input("shape: Tshape", "The new shape; a vector.")
      .output("output: T", "The reshaped tensor.")
      .attr("T: type", "Type of the elements.")
      .attr("Tshape: {int32, int64} = DT_INT32", "Type of the shape.")
      .shape(reshapeShape)
      .gradient(reshapedGradient)
      .cpu({}, kernelOf<ReshapeKernel>());
  ops.add("ExpandDims")
      .category("Arrays")
      .summary("Inserts a dimension of size 1.")
      .input("input: T", "Any tensor.")
      .input("dim: Tdim", "Position of the new dimension; negative values count from the end.")
      .output("output: T", "The same elements, with the new dimension.")
      .attr("T: type", "Type of the elements.")
      .attr("Tdim: {int32, int64} = DT_INT32", "Type of the position.")
      .shape(expandDimsShape)
      .gradient(reshapedGradient)
      .cpu({}, kernelOf<ExpandDimsKernel>());
  ops.add("Squeeze")
      .category("Arrays")
      .summary("Removes dimensions of size 1.")
      .input("input: T", "Any tensor.")
      .output("output: T", "The same elements, without these dimensions.")
      .attr("T: type", "Type of the elements.")
      .attr("squeeze_dims: list(int) >= 0 = []", "Dimensions to remove, each of size 1; empty: all dimensions of size 1.")
      .shape(squeezeShape)
      .gradient(reshapedGradient)
      .cpu({}, kernelOf<SqueezeKernel>());
  state(ops, OpRole::Identity, Effect::None, "Identity StopGradient");
  passHandles(ops, "Identity");
  state(ops, OpRole::Identity, Effect::Check, "PreventGradient");
  state(ops, OpRole::Reshape, Effect::None, "ExpandDims Reshape Squeeze");
}

}  // namespace weft
