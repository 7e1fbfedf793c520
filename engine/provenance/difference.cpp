// The first tensor that differs between two steps.
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "provenance/provenance_impl.h"
#include "weft/op_traits.h"

namespace weft {

using provenance::indexOf;

namespace {

constexpr size_t kMost = 1000;

/// Compares values; null if they are the same.
std::optional<DifferingTensor> compare(const std::string& tensor, const std::string& op, const Tensor& a, const Tensor& b) {
  if (a.identicalTo(b)) return std::nullopt;
  DifferingTensor d;
  d.tensor = tensor;
  d.op = op;
  if (!a.hasValue() || !b.hasValue()) d.why = "missing";
  else if (a.dtype() != b.dtype()) d.why = "dtype";
  else if (!(a.shape() == b.shape())) d.why = "shape";
  if (!d.why.empty() || sizeOf(a.dtype()) == 0 || a.dtype() == DType::Resource) {
    d.largest = INFINITY;
    d.elements = a.hasValue() && b.hasValue() ? 1 : 0;
    return d;
  }
  int64_t at = -1;
  for (int64_t i = 0; i < a.elements(); ++i) {
    const double x = a.asDouble(i), y = b.asDouble(i);
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    ++d.elements;
    const bool number = std::isfinite(x) && std::isfinite(y);
    const double by = number ? std::abs(x - y) : INFINITY;
    if (!number && d.why.empty()) d.why = "nan";
    if (at >= 0 && by <= d.largest) continue;
    at = i;
    d.largest = by;
    d.first = x;
    d.second = y;
  }
  if (at < 0) return std::nullopt;  // -0 and 0
  d.index = indexOf(a.shape(), at);
  return d;
}

}  // namespace

/// What differenceOfSteps() sees of the two trainings.
struct DifferenceSearch {
  static auto& of(Provenance& p) { return *p.impl_; }
  static Result<bool> sameBefore(Provenance& first, Provenance& second, int64_t step) {
    auto &a = of(first), &b = of(second);
    WEFT_TRY(a.replay->goTo(step, a.cancellation));
    WEFT_TRY(b.replay->goTo(step, b.cancellation));
    const auto& x = a.replay->variables();
    const auto& y = b.replay->variables();
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [](const auto& p, const auto& q) { return p.first == q.first && p.second.identicalTo(q.second); });
  }
};

Result<StepDifference> differenceOfSteps(Provenance& first, int64_t firstStep, Provenance& second, int64_t secondStep) {
  auto &a = DifferenceSearch::of(first), &b = DifferenceSearch::of(second);
  WEFT_LET(const auto* x, a.at(firstStep));
  WEFT_LET(const auto* y, b.at(secondStep));
  StepDifference out;
  out.firstStep = firstStep;
  out.secondStep = secondStep;
  const Graph &g = a.graph(), &h = b.graph();
  std::set<int> differing;  // nodes of the first graph
  const auto note = [&](DifferingTensor d, int node, bool cause) {
    ++out.differing;
    differing.insert(node);
    if (cause) out.causes.push_back(d);
    if (out.tensors.size() < kMost) out.tensors.push_back(std::move(d));
  };
  // Variables count as what their reads are computed from.
  std::set<std::string> variables;
  for (const auto& [name, value] : x->before) {
    const auto other = y->before.find(name);
    const Node* node = g.find(name);
    auto d = compare(name, "variable", value, other == y->before.end() ? Tensor() : other->second);
    ++out.compared;
    if (d) {
      variables.insert(name);
      note(std::move(*d), node ? node->id : -1, true);
    }
  }
  for (const KeptOp& op : x->run->ops()) {
    if (a.cancellation.cancelled()) return cancelledError("Cancelled while steps were compared.");
    const Node& node = *g.node(op->node);
    const Node* same = h.find(node.name);
    if (!op->loops.empty()) {
      // Of loops, the last iteration is compared.
      const KeptOp last = x->run->latest(op->node, INT64_MAX);
      if (last != op) continue;
    }
    const KeptOp other = same ? y->run->latest(same->id, INT64_MAX) : nullptr;
    for (size_t k = 0; k < op->outputs.size(); ++k) {
      if (!op->outputs[k].hasValue()) continue;
      ++out.compared;
      auto d = compare(g.tensorName({op->node, int(k)}), node.op, op->outputs[k], other && k < other->outputs.size() ? other->outputs[k] : Tensor());
      if (!d) continue;
      const bool follows = op->index >= 0 && std::any_of(node.inputs.begin(), node.inputs.end(), [&](const Output& in) {
                             if (differing.contains(in.node)) return true;
                             const Node* variable = provenance::variableBehind(g, in);
                             return variable && variables.contains(provenance::variableName(*variable));
                           });
      note(std::move(*d), op->node, !follows);
    }
  }
  return out;
}

Result<int64_t> firstDifferingStep(Provenance& first, Provenance& second) {
  auto &a = DifferenceSearch::of(first), &b = DifferenceSearch::of(second);
  const RecordedSteps x = a.replay->recorded(), y = b.replay->recorded();
  const int64_t begin = std::max(x.first, y.first), end = std::min(x.last, y.last);
  if (begin > end || begin == 0)
    return outOfRange("No step is recorded of both trainings: steps ", x.first, " to ", x.last, " of one, ", y.first, " to ", y.last, " of the other.");
  // Losses differ at the first step that differs, or soon after it; from there back while the variables before differ.
  int64_t differs = 0;
  for (int64_t step = begin; step <= end && differs == 0; ++step)
    if (std::bit_cast<uint64_t>(a.replay->loss(step)) != std::bit_cast<uint64_t>(b.replay->loss(step)) &&
        !(std::isnan(a.replay->loss(step)) && std::isnan(b.replay->loss(step))))
      differs = step;
  int64_t low = begin, high = differs ? differs : end;  // the variables before `low` may be the same, before `high` they may differ
  WEFT_LET(const bool sameAtHigh, DifferenceSearch::sameBefore(first, second, high));
  if (sameAtHigh) {
    if (differs) return differs;
    // The last step may do something else, which no later one shows.
    WEFT_LET(const StepDifference last, differenceOfSteps(first, high, second, high));
    return last.differing ? high : 0;
  }
  WEFT_LET(const bool sameAtLow, DifferenceSearch::sameBefore(first, second, low));
  if (!sameAtLow) return low;
  while (high - low > 1) {
    const int64_t middle = high - low <= 8 ? high - 1 : low + (high - low) / 2;
    WEFT_LET(const bool same, DifferenceSearch::sameBefore(first, second, middle));
    (same ? low : high) = middle;
  }
  return low;  // it changed the variables differently
}

}  // namespace weft
