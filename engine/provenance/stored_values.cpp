// Values that an op of the step stored in an array or on a stack, and another one takes out again.
#include <string_view>
#include <utility>

#include "provenance/provenance_impl.h"
#include "weft/op_traits.h"

namespace weft {

using provenance::flatOf;

namespace {

/// What the ops of arrays do, in all versions of TensorFlow.
enum class ArrayOp { Other, Gradients, Read, Gather, Write, Scatter };
ArrayOp arrayOpOf(const Node& node) {
  static constexpr std::pair<std::string_view, ArrayOp> kOps[] = {{"TensorArrayGrad", ArrayOp::Gradients},
                                                                  {"TensorArrayRead", ArrayOp::Read},
                                                                  {"TensorArrayGather", ArrayOp::Gather},
                                                                  {"TensorArrayWrite", ArrayOp::Write},
                                                                  {"TensorArrayScatter", ArrayOp::Scatter}};
  for (const auto& [name, does] : kOps)
    if (node.op.starts_with(name)) return does;
  return ArrayOp::Other;
}

/// The array or stack that a handle belongs to. Arrays of gradients have their source in the name, since several ops find the same one.
std::string storeOf(const Graph& graph, Output handle) {
  std::string suffix;
  for (int guard = 0; guard < graph.size() && handle.valid(); ++guard) {
    const Node& node = *graph.node(handle.node);
    const OpRole role = roleOf(node);
    if (arrayOpOf(node) == ArrayOp::Gradients) suffix += "|" + node.attrs.text("source");
    else if (role == OpRole::StackMaker || (role == OpRole::TensorArray && node.inputs.size() <= 1)) return node.name + suffix;
    if (node.inputs.empty()) return node.name + suffix;
    handle = node.inputs[0];
  }
  return {};
}

}  // namespace

std::vector<Provenance::Impl::Stored> Provenance::Impl::storedFor(Step& step, const Node& node, const std::vector<int64_t>& index, int64_t order) const {
  std::vector<Stored> out;
  const Graph& g = graph();
  const OpRole role = roleOf(node);
  if (node.inputs.empty()) return out;
  const std::string store = storeOf(g, node.inputs[0]);
  if (role == OpRole::StackPop) {
    std::vector<Stored> stack;
    for (const KeptOp& op : step.run->ops()) {
      if (op->index < 0) continue;
      if (op->index >= order) break;
      const Node& other = *g.node(op->node);
      const OpRole does = roleOf(other);
      if ((does != OpRole::StackPush && does != OpRole::StackPop) || storeOf(g, other.inputs[0]) != store) continue;
      if (does == OpRole::StackPush) stack.push_back({other.inputs[1], index, op->index});
      else if (!stack.empty()) stack.pop_back();
    }
    if (!stack.empty()) out.push_back(stack.back());
    return out;
  }
  const bool reads = arrayOpOf(node) == ArrayOp::Read, gathers = arrayOpOf(node) == ArrayOp::Gather;
  if ((!reads && !gathers) || node.inputs.size() < 2) return out;
  const auto places = valueOf(step, node.inputs[1], order);
  if (!places.ok() || (gathers && (index.empty() || index[0] >= places->elements()))) return out;
  const int64_t place = places->asInt(gathers ? index[0] : 0);
  const std::vector<int64_t> rest(index.begin() + (gathers ? 1 : 0), index.end());
  for (const KeptOp& op : step.run->ops()) {
    if (op->index < 0) continue;
    if (op->index >= order) break;
    const Node& other = *g.node(op->node);
    const bool writes = arrayOpOf(other) == ArrayOp::Write, scatters = arrayOpOf(other) == ArrayOp::Scatter;
    if ((!writes && !scatters) || storeOf(g, other.inputs[0]) != store) continue;
    const auto at = valueOf(step, other.inputs[1], op->index);
    if (!at.ok()) continue;
    for (int64_t k = 0; k < at->elements(); ++k) {
      if (at->asInt(k) != place) continue;
      std::vector<int64_t> from = rest;
      if (scatters) from.insert(from.begin(), k);
      out.push_back({other.inputs[2], std::move(from), op->index});
    }
  }
  return out;
}

}  // namespace weft
