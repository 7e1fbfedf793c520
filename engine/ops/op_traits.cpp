#include "weft/op_traits.h"

#include <algorithm>

#include "ops/registry.h"

namespace weft {
namespace {

template <typename F>
void eachNamed(OpRegistry& ops, std::string_view names, F&& change) {
  while (!names.empty()) {
    const size_t end = std::min(names.find(' '), names.size());
    change(*ops.findMutable(names.substr(0, end)));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
}

bool isHandle(DType t) { return isRef(t) || t == DType::Resource; }

const OpRecord* recordOf(const Node& node) { return node.record ? node.record : OpRegistry::instance().find(node.op); }

bool isResourceVariable(const OpRecord* record) { return record && record->opRole == OpRole::Variable && record->outputs[0].type == DType::Resource; }

bool callsFunctions(const Node& node) {
  return std::any_of(node.attrs.begin(), node.attrs.end(),
                     [](const auto& a) { return a.second.template get<FuncAttr>() || a.second.template get<std::vector<FuncAttr>>(); });
}

}  // namespace

void state(OpRegistry& ops, OpRole role, Effect effects, std::string_view names) {
  eachNamed(ops, names, [&](OpRecord& r) { r.role(role).effects(effects); });
}

void retain(OpRegistry& ops, std::string_view names) {
  eachNamed(ops, names, [](OpRecord& r) { r.retains(); });
}

void makeFresh(OpRegistry& ops, std::string_view names) {
  eachNamed(ops, names, [](OpRecord& r) { r.makesFresh = true; });
}

void passHandles(OpRegistry& ops, std::string_view names) {
  eachNamed(ops, names, [](OpRecord& r) { r.passesHandles = true; });
}

void misstateShapes(OpRegistry& ops, int right, std::string_view names) {
  eachNamed(ops, names, [&](OpRecord& r) { r.statedOutputs = right; });
}

void passNan(OpRegistry& ops, NanPath path, std::string_view names) {
  eachNamed(ops, names, [&](OpRecord& r) { r.nanPath = path; });
}

void countFlops(OpRegistry& ops, double perElement, std::string_view names) {
  eachNamed(ops, names, [&](OpRecord& r) { r.flopsPerElement = perElement; });
}

OpRole roleOf(const Node& node) { return node.record ? node.record->opRole : roleOf(node.op); }

OpRole roleOf(std::string_view op) {
  const OpRecord* record = OpRegistry::instance().find(op);
  return record ? record->opRole : OpRole::Compute;
}

bool isResourceVariable(const Node& node) { return isResourceVariable(recordOf(node)); }
bool isResourceVariable(std::string_view op) { return isResourceVariable(OpRegistry::instance().find(op)); }

bool passesHandles(const Node& node) {
  const OpRecord* record = recordOf(node);
  return record && record->passesHandles;
}

bool passesHandles(std::string_view op) {
  const OpRecord* record = OpRegistry::instance().find(op);
  return record && record->passesHandles;
}

Effect effectsOf(const Node& node) {
  if (!node.record) return Effect::Program;
  return callsFunctions(node) ? node.record->opEffects | Effect::Program : node.record->opEffects;
}

bool changesSession(const Node& node) {
  constexpr Effect kSession = Effect::Queue | Effect::Table | Effect::Input | Effect::Object | Effect::Program;
  return node.record && any(node.record->opEffects & kSession);
}

bool touchesHandles(const Node& node) {
  return std::any_of(node.inputTypes.begin(), node.inputTypes.end(), isHandle) || std::any_of(node.outputTypes.begin(), node.outputTypes.end(), isHandle);
}

bool retainsTensors(const Node& node) { return !node.record || node.record->retainsTensors || callsFunctions(node); }

}  // namespace weft
