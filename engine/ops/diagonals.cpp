#include <algorithm>
#include <optional>

#include "device/cpu/dtypes.h"
#include "ops/diagonals.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

// Diagonals and bands of matrices: MatrixDiag…, MatrixDiagPart…, MatrixSetDiag…, MatrixBandPart.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

/// Start and length of diagonal `k` of a matrix.
struct Line {
  int64_t row, col, length;
};
Line lineOf(int64_t k, int64_t rows, int64_t cols) {
  const int64_t row = std::max<int64_t>(-k, 0), col = std::max<int64_t>(k, 0);
  return {row, col, std::max<int64_t>(0, std::min(rows - row, cols - col))};
}

Result<Band> bandOf(const Tensor& k) {
  if (k.rank() > 1) return invalidArgument("diag_index must be a scalar or vector, received shape: ", k.shape().toString());
  const int64_t n = k.elements();
  if (n < 1 || n > 2) return invalidArgument("diag_index must have only one or two elements, received ", n, " elements.");
  const Band band{k.asInt(0), k.asInt(n - 1)};
  if (band.lower > band.upper) return invalidArgument("lower_diag_index must not be larger than upper_diag_index: ", band.lower, " > ", band.upper);
  return band;
}
Status checkBounds(const Band& band, int64_t rows, int64_t cols) {
  const auto check = [&](const char* name, int64_t k) -> Status {
    if ((-rows < k && k < cols) || k == 0) return {};
    return invalidArgument(name, " is out of bound: ", k, ". It must be between ", -rows, " and ", cols);
  };
  WEFT_TRY(check("lower_diag_index", band.lower));
  return check("upper_diag_index", band.upper);
}
/// The band given by constant input `i`; empty if unknown.
Result<std::optional<Band>> staticBand(const ShapeContext& c, int i) {
  const Tensor* k = c.constant(i);
  if (!k) return std::optional<Band>{};
  WEFT_LET(const Band band, bandOf(*k));
  return std::optional<Band>(band);
}

/// Writes the diagonals (left-aligned, top one first) into matrices.
template <typename T>
void putDiagonals(const T* diagonals, T* matrices, int64_t batches, int64_t rows, int64_t cols, const Band& band, int64_t width) {
  for (int64_t b = 0; b < batches; ++b, diagonals += band.count() * width, matrices += rows * cols) {
    for (int64_t k = band.upper; k >= band.lower; --k) {
      const Line line = lineOf(k, rows, cols);
      const T* from = diagonals + (band.upper - k) * width;
      for (int64_t i = 0; i < line.length; ++i) matrices[(line.row + i) * cols + line.col + i] = from[i];
    }
  }
}
template <typename T>
void takeDiagonals(const T* matrices, T* diagonals, int64_t batches, int64_t rows, int64_t cols, const Band& band, int64_t width, const T& padding) {
  for (int64_t b = 0; b < batches; ++b, diagonals += band.count() * width, matrices += rows * cols) {
    for (int64_t k = band.upper; k >= band.lower; --k) {
      const Line line = lineOf(k, rows, cols);
      T* to = diagonals + (band.upper - k) * width;
      for (int64_t i = 0; i < width; ++i) to[i] = i < line.length ? matrices[(line.row + i) * cols + line.col + i] : padding;
    }
  }
}

// MatrixDiag, MatrixDiagV2.

struct Matrix {
  int64_t rows, cols;
};
/// Size of the matrices for diagonals of length `longest`; `rows` and `cols` are -1 if not given.
Result<Matrix> matrixFor(const Band& band, int64_t longest, int64_t rows, int64_t cols) {
  const int64_t minRows = longest - std::min<int64_t>(band.upper, 0), minCols = longest + std::max<int64_t>(band.lower, 0);
  if (rows != -1 && rows < minRows) return invalidArgument("The number of rows is too small.");
  if (cols != -1 && cols < minCols) return invalidArgument("The number of columns is too small.");
  if (rows == -1 && cols == -1) rows = cols = std::max(minRows, minCols);
  if (rows == -1) rows = minRows;
  if (cols == -1) cols = minCols;
  if (rows != minRows && cols != minCols)
    return invalidArgument("The number of rows or columns is not consistent with the specified d_lower, d_upper, and diagonal.");
  return Matrix{rows, cols};
}

Status matrixDiagShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  WEFT_TRY(c.requireRankAtLeast(in, 1));
  if (!in.hasRank()) return {};
  Shape out = in;
  out.append(in.dim(in.rank() - 1));
  c.setOutput(0, std::move(out));
  return {};
}

Status matrixDiagV2Shape(ShapeContext& c) {
  const Shape& in = c.input(0);
  WEFT_TRY(c.requireRankAtLeast(in, 1));
  WEFT_TRY(c.requireRankAtMost(c.input(1), 1));
  WEFT_TRY(c.requireRank(c.input(2), 0));
  WEFT_TRY(c.requireRank(c.input(3), 0));
  WEFT_TRY(c.requireRank(c.input(4), 0));
  WEFT_LET(const auto band, staticBand(c, 1));
  if (!band || !in.hasRank()) return {};
  const bool several = band->count() > 1;
  if (several && in.rank() < 2) return c.requireRankAtLeast(in, 2);
  if (several && in.dim(in.rank() - 2) >= 0 && in.dim(in.rank() - 2) != band->count())
    return invalidArgument("The number of rows of `diagonal` doesn't match the number of diagonals implied from `d_lower` and `d_upper`.\nnum_diags = ",
                           band->count(), ", d_lower = ", band->lower, ", d_upper = ", band->upper, ", diagonal has shape: ", in.toString());
  Shape out = in.slice(0, in.rank() - (several ? 2 : 1));
  const auto rows = c.constantInt(2), cols = c.constantInt(3);
  const int64_t longest = in.dim(in.rank() - 1);
  if (!rows || !cols || longest < 0) {
    out.append(Shape::unknownOfRank(2));
  } else {
    WEFT_LET(const Matrix m, matrixFor(*band, longest, *rows, *cols));
    out.append(m.rows);
    out.append(m.cols);
  }
  c.setOutput(0, std::move(out));
  return {};
}

Status runMatrixDiag(KernelContext& c) {
  WEFT_LET(const DiagonalPlan p, planMatrixDiag(c));
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor* out, c.allocate(0, p.shape));
  cpu::withStorage(in.dtype(), [&](auto tag) {
    using S = typename decltype(tag)::type;
    S* y = static_cast<S*>(out->mutableRaw());
    std::fill_n(y, out->elements(), c.inputCount() > 1 ? *static_cast<const S*>(c.input(4).raw()) : S{});
    putDiagonals(static_cast<const S*>(in.raw()), y, p.batches, p.rows, p.cols, p.band, p.width);
  });
  return {};
}

// MatrixDiagPart, MatrixDiagPartV2.

Status diagonalsShape(ShapeContext& c, const Band& band) {
  const Shape& in = c.input(0);
  const int64_t rows = in.dim(in.rank() - 2), cols = in.dim(in.rank() - 1);
  Shape out = in.slice(0, in.rank() - 2);
  if (band.count() > 1) out.append(band.count());
  if (rows >= 0 && cols >= 0) WEFT_TRY(checkBounds(band, rows, cols));
  out.append(rows >= 0 && cols >= 0 ? band.longest(rows, cols) : Shape::kUnknownDim);
  c.setOutput(0, std::move(out));
  return {};
}
Status matrixDiagPartShape(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(0), 2));
  return c.input(0).hasRank() ? diagonalsShape(c, {}) : Status();
}
Status matrixDiagPartV2Shape(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(0), 2));
  WEFT_TRY(c.requireRankAtMost(c.input(1), 1));
  WEFT_TRY(c.requireRank(c.input(2), 0));
  WEFT_LET(const auto band, staticBand(c, 1));
  return band && c.input(0).hasRank() ? diagonalsShape(c, *band) : Status();
}

Status runMatrixDiagPart(KernelContext& c) {
  WEFT_LET(const DiagonalPlan p, planMatrixDiagPart(c));
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor* out, c.allocate(0, p.shape));
  cpu::withStorage(in.dtype(), [&](auto tag) {
    using S = typename decltype(tag)::type;
    takeDiagonals(static_cast<const S*>(in.raw()), static_cast<S*>(out->mutableRaw()), p.batches, p.rows, p.cols, p.band, p.width,
                  c.inputCount() > 1 ? *static_cast<const S*>(c.input(2).raw()) : S{});
  });
  return {};
}

// MatrixSetDiag, MatrixSetDiagV2.

Status matrixSetDiagShape(ShapeContext& c) {
  const Shape &in = c.input(0), &diagonal = c.input(1);
  WEFT_TRY(c.requireRankAtLeast(in, 2));
  WEFT_TRY(c.requireRankAtLeast(diagonal, 1));
  Band band;
  if (c.inputCount() > 2) {
    WEFT_TRY(c.requireRankAtMost(c.input(2), 1));
    WEFT_LET(const auto known, staticBand(c, 2));
    c.setOutput(0, in);
    if (!known) return {};
    band = *known;
  }
  if (in.hasRank() && diagonal.hasRank()) {
    const int64_t rows = in.dim(in.rank() - 2), cols = in.dim(in.rank() - 1);
    const int extra = band.count() > 1 ? 2 : 1;
    WEFT_TRY(c.requireRank(diagonal, in.rank() - 2 + extra));
    for (int d = 0; d < in.rank() - 2; ++d) WEFT_TRY(c.mergeDims(in.dim(d), diagonal.dim(d)));
    if (rows >= 0 && cols >= 0) {
      WEFT_TRY(checkBounds(band, rows, cols));
      WEFT_TRY(c.mergeDims(band.longest(rows, cols), diagonal.dim(diagonal.rank() - 1)));
      if (extra == 2) WEFT_TRY(c.mergeDims(band.count(), diagonal.dim(diagonal.rank() - 2)));
    }
  }
  c.setOutput(0, in);
  return {};
}

Status runMatrixSetDiag(KernelContext& c) {
  WEFT_LET(const DiagonalPlan p, planMatrixSetDiag(c));
  const Tensor &in = c.input(0), &diagonal = c.input(1);
  WEFT_LET(Tensor* out, c.allocateOrForward(0, in.shape(), {0}));
  if (out->raw() != in.raw()) copyElements(*out, 0, in, 0, in.elements());
  cpu::withStorage(in.dtype(), [&](auto tag) {
    using S = typename decltype(tag)::type;
    putDiagonals(static_cast<const S*>(diagonal.raw()), static_cast<S*>(out->mutableRaw()), p.batches, p.rows, p.cols, p.band, p.width);
  });
  return {};
}

// MatrixBandPart.

Status runMatrixBandPart(KernelContext& c) {
  WEFT_LET(const DiagonalPlan p, planMatrixBandPart(c));
  const Tensor& in = c.input(0);
  const int64_t lower = -p.band.lower, upper = p.band.upper, rows = p.rows, cols = p.cols;
  WEFT_LET(Tensor* out, c.allocateOrForward(0, in.shape(), {0}));
  if (out->raw() != in.raw()) copyElements(*out, 0, in, 0, in.elements());
  cpu::withStorage(in.dtype(), [&](auto tag) {
    using S = typename decltype(tag)::type;
    S* y = static_cast<S*>(out->mutableRaw());
    for (int64_t row = 0, all = p.batches * rows; row < all; ++row, y += cols) {
      const int64_t r = row % rows;
      const int64_t begin = lower < 0 ? 0 : std::clamp<int64_t>(r - lower, 0, cols), end = upper < 0 ? cols : std::clamp<int64_t>(r + upper + 1, 0, cols);
      std::fill(y, y + begin, S{});
      std::fill(y + std::max(begin, end), y + cols, S{});
    }
  });
  return {};
}

// Gradients. Those of the first versions call first-version ops, as TensorFlow 1.15's Python does.

Output diagOf(GraphBuilder& b, Output diagonal, Output k, int64_t rows, int64_t cols) {
  const Output numRows = b.constant(Tensor::scalar(int32_t(rows)), "MatrixDiagV2/num_rows"),
               numCols = b.constant(Tensor::scalar(int32_t(cols)), "MatrixDiagV2/num_cols");
  const Output padding = b.number(b.dtype(diagonal), 0, "MatrixDiagV2/padding_value");
  return b.op("MatrixDiagV2", {diagonal, k, numRows, numCols, padding});
}
Output partOf(GraphBuilder& b, Output matrix, Output k) {
  const Output padding = b.number(b.dtype(matrix), 0, "MatrixDiagPartV2/padding_value");
  return b.op("MatrixDiagPartV2", {matrix, k, padding});
}

Grads matrixDiagGradient(GradContext& c) { return std::vector{c.b().op("MatrixDiagPart", {c.grad()}, {}, "diag_part")}; }
Grads matrixDiagV2Gradient(GradContext& c) { return std::vector{partOf(c.b(), c.grad(), c.input(1)), Output{}, Output{}, Output{}, Output{}}; }

Grads matrixDiagPartGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Shape s = b.shape(c.input(0));
  const int64_t rows = s.hasRank() && s.rank() >= 2 ? s.dim(s.rank() - 2) : -1, cols = rows < 0 ? -1 : s.dim(s.rank() - 1);
  if (rows >= 0 && rows == cols) return std::vector{b.op("MatrixDiag", {c.grad()}, {}, "diag")};
  return std::vector{b.op("MatrixSetDiag", {py::zerosLike(b, c.input(0)), c.grad()}, {}, "set_diag")};
}
Grads matrixDiagPartV2Gradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Shape s = b.shape(c.input(0));
  if (s.hasRank() && s.rank() >= 2 && s.slice(s.rank() - 2).isFullyKnown())
    return std::vector{diagOf(b, c.grad(), c.input(1), s.dim(s.rank() - 2), s.dim(s.rank() - 1)), Output{}, Output{}};
  return std::vector{b.op("MatrixSetDiagV2", {py::zerosLike(b, c.input(0)), c.grad(), c.input(1)}), Output{}, Output{}};
}

Grads matrixSetDiagGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const DType type = b.dtype(c.grad());
  Output zeros;
  const auto known = b.shape(c.input(0)).mergedWith(b.shape(c.grad()));
  if (known.ok() && known->isFullyKnown()) {
    Shape diagonal = known->slice(0, known->rank() - 2);
    diagonal.append(std::min(known->dim(known->rank() - 2), known->dim(known->rank() - 1)));
    zeros = py::zeros(b, diagonal, type);
  } else {
    const Output dims = py::shape(b, c.grad(), DType::Int32, false);
    const Output before = py::sliceTo(b, dims, py::tensor(b, -2, DType::Int32, "Const"));
    const Output least = b.op("Min", {py::sliceFrom(b, dims, -2), b.ints({0})});
    zeros = py::zeros(b, py::concat(b, {before, py::expandDims(b, least, 0)}, 0), type);
  }
  const Output input = b.op("MatrixSetDiag", {c.grad(), zeros}, {}, "set_diag");
  return std::vector{input, b.op("MatrixDiagPart", {c.grad()}, {}, "diag_part")};
}
Grads matrixSetDiagV2Gradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output part = partOf(b, c.grad(), c.input(2));
  const Shape diagonal = b.shape(c.input(1));
  const Output zeros = diagonal.isFullyKnown() ? py::zeros(b, diagonal, b.dtype(c.grad())) : py::zerosLike(b, part);
  const Output input = b.op("MatrixSetDiagV2", {c.grad(), zeros, c.input(2)});
  return std::vector{input, part, Output{}};
}
Grads bandPartGradient(GradContext& c) { return std::vector{c.b().op("MatrixBandPart", {c.grad(), c.input(1), c.input(2)}), Output{}, Output{}}; }

const std::vector<DType>& movable() {
  static const std::vector<DType> types = [] {
    std::vector<DType> t = types::kCpuNumber;
    t.push_back(DType::Bool);
    return t;
  }();
  return types;
}

OpRecord& addMatrix(OpRegistry& ops, const char* name, const char* summary) {
  return ops.add(name).category("Linear algebra").summary(summary).attr("T: type", "Type of the elements.");
}
constexpr const char* kBandDoc = "A diagonal, or the lowest and highest of a band: 0 is the main diagonal, positive ones lie above it.";
constexpr const char* kRowsDoc =
    "Diagonals along the last dimension; a band is ordered from the uppermost diagonal down, and shorter diagonals are padded at the end.";

}  // namespace

Result<DiagonalPlan> planMatrixDiag(KernelContext& c) {
  const Tensor& in = c.input(0);
  const bool v2 = c.inputCount() > 1;
  if (in.rank() < 1) return invalidArgument("diagonal must be at least 1-dim, received shape: ", in.shape().toString());
  Band band;
  int64_t rows = -1, cols = -1;
  if (v2) {
    WEFT_LET(band, bandOf(c.input(1)));
    if (c.input(2).elements() != 1) return invalidArgument("num_rows must be a scalar, received shape: ", c.input(2).shape().toString());
    if (c.input(3).elements() != 1) return invalidArgument("num_cols must be a scalar, received shape: ", c.input(3).shape().toString());
    rows = c.input(2).asInt(0);
    cols = c.input(3).asInt(0);
    if (c.input(4).elements() != 1) return invalidArgument("padding_value must be a scalar");
  }
  const bool several = band.count() > 1;
  if (several && (in.rank() < 2 || in.dim(in.rank() - 2) != band.count()))
    return invalidArgument("The number of diagonals provided in the input does not match the lower_diag_index and upper_diag_index range.");
  const int64_t longest = in.dim(in.rank() - 1);
  WEFT_LET(const Matrix m, matrixFor(band, longest, rows, cols));
  Shape shape = in.shape().slice(0, in.rank() - (several ? 2 : 1));
  const int64_t batches = shape.elements();
  shape.append(m.rows);
  shape.append(m.cols);
  return DiagonalPlan{shape, band, batches, m.rows, m.cols, longest};
}

Result<DiagonalPlan> planMatrixDiagPart(KernelContext& c) {
  const Tensor& in = c.input(0);
  const bool v2 = c.inputCount() > 1;
  if (in.rank() < 2) return invalidArgument("input must be at least 2-dim, received shape: ", in.shape().toString());
  Band band;
  if (v2) {
    WEFT_LET(band, bandOf(c.input(1)));
    if (c.input(2).elements() != 1) return invalidArgument("padding_value must be a scalar");
  }
  const int64_t rows = in.dim(in.rank() - 2), cols = in.dim(in.rank() - 1);
  WEFT_TRY(checkBounds(band, rows, cols));
  Shape shape = in.shape().slice(0, in.rank() - 2);
  const int64_t batches = shape.elements(), width = band.longest(rows, cols);
  if (band.count() > 1) shape.append(band.count());
  shape.append(width);
  return DiagonalPlan{shape, band, batches, rows, cols, width};
}

Result<DiagonalPlan> planMatrixSetDiag(KernelContext& c) {
  const Tensor &in = c.input(0), &diagonal = c.input(1);
  if (in.rank() < 2) return invalidArgument("input must be at least 2-dim, received shape: ", in.shape().toString());
  if (diagonal.rank() < 1) return invalidArgument("diagonal must be at least 1-dim, received shape: ", diagonal.shape().toString());
  Band band;
  if (c.inputCount() > 2) {
    WEFT_LET(band, bandOf(c.input(2)));
  }
  const int64_t rows = in.dim(in.rank() - 2), cols = in.dim(in.rank() - 1);
  WEFT_TRY(checkBounds(band, rows, cols));
  Shape wanted = in.shape().slice(0, in.rank() - 2);
  if (band.count() > 1) wanted.append(band.count());
  wanted.append(band.longest(rows, cols));
  if (!(wanted == diagonal.shape()))
    return invalidArgument(
        "Either first dimensions of diagonal don't match input.shape[:-2], or diagonal.shape[:-1] is not equal to the longests diagonal in range "
        "[lower_diag_index:upper_diag_index].\nInput shape: ",
        in.shape().toString(), "\nDiagonal shape: ", diagonal.shape().toString(), "\nExpected diagonal shape: ", wanted.toString());
  return DiagonalPlan{in.shape(), band, in.shape().slice(0, in.rank() - 2).elements(), rows, cols, diagonal.dim(diagonal.rank() - 1)};
}

Result<DiagonalPlan> planMatrixBandPart(KernelContext& c) {
  const Tensor& in = c.input(0);
  if (in.rank() < 2) return invalidArgument("input must be at least 2-dim, received shape: ", in.shape().toString());
  for (int i = 1; i <= 2; ++i) {
    if (c.input(i).rank() != 0) return invalidArgument(i == 1 ? "num_lower" : "num_upper", " must be scalar, got shape ", c.input(i).shape().toString());
  }
  const int64_t lower = c.input(1).asInt(0), upper = c.input(2).asInt(0), rows = in.dim(in.rank() - 2), cols = in.dim(in.rank() - 1);
  if (lower > rows) return invalidArgument("num_lower must be negative or less or equal to number of rows (", rows, ") got: ", lower);
  if (upper > cols) return invalidArgument("num_upper must be negative or less or equal to number of columns (", cols, ") got: ", upper);
  return DiagonalPlan{in.shape(), {-std::max<int64_t>(lower, -1), upper}, in.shape().slice(0, in.rank() - 2).elements(), rows, cols, 0};
}

void registerDiagonals(OpRegistry& ops) {
  addMatrix(ops, "MatrixDiag", "Matrices with the given main diagonals and zeros elsewhere.")
      .input("diagonal: T", "Diagonals, along the last dimension.")
      .output("output: T", "Square matrices.")
      .shape(matrixDiagShape)
      .gradient(matrixDiagGradient)
      .cpu({{"T", movable()}}, simpleKernel(runMatrixDiag));
  addMatrix(ops, "MatrixDiagV2", "Matrices with the given diagonals and a padding value elsewhere.")
      .input("diagonal: T", kRowsDoc)
      .input("k: int32", kBandDoc)
      .input("num_rows: int32", "Number of rows; -1: the smallest that fits.")
      .input("num_cols: int32", "Number of columns; -1: the smallest that fits.")
      .input("padding_value: T", "Value elsewhere.")
      .output("output: T", "The matrices.")
      .shape(matrixDiagV2Shape)
      .gradient(matrixDiagV2Gradient)
      .cpu({{"T", movable()}}, simpleKernel(runMatrixDiag));
  addMatrix(ops, "MatrixDiagPart", "Main diagonal of each matrix.")
      .input("input: T", "Matrices in the last two dimensions.")
      .output("diagonal: T", "Diagonals, along the last dimension.")
      .shape(matrixDiagPartShape)
      .gradient(matrixDiagPartGradient)
      .cpu({{"T", movable()}}, simpleKernel(runMatrixDiagPart));
  addMatrix(ops, "MatrixDiagPartV2", "A diagonal, or a band of diagonals, of each matrix.")
      .input("input: T", "Matrices in the last two dimensions.")
      .input("k: int32", kBandDoc)
      .input("padding_value: T", "Value that pads shorter diagonals.")
      .output("diagonal: T", kRowsDoc)
      .shape(matrixDiagPartV2Shape)
      .gradient(matrixDiagPartV2Gradient)
      .cpu({{"T", movable()}}, simpleKernel(runMatrixDiagPart));
  addMatrix(ops, "MatrixSetDiag", "Replaces the main diagonal of each matrix.")
      .input("input: T", "Matrices in the last two dimensions.")
      .input("diagonal: T", "The new diagonals, along the last dimension.")
      .output("output: T", "The matrices with new diagonals.")
      .shape(matrixSetDiagShape)
      .gradient(matrixSetDiagGradient)
      .cpu({{"T", movable()}}, simpleKernel(runMatrixSetDiag));
  addMatrix(ops, "MatrixSetDiagV2", "Replaces a diagonal, or a band of diagonals, of each matrix.")
      .input("input: T", "Matrices in the last two dimensions.")
      .input("diagonal: T", kRowsDoc)
      .input("k: int32", kBandDoc)
      .output("output: T", "The matrices with new diagonals.")
      .shape(matrixSetDiagShape)
      .gradient(matrixSetDiagV2Gradient)
      .cpu({{"T", movable()}}, simpleKernel(runMatrixSetDiag));
  addMatrix(ops, "MatrixBandPart", "Sets the elements of each matrix outside a band around the main diagonal to zero.")
      .input("input: T", "Matrices in the last two dimensions.")
      .input("num_lower: Tindex", "Number of subdiagonals to keep; negative: all.")
      .input("num_upper: Tindex", "Number of superdiagonals to keep; negative: all.")
      .output("band: T", "The banded matrices.")
      .attr("Tindex: {int32, int64} = DT_INT64", "Type of num_lower and num_upper.")
      .shape(shapes::unchanged)
      .gradient(bandPartGradient)
      .cpu({{"T", movable()}}, simpleKernel(runMatrixBandPart));
}

}  // namespace weft
