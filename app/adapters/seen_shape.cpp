#include "adapters/seen_shape.h"
#include "weft/op_traits.h"

#include <optional>
#include <vector>

namespace weft::app {
namespace {

const Node* nodeAt(const Graph& graph, Output o) { return o.valid() ? graph.node(o.node) : nullptr; }

/// The value of a constant with one element.
std::optional<int64_t> numberOf(const Node* node) {
  const Attr* value = node && isConstant(*node) ? node->attrs.find("value") : nullptr;
  const Tensor* tensor = value ? value->get<Tensor>() : nullptr;
  if (!tensor || !tensor->hasValue() || tensor->elements() != 1) return std::nullopt;
  return tensor->asInt(0);
}

/// k, if the tensor is `Shape(of)[k]`.
std::optional<int64_t> dimOf(const Graph& graph, const Node* slice, Output of) {
  if (!slice || slice->op != "StridedSlice" || slice->inputs.size() < 2 || slice->attrs.integer("shrink_axis_mask") != 1) return std::nullopt;
  const Node* shape = nodeAt(graph, slice->inputs[0]);
  if (!shape || roleOf(*shape) != OpRole::ShapeOf || shape->inputs.size() != 1) return std::nullopt;
  const bool same = shape->inputs[0].node == of.node && shape->inputs[0].index == of.index;
  return same ? numberOf(nodeAt(graph, slice->inputs[1])) : std::nullopt;
}

}  // namespace

Shape seenShape(const Graph& graph, Output tensor) {
  Shape out = graph.shape(tensor);
  const Node* reshape = nodeAt(graph, tensor);
  if (!reshape || roleOf(*reshape) != OpRole::Reshape || reshape->inputs.size() != 2 || out.isFullyKnown()) return out;
  const Node* target = nodeAt(graph, reshape->inputs[1]);
  const Shape in = graph.shape(reshape->inputs[0]);
  if (!target || target->op != "Pack" || !in.hasRank() || !out.hasRank() || out.rank() != int(target->inputs.size())) return out;
  std::vector<char> kept(size_t(in.rank()), 0);
  int open = -1;
  int64_t given = 1;
  for (int i = 0; i < out.rank(); ++i) {
    const Node* size = nodeAt(graph, target->inputs[size_t(i)]);
    if (const auto k = dimOf(graph, size, reshape->inputs[0]); k && *k >= 0 && *k < in.rank() && !kept[size_t(*k)]) {
      kept[size_t(*k)] = 1;
    } else if (const auto number = numberOf(size); number == -1 && open < 0) {
      open = i;
    } else if (number && *number > 0) {
      given *= *number;
    } else {
      return out;
    }
  }
  int64_t rest = 1;
  for (int d = 0; d < in.rank(); ++d) {
    if (kept[size_t(d)]) continue;
    if (in.dim(d) < 0 || __builtin_mul_overflow(rest, in.dim(d), &rest)) return out;
  }
  if (open >= 0 && rest % given == 0) out.setDim(open, rest / given);
  return out;
}

}  // namespace weft::app
