#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "ops/sparse_parts.h"

// CTCLoss: the negative log probability of a label sequence under a network's outputs over time, when the times of the labels are unknown.
// A. Graves, "Supervised Sequence Labelling with Recurrent Neural Networks", chapter 7: the labels are spread over time with blanks between them; the
// probabilities of all alignments are summed up by a forward and a backward pass over (position among labels and blanks, time).
namespace weft {
namespace {

/// log(exp(a) + exp(b)); -inf is log 0.
template <typename T>
T logSum(T a, T b) {
  const T zero = -std::numeric_limits<T>::infinity();
  if (a == zero) return b;
  if (b == zero) return a;
  return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

struct Options {
  bool collapse, merge, ignoreLonger;
};

std::string joined(const std::vector<int32_t>& labels, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += (i ? "," : "") + std::to_string(labels[i]);
  return text;
}

/// Labels with a blank before each of them and one at the end.
Result<std::vector<int32_t>> withBlanks(const std::vector<int32_t>& labels, int64_t batch, int64_t classes, const Options& options) {
  if (labels.empty()) return invalidArgument("Labels length is zero in batch ", batch);
  std::vector<int32_t> kept;
  bool ended = false;
  for (size_t i = 0; i < labels.size(); ++i) {
    if (i > 0 && options.collapse && labels[i] == labels[i - 1]) continue;
    if (labels[i] >= classes - 1) {
      ended = true;
      continue;
    }
    if (ended) {
      return invalidArgument("Saw a non-null label (index >= num_classes - 1) following a null label, batch: ", batch, " num_classes: ", classes,
                             " labels: ", joined(labels, labels.size()), " labels seen so far: ", joined(kept, kept.size()));
    }
    kept.push_back(labels[i]);
  }
  for (int32_t label : kept) {
    if (label < 0) return invalidArgument("All labels must be nonnegative integers, batch: ", batch, " labels: ", joined(kept, kept.size()));
  }
  const int32_t blank = int32_t(classes - 1);
  std::vector<int32_t> out;
  out.reserve(2 * kept.size() + 1);
  for (int32_t label : kept) {
    out.push_back(blank);
    out.push_back(label);
  }
  out.push_back(blank);
  return out;
}

/// One sequence of a batch.
template <typename T>
class Sequence {
 public:
  Sequence(const std::vector<int32_t>& labels, int64_t time, int64_t classes, bool merge)
      : labels_(labels), positions_(int64_t(labels.size())), time_(time), classes_(classes), merge_(merge) {}

  /// The scores at step t begin at inputs + t * stride. Returns the loss and writes the gradient of the scores with the same strides.
  T run(const T* inputs, T* gradient, int64_t stride) {
    probability_.resize(size_t(time_ * classes_));
    for (int64_t t = 0; t < time_; ++t) {
      const T* x = inputs + t * stride;
      T* y = probability_.data() + t * classes_;
      const T highest = *std::max_element(x, x + classes_);
      T sum = 0;
      for (int64_t k = 0; k < classes_; ++k) sum += y[k] = std::exp(x[k] - highest);
      for (int64_t k = 0; k < classes_; ++k) y[k] /= sum;
    }
    forward();
    backward();
    T total = kNone;
    for (int64_t u = 0; u < positions_; ++u) total = logSum(total, at(alpha_, u, 0) + at(beta_, u, 0));
    std::vector<T> sums(static_cast<size_t>(classes_));
    for (int64_t t = 0; t < time_; ++t) {
      const T* y = probability_.data() + t * classes_;
      T* g = gradient + t * stride;
      if (total == kNone) {  // no alignment has a probability above zero
        std::copy(y, y + classes_, g);
        continue;
      }
      std::fill(sums.begin(), sums.end(), kNone);
      for (int64_t u = 0; u < positions_; ++u) {
        T& s = sums[size_t(labels_[size_t(u)])];
        s = logSum(s, at(alpha_, u, t) + at(beta_, u, t));
      }
      for (int64_t k = 0; k < classes_; ++k) g[k] = y[k] - std::exp(sums[size_t(k)] - total);
    }
    return -total;
  }

 private:
  static constexpr T kNone = -std::numeric_limits<T>::infinity();

  T& at(std::vector<T>& table, int64_t u, int64_t t) { return table[size_t(u * time_ + t)]; }
  T logOf(int64_t u, int64_t t) const { return std::log(probability_[size_t(t * classes_ + labels_[size_t(u)])]); }
  bool isBlank(int64_t u) const { return labels_[size_t(u)] == classes_ - 1; }
  /// Whether a path may go from position u to u + 2, skipping the blank between.
  bool mayPass(int64_t u) const { return !isBlank(u) && !(merge_ && labels_[size_t(u)] == labels_[size_t(u + 2)]); }
  // Positions from which the end can still be reached and that can be reached from the beginning.
  int64_t lowest(int64_t t) const { return std::max<int64_t>(0, positions_ - 2 * (time_ - t)); }
  int64_t highest(int64_t t) const { return std::min(positions_, 2 * (t + 1)); }

  void forward() {
    alpha_.assign(size_t(positions_ * time_), kNone);
    for (int64_t u = 0; u < std::min<int64_t>(2, positions_); ++u) at(alpha_, u, 0) = logOf(u, 0);
    for (int64_t t = 1; t < time_; ++t) {
      for (int64_t u = lowest(t); u < highest(t); ++u) {
        T sum = merge_ || isBlank(u) ? at(alpha_, u, t - 1) : kNone;
        if (u > 0) sum = logSum(sum, at(alpha_, u - 1, t - 1));
        if (u > 1 && mayPass(u - 2)) sum = logSum(sum, at(alpha_, u - 2, t - 1));
        at(alpha_, u, t) = logOf(u, t) + sum;
      }
    }
  }

  void backward() {
    beta_.assign(size_t(positions_ * time_), kNone);
    for (int64_t u = std::max<int64_t>(0, positions_ - 2); u < positions_; ++u) at(beta_, u, time_ - 1) = 0;
    for (int64_t t = time_ - 2; t >= 0; --t) {
      for (int64_t u = lowest(t); u < highest(t); ++u) {
        T sum = merge_ || isBlank(u) ? at(beta_, u, t + 1) + logOf(u, t + 1) : kNone;
        if (u + 1 < positions_) sum = logSum(sum, at(beta_, u + 1, t + 1) + logOf(u + 1, t + 1));
        if (u + 2 < positions_ && mayPass(u)) sum = logSum(sum, at(beta_, u + 2, t + 1) + logOf(u + 2, t + 1));
        at(beta_, u, t) = sum;
      }
    }
  }

  const std::vector<int32_t>& labels_;
  const int64_t positions_, time_, classes_;
  const bool merge_;
  std::vector<T> probability_, alpha_, beta_;
};

/// The labels of each example of the batch.
Result<std::vector<std::vector<int32_t>>> labelsOf(const Tensor& indices, const Tensor& values, int64_t batch) {
  const int64_t n = indices.dim(0), columns = indices.dim(1);
  if (columns != 2) return invalidArgument("labels_indices must have 2 columns, but has ", columns);
  int64_t longest = 0;
  for (int64_t i = 0; i < n; ++i) longest = std::max(longest, indices.at<int64_t>(2 * i + 1) + 1);
  std::vector<std::vector<int32_t>> out(static_cast<size_t>(batch));
  for (int64_t i = 0; i < n; ++i) {
    const int64_t row = indices.at<int64_t>(2 * i), column = indices.at<int64_t>(2 * i + 1);
    const std::string name = concat("label SparseTensor is not valid: indices[", i, "] = [", row, ",", column, "] is ");
    if (row < 0 || row >= batch || column < 0) return invalidArgument(name, "out of bounds: need 0 <= index < [", batch, ",", longest, "]");
    if (i > 0) {
      const int64_t lastRow = indices.at<int64_t>(2 * i - 2), lastColumn = indices.at<int64_t>(2 * i - 1);
      if (row == lastRow && column == lastColumn) return invalidArgument(name, "repeated");
      if (row < lastRow || (row == lastRow && column < lastColumn)) return invalidArgument(name, "out of order. Many sparse ops require sorted indices.");
    }
    out[size_t(row)].push_back(values.at<int32_t>(i));
  }
  return out;
}

template <typename T>
Status computeLoss(KernelContext& c, const Options& options, Tensor& loss, Tensor& gradient) {
  const Tensor &inputs = c.input(0), &lengths = c.input(3);
  const int64_t maxTime = inputs.dim(0), batch = inputs.dim(1), classes = inputs.dim(2);
  WEFT_LET(const auto labels, labelsOf(c.input(1), c.input(2), batch));
  for (int64_t b = 0; b < batch; ++b) {
    if (lengths.at<int32_t>(b) > maxTime) return invalidArgument("sequence_length(", b, ") <= ", maxTime);
  }
  if (batch == 0) return invalidArgument("batch_size must not be 0");
  T* losses = loss.mutableData<T>();
  std::fill_n(losses, batch, T(0));
  std::fill_n(gradient.mutableData<T>(), gradient.elements(), T(0));
  std::vector<std::vector<int32_t>> spread(static_cast<size_t>(batch));
  for (int64_t b = 0; b < batch; ++b) {
    const int64_t time = lengths.at<int32_t>(b);
    if (time < 0) return invalidArgument("seq_len(", b, ") < 0");
    WEFT_LET(spread[size_t(b)], withBlanks(labels[size_t(b)], b, classes, options));
    const int64_t required = int64_t(labels[size_t(b)].size());
    if (required > time && !options.ignoreLonger) {
      return invalidArgument("Not enough time for target transition sequence (required: ", required, ", available: ", time, ")", b,
                             "You can turn this error into a warning by using the flag ignore_longer_outputs_than_inputs");
    }
  }
  parallelFor(batch, 1, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      const int64_t time = lengths.at<int32_t>(b);
      if (time == 0 || (options.ignoreLonger && int64_t(labels[size_t(b)].size()) > time)) continue;
      Sequence<T> sequence(spread[size_t(b)], time, classes, options.merge);
      losses[b] = sequence.run(inputs.data<T>() + b * classes, gradient.mutableData<T>() + b * classes, batch * classes);
    }
  });
  return {};
}

Status runLoss(KernelContext& c) {
  const Tensor &inputs = c.input(0), &indices = c.input(1), &values = c.input(2), &lengths = c.input(3);
  if (inputs.rank() != 3) return invalidArgument("inputs is not a 3-Tensor");
  if (lengths.rank() != 1) return invalidArgument("sequence_length is not a vector");
  if (indices.rank() != 2) return invalidArgument("labels_indices is not a matrix");
  if (values.rank() != 1) return invalidArgument("labels_values is not a vector");
  const int64_t batch = inputs.dim(1);
  if (inputs.dim(2) > std::numeric_limits<int32_t>::max()) return invalidArgument("num_classes cannot exceed max int");
  if (lengths.dim(0) != batch) {
    return invalidArgument("len(sequence_length) != batch_size.  len(sequence_length):  ", lengths.dim(0), " batch_size: ", batch);
  }
  if (indices.dim(0) != values.dim(0)) {
    return invalidArgument("labels_indices and labels_values must contain the same number of rows, but saw shapes: ", indices.shape().toString(), " vs. ",
                           values.shape().toString());
  }
  if (inputs.dim(2) == 0) return invalidArgument("inputs must have at least one class");
  WEFT_LET(Tensor* loss, c.allocate(0, {batch}));
  WEFT_LET(Tensor* gradient, c.allocate(1, inputs.shape()));
  const AttrMap& attrs = c.node().attrs;
  const Options options{attrs.flag("preprocess_collapse_repeated"), attrs.flag("ctc_merge_repeated", true), attrs.flag("ignore_longer_outputs_than_inputs")};
  if (inputs.dtype() == DType::Double) return computeLoss<double>(c, options, *loss, *gradient);
  return computeLoss<float>(c, options, *loss, *gradient);
}

Status lossShape(ShapeContext& c) {
  const Shape &inputs = c.input(0), &indices = c.input(1), &values = c.input(2), &lengths = c.input(3);
  WEFT_TRY(c.requireRank(inputs, 3));
  WEFT_TRY(c.requireRank(indices, 2));
  WEFT_TRY(c.requireRank(values, 1));
  WEFT_TRY(c.requireRank(lengths, 1));
  const auto dim = [](const Shape& s, int d) { return s.hasRank() ? s.dim(d) : Shape::kUnknownDim; };
  WEFT_TRY(c.mergeDims(dim(indices, 0), dim(values, 0)));
  WEFT_LET(const int64_t batch, c.mergeDims(dim(inputs, 1), dim(lengths, 0)));
  c.setOutput(0, Shape{batch});
  c.setOutput(1, Shape{dim(inputs, 0), batch, dim(inputs, 2)});
  return {};
}

/// The op's second output is the gradient, already computed.
Result<std::vector<Output>> lossGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  AttrMap attrs;
  attrs.set("message", std::string("Currently there is no way to take the second  derivative of ctc_loss due to the fused implementation's interaction  with "
                                   "tf.gradients()"));
  const Output known = b.op("PreventGradient", {c.output(1)}, std::move(attrs));
  return std::vector{py::mul(b, py::expandDims(b, c.grad(), -1), known), Output{}, Output{}, Output{}};
}

}  // namespace

void registerCtcLoss(OpRegistry& ops) {
  ops.add("CTCLoss")
      .category("Losses")
      .keywords("speech sequence labelling connectionist temporal classification")
      .summary("CTC loss: negative log-likelihood of label sequences whose alignment with the inputs is unknown.")
      .description("The last class is the blank, which means no label. Logits are normalized with softmax internally.")
      .input("inputs: T", "Logits, [time, batch, classes].")
      .input("labels_indices: int64", "Indices of the labels in a sparse tensor, [number of labels, 2]: rows [example, position], sorted.")
      .input("labels_values: int32", "The labels.")
      .input("sequence_length: int32", "[batch]: number of valid time steps of each example.")
      .output("loss: T", "[batch]: negative log-probability of each example's labels.")
      .output("gradient: T", "Gradient of the loss with respect to the logits.")
      .attr("preprocess_collapse_repeated: bool = false", "Collapse repeated labels before computing the loss.")
      .attr("ctc_merge_repeated: bool = true", "Collapse repeated classes that are not separated by a blank into one label.")
      .attr("ignore_longer_outputs_than_inputs: bool = false", "Give examples with more labels than time steps a loss of 0 instead of an error.")
      .attr("T: {float, double} = DT_FLOAT", "Type of the logits.")
      .shape(lossShape)
      .gradient(lossGradient)
      .cpu({{"T", {DType::Float, DType::Double}}}, simpleKernel(runLoss));
}

}  // namespace weft
