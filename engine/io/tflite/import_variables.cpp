#include "io/tflite/importer.h"

// Resource variables. A model gives them their first values in a subgraph of its own, which CALL_ONCE runs. As the states of is_variable tensors, a variable
// becomes a placeholder whose default is that value; what the model assigns is fetchable as NAME/next.

namespace weft::tflite {
namespace {

constexpr size_t kMostVariables = 10'000;

}  // namespace

bool Importer::readInitialValues(int subgraph) {
  const auto* all = file_.root->subgraphs();
  const auto* codes = file_.root->operator_codes();
  if (subgraph < 0 || uint32_t(subgraph) >= all->size() || !all->Get(uint32_t(subgraph)) || !codes) return false;
  const tfl::SubGraph& init = *all->Get(uint32_t(subgraph));
  if (!init.operators() || !init.tensors()) return false;
  const auto tensorAt = [&](const flatbuffers::Vector<int32_t>* list, uint32_t i) {
    const int32_t index = list && i < list->size() ? list->Get(i) : -1;
    return index >= 0 && uint32_t(index) < init.tensors()->size() && init.tensors()->Get(uint32_t(index)) ? index : -1;
  };
  std::map<int, std::string> handles;
  for (const tfl::Operator* op : *init.operators()) {
    if (!op || op->opcode_index() >= codes->size()) return false;
    const Op kind = opOf(*codes->Get(op->opcode_index()));
    if (kind == Op::VAR_HANDLE) {
      const auto* options = op->builtin_options_as_VarHandleOptions();
      const int handle = tensorAt(op->outputs(), 0);
      if (!options || !options->shared_name() || handle < 0) return false;
      handles[handle] = options->shared_name()->str();
    } else if (kind == Op::ASSIGN_VARIABLE) {
      const int handle = tensorAt(op->inputs(), 0), from = tensorAt(op->inputs(), 1);
      if (from < 0 || !handles.count(handle) || variables_.size() >= kMostVariables) return false;
      const tfl::Tensor& t = *init.tensors()->Get(uint32_t(from));
      if (!isConstant(file_, t)) return false;
      auto value = valueOf(file_, t);
      const Quantization q = quantizationOf(t);
      if (value.ok() && q.any() && quantizedRange(t.type())) value = dequantized(*value, q);
      if (!value.ok() || !fits(value->bytes())) return false;
      variables_[handles[handle]].initial = std::move(*value);
    } else {
      return false;
    }
  }
  return true;
}

Output Importer::variableNow(const std::string& name, int index) {
  Variable& v = variables_.at(name);
  if (v.now.valid()) return v.now;
  const auto root = builder_.nameScope("");
  const std::string own = builder_.uniqueName(nodeNameFrom(name, "variable"));
  const Output initial = builder_.constant(v.initial, own + "/initial");
  v.state = v.now = builder_.op("PlaceholderWithDefault", {initial}, {{"shape", v.initial.shape()}}, own + "/");
  label(v.state, index, own);
  warnings_.push_back(concat("the variable '", own, "' starts with its first value in every run unless it is fed; its next value is '", own, "/next'"));
  return v.state;
}

bool Importer::addVariableOperator(const tfl::Operator& op, Op kind) {
  const auto at = [](const flatbuffers::Vector<int32_t>* list, uint32_t i) { return list && i < list->size() ? list->Get(i) : -1; };
  if (kind == Op::CALL_ONCE) {
    const auto* options = op.builtin_options_as_CallOnceOptions();
    return initialized_ = !initialized_ && options && readInitialValues(options->init_subgraph_index());
  }
  if (!initialized_) return false;
  if (kind == Op::VAR_HANDLE) {
    const auto* options = op.builtin_options_as_VarHandleOptions();
    if (!options || !options->shared_name() || at(op.outputs(), 0) < 0 || !variables_.count(options->shared_name()->str())) return false;
    handles_[at(op.outputs(), 0)] = options->shared_name()->str();
    return true;
  }
  if (kind != Op::READ_VARIABLE && kind != Op::ASSIGN_VARIABLE) return false;
  const auto handle = handles_.find(at(op.inputs(), 0));
  if (handle == handles_.end()) return false;
  const int index = kind == Op::READ_VARIABLE ? at(op.outputs(), 0) : at(op.inputs(), 1);
  if (index < 0 || graphType(index) != variables_.at(handle->second).initial.dtype()) return false;
  if (kind == Op::ASSIGN_VARIABLE) {
    // The state is there even if the model never reads it.
    (void)variableNow(handle->second, index);
    variables_.at(handle->second).now = value(index);
    return true;
  }
  if (values_.count(index)) return false;
  values_[index] = variableNow(handle->second, index);
  return true;
}

void Importer::addNextValues() {
  const auto root = builder_.nameScope("");
  for (const auto& [name, v] : variables_)
    if (builder_.ok() && v.state.valid() && v.now.valid() && !(v.now == v.state))
      builder_.op("Identity", {v.now}, {}, builder_.nodeAt(v.state.node).name + "/next");
}

}  // namespace weft::tflite
