#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/move.h"
#include "ops/grad_ops.h"
#include "ops/paddings.h"
#include "ops/registry.h"

// Borders around a tensor: Pad, PadV2, MirrorPad, MirrorPadGrad.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

Status padShape(ShapeContext& c, int64_t sign) {
  const Shape &in = c.input(0), &paddings = c.input(1);
  WEFT_TRY(c.requireRank(paddings, 2));
  if (paddings.hasRank() && paddings.dim(1) >= 0 && paddings.dim(1) != 2) return invalidArgument("Dimension must be 2 but is ", paddings.dim(1));
  const int64_t n = paddings.hasRank() ? paddings.dim(0) : -1;
  if (n >= 0) WEFT_TRY(c.requireRank(in, int(n)));
  const Tensor* values = c.constant(1);
  if (!values) {
    if (in.hasRank()) c.setOutput(0, Shape::unknownOfRank(in.rank()));
    else if (n >= 0) c.setOutput(0, Shape::unknownOfRank(int(n)));
    return {};
  }
  Shape out = Shape::unknownOfRank(int(values->dim(0)));
  for (int d = 0; d < out.rank(); ++d) {
    const int64_t before = values->asInt(2 * d), after = values->asInt(2 * d + 1);
    if (before < 0 || after < 0) return invalidArgument("Paddings must be non-negative");
    if (in.hasRank() && in.dim(d) >= 0) {
      int64_t both = 0, length = 0;
      if (__builtin_add_overflow(before, after, &both) || __builtin_add_overflow(in.dim(d), sign * both, &length))
        return invalidArgument("Paddings of ", before, " and ", after, " around ", in.dim(d), " are more than 2^63");
      if (length < 0) return invalidArgument("Negative dimension size caused by subtracting ", both, " from ", in.dim(d));
      out.setDim(d, length);
    }
  }
  c.setOutput(0, std::move(out));
  return {};
}

/// Writes each element of the result once, row by row. A null `value` is 0.
void padPlain(const Tensor& x, const Paddings& paddings, const void* value, Tensor& out) {
  struct Dim {
    int64_t before, in, out;
  };
  std::vector<Dim> dims;  // a dimension without padding belongs to the one before it
  for (int d = 0; d < x.rank(); ++d) {
    const auto [before, after] = paddings[size_t(d)];
    const int64_t n = x.dim(d);
    if (before == 0 && after == 0 && !dims.empty()) dims.back() = {dims.back().before * n, dims.back().in * n, dims.back().out * n};
    else dims.push_back({before, n, before + n + after});
  }
  const Dim line = dims.back();
  dims.pop_back();
  const int64_t rows = out.elements() / line.out;
  cpu::withStorage(x.dtype(), [&](auto tag) {
    using S = typename decltype(tag)::type;
    if constexpr (std::is_trivially_copyable_v<S>) {
      S fill{};
      if (value) std::memcpy(&fill, value, sizeof(S));
      const S* from = static_cast<const S*>(x.raw());
      parallelFor(rows, std::max<int64_t>(1, 16384 / line.out), [&](int64_t begin, int64_t end) {
        for (int64_t r = begin; r < end; ++r) {
          S* to = static_cast<S*>(out.mutableRaw()) + r * line.out;
          int64_t rest = r, source = 0, stride = 1;
          bool inside = x.elements() > 0;
          for (size_t d = dims.size(); d-- > 0 && inside;) {
            const int64_t i = rest % dims[d].out - dims[d].before;
            rest /= dims[d].out;
            inside = i >= 0 && i < dims[d].in;
            source += i * stride;
            stride *= dims[d].in;
          }
          if (!inside) {
            std::fill_n(to, line.out, fill);
            continue;
          }
          std::fill_n(to, line.before, fill);
          std::memcpy(to + line.before, from + source * line.in, size_t(line.in) * sizeof(S));
          std::fill(to + line.before + line.in, to + line.out, fill);
        }
      });
    }
  });
}

Status runPad(KernelContext& c) {
  const Tensor& x = c.input(0);
  WEFT_LET(const auto paddings, readPaddings(x, c.input(1), "Paddings"));
  WEFT_LET(const Shape shape, paddedShape(x, paddings, c.inputCount() > 2 ? &c.input(2) : nullptr));
  if (shape == x.shape()) {
    c.setOutput(0, x);
    return {};
  }
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  if (cpu::isPlain(x.dtype()) && out->elements() > 0) {
    padPlain(x, paddings, c.inputCount() > 2 ? c.input(2).raw() : nullptr, *out);
    return {};
  }
  cpu::withStorage(x.dtype(), [&](auto tag) {
    using S = typename decltype(tag)::type;
    const S zero{};
    cpu::fillElements(x.dtype(), c.inputCount() > 2 ? c.input(2).raw() : &zero, out->mutableRaw(), out->elements());
  });
  if (x.elements() == 0) return {};
  const auto from = cpu::denseStrides(x.shape()), to = cpu::denseStrides(shape);
  cpu::BoxCopy box;
  int64_t offset = 0;
  for (int d = 0; d < x.rank(); ++d) {
    box.add(x.dim(d), from[size_t(d)], to[size_t(d)]);
    offset += paddings[size_t(d)].first * to[size_t(d)];
  }
  cpu::copyBox(x.dtype(), std::move(box), x.raw(), cpu::offsetBy(out->mutableRaw(), offset, cpu::storageSize(x.dtype())));
  return {};
}

Grads padGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output x = c.input(0), paddings = c.input(1);
  const Output rank = py::rank(b, x);
  const Output size = py::stack(b, {rank, 1});
  Output before;
  {
    const py::Scope s(b, "Slice");
    const Output begin = py::tensor(b, std::vector<int64_t>{0, 0}, DType::Int32, "begin");
    before = b.op("Slice", {paddings, begin, size}, {}, s.name());
  }
  const Output begin = py::reshape(b, before, std::vector<int64_t>{-1});
  const Output sizes = py::shape(b, x);
  std::vector<Output> out(size_t(c.inputCount()));
  out[0] = b.op("Slice", {c.grad(), begin, sizes});
  return out;
}

class MirrorPadKernel final : public Kernel {
 public:
  explicit MirrorPadKernel(KernelInit& init) : offset_(init.attrs().text("mode") == "REFLECT" ? 1 : 0) {}
  Status compute(KernelContext& c) override {
    const Tensor& x = c.input(0);
    WEFT_LET(const auto paddings, readPaddings(x, c.input(1), "paddings"));
    WEFT_LET(const Shape shape, mirroredShape(x.shape(), paddings, offset_));
    WEFT_LET(Tensor* out, c.allocate(0, shape));
    if (out->elements() == 0) return {};
    cpu::withStorage(x.dtype(), [&](auto tag) {
      using S = typename decltype(tag)::type;
      fill<S>(static_cast<const S*>(x.raw()), x.shape(), static_cast<S*>(out->mutableRaw()), shape, paddings);
    });
    return {};
  }

 private:
  /// The input position shown at position `i` of a padded dimension.
  int64_t mirrored(int64_t i, int64_t before, int64_t n) const {
    i -= before;
    if (i < 0) return -i - 1 + offset_;
    return i < n ? i : 2 * n - 1 - i - offset_;
  }
  template <typename S>
  void fill(const S* x, const Shape& in, S* y, const Shape& outShape, const Paddings& paddings) const {
    const int rank = in.rank();
    if (rank == 0) {
      *y = *x;
      return;
    }
    const auto strides = cpu::denseStrides(in);
    const int64_t row = outShape.dim(rank - 1), rows = outShape.elements() / row;
    std::vector<int64_t> columns;
    for (int64_t i = 0; i < row; ++i) columns.push_back(mirrored(i, paddings.back().first, in.dim(rank - 1)));
    for (int64_t r = 0; r < rows; ++r) {
      int64_t rest = r, base = 0;
      for (int d = rank - 2; d >= 0; --d) {
        base += mirrored(rest % outShape.dim(d), paddings[size_t(d)].first, in.dim(d)) * strides[size_t(d)];
        rest /= outShape.dim(d);
      }
      for (int64_t i = 0; i < row; ++i) y[r * row + i] = x[base + columns[size_t(i)]];
    }
  }
  const int64_t offset_;
};

/// Adds each element of a padded gradient to the input element that it shows.
class MirrorPadGradKernel final : public Kernel {
 public:
  explicit MirrorPadGradKernel(KernelInit& init) : offset_(init.attrs().text("mode") == "REFLECT" ? 1 : 0) {}
  Status compute(KernelContext& c) override {
    const Tensor& dy = c.input(0);
    WEFT_LET(const auto paddings, readPaddings(dy, c.input(1), "Paddings"));
    WEFT_LET(const Shape shape, unmirroredShape(dy.shape(), paddings, offset_));
    WEFT_LET(Tensor* out, c.allocate(0, shape));
    cpu::withNumber(dy.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      T* y = static_cast<T*>(out->mutableRaw());
      const T* x = static_cast<const T*>(dy.raw());
      std::fill_n(y, out->elements(), T(0));
      const auto strides = cpu::denseStrides(shape);
      for (int64_t i = 0; i < dy.elements(); ++i) {
        int64_t rest = i, at = 0;
        for (int d = dy.rank() - 1; d >= 0; --d) {
          const int64_t n = shape.dim(d);
          int64_t k = rest % dy.dim(d) - paddings[size_t(d)].first;
          rest /= dy.dim(d);
          if (k < 0) k = -k - 1 + offset_;
          else if (k >= n) k = 2 * n - 1 - k - offset_;
          at += k * strides[size_t(d)];
        }
        y[at] = T(cpu::Compute<T>(y[at]) + cpu::Compute<T>(x[i]));
      }
    });
    return {};
  }

 private:
  const int64_t offset_;
};

GradientFunction mirrorGradient(const char* op) {
  return [op](GradContext& c) -> Grads { return std::vector{c.b().op(op, {c.grad(), c.input(1)}, {{"mode", c.attrs().text("mode")}}), Output{}}; };
}

}  // namespace

Result<Paddings> readPaddings(const Tensor& x, const Tensor& paddings, const char* name) {
  if (paddings.rank() != 2 || paddings.dim(1) != 2) {
    return invalidArgument("paddings must be a matrix with 2 columns: ", paddings.shape().toString());
  }
  if (paddings.dim(0) != x.rank()) {
    return invalidArgument("The first dimension of paddings must be the rank of inputs", paddings.shape().toString(), " ", x.shape().toString());
  }
  Paddings out;
  for (int d = 0; d < x.rank(); ++d) {
    out.emplace_back(paddings.asInt(2 * d), paddings.asInt(2 * d + 1));
    if (out.back().first < 0 || out.back().second < 0) return invalidArgument(name, " must be non-negative: ", out.back().first, " ", out.back().second);
    int64_t sum;
    if (__builtin_add_overflow(out.back().first, out.back().second, &sum) || __builtin_add_overflow(sum, x.dim(d), &sum))
      return invalidArgument(name, " must be less than 2^63 together with the dimension size: ", out.back().first, " ", out.back().second);
  }
  return out;
}

Result<Shape> paddedShape(const Tensor& x, const Paddings& paddings, const Tensor* value) {
  Shape shape;
  for (int d = 0; d < x.rank(); ++d) shape.append(x.dim(d) + paddings[size_t(d)].first + paddings[size_t(d)].second);
  if (value && value->rank() != 0) return invalidArgument("constant_values must be a scalar. Found: ", value->shape().toString());
  return shape;
}

Result<Shape> mirroredShape(const Shape& in, const Paddings& paddings, int64_t offset) {
  Shape shape;
  for (int d = 0; d < in.rank(); ++d) {
    const auto [before, after] = paddings[size_t(d)];
    if (offset == 0 && (before > in.dim(d) || after > in.dim(d))) {
      return invalidArgument("paddings must be no greater than the dimension size: ", before, ", ", after, " greater than ", in.dim(d));
    }
    if (offset == 1 && (before >= in.dim(d) || after >= in.dim(d)) && (before > 0 || after > 0)) {
      return invalidArgument("paddings must be less than the dimension size: ", before, ", ", after, " not less than ", in.dim(d));
    }
    shape.append(in.dim(d) + before + after);
  }
  return shape;
}

Result<Shape> unmirroredShape(const Shape& padded, const Paddings& paddings, int64_t offset) {
  Shape shape;
  for (int d = 0; d < padded.rank(); ++d) {
    const auto [before, after] = paddings[size_t(d)];
    const int64_t n = padded.dim(d) - before - after;
    if (n < 0 || before > n - offset || after > n - offset) {
      if (before > 0 || after > 0) {
        return invalidArgument(
            offset ? "Paddings must be less than the output dimension size: " : "Paddings must be no greater than the output dimension size: ", before, ", ",
            after, offset ? " not less than " : " greater than ", n);
      }
    }
    shape.append(n);
  }
  return shape;
}

void registerPadding(OpRegistry& ops) {
  ops.add("Pad")
      .category("Arrays")
      .summary("Pads a tensor with zeros.")
      .input("input: T", "The tensor to pad.")
      .input("paddings: Tpaddings", "[rank, 2]: number of zeros before and after each dimension.")
      .output("output: T", "The padded tensor.")
      .attr("T: type", "Type of the elements.")
      .attr("Tpaddings: {int32, int64} = DT_INT32", "Type of the paddings.")
      .shape([](ShapeContext& c) { return padShape(c, 1); })
      .gradient(padGradient)
      .cpu({}, simpleKernel(runPad));
  ops.add("PadV2")
      .category("Arrays")
      .summary("Pads a tensor with a constant value.")
      .input("input: T", "The tensor to pad.")
      .input("paddings: Tpaddings", "[rank, 2]: number of values before and after each dimension.")
      .input("constant_values: T", "The value; a scalar.")
      .output("output: T", "The padded tensor.")
      .attr("T: type", "Type of the elements.")
      .attr("Tpaddings: {int32, int64} = DT_INT32", "Type of the paddings.")
      .shape([](ShapeContext& c) { return padShape(c, 1); })
      .gradient(padGradient)
      .cpu({}, simpleKernel(runPad));
  ops.add("MirrorPad")
      .category("Arrays")
      .summary("Pads a tensor with mirrored copies of its elements.")
      .input("input: T", "The tensor to pad.")
      .input("paddings: Tpaddings", "[rank, 2]: number of elements before and after each dimension.")
      .output("output: T", "The padded tensor.")
      .attr("T: type", "Type of the elements.")
      .attr("Tpaddings: {int32, int64} = DT_INT32", "Type of the paddings.")
      .attr("mode: {'REFLECT', 'SYMMETRIC'}", "REFLECT mirrors without repeating the edge; SYMMETRIC repeats the edge.")
      .shape([](ShapeContext& c) { return padShape(c, 1); })
      .gradient(mirrorGradient("MirrorPadGrad"))
      .cpu({}, kernelOf<MirrorPadKernel>());
  ops.add("MirrorPadGrad")
      .category("Arrays")
      .summary("Gradient of MirrorPad: folds the gradients of mirrored elements back onto their originals.")
      .input("input: T", "Gradient with respect to the padded tensor.")
      .input("paddings: Tpaddings", "As for MirrorPad.")
      .output("output: T", "Gradient with respect to the tensor before padding.")
      .attr("T: type", "Type of the elements.")
      .attr("Tpaddings: {int32, int64} = DT_INT32", "Type of the paddings.")
      .attr("mode: {'REFLECT', 'SYMMETRIC'}", "As for MirrorPad.")
      .shape([](ShapeContext& c) { return padShape(c, -1); })
      .gradient(mirrorGradient("MirrorPad"))
      .cpu({}, kernelOf<MirrorPadGradKernel>());
}

}  // namespace weft
