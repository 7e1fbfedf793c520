#include <algorithm>
#include <complex>
#include <cstring>

#include "device/cpu/fourier.h"
#include "device/cpu/move.h"
#include "ops/fourier_shapes.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"

// Discrete Fourier transforms along the last one, two or three dimensions: FFT and IFFT of complex numbers; RFFT and IRFFT between real numbers and the
// nonredundant half of their spectrum.
namespace weft {

FourierKind fourierKindOf(std::string_view op) {
  if (op.starts_with("Batch")) op.remove_prefix(5);
  const size_t at = op.find("FFT");
  return {at + 3 < op.size() ? op[at + 3] - '0' : 1, op[0] == 'R' || op.starts_with("IR"), op[0] != 'I'};
}

namespace {

/// The output shape and the shape of the full transform, for a real kind.
struct RealShapes {
  Shape out, full;
};
Result<RealShapes> realShapes(const FourierKind& kind, const Shape& in, const Tensor& lengths) {
  if (lengths.rank() != 1 || lengths.dim(0) != kind.rank) return invalidArgument("fft_length must have shape [", kind.rank, "]");
  RealShapes s{in.slice(0, in.rank() - kind.rank), in.slice(0, in.rank() - kind.rank)};
  for (int i = 0; i < kind.rank; ++i) {
    const int64_t n = lengths.asInt(i), d = in.rank() - kind.rank + i;
    if (n < 0) return invalidArgument("fft_length[", i, "] must not be negative, but is ", n);
    const bool innermost = i == kind.rank - 1;
    const int64_t least = !kind.forward && innermost ? n / 2 + 1 : n;
    if (in.dim(int(d)) != 0 && in.dim(int(d)) < least) {
      return invalidArgument("Input dimension ", d, " must have length of at least ", least, " but got: ", in.dim(int(d)));
    }
    s.out.append(kind.forward && innermost && n != 0 ? n / 2 + 1 : n);
    s.full.append(n);
  }
  return s;
}

}  // namespace

Result<FourierCall> fourierCallOf(KernelContext& c) {
  const FourierKind kind = fourierKindOf(c.node().op);
  const Tensor& in = c.input(0);
  if (in.rank() < kind.rank) return invalidArgument("Input must have rank of at least ", kind.rank, " but got: ", in.shape().toString());
  RealShapes shapes{in.shape(), in.shape()};
  if (kind.real) {
    WEFT_LET(shapes, realShapes(kind, in.shape(), c.input(1)));
  }
  return FourierCall{kind, shapes.out, shapes.full};
}

namespace {

using Grads = Result<std::vector<Output>>;

/// Transforms all lines of a dense array of this shape along `axis`, from one array into another or in place.
void transformAxis(const Shape& shape, int axis, bool forward, bool wide, const void* in, void* out) {
  cpu::FourierLines job;
  job.inverse = !forward;
  job.n = job.given = shape.dim(axis);
  for (int d = axis + 1; d < shape.rank(); ++d) job.inner *= shape.dim(d);
  job.lines = shape.elements() / job.n;
  job.from = job.to = {job.inner * job.n, 1, job.inner};
  cpu::transformLines(job, wide, in, out);
}

/// The last dimension's transform between real lines and half spectra; `inWidth` and `outWidth` are the lengths of the arrays' lines.
void transformReal(int64_t lines, int64_t n, bool forward, const Tensor& in, int64_t inWidth, Tensor& out, int64_t outWidth) {
  cpu::FourierLines job;
  job.kind = forward ? cpu::FourierKind::FromReal : cpu::FourierKind::ToReal;
  job.inverse = !forward;
  job.n = n;
  job.lines = lines;
  job.given = inWidth;
  job.from = {inWidth, 0, 1};
  job.to = {outWidth, 0, 1};
  cpu::transformLines(job, false, in.raw(), out.mutableRaw());
}

/// The box at the origin of `shape` out of `in`, padded with zeros where it is larger; `in` itself if nothing changes.
Result<Tensor> fitted(KernelContext& c, const Tensor& in, const Shape& shape) {
  if (in.shape() == shape) return in;
  WEFT_LET(Tensor out, c.scratch(in.dtype(), shape));
  std::memset(out.mutableRaw(), 0, size_t(shape.elements()) * sizeOf(in.dtype()));
  const cpu::SmallInts from = cpu::denseStrides(in.shape()), to = cpu::denseStrides(shape);
  cpu::BoxCopy box;
  for (int d = 0; d < shape.rank(); ++d) box.add(std::min(in.dim(d), shape.dim(d)), from[size_t(d)], to[size_t(d)]);
  cpu::copyBox(in.dtype(), std::move(box), in.raw(), out.mutableRaw());
  return out;
}

Status runFourier(KernelContext& c) {
  WEFT_LET(const FourierCall shapes, fourierCallOf(c));
  const FourierKind kind = shapes.kind;
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor* out, c.allocate(0, shapes.out));
  const int64_t total = shapes.full.elements();
  if (total < 0) return invalidArgument("The transform's shape ", shapes.full.toString(), " is too large");
  const Shape& full = shapes.full;
  const int rank = full.rank(), first = rank - kind.rank;
  if (in.elements() == 0 || total == 0) {
    if (out->elements() > 0) std::memset(out->mutableRaw(), 0, size_t(out->elements()) * sizeOf(out->dtype()));
    return {};
  }
  // What the transform takes beside its output counts as memory of this run, too.
  constexpr int64_t kNotWorthAsking = int64_t(4) << 20;
  int64_t most = 0;
  for (int d = first; d < rank; ++d)
    most = std::max(most, cpu::transformBytes(full.dim(d), total / full.dim(d), kind.real && d == rank - 1, in.dtype() == DType::Complex128));
  Tensor taken;
  if (most > kNotWorthAsking) {
    WEFT_LET(taken, c.scratch(DType::UInt8, Shape{most}));
  }
  if (!kind.real) {
    const bool wide = in.dtype() == DType::Complex128;
    transformAxis(full, rank - 1, kind.forward, wide, in.raw(), out->mutableRaw());
    for (int d = rank - 2; d >= first; --d) transformAxis(full, d, kind.forward, wide, out->raw(), out->mutableRaw());
    return {};
  }
  // The outer dimensions are those of the whole transform; lines may be shorter or longer than the innermost one.
  const int64_t n = full.dim(rank - 1), half = n / 2 + 1, lines = total / n;
  Shape given = full;
  given.setDim(rank - 1, std::min(in.dim(rank - 1), kind.forward ? n : half));
  WEFT_LET(Tensor fit, fitted(c, in, kind.rank == 1 ? in.shape() : given));
  if (kind.forward) {
    transformReal(lines, n, true, fit, fit.dim(rank - 1), *out, half);
    for (int d = rank - 2; d >= first; --d) transformAxis(shapes.out, d, true, false, out->raw(), out->mutableRaw());
    return {};
  }
  if (kind.rank > 1) {
    WEFT_LET(Tensor room, c.scratch(DType::Complex64, fit.shape()));
    const void* from = fit.raw();
    for (int d = rank - 2; d >= first; --d) {
      transformAxis(fit.shape(), d, false, false, from, room.mutableRaw());
      from = room.raw();
    }
    fit = std::move(room);
  }
  transformReal(lines, n, false, fit, fit.dim(rank - 1), *out, n);
  return {};
}

// ---- shapes

Status complexShape(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(0), fourierKindOf(c.node().op).rank));
  c.setOutput(0, c.input(0));
  return {};
}

Status realShape(ShapeContext& c) {
  const FourierKind kind = fourierKindOf(c.node().op);
  const Shape& in = c.input(0);
  WEFT_TRY(c.requireRankAtLeast(in, kind.rank));
  const Shape& lengths = c.input(1);
  WEFT_TRY(c.requireRank(lengths, 1));
  if (lengths.hasRank() && lengths.dim(0) >= 0 && lengths.dim(0) != kind.rank) {
    return invalidArgument("Dimension must be ", kind.rank, " but is ", lengths.dim(0));
  }
  if (!in.hasRank()) return {};
  Shape out = in;
  for (int i = 0; i < kind.rank; ++i) {
    const auto n = c.constantInt(1, i);
    const bool halved = kind.forward && i == kind.rank - 1 && n && *n != 0;
    if (n && *n < 0) return invalidArgument("Dimension ", *n, " must be >= 0");
    out.setDim(in.rank() - kind.rank + i, !n ? Shape::kUnknownDim : halved ? *n / 2 + 1 : *n);
  }
  c.setOutput(0, std::move(out));
  return {};
}

// ---- gradients

std::string opName(bool real, bool forward, int rank) {
  std::string name = real ? (forward ? "RFFT" : "IRFFT") : (forward ? "FFT" : "IFFT");
  if (rank > 1) name += std::to_string(rank) + "D";
  return name;
}

/// Number of elements in a transformed line, plane or box.
Output transformSize(GraphBuilder& b, Output x, int rank) { return py::reduceProd(b, py::sliceFrom(b, py::shape(b, x), -rank)); }

Output complexNumber(GraphBuilder& b, std::complex<float> v, std::string_view name) { return b.constant(Tensor::scalar(v), name); }

Grads complexGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const FourierKind kind = fourierKindOf(c.node().op);
  const Output grad = c.grad();
  const DType type = b.dtype(grad);
  Output size = transformSize(b, grad, kind.rank);
  if (kind.forward) {
    size = py::cast(b, size, type);
  } else {
    const DType realType = type == DType::Complex128 ? DType::Double : DType::Float;
    size = py::cast(b, py::truediv(b, 1, py::cast(b, size, realType)), type);
  }
  return std::vector{py::mul(b, b.op(opName(false, !kind.forward, kind.rank), {grad}), size)};
}

/// x[..., begin:end] in the last dimension; an `end` of 0 means up to the last element.
Output lastSlice(GraphBuilder& b, Output x, int begin, int end) {
  const py::Scope s(b, "strided_slice");
  const Output from = b.ints({0, begin}, "stack"), to = b.ints({0, end}, "stack_1"), step = b.ints({1, 1}, "stack_2");
  return b.op("StridedSlice", {x, from, to, step}, {{"ellipsis_mask", 1}, {"end_mask", end == 0 ? 2 : 0}}, s.name());
}

/// x[index] counted from the end, or as x[:-n].
Output fromEnd(GraphBuilder& b, Output x, int index) {
  const py::Scope s(b, "strided_slice");
  const Output from = b.ints({index}, "stack"), to = b.ints({index + 1}, "stack_1"), step = b.ints({1}, "stack_2");
  return b.op("StridedSlice", {x, from, to, step}, {{"shrink_axis_mask", 1}, {"end_mask", 0}}, s.name());
}

/// tf.ones of a vector's length, or of the lengths in `dims`.
Output ones(GraphBuilder& b, Output length, DType type) {
  const py::Scope s(b, "ones");
  py::call(b, "Less", length, 1000);  // tf.ones checks whether they are few
  const Output dims = b.op("Pack", {length}, {}, "packed");
  const Output one = b.number(type, 1, "Const");
  return b.op("Fill", {dims, one}, {}, s.name());
}

/// 1, -1, 1, … as complex numbers.
Output alternating(GraphBuilder& b, Output length) {
  const Output odd = py::mod(b, py::range(b, 0, length), 2);
  return py::cast(b, py::sub(b, 1, py::mul(b, 2, odd)), DType::Complex64);
}

/// exp(-2πi·m·n / length) for all m, n below length.
Output rotations(GraphBuilder& b, Output length) {
  const Output line = py::expandDims(b, py::range(b, 0, length), 0);
  Output multiples;
  Output a;
  {
    const py::Scope s(b, "Tile");
    const Output one = b.scalar(int32_t(1), "multiples/1");
    multiples = b.op("Pack", {length, one}, {}, "multiples");
    a = b.op("Tile", {line, multiples}, {}, s.name());
  }
  const Output perm = b.ints({1, 0}, "transpose/perm");
  const Output product = py::cast(b, py::mul(b, a, py::transpose(b, a, perm)), DType::Complex64);
  const Output angle = b.op("Mul", {complexNumber(b, {0.f, float(-2 * M_PI)}, "mul_1/x"), product}, {}, "mul_1");
  return b.op("Exp", {py::truediv(b, angle, py::cast(b, length, DType::Complex64))});
}

/// Repeats a matrix for all leading indices of `like`.
Output repeated(GraphBuilder& b, Output matrix, Output like) {
  const Output leading = py::sub(b, py::rank(b, like), 2);
  const Output shape = py::concat(b, {ones(b, leading, DType::Int32), py::shape(b, matrix)}, 0);
  const Output expanded = py::reshape(b, matrix, shape);
  const Output counts = py::sliceTo(b, py::shape(b, like), -2);
  return b.op("Tile", {expanded, py::concat(b, {counts, std::vector<int64_t>{1, 1}}, 0)});
}

Output batchMatMul(GraphBuilder& b, Output x, Output y) {
  const py::Scope s(b, "MatMul");
  const auto isMatrix = [&](Output o) { return b.shape(o).hasRank() && b.shape(o).rank() <= 2; };
  return b.op(isMatrix(x) && isMatrix(y) ? "MatMul" : "BatchMatMulV2", {x, y}, {}, s.name());
}

/// Gradient by the inverse transform, which also counts the omitted half of the spectrum. The first column and, for even lengths, the last have no counterpart
/// there.
Grads realGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const int rank = fourierKindOf(c.node().op).rank;
  const Output grad = c.grad(), lengths = c.input(1);
  const Output inputShape = py::shape(b, c.input(0));
  const Output odd = py::mod(b, fromEnd(b, lengths, -1), 2);
  const Output isEven = py::cast(b, py::sub(b, 1, odd), DType::Complex64);
  const Output first = lastSlice(b, grad, 0, 1);
  Output extra;
  if (rank == 1) {
    const Output last = lastSlice(b, grad, -1, 0);
    const Output width = fromEnd(b, inputShape, -1);
    const Output even = py::mul(b, isEven, last);
    const Output term = py::mul(b, even, alternating(b, width));
    extra = py::add(b, first, term);
  } else {
    const Output mask = repeated(b, rotations(b, fromEnd(b, inputShape, -2)), first);
    extra = batchMatMul(b, mask, b.op("Conj", {first}));
    const Output last = lastSlice(b, grad, -1, 0);
    const Output term = batchMatMul(b, mask, b.op("Conj", {last}));
    const Output inner = fromEnd(b, inputShape, -1);
    const Output lead = ones(b, py::sub(b, py::rank(b, grad), 1), DType::Int32);
    Output counts;
    {
      const py::Scope s(b, "concat");
      const Output last = py::stack(b, {inner}, "values_1"), axis = b.scalar(int32_t(0), "axis");
      counts = b.op("ConcatV2", {lead, last, axis}, {}, s.name());
    }
    const Output rows = b.op("Tile", {term, counts});
    const Output tiled = py::mul(b, rows, alternating(b, inner));
    extra = py::add(b, extra, py::mul(b, isEven, tiled));
  }
  const Output size = py::cast(b, transformSize(b, c.input(0), rank), DType::Float);
  const Output back = py::mul(b, b.op(opName(true, false, rank), {grad, lengths}, {}, rank == 1 ? "irfft" : "irfft2d"), size);
  const Output sum = py::add(b, back, b.op("Real", {extra}));
  return std::vector{py::mul(b, 0.5, sum), Output{}};
}

Grads inverseRealGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const int rank = fourierKindOf(c.node().op).rank;
  const Output grad = c.grad(), lengths = c.input(1);
  const Output isOdd = py::call(b, "FloorMod", fromEnd(b, lengths, -1), 2);
  const Output width = fromEnd(b, py::shape(b, c.input(0)), -1);
  const Output twice = py::mul(b, 2, ones(b, py::add(b, py::sub(b, width, 2), isOdd), DType::Float));
  const Output tail = ones(b, py::sub(b, 1, isOdd), DType::Float);
  Output mask;
  {
    const py::Scope s(b, "concat");
    const Output one = b.constant(Tensor::vector(std::vector<float>{1.f}), "values_0");
    const Output axis = b.scalar(int32_t(0), "axis");
    mask = b.op("ConcatV2", {one, twice, tail, axis}, {}, s.name());
  }
  const Output inverse = b.op("Reciprocal", {py::cast(b, transformSize(b, grad, rank), DType::Float)});
  const Output transform = b.op(opName(true, true, rank), {grad, lengths}, {}, rank == 1 ? "rfft" : "rfft2d");
  return std::vector{py::mul(b, transform, py::cast(b, py::mul(b, inverse, mask), DType::Complex64)), Output{}};
}

Cost fourierCost(const std::vector<Shape>& in, const std::vector<Shape>& out, const AttrMap&, DType t) {
  const double n = double(std::max<int64_t>(std::max(in[0].elements(), out[0].elements()), 1));
  return Cost{5 * n * std::log2(n + 1), 2 * n * double(sizeOf(t))};
}

}  // namespace

void registerFourier(OpRegistry& ops) {
  const char* const along[] = {"the last dimension", "the last two dimensions", "the last three dimensions"};
  for (int rank = 1; rank <= 3; ++rank) {
    for (const bool forward : {true, false}) {
      ops.add(opName(false, forward, rank))
          .category("Signals")
          .keywords("fourier spectrum frequency")
          .summary(std::string(forward ? "Discrete Fourier transform along " : "Inverse discrete Fourier transform along ") + along[rank - 1] + ".")
          .input("input: Tcomplex", "Complex numbers.")
          .output("output: Tcomplex", forward ? "The spectrum, in the shape of `input`." : "The inverse transform, in the shape of `input`.")
          .attr("Tcomplex: {complex64, complex128} = DT_COMPLEX64", "Type of the numbers.")
          .shape(complexShape)
          .gradient(complexGradient)
          .cost(fourierCost)
          .cpu({}, simpleKernel(runFourier));
      OpRecord& r =
          ops.add(opName(true, forward, rank))
              .category("Signals")
              .keywords("fourier spectrum frequency real")
              .summary(std::string(forward ? "Discrete Fourier transform of real input along " : "Inverse discrete Fourier transform with real output along ") +
                       along[rank - 1] + ".")
              .description("The spectrum of a real signal is symmetric; only its first fft_length / 2 + 1 values along the last dimension are stored.")
              .input(forward ? "input: float" : "input: complex64", forward ? "Real numbers." : "The stored half of the spectrum.")
              .input("fft_length: int32", "FFT length of each transformed dimension; the input is cropped or zero-padded to it.")
              .output(forward ? "output: complex64" : "output: float", forward ? "The stored half of the spectrum." : "Real numbers.")
              .shape(realShape)
              .cost(fourierCost)
              .cpu({}, simpleKernel(runFourier));
      if (rank < 3) {
        r.gradient(forward ? realGradient : inverseRealGradient);
      } else {
        r.noGradient("TensorFlow defines no gradient in three dimensions.").gradientIsError = true;
      }
    }
  }
}

}  // namespace weft
