// Softmax, LogSoftmax and the cross entropies built on them.
#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <vector>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/half_blocks.h"
#include "device/cpu/hot_doubles.h"
#include "device/cpu/hot_nn.h"
#include "ops/grad_ops.h"
#include "ops/operand_checks.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

namespace weft {
namespace {

constexpr const char* kFloatTypes = "T: {half, bfloat16, float, double}";

/// Minimum number of rows per thread: an exponential costs about a nanosecond.
int64_t exponentialRowGrain(int64_t columns) { return std::max<int64_t>(1, 8192 / std::max<int64_t>(1, columns)); }

// ---- shapes

Status crossEntropyShape(ShapeContext& c) {
  const Shape &logits = c.input(0), &labels = c.input(1);
  Shape both = Shape::unknown();
  if (logits.hasRank() && labels.hasRank()) {
    const int rank = std::max(logits.rank(), labels.rank());
    Shape joined = Shape::unknownOfRank(rank);
    for (int i = 0; i < rank; ++i) {
      const int il = i - (rank - logits.rank()), ib = i - (rank - labels.rank());
      const int64_t a = il < 0 ? 1 : logits.dim(il), b = ib < 0 ? 1 : labels.dim(ib);
      if (a < 0 || b < 0) {
        joined.setDim(i, a > 1 ? a : b > 1 ? b : Shape::kUnknownDim);
      } else if (a == 1 || b == 1) {
        joined.setDim(i, a == 1 ? b : a);
      } else {
        WEFT_LET(const int64_t d, c.mergeDims(a, b));
        joined.setDim(i, d);
      }
    }
    both = joined;
    if (rank != 2) return invalidArgument("Shape must be broadcasted with rank 2, but is rank ", rank);
  } else {
    // If only one shape is known, it determines the result only if it is a matrix without dims of 1.
    const Shape& known = logits.hasRank() ? logits : labels;
    both = Shape::unknownOfRank(2);
    for (int i = 0; known.hasRank() && known.rank() == 2 && i < 2; ++i) {
      if (known.dim(i) > 1) both.setDim(i, known.dim(i));
    }
  }
  c.setOutput(0, Shape{both.dim(0)});
  c.setOutput(1, both);
  return {};
}

Status sparseCrossEntropyShape(ShapeContext& c) {
  const Shape &logits = c.input(0), &labels = c.input(1);
  WEFT_TRY(c.requireRank(logits, 2));
  WEFT_TRY(c.requireRank(labels, 1));
  WEFT_LET(const int64_t rows, c.mergeDims(logits.hasRank() ? logits.dim(0) : -1, labels.hasRank() ? labels.dim(0) : -1));
  c.setOutput(0, Shape{rows});
  c.setOutput(1, Shape{rows, logits.hasRank() ? logits.dim(1) : -1});
  return {};
}

// ---- gradients

Result<std::vector<Output>> softmaxGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output y = c.output(0), product = py::mul(b, c.grad(), y);
  const Output sum = py::reduceSum(b, product, -1, true);
  const Output difference = py::sub(b, c.grad(), sum);
  return std::vector<Output>{py::mul(b, difference, y)};
}

Result<std::vector<Output>> logSoftmaxGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output probabilities = b.op("Exp", {c.output(0)});
  const Output sum = py::reduceSum(b, c.grad(), -1, true);
  const Output share = py::mul(b, sum, probabilities);
  return std::vector<Output>{py::sub(b, c.grad(), share)};
}

/// Multiplies each row of a matrix by that row's gradient.
Output timesRows(GraphBuilder& b, Output rows, Output matrix) {
  const Output column = py::expandDims(b, rows, -1);
  return py::mul(b, column, matrix);
}

bool isZero(GraphBuilder& b, Output x) {
  const std::string& op = b.nodeAt(x.node).op;
  if (op == "ZerosLike" || op == "Zeros") return true;
  const auto value = b.constantValue(x);
  if (!value) return false;
  for (int64_t i = 0; i < value->elements(); ++i) {
    if (value->asDouble(i) != 0) return false;
  }
  return true;
}

Result<std::vector<Output>> crossEntropyGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output logits = c.input(0), dLoss = c.grad(0), dBackprop = c.grad(1);
  Output dLogits = timesRows(b, dLoss, c.output(1));
  if (dBackprop.valid() && !isZero(b, dBackprop)) {
    // Second derivative: softmax's gradient, applied to the gradient of the gradient.
    const Output p = b.op("Softmax", {logits});
    const Output row = py::expandDims(b, dBackprop, 1), column = py::expandDims(b, p, 2);
    const Output dot = b.op("BatchMatMulV2", {row, column}, {}, "MatMul");
    const Output sum = b.op("Squeeze", {dot}, {{"squeeze_dims", std::vector<int64_t>{1}}});
    const Output difference = py::sub(b, dBackprop, sum);
    dLogits = py::add(b, dLogits, py::mul(b, difference, p));
  }
  const Output logProbabilities = b.op("LogSoftmax", {logits});
  const Output dLabels = timesRows(b, dLoss, py::neg(b, logProbabilities));
  return std::vector<Output>{dLogits, dLabels};
}

Result<std::vector<Output>> sparseCrossEntropyGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output once = b.op("PreventGradient", {c.output(1)},
                           {{"message",
                             "Currently there is no way to take the second derivative of sparse_softmax_cross_entropy_with_logits due to the "
                             "fused implementation's interaction with tf.gradients()"}});
  return std::vector<Output>{timesRows(b, c.grad(0), once), Output{}};
}

// ---- kernels

/// Calls f(row, count, inputs, outputs) for a few rows at a time of 16-bit arrays of `columns` columns, widened to float; the outputs are narrowed afterwards.
template <typename T, size_t kInputs, typename F>
void rowsInFloat(std::array<const T*, kInputs> in, T* out, int64_t rows, int64_t columns, F&& f) {
  const cpu::HotFormat& format = cpu::formatOf<T>();
  const int64_t block = std::max<int64_t>(1, 2048 / std::max<int64_t>(1, columns));
  std::vector<float> room(size_t(block * columns) * (kInputs + 1));
  std::array<float*, kInputs + 1> parts;
  for (size_t k = 0; k <= kInputs; ++k) parts[k] = room.data() + int64_t(k) * block * columns;
  for (int64_t r = 0; r < rows; r += block) {
    const int64_t count = std::min(block, rows - r), n = count * columns;
    for (size_t k = 0; k < kInputs; ++k) format.widen(&in[k][r * columns].bits, parts[k], n);
    f(r, count, parts);
    format.narrow(parts[kInputs], &out[r * columns].bits, n);
  }
}

template <typename T>
void softmaxRows(const T* in, T* out, int64_t rows, int64_t columns, bool logarithm) {
  if constexpr (std::is_same_v<T, double>) {
    (logarithm ? cpu::wideKernels().logSoftmax : cpu::wideKernels().softmax)(out, in, rows, columns);
  } else if constexpr (std::is_same_v<T, float>) {
    (logarithm ? cpu::nnKernels().logSoftmax : cpu::nnKernels().softmax)(out, in, rows, columns);
  } else {
    rowsInFloat<T, 1>({in}, out, rows, columns, [&](int64_t, int64_t count, const auto& x) { softmaxRows(x[0], x[1], count, columns, logarithm); });
  }
}

Status softmaxKernel(KernelContext& c) {
  const Tensor& in = c.input(0);
  if (in.rank() < 1) return invalidArgument("logits must have >= 1 dimension, got ", in.shape().toString());
  const bool logarithm = c.node().op == "LogSoftmax";
  WEFT_LET(Tensor * out, c.allocateOrForward(0, in.shape(), {0}));
  const int64_t columns = in.dim(in.rank() - 1), rows = columns ? in.elements() / columns : 0;
  cpu::withNumber(in.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (cpu::kIsFloat<T>) {
      const T* x = static_cast<const T*>(in.raw());
      T* y = static_cast<T*>(out->mutableRaw());
      parallelFor(rows, exponentialRowGrain(columns),
                  [&](int64_t begin, int64_t end) { softmaxRows(x + begin * columns, y + begin * columns, end - begin, columns, logarithm); });
    }
  });
  return {};
}

/// One element of a matrix that is broadcast along dims of size 1.
template <typename T>
struct Broadcast {
  const T* data;
  int64_t rowStep, columnStep;
  Broadcast(const Tensor& t, const Shape& to) : data(static_cast<const T*>(t.raw())) {
    const int64_t columns = t.rank() > 0 ? t.dim(t.rank() - 1) : 1, rows = t.rank() > 1 ? t.dim(t.rank() - 2) : 1;
    rowStep = rows == 1 && to.dim(0) != 1 ? 0 : columns;
    columnStep = columns == 1 && to.dim(1) != 1 ? 0 : 1;
  }
  cpu::Compute<T> at(int64_t r, int64_t c) const { return cpu::Compute<T>(data[r * rowStep + c * columnStep]); }
};

template <typename T>
void crossEntropyRows(const Broadcast<T>& logits, const Broadcast<T>& labels, T* loss, T* backprop, int64_t columns, int64_t begin, int64_t end) {
  using C = cpu::Compute<T>;
  for (int64_t r = begin; r < end; ++r) {
    C shift = logits.at(r, 0), sum = 0, total = 0;
    for (int64_t i = 1; i < columns; ++i) shift = std::max(shift, logits.at(r, i));
    for (int64_t i = 0; i < columns; ++i) sum += std::exp(logits.at(r, i) - shift);
    const C logSum = std::log(sum);
    for (int64_t i = 0; i < columns; ++i) {
      const C x = logits.at(r, i) - shift, l = labels.at(r, i);
      total += l * (logSum - x);
      backprop[r * columns + i] = T(std::exp(x) / sum - l);
    }
    loss[r] = T(total);
  }
}

/// Logits and labels of the same shape.
template <typename T>
void plainCrossEntropyRows(const T* logits, const T* labels, T* loss, T* backprop, int64_t rows, int64_t columns) {
  if constexpr (std::is_same_v<T, float>) {
    cpu::nnKernels().crossEntropy(loss, backprop, logits, labels, rows, columns);
  } else if constexpr (std::is_same_v<T, double>) {
    cpu::wideKernels().crossEntropy(loss, backprop, logits, labels, rows, columns);
  } else {
    std::vector<float> losses(static_cast<size_t>(rows));
    rowsInFloat<T, 2>({logits, labels}, backprop, rows, columns,
                      [&](int64_t r, int64_t count, const auto& x) { cpu::nnKernels().crossEntropy(losses.data() + r, x[2], x[0], x[1], count, columns); });
    cpu::formatOf<T>().narrow(losses.data(), &loss->bits, rows);
  }
}

Status crossEntropyKernel(KernelContext& c) {
  const Tensor &logits = c.input(0), &labels = c.input(1);
  auto joined = broadcastShapes(logits.shape(), labels.shape());
  if (!joined.ok()) {
    return invalidArgument("logits and labels must be broadcastable: logits_size=", logits.shape().toString(), " labels_size=", labels.shape().toString());
  }
  if (joined->rank() != 2) return invalidArgument("logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional");
  for (const Tensor* t : {&logits, &labels}) {
    if (t->rank() > 2) return invalidArgument("logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional");
  }
  const int64_t rows = joined->dim(0), columns = joined->dim(1);
  WEFT_LET(Tensor * loss, c.allocate(0, {rows}));
  const bool plain = logits.shape() == labels.shape();
  WEFT_LET(Tensor * backprop, c.allocate(1, *joined));
  cpu::withNumber(logits.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (cpu::kIsFloat<T>) {
      T *l = static_cast<T*>(loss->mutableRaw()), *d = static_cast<T*>(backprop->mutableRaw());
      if (columns == 0) {
        std::fill(l, l + rows, T(0));
        return;
      }
      if (rows == 0) return;
      parallelFor(rows, exponentialRowGrain(columns), [&](int64_t begin, int64_t end) {
        if (plain) {
          const int64_t at = begin * columns;
          plainCrossEntropyRows(static_cast<const T*>(logits.raw()) + at, static_cast<const T*>(labels.raw()) + at, l + begin, d + at, end - begin, columns);
          return;
        }
        crossEntropyRows(Broadcast<T>(logits, *joined), Broadcast<T>(labels, *joined), l, d, columns, begin, end);
      });
    }
  });
  return {};
}

template <typename T, typename Label>
void sparseCrossEntropyRows(const T* logits, const Label* labels, T* loss, T* backprop, int64_t rows, int64_t columns) {
  if constexpr (cpu::kIsSmallFloat<T>) {
    std::vector<float> losses(static_cast<size_t>(rows));
    rowsInFloat<T, 1>({logits}, backprop, rows, columns, [&](int64_t r, int64_t count, const auto& x) {
      sparseCrossEntropyRows<float>(x[0], labels + r, losses.data() + r, x[1], count, columns);
    });
    cpu::formatOf<T>().narrow(losses.data(), &loss->bits, rows);
  } else {
    const auto& table = [] {
      if constexpr (std::is_same_v<T, double>) return &cpu::wideKernels();
      else return &cpu::nnKernels();
    }();
    if constexpr (sizeof(Label) == 4) table->sparseCrossEntropy32(loss, backprop, logits, labels, rows, columns);
    else table->sparseCrossEntropy64(loss, backprop, logits, labels, rows, columns);
  }
}

}  // namespace

Status checkSparseCrossEntropy(const KernelContext& c) {
  const Tensor &logits = c.input(0), &labels = c.input(1);
  if (logits.rank() != 2) return invalidArgument("logits must be 2-D, but got shape ", logits.shape().toString());
  if (labels.rank() != 1) return invalidArgument("labels must be 1-D, but got shape ", labels.shape().toString());
  if (logits.dim(0) != labels.dim(0)) {
    return invalidArgument("logits and labels must have the same first dimension, got logits shape ", logits.shape().toString(), " and labels shape ",
                           labels.shape().toString());
  }
  if (logits.dim(1) <= 0) return invalidArgument("Must have at least one class, but got logits shape ", logits.shape().toString());
  return {};
}

Error wrongLabel(const Tensor& labels, int64_t row, int64_t classes) {
  std::string values;
  for (int64_t i = 0; i < labels.elements(); ++i) values += " " + std::to_string(labels.asInt(i));
  return invalidArgument("Received a label value of ", labels.asInt(row), " which is outside the valid range of [0, ", classes, ").  Label values:", values);
}

namespace {

template <typename T, typename Label>
Status sparseCrossEntropyOf(KernelContext& c) {
  const Tensor &logits = c.input(0), &labels = c.input(1);
  const int64_t rows = logits.dim(0), columns = logits.dim(1);
  const Label* label = static_cast<const Label*>(labels.raw());
  for (int64_t r = 0; r < rows; ++r) {
    if (label[r] >= 0 && label[r] < columns) continue;
    return wrongLabel(labels, r, columns);
  }
  WEFT_LET(Tensor * loss, c.allocate(0, {rows}));
  WEFT_LET(Tensor * backprop, c.allocateOrForward(1, logits.shape(), {}));
  const T* x = static_cast<const T*>(logits.raw());
  T *l = static_cast<T*>(loss->mutableRaw()), *d = static_cast<T*>(backprop->mutableRaw());
  parallelFor(rows, exponentialRowGrain(columns), [&](int64_t begin, int64_t end) {
    const int64_t at = begin * columns;
    sparseCrossEntropyRows(x + at, label + begin, l + begin, d + at, end - begin, columns);
  });
  return {};
}

Status sparseCrossEntropyKernel(KernelContext& c) {
  WEFT_TRY(checkSparseCrossEntropy(c));
  const Tensor &logits = c.input(0), &labels = c.input(1);
  Status status;
  cpu::withNumber(logits.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (cpu::kIsFloat<T>) {
      status = labels.dtype() == DType::Int32 ? sparseCrossEntropyOf<T, int32_t>(c) : sparseCrossEntropyOf<T, int64_t>(c);
    }
  });
  return status;
}

}  // namespace

void registerSoftmax(OpRegistry& ops) {
  for (const bool logarithm : {false, true}) {
    ops.add(logarithm ? "LogSoftmax" : "Softmax")
        .category("Neural network")
        .keywords("probability classification attention")
        .summary(logarithm ? "Log-softmax over the last dimension." : "Softmax over the last dimension: exponentials scaled to sum to 1.")
        .input("logits: T", "Logits; classes along the last dimension.")
        .output(logarithm ? "logsoftmax: T" : "softmax: T",
                logarithm ? "Log-probabilities, in the shape of `logits`." : "Probabilities, in the shape of `logits`.")
        .attr(kFloatTypes, "Type of the elements.")
        .shape(shapes::unchangedOfRankAtLeast1)
        .gradient(logarithm ? logSoftmaxGradient : softmaxGradient)
        .cpu({{"T", types::kIeeeFloats}}, simpleKernel(softmaxKernel));
  }
  ops.add("SoftmaxCrossEntropyWithLogits")
      .category("Losses")
      .keywords("classification loss probability")
      .summary("Softmax cross entropy between logits and class probabilities, with its gradient.")
      .input("features: T", "Logits, [batch, classes]; broadcast against `labels`.")
      .input("labels: T", "Class probabilities, [batch, classes].")
      .output("loss: T", "Cross entropy of each example, [batch].")
      .output("backprop: T", "Gradient of each example's loss with respect to its logits.")
      .attr(kFloatTypes, "Type of the elements.")
      .shape(crossEntropyShape)
      .gradient(crossEntropyGradient)
      .cpu({{"T", types::kIeeeFloats}}, simpleKernel(crossEntropyKernel));
  ops.add("SparseSoftmaxCrossEntropyWithLogits")
      .category("Losses")
      .keywords("classification loss label index")
      .summary("Softmax cross entropy between logits and class indices, with its gradient.")
      .input("features: T", "Scores, [batch, classes].")
      .input("labels: Tlabels", "Class index of each example, in [0, number of classes).")
      .output("loss: T", "Cross entropy of each example, [batch].")
      .output("backprop: T", "Gradient of each example's loss with respect to its logits.")
      .attr(kFloatTypes, "Type of the logits.")
      .attr("Tlabels: {int32, int64} = DT_INT64", "Type of the labels.")
      .shape(sparseCrossEntropyShape)
      .gradient(sparseCrossEntropyGradient)
      .cpu({{"T", types::kIeeeFloats}, {"Tlabels", types::kIndex}}, simpleKernel(sparseCrossEntropyKernel));
  state(ops, OpRole::Softmax, Effect::None, "Softmax");
  state(ops, OpRole::LogSoftmax, Effect::None, "LogSoftmax");
  state(ops, OpRole::SoftmaxLoss, Effect::None, "SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits");
  makeFresh(ops, "LogSoftmax Softmax SparseSoftmaxCrossEntropyWithLogits");
  countFlops(ops, 5, "Softmax LogSoftmax");
}

}  // namespace weft
