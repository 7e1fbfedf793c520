#include "provenance/recorded_run.h"

#include <set>

#include "weft/op_traits.h"

namespace weft::provenance {

const Node* variableBehind(const Graph& graph, Output tensor) {
  std::set<int> seen;
  while (tensor.valid() && seen.insert(tensor.node).second) {
    const Node& node = *graph.node(tensor.node);
    if (isVariable(node)) return &node;
    if (node.inputs.empty() || !(passesHandles(node) || changesVariable(roleOf(node)))) return nullptr;
    const DType type = graph.dtype(tensor);
    if (!isRef(type) && type != DType::Resource) return nullptr;
    tensor = node.inputs[0];
  }
  return nullptr;
}

std::string variableName(const Node& variable) {
  const std::string shared = isResourceVariable(variable) ? variable.attrs.text("shared_name") : std::string();
  return shared.empty() ? variable.name : shared;
}

KeptOp RecordedRun::changeOf(const std::string& variable) const {
  const auto by = changedBy_.find(variable);
  return by == changedBy_.end() ? nullptr : store_.latest(by->second, changedAt_.at(variable) + 1);
}

void RecordedRun::runBegins(const Graph& graph, std::span<const int>) {
  graph_ = graph;
  store_.clear();
  changed_.clear();
  changedAt_.clear();
  changedBy_.clear();
}

void RecordedRun::fed(Output tensor, const Tensor& value) {
  OpRecordOfRun op;
  op.node = tensor.node;
  op.index = -1;
  op.outputs.resize(size_t(tensor.index) + 1);
  op.outputs[size_t(tensor.index)] = value;
  store_.add(std::move(op));
}

StepVerdict RecordedRun::after(StepPoint& point, const Status& status) {
  // A step that fails keeps what was computed before.
  if (status.ok() && !record(point).ok()) return StepVerdict::End;
  return StepVerdict::Go;
}

Status RecordedRun::record(StepPoint& point) {
  OpRecordOfRun op;
  const Node& node = point.node();
  op.node = node.id;
  op.index = point.index();
  op.loops = point.loops();
  for (size_t k = 0; k < node.outputTypes.size(); ++k) {
    Tensor t;
    if (!isRef(node.outputTypes[k])) {
      WEFT_LET(t, point.output(int(k)));
    }
    op.outputs.push_back(std::move(t));
  }
  WEFT_TRY(store_.protect(graph_, node, op.outputs));
  store_.add(std::move(op));
  if (!changesVariable(roleOf(node)) || node.inputs.empty()) return {};
  // The first input is what the op is for; an optimizer changes its slots as well.
  for (const Output& in : node.inputs) {
    const DType type = graph_.dtype(in);
    if (!isRef(type) && type != DType::Resource) continue;
    const Node* variable = variableBehind(graph_, in);
    if (!variable) continue;
    const std::string name = variableName(*variable);
    WEFT_LET(const Tensor now, point.variable(name));
    WEFT_LET(changed_[name], now.clone());
    changedAt_[name] = point.index();
    changedBy_[name] = node.id;
  }
  return {};
}

}  // namespace weft::provenance
