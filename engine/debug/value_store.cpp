#include "debug/value_store.h"
#include "weft/op_traits.h"

#include <algorithm>

namespace weft {

void ValueStore::clear() {
  ops_.clear();
  byNode_.clear();
  ofVariables_.clear();
  bytes_ = 0;
  oldest_ = 0;
}

Status ValueStore::protect(const Graph& graph, const Node& node, std::vector<Tensor>& outputs) {
  const bool reads =
      roleOf(node) == OpRole::ReadVariable || std::any_of(node.inputs.begin(), node.inputs.end(), [&](const Output& in) { return isRef(graph.dtype(in)); });
  for (Tensor& t : outputs) {
    if (!t.hasValue()) continue;
    const bool shares = reads || ofVariables_.count(t.buffer().get()) > 0;
    if (!shares || sizeOf(t.dtype()) == 0) continue;
    ofVariables_.insert(t.buffer().get());
    WEFT_LET(t, t.clone());
  }
  return {};
}

void ValueStore::add(OpRecordOfRun op) {
  op.bytes = 0;
  for (const Tensor& t : op.outputs)
    if (t.hasValue()) op.bytes += int64_t(t.totalBytes());
  bytes_ += op.bytes;
  byNode_[op.node].push_back(ops_.size());
  ops_.push_back(std::make_shared<const OpRecordOfRun>(std::move(op)));
  // The newest entry is kept regardless of its size, because it is being shown.
  while (bytes_ > limit_ && oldest_ + 1 < ops_.size()) {
    KeptOp& old = ops_[oldest_++];
    if (old->bytes == 0) continue;
    bytes_ -= old->bytes;
    OpRecordOfRun without = *old;
    without.bytes = 0;
    without.forgotten = true;
    for (Tensor& t : without.outputs) t = Tensor();
    old = std::make_shared<const OpRecordOfRun>(std::move(without));
  }
}

void ValueStore::replace(int node, int k, const Tensor& value) {
  const auto it = byNode_.find(node);
  if (it == byNode_.end()) return;
  KeptOp& op = ops_[it->second.back()];
  if (k < 0 || size_t(k) >= op->outputs.size()) return;
  OpRecordOfRun changed = *op;
  changed.outputs[size_t(k)] = value;
  changed.nonFinite[size_t(k)] = nonFiniteIn(value);
  op = std::make_shared<const OpRecordOfRun>(std::move(changed));
}

KeptOp ValueStore::latest(int node, int64_t before) const {
  const auto it = byNode_.find(node);
  if (it == byNode_.end()) return nullptr;
  for (auto at = it->second.rbegin(); at != it->second.rend(); ++at)
    if (ops_[*at]->index < before) return ops_[*at];
  return nullptr;
}

KeptOp ValueStore::at(int node, const std::vector<LoopPlace>& loops) const {
  const auto it = byNode_.find(node);
  if (it == byNode_.end()) return nullptr;
  for (auto at = it->second.rbegin(); at != it->second.rend(); ++at)
    if (ops_[*at]->loops == loops) return ops_[*at];
  return nullptr;
}

std::vector<KeptOp> ValueStore::all(int node) const {
  std::vector<KeptOp> out;
  if (const auto it = byNode_.find(node); it != byNode_.end())
    for (const size_t at : it->second) out.push_back(ops_[at]);
  return out;
}

}  // namespace weft
