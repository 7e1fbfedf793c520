// Windows of images and volumes, flattened to vectors along the last dim.
#include "ops/patches.h"
#include "base/parallel.h"
#include "graph/window.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

namespace weft {
namespace {

/// Attributes of both ops: one number for each dim. Volumes have no rates.
struct PatchSettings {
  std::vector<int64_t> sizes, strides, rates;
  static Result<PatchSettings> of(const AttrMap& attrs, bool volumes) {
    PatchSettings s;
    WEFT_LET(s.sizes, smallIntegers(attrs, "ksizes"));
    WEFT_LET(s.strides, smallIntegers(attrs, "strides"));
    WEFT_LET(s.rates, smallIntegers(attrs, "rates"));
    if (volumes) s.rates.assign(5, 1);
    return s;
  }
};

template <size_t axes>
Status patchShape(ShapeContext& c) {
  constexpr int kRank = int(axes) + 2;
  const std::string& op = c.node().op;
  WEFT_TRY(c.requireRank(c.input(0), kRank));
  WEFT_LET(const PatchSettings s, PatchSettings::of(c.attrs(), axes == 3));
  for (const auto& [list, name] : {std::pair(&s.sizes, "ksizes"), std::pair(&s.strides, "stride"), std::pair(&s.rates, "rates")}) {
    if (list->size() != size_t(kRank)) return invalidArgument(op, " requires the ", name, " attribute to contain ", kRank, " values, but got: ", list->size());
  }
  const Shape in = c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(kRank);
  int64_t depth = in.dim(kRank - 1);
  for (size_t i = 1; i <= axes; ++i) {
    if (depth >= 0 && __builtin_mul_overflow(depth, s.sizes[i], &depth)) return invalidArgument("patches of ", op, " are too large");
  }
  Shape out = Shape::unknownOfRank(kRank);
  out.setDim(0, in.dim(0));
  out.setDim(kRank - 1, depth < 0 ? Shape::kUnknownDim : depth);
  bool known = true;
  for (int i = 1; i <= int(axes); ++i) known = known && in.dim(i) >= 0;
  for (int i = 1; known && i <= int(axes); ++i) {
    WEFT_LET(const WindowAxis axis, windowAxis(in.dim(i), s.sizes[size_t(i)], s.rates[size_t(i)], s.strides[size_t(i)], c.attrs().text("padding")));
    out.setDim(i, axis.output);
  }
  c.setOutput(0, std::move(out));
  return {};
}

/// Windows with `axes` axes, flattened row by row. Positions outside the image are zero.
template <int axes>
Status runPatches(KernelContext& c) {
  WEFT_LET(const PatchPlan q, planPatches(c, axes));
  const Tensor& in = c.input(0);
  const int64_t depth = q.depth, length = q.length;
  WEFT_LET(Tensor * out, c.allocate(0, q.shape));
  if (out->elements() == 0) return {};
  withReal(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    const int64_t lines = q.output[0] * q.output[1], lineLength = q.output[2] * length;
    parallelFor(in.dim(0) * lines, std::max<int64_t>(1, 16384 / lineLength), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const int64_t n = r / lines, z = r % lines / q.output[1], y = r % q.output[1];
        T* to = elementsOf<T>(*out) + r * lineLength;
        for (int64_t x = 0; x < q.output[2]; ++x) {
          for (int64_t i = 0; i < q.window[0]; ++i) {
            const int64_t p = z * q.stride[0] - q.before[0] + i * q.rate[0];
            for (int64_t j = 0; j < q.window[1]; ++j) {
              const int64_t h = y * q.stride[1] - q.before[1] + j * q.rate[1];
              const bool inside = p >= 0 && p < q.size[0] && h >= 0 && h < q.size[1];
              for (int64_t k = 0; k < q.window[2]; ++k, to += depth) {
                const int64_t w = x * q.stride[2] - q.before[2] + k * q.rate[2];
                if (inside && w >= 0 && w < q.size[2])
                  std::copy_n(elementsOf<T>(in) + (((n * q.size[0] + p) * q.size[1] + h) * q.size[2] + w) * depth, depth, to);
                else std::fill_n(to, depth, T(0));
              }
            }
          }
        }
      }
    });
  });
  return {};
}

/// tf.reshape to a list of numbers and int64 tensors, which are cast to the shape's type.
Output reshapeTo(GraphBuilder& b, Output x, std::vector<py::Operand> sizes) {
  const py::Scope scope(b, "Reshape");
  for (py::Operand& size : sizes) {
    if (const Output* o = size.tensor()) size = py::cast(b, *o, DType::Int32);
  }
  const Output shape = py::stack(b, sizes, "shape");
  return b.op("Reshape", {x, shape}, {}, scope.name());
}

/// tf.ones with a single size given as a tensor.
Output onesOf(GraphBuilder& b, Output count, DType type) {
  const py::Scope scope(b, "ones");
  py::call(b, "Less", count, 1000);  // tf.ones checks whether a constant would do
  const Output shape = py::stack(b, {py::cast(b, count, DType::Int32)}, "packed");
  return b.op("Fill", {shape, b.number(type, 1, "Const")}, {}, scope.name());
}

/// Uses a sparse matrix: patches of an image of position numbers give the source of each element of a patch.
template <size_t axes>
Result<std::vector<Output>> patchGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto product = [&](const std::vector<py::Operand>& factors) {
    Output p = *factors[0].tensor();
    for (size_t i = 1; i < factors.size(); ++i) p = py::mul(b, p, factors[i]);
    return p;
  };
  std::vector<py::Operand> in, outSpace;
  const Output inShape = py::shape(b, c.input(0), DType::Int64);
  for (size_t i = 0; i < axes + 2; ++i) in.emplace_back(py::at(b, inShape, int64_t(i)));
  const std::vector<py::Operand> inSpace(in.begin() + 1, in.end() - 1);
  const std::vector<int64_t> sizes = c.attrs().integers("ksizes");
  AttrMap attrs;
  for (const char* name : {"ksizes", "strides", "rates", "padding"}) {
    if (const Attr* a = c.attrs().find(name)) attrs.set(name, *a);
  }

  const Output inCount = py::add(b, 1, product(inSpace));
  std::vector<py::Operand> shape{1};
  shape.insert(shape.end(), inSpace.begin(), inSpace.end());
  shape.emplace_back(1);
  const Output places = reshapeTo(b, py::range(b, 1, inCount, 1, DType::Int64), shape);
  const Output from = b.op(c.node().op, {places}, attrs);

  const Output outShape = py::shape(b, c.output(0), DType::Int64);
  for (size_t i = 1; i <= axes; ++i) outSpace.emplace_back(py::at(b, outShape, int64_t(i)));
  int64_t cells = 1;
  Output outCount = product(outSpace);
  for (size_t i = 1; i <= axes; ++i) {
    outCount = py::mul(b, outCount, double(sizes[i]));
    cells *= sizes[i];
  }
  shape.assign(1, 1);
  shape.insert(shape.end(), outSpace.begin(), outSpace.end());
  shape.emplace_back(double(cells));
  const Output to = reshapeTo(b, py::range(b, 0, outCount, 1, DType::Int64), shape);
  const Output fromColumn = py::expandDims(b, from, -1), toColumn = py::expandDims(b, to, -1);
  const Output indices = py::reshape(b, py::concat(b, {fromColumn, toColumn}, -1), std::vector<int64_t>{-1, 2});
  const Output ones = onesOf(b, outCount, b.dtype(c.grad()));
  const Output dense = py::stack(b, {inCount, outCount}, "SparseTensor/dense_shape", DType::Int64);
  // Position 0 is the padding; its row is dropped.
  const Output rows = py::sub(b, inCount, 1);
  const Output start = b.constant(Tensor::vector<int64_t>({1, 0}), "Const");
  const Output size = py::stack(b, {rows, outCount}, "packed", DType::Int64);
  const auto matrix = b.outputsOf(b.node("SparseSlice", {indices, ones, dense, start, size}));
  if (matrix.size() != 3) return b.status().error();

  std::vector<py::Operand> patches{in[0]};
  patches.insert(patches.end(), outSpace.begin(), outSpace.end());
  for (size_t i = 1; i <= axes; ++i) patches.emplace_back(double(sizes[i]));
  patches.push_back(in[axes + 1]);
  std::vector<int32_t> order;
  for (int32_t i = 1; i <= int32_t(2 * axes); ++i) order.push_back(i);
  order.push_back(0);
  order.push_back(int32_t(2 * axes) + 1);
  const Output grads = reshapeTo(b, c.grad(), patches);
  const Output expanded = py::transpose(b, grads, b.ints(order, "transpose/perm"));
  const Output flat = reshapeTo(b, expanded, {-1, py::mul(b, *in[0].tensor(), in[axes + 1])});
  const Output summed = b.op("SparseTensorDenseMatMul", {matrix[0], matrix[1], matrix[2], flat}, {}, "SparseTensorDenseMatMul/SparseTensorDenseMatMul");
  std::vector<py::Operand> result(inSpace);
  result.push_back(in[0]);
  result.push_back(in[axes + 1]);
  order.assign(1, int32_t(axes));
  for (int32_t i = 0; i < int32_t(axes); ++i) order.push_back(i);
  order.push_back(int32_t(axes) + 1);
  const Output spread = reshapeTo(b, summed, result);
  return std::vector<Output>{py::transpose(b, spread, b.ints(order, "transpose_1/perm"))};
}

}  // namespace

Result<PatchPlan> planPatches(KernelContext& c, int axes) {
  const int rank = axes + 2;
  const AttrMap& attrs = c.node().attrs;
  WEFT_LET(const PatchSettings s, PatchSettings::of(attrs, axes == 3));
  for (const auto& [list, name] : {std::pair(&s.sizes, "ksizes"), std::pair(&s.strides, "strides"), std::pair(&s.rates, "rates")}) {
    if (list->size() != size_t(rank)) return invalidArgument(name, " field must specify ", rank, " dimensions");
    if (list->front() != 1 || list->back() != 1) return unimplemented("Only support ", name, " across space.");
    for (int i = 1; i <= axes; ++i) {
      if ((*list)[size_t(i)] < 1) return outOfRange(name, " is out of range.");
    }
  }
  const Tensor& in = c.input(0);
  if (in.rank() != rank) return invalidArgument("input must be ", rank, "-dimensional", in.shape().toString());
  PatchPlan p;
  p.shape = Shape{in.dim(0)};
  p.depth = p.length = in.dim(rank - 1);
  for (int i = 1; i <= axes; ++i) {
    const int a = 2 - axes + i;
    p.size[a] = in.dim(i);
    p.window[a] = s.sizes[size_t(i)];
    p.stride[a] = s.strides[size_t(i)];
    p.rate[a] = s.rates[size_t(i)];
    WEFT_LET(const WindowAxis axis, windowAxis(p.size[a], p.window[a], p.rate[a], p.stride[a], attrs.text("padding")));
    p.before[a] = axis.before;
    p.output[a] = axis.output;
    p.shape.append(axis.output);
    if (__builtin_mul_overflow(p.length, p.window[a], &p.length)) return invalidArgument("patches are too large: ", in.shape().toString());
  }
  p.shape.append(p.length);
  return p;
}

void registerPatches(OpRegistry& ops) {
  const char *const sizes = "Window size along each dimension; 1 for batch and channels.", *const strides = "Stride between windows along each dimension.",
                    *const padding = "SAME: zero-padded so that there is a window at every stride. VALID: only windows inside the input.";
  ops.add("ExtractImagePatches")
      .category("Images")
      .keywords("window unfold im2col convolution")
      .summary("Extracts sliding windows of images and flattens each to a vector (im2col).")
      .input("images: T", "Images [batch, height, width, channels].")
      .output("patches: T", "[batch, rows, columns, window height * window width * channels].")
      .attr("ksizes: list(int) >= 4", sizes)
      .attr("strides: list(int) >= 4", strides)
      .attr("rates: list(int) >= 4", "Dilation of the window along each dimension.")
      .attr("T: realnumbertype", "Type of the elements.")
      .attr("padding: {'SAME', 'VALID'}", padding)
      .shape(patchShape<2>)
      .gradient(patchGradient<2>)
      .cpu({{"T", types::kCpuReal}}, simpleKernel(runPatches<2>));
  ops.add("ExtractVolumePatches")
      .category("Images")
      .keywords("window unfold volume convolution")
      .summary("Extracts sliding windows of volumes and flattens each to a vector.")
      .input("input: T", "Volumes [batch, depth, height, width, channels].")
      .output("patches: T", "[batch, planes, rows, columns, window size * channels].")
      .attr("ksizes: list(int) >= 5", sizes)
      .attr("strides: list(int) >= 5", strides)
      .attr("T: realnumbertype", "Type of the elements.")
      .attr("padding: {'SAME', 'VALID'}", padding)
      .shape(patchShape<3>)
      .gradient(patchGradient<3>)
      .cpu({{"T", types::kCpuReal}}, simpleKernel(runPatches<3>));
}

}  // namespace weft
