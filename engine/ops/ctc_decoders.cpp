#include <algorithm>
#include <cmath>
#include <deque>
#include <unordered_map>

#include "ops/registry.h"

// Decodes scores over time into label sequences. CTCGreedyDecoder takes the best class at each step; CTCBeamSearchDecoder keeps the most probable label
// sequences over all alignments (A. Graves, N. Jaitly, "Towards End-to-End Speech Recognition", 2014).
namespace weft {
namespace {

Status decoderShape(ShapeContext& c) {
  const Shape &inputs = c.input(0), &lengths = c.input(1);
  WEFT_TRY(c.requireRank(inputs, 3));
  WEFT_TRY(c.requireRank(lengths, 1));
  WEFT_LET(const int64_t batch, c.mergeDims(inputs.hasRank() ? inputs.dim(1) : -1, lengths.hasRank() ? lengths.dim(0) : -1));
  const bool beams = c.node().op == "CTCBeamSearchDecoder";
  const int paths = beams ? int(c.attrs().integer("top_paths")) : 1;
  for (int p = 0; p < paths; ++p) {
    c.setOutput(p, Shape{Shape::kUnknownDim, 2});
    c.setOutput(paths + p, Shape{Shape::kUnknownDim});
    c.setOutput(2 * paths + p, Shape{2});
  }
  c.setOutput(3 * paths, Shape{batch, beams ? int64_t(paths) : 1});
  return {};
}

Status checkInputs(const Tensor& inputs, const Tensor& lengths) {
  if (inputs.rank() != 3) return invalidArgument("inputs is not a 3-Tensor");
  const int64_t maxTime = inputs.dim(0), batch = inputs.dim(1);
  if (maxTime == 0) return invalidArgument("max_time is 0");
  if (lengths.rank() != 1) return invalidArgument("sequence_length is not a vector");
  if (lengths.dim(0) != batch) {
    return failedPrecondition("len(sequence_length) != batch_size.  len(sequence_length):  ", lengths.dim(0), " batch_size: ", batch);
  }
  for (int64_t b = 0; b < batch; ++b) {
    if (lengths.at<int32_t>(b) > maxTime) return failedPrecondition("sequence_length(", b, ") <= ", maxTime);
  }
  if (inputs.dim(2) == 0) return invalidArgument("inputs must have at least one class");
  if (inputs.dim(2) > std::numeric_limits<int32_t>::max()) return invalidArgument("num_classes cannot exceed max int");
  return {};
}

using Labels = std::vector<int32_t>;

/// Outputs path `p` of all examples as a sparse tensor.
Status storePath(KernelContext& c, int p, int paths, const std::vector<std::vector<Labels>>& decoded) {
  int64_t total = 0, longest = 0;
  for (const auto& example : decoded) {
    total += int64_t(example[size_t(p)].size());
    longest = std::max(longest, int64_t(example[size_t(p)].size()));
  }
  WEFT_LET(Tensor* indices, c.allocate(p, {total, 2}));
  WEFT_LET(Tensor* values, c.allocate(paths + p, {total}));
  WEFT_LET(Tensor* shape, c.allocate(2 * paths + p, {2}));
  int64_t *index = indices->mutableData<int64_t>(), *value = values->mutableData<int64_t>();
  for (size_t b = 0; b < decoded.size(); ++b) {
    const Labels& labels = decoded[b][size_t(p)];
    for (size_t i = 0; i < labels.size(); ++i) {
      *index++ = int64_t(b);
      *index++ = int64_t(i);
      *value++ = labels[i];
    }
  }
  shape->mutableData<int64_t>()[0] = int64_t(decoded.size());
  shape->mutableData<int64_t>()[1] = longest;
  return {};
}

// ---- greedy

template <typename T>
T bestPath(const T* inputs, int64_t time, int64_t stride, int64_t classes, bool merge, Labels& out) {
  T score = 0;
  int64_t last = -1;
  for (int64_t t = 0; t < time; ++t) {
    const T* x = inputs + t * stride;
    const int64_t best = std::max_element(x, x + classes) - x;
    score += -x[best];
    if (best != classes - 1 && !(merge && best == last)) out.push_back(int32_t(best));
    last = best;
  }
  return score;
}

// ---- beam search

template <typename T>
class BeamSearch {
 public:
  BeamSearch(int64_t classes, int64_t width) : classes_(classes), width_(size_t(width)) {
    Entry& root = entries_.emplace_back();
    root.next = {0, 0, kNone};
    leaves_.push_back(&root);
  }

  /// One time step: a sequence stays unchanged (by a blank or a repetition of its last label) or grows by one label.
  void step(const T* x) {
    const T highest = *std::max_element(x, x + classes_);
    T sum = 0;
    for (int64_t k = 0; k < classes_; ++k) sum += std::exp(x[k] - highest);
    const T offset = highest + std::log(sum);
    std::vector<Entry*> branches;
    branches.swap(leaves_);
    std::sort(branches.begin(), branches.end(), isBetter);
    for (Entry* e : branches) e->before = e->next;
    for (Entry* e : branches) {
      if (e->parent) {
        if (e->parent->isActive()) {
          const LogProbabilities& p = e->parent->before;
          e->next.label = logSum(e->next.label, e->label == e->parent->label ? p.blank : p.total);
        }
        e->next.label += x[e->label] - offset;
      }
      e->next.blank = e->before.total + x[classes_ - 1] - offset;
      e->next.total = logSum(e->next.blank, e->next.label);
      push(e);
    }
    for (Entry* e : branches) {
      if (!isCandidate(e->before.total)) continue;
      for (int64_t k = 0; k < classes_ - 1; ++k) {
        const auto found = e->children.find(int32_t(k));
        Entry* child = found == e->children.end() ? nullptr : found->second;
        if (child && child->isActive()) continue;
        const T logProbability = x[k] - offset + (int32_t(k) == e->label ? e->before.blank : e->before.total);
        if (!isCandidate(logProbability)) {
          if (child) child->before = child->next = LogProbabilities();
          continue;
        }
        if (!child) {
          child = &entries_.emplace_back();
          child->parent = e;
          child->label = int32_t(k);
          e->children.emplace(int32_t(k), child);
        }
        child->next = {logProbability, kNone, logProbability};
        push(child);
      }
    }
  }

  /// The `n` most probable sequences and their log probabilities.
  Status best(int64_t n, bool merge, std::vector<Labels>& paths, T* logProbabilities) {
    if (n > int64_t(leaves_.size())) return invalidArgument("Less leaves in the beam search than requested.");
    std::vector<Entry*> sorted = leaves_;
    std::sort(sorted.begin(), sorted.end(), isBetter);
    for (int64_t i = 0; i < n; ++i) {
      Labels labels;
      int32_t last = -1;
      for (const Entry* e = sorted[size_t(i)]; e->parent; e = e->parent) {
        if (!merge || e->label != last) labels.push_back(e->label);
        last = e->label;
      }
      std::reverse(labels.begin(), labels.end());
      paths.push_back(std::move(labels));
      logProbabilities[i] = sorted[size_t(i)]->next.total;
    }
    return {};
  }

 private:
  static constexpr T kNone = -std::numeric_limits<T>::infinity();

  /// Log probabilities: of the sequence, of it ending in a blank, of it ending in its label.
  struct LogProbabilities {
    T total = kNone, blank = kNone, label = kNone;
  };
  /// A label sequence: that of its parent plus one label.
  struct Entry {
    Entry* parent = nullptr;
    int32_t label = -1;
    LogProbabilities before, next;  // at the previous and the current step
    std::unordered_map<int32_t, Entry*> children;
    bool isActive() const { return next.total != kNone; }
  };

  static T logSum(T a, T b) {
    if (a == kNone) return b;
    if (b == kNone) return a;
    return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
  }
  static bool isBetter(const Entry* a, const Entry* b) { return a->next.total > b->next.total; }

  bool isCandidate(T logProbability) const { return logProbability > kNone && (leaves_.size() < width_ || logProbability > leaves_.front()->next.total); }
  /// leaves_ is a heap with the worst in front, which is removed when there are too many.
  void push(Entry* e) {
    if (leaves_.size() == width_) {
      if (!isBetter(e, leaves_.front())) return;
      leaves_.front()->next = LogProbabilities();
      // Its value is now the smallest, so pop_heap still removes it.
      std::pop_heap(leaves_.begin(), leaves_.end(), isBetter);
      leaves_.pop_back();
    }
    leaves_.push_back(e);
    std::push_heap(leaves_.begin(), leaves_.end(), isBetter);
  }

  const int64_t classes_;
  const size_t width_;
  std::deque<Entry> entries_;
  std::vector<Entry*> leaves_;
};

template <typename T>
Status decode(KernelContext& c) {
  const Tensor &inputs = c.input(0), &lengths = c.input(1);
  const AttrMap& attrs = c.node().attrs;
  const bool beams = c.node().op == "CTCBeamSearchDecoder", merge = attrs.flag("merge_repeated");
  const int paths = beams ? int(attrs.integer("top_paths", 1)) : 1;
  const int64_t width = beams ? attrs.integer("beam_width", 1) : 1, batch = inputs.dim(1), classes = inputs.dim(2);
  if (beams && paths > width) return invalidArgument("requested more paths than the beam width.");
  WEFT_LET(Tensor* logProbabilities, c.allocate(3 * paths, {batch, int64_t(paths)}));
  std::vector<std::vector<Labels>> decoded(static_cast<size_t>(batch));
  for (int64_t b = 0; b < batch; ++b) {
    const T* x = inputs.data<T>() + b * classes;
    const int64_t time = lengths.at<int32_t>(b);
    T* logProbability = logProbabilities->mutableData<T>() + b * paths;
    if (!beams) {
      decoded[size_t(b)].emplace_back();
      *logProbability = bestPath(x, time, batch * classes, classes, merge, decoded[size_t(b)][0]);
      continue;
    }
    BeamSearch<T> search(classes, width);
    for (int64_t t = 0; t < time; ++t) {
      if (c.cancelled()) return cancelledError("Decoding was cancelled");
      search.step(x + t * batch * classes);
    }
    WEFT_TRY(search.best(paths, merge, decoded[size_t(b)], logProbability));
  }
  for (int p = 0; p < paths; ++p) WEFT_TRY(storePath(c, p, paths, decoded));
  return {};
}

Status runDecoder(KernelContext& c) {
  WEFT_TRY(checkInputs(c.input(0), c.input(1)));
  return c.input(0).dtype() == DType::Double ? decode<double>(c) : decode<float>(c);
}

OpRecord& addDecoder(OpRegistry& ops, const char* name, const char* summary) {
  return ops.add(name)
      .category("Neural network")
      .keywords("speech ctc decode labels")
      .summary(summary)
      .description("The last class is the blank, which means no label.")
      .input("inputs: T", "Logits, [time, batch, classes].")
      .input("sequence_length: int32", "[batch]: number of valid time steps of each example.");
}

}  // namespace

void registerCtcDecoders(OpRegistry& ops) {
  const std::vector<KernelConstraint> types = {{"T", {DType::Float, DType::Double}}};
  const char* none = "Labels are integers: decoding is not differentiable.";
  addDecoder(ops, "CTCGreedyDecoder", "Greedy CTC decoding: the best class at each time step, with blanks removed.")
      .output("decoded_indices: int64", "Indices of the labels in a sparse tensor: rows [example, position].")
      .output("decoded_values: int64", "The labels.")
      .output("decoded_shape: int64", "Dense shape of the sparse tensor: [batch, length of the longest decoded sequence].")
      .output("log_probability: T", "[batch, 1]: negative sum of the best logits of each example.")
      .attr("merge_repeated: bool = false", "Collapse repeated classes that are not separated by a blank into one label.")
      .attr("T: {float, double} = DT_FLOAT", "Type of the logits.")
      .shape(decoderShape)
      .noGradient(none)
      .cpu(types, simpleKernel(runDecoder));
  addDecoder(ops, "CTCBeamSearchDecoder", "CTC beam search decoding: the most probable label sequences of each example.")
      .output("decoded_indices: top_paths * int64", "For each path, indices of the labels in a sparse tensor: rows [example, position].")
      .output("decoded_values: top_paths * int64", "For each path, the labels.")
      .output("decoded_shape: top_paths * int64", "For each path, the dense shape of the sparse tensor: [batch, length of the longest sequence].")
      .output("log_probability: T", "[batch, top_paths]: log-probability of each path.")
      .attr("beam_width: int >= 1", "Number of candidate sequences kept at each step.")
      .attr("top_paths: int >= 1", "Number of sequences to return per example.")
      .attr("merge_repeated: bool = true", "Collapse repeated labels in the decoded sequences.")
      .attr("T: {float, double} = DT_FLOAT", "Type of the logits.")
      .shape(decoderShape)
      .noGradient(none)
      .cpu(types, simpleKernel(runDecoder));
}

}  // namespace weft
