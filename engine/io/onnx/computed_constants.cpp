#include "io/onnx/computed_constants.h"

#include <algorithm>
#include <set>

#include "weft/op.h"
#include "weft/op_traits.h"
#include "weft/session.h"

namespace weft::onnx_io {
namespace {

/// The value that a branch or loop reads from outside: these nodes pass it on where they run at all.
bool passesIntoFlow(const Node& node) {
  if (node.inputs.empty()) return false;
  return node.op == "Switch" || (node.op == "Enter" && node.attrs.flag("is_constant"));
}

bool mayCompute(const Node& node) {
  if (!node.record || node.record->isStateful || node.inputs.empty()) return false;
  if (node.op == "Merge" || node.op == "Exit" || node.op == "NextIteration" || node.op == "LoopCond" || node.op == "Enter") return false;
  return std::any_of(node.record->kernels.begin(), node.record->kernels.end(), [](const KernelRecord& k) { return k.device == "CPU"; });
}

}  // namespace

const Tensor* ComputedConstants::known(Output o) {
  const Node* node = graph_.node(o.node);
  while (node && passesIntoFlow(*node)) {
    o = node->inputs[0];
    node = graph_.node(o.node);
  }
  if (const auto found = computed_.find(o); found != computed_.end()) return &found->second;
  return folder_.value(o);
}

const Tensor* ComputedConstants::value(Output o) {
  if (const Tensor* found = known(o)) return found;
  std::vector<int> order;
  if (!collect(o, &order)) return nullptr;
  for (const int id : order)
    if (!compute(*graph_.node(id))) return nullptr;
  return known(o);
}

bool ComputedConstants::collect(Output o, std::vector<int>* order) {
  struct Visit {
    int node;
    bool left;
  };
  std::set<int> seen;
  std::vector<Visit> stack{{o.node, false}};
  while (!stack.empty()) {
    const auto [id, left] = stack.back();
    stack.pop_back();
    const Node* node = graph_.node(id);
    if (!node) return false;
    if (left) {
      if (!passesIntoFlow(*node)) order->push_back(id);
      continue;
    }
    if (!seen.insert(id).second) continue;
    if (seen.size() > kMostNodes || !(passesIntoFlow(*node) || mayCompute(*node))) return false;
    stack.push_back({id, true});
    for (const Output& input : node->inputs)
      if (!known(input)) stack.push_back({input.node, false});
  }
  return true;
}

bool ComputedConstants::compute(const Node& node) {
  Graph alone;
  Node copy = node;
  copy.inputs.clear();
  copy.controls.clear();
  copy.device.clear();
  copy.raw.reset();
  for (const Output& input : node.inputs) {
    const Tensor* from = known(input);
    if (!from || from->elements() > kMostElements) return false;
    Node constant;
    constant.name = concat("input_", copy.inputs.size());
    constant.op = "Const";
    constant.record = OpRegistry::instance().find("Const");
    constant.attrs.set("dtype", from->dtype());
    constant.attrs.set("value", *from);
    constant.outputTypes = {from->dtype()};
    constant.outputShapes = {from->shape()};
    auto id = alone.add(std::move(constant));
    if (!id.ok()) return false;
    copy.inputs.push_back({*id, 0});
  }
  copy.name = "computed";
  const auto added = alone.add(std::move(copy));
  if (!added.ok()) return false;
  // The shape function says how large the results are before anything is computed.
  ConstantFolder folder(alone);
  const auto shapes = inferNodeShapes(alone, *alone.node(*added), folder);
  if (!shapes.ok()) return false;
  std::vector<std::string> fetches;
  for (size_t i = 0; i < shapes->size(); ++i) {
    const int64_t elements = (*shapes)[i].elements();
    if (elements < 0 || elements > kMostElements) return false;
    fetches.push_back(concat("computed:", i));
  }
  SessionOptions options;
  options.threads = 1;
  const auto session = Session::create(alone, options);
  if (!session.ok()) return false;
  const auto values = (*session)->run({}, fetches);
  if (!values.ok()) return false;
  for (size_t i = 0; i < values->size(); ++i) computed_.insert_or_assign(Output{node.id, int(i)}, (*values)[i]);
  return true;
}

}  // namespace weft::onnx_io
