#include <algorithm>
#include <array>

#include "device/cpu/dtypes.h"
#include "device/cpu/move.h"
#include "device/moves.h"
#include "kernel/device.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "ops/state_ops.h"

// Slices: a box of a tensor (Slice), or Python's x[begin:end:stride, ..., newaxis, i] (StridedSlice) with its gradient.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

// Slice.

Status sliceShape(ShapeContext& c) {
  const Shape &in = c.input(0), &begin = c.input(1), &size = c.input(2);
  WEFT_TRY(c.requireRank(begin, 1));
  WEFT_TRY(c.requireRank(size, 1));
  WEFT_LET(const Shape lists, c.merge(begin, size));
  const int64_t n = lists.hasRank() ? lists.dim(0) : -1;
  if (n >= 0) WEFT_TRY(c.requireRank(in, int(n)));
  const int rank = in.hasRank() ? in.rank() : int(n);
  if (rank < 0) return {};
  const Tensor *from = c.constant(1), *count = c.constant(2);
  Shape out = Shape::unknownOfRank(rank);
  if (count && count->elements() == rank) {
    for (int d = 0; d < rank; ++d) {
      if (count->asInt(d) < -1) return invalidArgument("Invalid value in tensor used for shape: ", count->asInt(d));
    }
  } else if (in.hasRank()) {
    // The size may be partly known, as a shape.
    WEFT_LET(const Shape partial, c.constantAsShape(2));
    if (partial.hasRank() && partial.rank() == rank && !count) {
      for (int d = 0; d < rank; ++d) out.setDim(d, partial.dim(d));
      c.setOutput(0, std::move(out));
      return {};
    }
  }
  if (count && count->elements() == rank) {
    for (int d = 0; d < rank; ++d) {
      const int64_t length = in.hasRank() ? in.dim(d) : -1, want = count->asInt(d);
      const int64_t b = from && from->elements() == rank ? from->asInt(d) : -1;
      if (from && b < -1) return invalidArgument("Invalid value in tensor used for shape: ", b);
      if (want >= 0) {
        out.setDim(d, want);  // the kernel checks whether it fits
      } else if (from && length >= 0 && b >= 0) {
        if (b > length) return invalidArgument("Negative dimension size caused by subtracting ", b, " from ", length);
        out.setDim(d, length - b);
      }
    }
  }
  c.setOutput(0, std::move(out));
  return {};
}

Status runSlice(KernelContext& c) {
  const Tensor &x = c.input(0), &begin = c.input(1), &size = c.input(2);
  const int rank = x.rank();
  if (begin.rank() != 1 || size.rank() != 1 || begin.elements() != rank || size.elements() != rank) {
    return invalidArgument("Expected begin and size arguments to be 1-D tensors of size ", rank, ", but got shapes ", begin.shape().toString(), " and ",
                           size.shape().toString(), " instead.");
  }
  Shape shape;
  bool whole = true, firstOnly = true;
  const auto strides = cpu::denseStrides(x.shape());
  int64_t offset = 0;
  for (int d = 0; d < rank; ++d) {
    const int64_t b = begin.asInt(d), n = size.asInt(d) == -1 ? x.dim(d) - b : size.asInt(d);
    if (x.dim(d) == 0) {
      if (b != 0 || n != 0)
        return invalidArgument("Expected begin[", d, "] == 0 (got ", b, ") and size[", d, "] == 0 (got ", n, ") when input.dim_size(", d, ") == 0");
    } else {
      if (b < 0 || b > x.dim(d)) return invalidArgument("Expected begin[", d, "] in [0, ", x.dim(d), "], but got ", b);
      if (n < 0 || n > x.dim(d) - b) return invalidArgument("Expected size[", d, "] in [0, ", x.dim(d) - b, "], but got ", n);
    }
    shape.append(n);
    const bool all = b == 0 && n == x.dim(d);
    whole = whole && all;
    if (d > 0) firstOnly = firstOnly && all;
    offset += b * strides[size_t(d)];
  }
  if (whole) {
    c.setOutput(0, x);
    return {};
  }
  const size_t elementSize = cpu::storageSize(x.dtype());
  if (firstOnly && rank > 0 && cpu::isPlain(x.dtype()) && shape.dim(0) > 0 && offset * int64_t(elementSize) % 64 == 0) {
    c.setOutput(0, x.rows(begin.asInt(0), begin.asInt(0) + shape.dim(0)));  // aligned rows are a view
    return {};
  }
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  const auto outStrides = cpu::denseStrides(shape);
  cpu::BoxCopy box;
  for (int d = 0; d < rank; ++d) box.add(shape.dim(d), strides[size_t(d)], outStrides[size_t(d)]);
  if (out->elements() == 0) return {};
  return moveBox(c, *out, std::move(box), cpu::offsetBy(x.raw(), offset, elementSize), out->mutableRaw());
}

Grads sliceGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output x = c.input(0), begin = c.input(1);
  const Output rank = py::rank(b, x);
  const Output sliceSize = py::shape(b, c.output(0));
  const Output column = py::stack(b, {rank, 1});
  const Output before = py::reshape(b, begin, column);
  const Output inputShape = py::shape(b, x);
  const Output rest = py::sub(b, py::sub(b, inputShape, sliceSize), begin);
  const Output after = py::reshape(b, rest, column);
  const Output paddings = py::concat(b, {before, after}, 1);
  return std::vector{b.op("Pad", {c.grad(), paddings}), Output{}, Output{}};
}

// StridedSlice.

/// A slice spec applied to a shape: the range in each input dimension, and the shape of the result.
struct Slices {
  cpu::SmallInts begin, end, stride, length;  ///< Per input dimension; length -1: unknown.
  Shape processed;                            ///< One dimension per input dimension.
  Shape result;                               ///< With new axes added and shrunk ones removed.
  bool isIdentity = true;
};

struct Masks {
  int64_t begin, end, ellipsis, newAxis, shrink;
  explicit Masks(const AttrMap& a)
      : begin(a.integer("begin_mask")),
        end(a.integer("end_mask")),
        ellipsis(a.integer("ellipsis_mask")),
        newAxis(a.integer("new_axis_mask")),
        shrink(a.integer("shrink_axis_mask")) {}
};

/// The masks have 32 bits, which limits the length of the lists.
constexpr int64_t kMostSpecs = 31;

Error listsDoNotFit(const Shape& begin, const Shape& end, const Shape& strides) {
  return invalidArgument("Expected begin, end, and strides to be 1D equal size tensors, but got shapes ", begin.toString(), ", ", end.toString(), ", and ",
                         strides.toString(), " instead.");
}

/// `begin` and `end` are null if unknown (in shape functions); strides must be known. REQUIRES: count <= kMostSpecs.
Result<Slices> resolveSlices(const Shape& input, const Tensor* begin, const Tensor* end, const Tensor& strides, const Masks& m, int64_t count) {
  if (uint64_t(m.ellipsis) & (uint64_t(m.ellipsis) - 1)) return invalidArgument("Multiple ellipses in slice spec not allowed");
  // Expand the sparse spec to all dimensions.
  struct Dense {
    int64_t begin = 0, end = 0, stride = 1;
    bool beginMask = true, endMask = true, shrink = false, known = true;
  };
  std::vector<Dense> dense;
  cpu::SmallInts resultOf;  // per dim of the result: input dim, -1 for a new axis; shrunk dims do not appear
  bool sawEllipsis = false;
  int64_t newAxesAfter = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (sawEllipsis && (m.newAxis >> i & 1)) ++newAxesAfter;
    if (m.ellipsis >> i & 1) sawEllipsis = true;
  }
  const int64_t specs = sawEllipsis ? count : count + 1;
  for (int64_t i = 0; i < specs; ++i) {
    const bool ellipsis = i == count || (m.ellipsis >> i & 1);
    if (ellipsis) {
      // The ellipsis covers the dimensions that remain when each later entry other than a new axis takes one.
      const int64_t later = i == count ? 0 : count - i - 1 - newAxesAfter;
      const int64_t next = std::max<int64_t>(int64_t(dense.size()), input.rank() - later);
      while (int64_t(dense.size()) < next) {
        resultOf.push_back(int64_t(dense.size()));
        dense.push_back({});
      }
      continue;
    }
    if (m.newAxis >> i & 1) {
      resultOf.push_back(-1);
      continue;
    }
    if (int64_t(dense.size()) >= input.rank()) {
      return invalidArgument("Index out of range using input dim ", dense.size(), "; input has only ", input.rank(), " dims");
    }
    Dense d;
    d.known = begin && end;
    if (begin) d.begin = begin->asInt(i);
    if (end) d.end = end->asInt(i);
    d.stride = strides.asInt(i);
    d.beginMask = m.begin >> i & 1;
    d.endMask = m.end >> i & 1;
    d.shrink = m.shrink >> i & 1;
    if (!d.shrink) resultOf.push_back(int64_t(dense.size()));
    dense.push_back(d);
  }
  Slices out;
  for (size_t d = 0; d < dense.size(); ++d) {
    Dense& s = dense[d];
    const int64_t n = input.dim(int(d));
    if (s.stride == 0) return invalidArgument("strides[", d, "] must be non-zero");
    if (n >= 0 && s.shrink && s.stride <= 0) return invalidArgument("only stride 1 allowed on non-range indexing.");
    int64_t length = -1;
    if (s.shrink) {
      length = 1;
      s.stride = 1;
      if (n >= 0 && s.known) {
        const int64_t at = s.begin < 0 ? s.begin + n : s.begin;
        if (at < 0 || at >= n) return invalidArgument("slice index ", s.begin, " of dimension ", d, " out of bounds.");
        s.begin = at;
        s.end = at + 1;
      }
      out.isIdentity = out.isIdentity && n == 1;
    } else if (n >= 0 && (s.known || (s.beginMask && s.endMask))) {
      const int64_t low = s.stride > 0 ? 0 : -1, high = s.stride > 0 ? n : n - 1;
      const auto clamp = [&](int64_t v, bool masked, bool isEnd) {
        if (masked) return (s.stride > 0) == isEnd ? high : low;
        return std::clamp(v < 0 ? v + n : v, low, high);
      };
      s.begin = clamp(s.begin, s.beginMask, false);
      s.end = clamp(s.end, s.endMask, true);
      const int64_t span = s.end - s.begin;
      length = span == 0 || (span < 0) != (s.stride < 0) ? 0 : span / s.stride + (span % s.stride != 0);
      out.isIdentity = out.isIdentity && s.stride == 1 && s.begin == 0 && s.end == n;
    } else {
      out.isIdentity = out.isIdentity && s.stride == 1 && s.beginMask && s.endMask;
      if (n < 0 && s.known && !s.beginMask && !s.endMask && (s.begin < 0) == (s.end < 0)) {
        // Both ends count from the same side. The length would be known if the dimension were long enough, which is unknown; only an empty range is certain.
        const int64_t span = s.end - s.begin;
        if (span == 0 || (span < 0) != (s.stride < 0)) length = 0;
      }
    }
    out.begin.push_back(s.begin);
    out.end.push_back(s.end);
    out.stride.push_back(s.stride);
    out.length.push_back(length);
    out.processed.append(length);
  }
  for (int64_t d : resultOf) out.result.append(d < 0 ? 1 : out.length[size_t(d)]);
  return out;
}

Status stridedSliceShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  Shape lists = c.input(1);
  WEFT_TRY(c.requireRank(lists, 1));
  WEFT_LET(lists, c.merge(lists, c.input(2)));
  WEFT_LET(lists, c.merge(lists, c.input(3)));
  const Tensor* strides = c.constant(3);
  if (!in.hasRank() || !strides || !lists.hasRank() || lists.dim(0) < 0) return {};
  if (lists.dim(0) > kMostSpecs) return listsDoNotFit(c.input(1), c.input(2), c.input(3));
  WEFT_LET(Slices s, resolveSlices(in, c.constant(1), c.constant(2), *strides, Masks(c.attrs()), lists.dim(0)));
  c.setOutput(0, std::move(s.result));
  return {};
}

Status checkLists(const Tensor& begin, const Tensor& end, const Tensor& strides) {
  if (begin.rank() != 1 || end.rank() != 1 || strides.rank() != 1 || begin.elements() != end.elements() || begin.elements() != strides.elements() ||
      begin.elements() > kMostSpecs) {
    return listsDoNotFit(begin.shape(), end.shape(), strides.shape());
  }
  return {};
}

class StridedSliceKernel final : public Kernel {
 public:
  explicit StridedSliceKernel(KernelInit& init) : masks_(init.attrs()) {}
  Status compute(KernelContext& c) override {
    const Tensor &x = c.input(0), &begin = c.input(1), &end = c.input(2), &strides = c.input(3);
    WEFT_TRY(checkLists(begin, end, strides));
    WEFT_LET(const Slices s, resolveSlices(x.shape(), &begin, &end, strides, masks_, begin.elements()));
    if (s.isIdentity) {
      c.setOutput(0, x.reshaped(s.result));
      return {};
    }
    WEFT_LET(Tensor* out, c.allocate(0, s.result));
    if (out->elements() == 0) return {};
    const auto from = cpu::denseStrides(x.shape()), to = cpu::denseStrides(s.processed);
    cpu::BoxCopy box;
    int64_t offset = 0;
    for (size_t d = 0; d < from.size(); ++d) {
      box.add(s.length[d], from[d] * s.stride[d], to[d]);
      offset += s.begin[d] * from[d];
    }
    return moveBox(c, *out, std::move(box), cpu::offsetBy(x.raw(), offset, cpu::storageSize(x.dtype())), out->mutableRaw());
  }

 private:
  const Masks masks_;
};

Status stridedSliceGradShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 1));
  WEFT_LET(Shape out, c.constantAsShape(0));
  c.setOutput(0, std::move(out));
  return {};
}

class StridedSliceGradKernel final : public Kernel {
 public:
  explicit StridedSliceGradKernel(KernelInit& init) : masks_(init.attrs()) {}
  Status compute(KernelContext& c) override {
    const Tensor &dims = c.input(0), &begin = c.input(1), &end = c.input(2), &strides = c.input(3), &dy = c.input(4);
    if (dims.rank() != 1) return invalidArgument("shape must be 1-D, got shape.shape = ", dims.shape().toString());
    Shape shape;
    for (int64_t i = 0; i < dims.elements(); ++i) shape.append(dims.asInt(i));
    WEFT_TRY(checkLists(begin, end, strides));
    WEFT_LET(const Slices s, resolveSlices(shape, &begin, &end, strides, masks_, begin.elements()));
    if (!(dy.shape() == s.result)) {
      return invalidArgument("shape of dy was ", dy.shape().toString(), " instead of ", s.result.toString());
    }
    if (s.isIdentity) {
      c.setOutput(0, dy.reshaped(shape));
      return {};
    }
    WEFT_LET(Tensor* out, c.allocate(0, shape));
    WEFT_TRY(fillWithZeros(c, *out));
    if (dy.elements() == 0) return {};
    const auto to = cpu::denseStrides(shape), from = cpu::denseStrides(s.processed);
    cpu::BoxCopy box;
    int64_t offset = 0;
    for (size_t d = 0; d < to.size(); ++d) {
      box.add(s.length[d], from[d], to[d] * s.stride[d]);
      offset += s.begin[d] * to[d];
    }
    return moveBox(c, *out, std::move(box), dy.raw(), cpu::offsetBy(out->mutableRaw(), offset, cpu::storageSize(dy.dtype())));
  }

 private:
  const Masks masks_;
};

/// Writes a slice of a variable (reference or resource).
class StridedSliceAssignKernel final : public Kernel {
 public:
  explicit StridedSliceAssignKernel(KernelInit& init) : masks_(init.attrs()) {}
  Status compute(KernelContext& c) override {
    const Tensor &begin = c.input(1), &end = c.input(2), &strides = c.input(3), &value = c.input(4);
    WEFT_TRY(checkLists(begin, end, strides));
    WEFT_TRY(requireInitialized(c, {0}, value.dtype(), noSuchVariable));
    WEFT_LET(auto updates, c.update({0}));
    Tensor& to = updates[0].value();
    if (to.dtype() != value.dtype())
      return invalidArgument("l-value dtype ", dtypeShortName(to.dtype()), " does not match r-value dtype ", dtypeShortName(value.dtype()));
    WEFT_LET(const Slices s, resolveSlices(to.shape(), &begin, &end, strides, masks_, begin.elements()));
    if (!(value.shape() == s.result))
      return unimplemented("sliced l-value shape ", s.result.toString(), " does not match r-value shape ", value.shape().toString(),
                           ". Automatic broadcasting not yet implemented.");
    c.forwardRef(0, 0);
    if (value.elements() == 0) return {};
    // Copy a value that is part of the variable (v[1:] = v[:-1]) before writing.
    Tensor own;
    const bool overlaps = value.sharesBufferWith(to);
    if (overlaps) {
      WEFT_LET(own, value.place() == 0 ? value.clone() : c.device().copy(value));
    }
    const Tensor& from = overlaps ? own : value;
    const auto target = cpu::denseStrides(to.shape()), source = cpu::denseStrides(s.processed);
    cpu::BoxCopy box;
    int64_t offset = 0;
    for (size_t d = 0; d < target.size(); ++d) {
      box.add(s.length[d], source[d], target[d] * s.stride[d]);
      offset += s.begin[d] * target[d];
    }
    return moveBox(c, to, std::move(box), from.raw(), cpu::offsetBy(to.mutableRaw(), offset, cpu::storageSize(to.dtype())));
  }

 private:
  const Masks masks_;
};

/// Returns the tensor with a slice replaced.
class StridedSliceUpdateKernel final : public Kernel {
 public:
  explicit StridedSliceUpdateKernel(KernelInit& init) : masks_(init.attrs()) {}
  Status compute(KernelContext& c) override {
    const Tensor &begin = c.input(1), &end = c.input(2), &strides = c.input(3), &value = c.input(4), &in = c.input(0);
    WEFT_TRY(checkLists(begin, end, strides));
    WEFT_LET(const Slices s, resolveSlices(in.shape(), &begin, &end, strides, masks_, begin.elements()));
    if (!(value.shape() == s.result))
      return unimplemented("sliced l-value shape ", s.result.toString(), " does not match r-value shape ", value.shape().toString(),
                           ". Automatic broadcasting not yet implemented.");
    WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
    if (in.elements() == 0) return {};
    cpu::BoxCopy whole;
    whole.add(in.elements(), 1, 1);
    WEFT_TRY(moveBox(c, *out, std::move(whole), in.raw(), out->mutableRaw()));
    if (value.elements() == 0) return {};
    const auto target = cpu::denseStrides(in.shape()), source = cpu::denseStrides(s.processed);
    cpu::BoxCopy box;
    int64_t offset = 0;
    for (size_t d = 0; d < target.size(); ++d) {
      box.add(s.length[d], source[d], target[d] * s.stride[d]);
      offset += s.begin[d] * target[d];
    }
    return moveBox(c, *out, std::move(box), value.raw(), cpu::offsetBy(out->mutableRaw(), offset, cpu::storageSize(in.dtype())));
  }

 private:
  const Masks masks_;
};

AttrMap maskAttrs(const AttrMap& a) {
  AttrMap out;
  for (const char* name : {"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"}) out.set(name, a.integer(name));
  return out;
}

Grads stridedSliceGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output dims = py::shape(b, c.input(0), b.dtype(c.input(1)));
  const Output g = b.op("StridedSliceGrad", {dims, c.input(1), c.input(2), c.input(3), c.grad()}, maskAttrs(c.attrs()));
  return std::vector{g, Output{}, Output{}, Output{}};
}

Grads stridedSliceGradGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output g = b.op("StridedSlice", {c.grad(), c.input(1), c.input(2), c.input(3)}, maskAttrs(c.attrs()));
  return std::vector{Output{}, Output{}, Output{}, Output{}, g};
}

void addMasks(OpRecord& r) {
  r.attr("T: type", "Type of the elements.")
      .attr("Index: {int32, int64}", "Type of the indices.")
      .attr("begin_mask: int = 0", "Bit i set: entry i ignores `begin` and starts at the first element.")
      .attr("end_mask: int = 0", "Bit i set: entry i ignores `end` and runs to the last element.")
      .attr("ellipsis_mask: int = 0", "Bit i set: entry i is an ellipsis, which covers as many full dimensions as needed; at most one bit.")
      .attr("new_axis_mask: int = 0", "Bit i set: entry i inserts a dimension of size 1.")
      .attr("shrink_axis_mask: int = 0", "Bit i set: entry i is a single index and its dimension is removed.");
}

}  // namespace

void registerSlicing(OpRegistry& ops) {
  ops.add("Slice")
      .category("Arrays")
      .summary("Extracts a contiguous slice of a tensor.")
      .input("input: T", "Tensor to slice.")
      .input("begin: Index", "First index in each dimension.")
      .input("size: Index", "Size in each dimension; -1: to the end.")
      .output("output: T", "The slice.")
      .attr("T: type", "Type of the elements.")
      .attr("Index: {int32, int64}", "Type of the indices.")
      .shape(sliceShape)
      .gradient(sliceGradient)
      .cpu({}, simpleKernel(runSlice));
  OpRecord& strided = ops.add("StridedSlice")
                          .category("Arrays")
                          .summary("Extracts a strided slice, like Python's x[begin:end:stride, …].")
                          .description("Ranges are clamped to the dimension; a single index out of range is an error.")
                          .input("input: T", "Tensor to slice.")
                          .input("begin: Index", "First index of each entry; negative values count from the end.")
                          .input("end: Index", "End index of each entry, excluded.")
                          .input("strides: Index", "Stride of each entry, nonzero; negative strides run backwards.")
                          .output("output: T", "The slice.");
  addMasks(strided);
  strided.shape(stridedSliceShape).gradient(stridedSliceGradient).cpu({}, kernelOf<StridedSliceKernel>());
  OpRecord& grad = ops.add("StridedSliceGrad")
                       .category("Arrays")
                       .summary("Gradient of StridedSlice: zeros with the slice's gradient at the slice's position.")
                       .input("shape: Index", "Shape of the sliced tensor.")
                       .input("begin: Index", "As for StridedSlice.")
                       .input("end: Index", "As for StridedSlice.")
                       .input("strides: Index", "As for StridedSlice.")
                       .input("dy: T", "Gradient with respect to the slice.")
                       .output("output: T", "Gradient with respect to the sliced tensor.");
  addMasks(grad);
  grad.shape(stridedSliceGradShape).gradient(stridedSliceGradGradient).cpu({}, kernelOf<StridedSliceGradKernel>());
  for (const bool resource : {false, true}) {
    OpRecord& assign = ops.add(resource ? "ResourceStridedSliceAssign" : "StridedSliceAssign")
                           .category("Variables")
                           .summary("Assigns to a strided slice of a variable, like Python's x[begin:end:stride, …] = value.")
                           .input(resource ? "ref: resource" : "ref: Ref(T)", "The variable.")
                           .input("begin: Index", "As for StridedSlice.")
                           .input("end: Index", "As for StridedSlice.")
                           .input("strides: Index", "As for StridedSlice.")
                           .input("value: T", "New values, in the shape of the slice.");
    if (resource) assign.stateful().shape(shapes::none);
    else assign.output("output_ref: Ref(T)", "The variable.").shape(shapes::unchanged);
    addMasks(assign);
    assign.noGradient("Variable assignments are not differentiable.").cpu({}, kernelOf<StridedSliceAssignKernel>());
  }
  OpRecord& update = ops.add("TensorStridedSliceUpdate")
                         .category("Arrays")
                         .summary("Copies a tensor and replaces a strided slice, like Python's x[begin:end:stride, …] = value.")
                         .input("input: T", "The tensor.")
                         .input("begin: Index", "As for StridedSlice.")
                         .input("end: Index", "As for StridedSlice.")
                         .input("strides: Index", "As for StridedSlice.")
                         .input("value: T", "New values, in the shape of the slice.")
                         .output("output: T", "The changed tensor.");
  addMasks(update);
  update.shape(shapes::unchanged).noGradient("TensorFlow 1.15 defines no gradient for it.").cpu({}, kernelOf<StridedSliceUpdateKernel>());
  state(ops, OpRole::Update, Effect::Variable, "ResourceStridedSliceAssign StridedSliceAssign");
}

}  // namespace weft
