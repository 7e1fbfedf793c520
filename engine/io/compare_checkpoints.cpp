#include <algorithm>

#include "weft/compare.h"

namespace weft {
namespace {

bool endsWith(std::string_view text, std::string_view end) { return text.size() >= end.size() && text.substr(text.size() - end.size()) == end; }
bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// `name` without "_1", "_12" at its end.
std::string_view withoutNumber(std::string_view name) {
  const size_t at = name.find_last_not_of("0123456789");
  return at != name.npos && at + 1 < name.size() && name[at] == '_' && at > 0 ? name.substr(0, at) : name;
}

}  // namespace

std::string_view roleName(VariableRole role) {
  static constexpr std::string_view kNames[] = {"weight", "optimizer slot", "moving average", "step", "object graph"};
  return kNames[int(role)];
}

VariableRole roleOf(std::string_view name, const CheckpointReader& checkpoint) {
  if (name == "_CHECKPOINTABLE_OBJECT_GRAPH") return VariableRole::ObjectGraph;
  if (contains(name, ".OPTIMIZER_SLOT/")) return VariableRole::Slot;
  constexpr std::string_view kAttribute = "/.ATTRIBUTES/VARIABLE_VALUE";
  std::string_view plain = endsWith(name, kAttribute) ? name.substr(0, name.size() - kAttribute.size()) : name;
  const size_t slash = plain.rfind('/');
  const std::string_view last = withoutNumber(slash == plain.npos ? plain : plain.substr(slash + 1));
  if (last == "global_step" || last == "save_counter" || last == "step" || last == "iter") return VariableRole::Step;
  if (endsWith(last, "beta1_power") || endsWith(last, "beta2_power")) return VariableRole::Slot;
  if (last == "moving_mean" || last == "moving_variance" || last == "ExponentialMovingAverage" || last == "moving_average") return VariableRole::MovingAverage;
  // An optimizer names its slots NAME/Slot, beside the variable NAME itself.
  if (slash != plain.npos && checkpoint.find(plain.substr(0, slash))) return VariableRole::Slot;
  return VariableRole::Weight;
}

std::string_view kindName(VariableDifference::Kind kind) {
  static constexpr std::string_view kNames[] = {"same", "changed", "only in A", "only in B", "shape differs", "type differs", "unreadable"};
  return kNames[int(kind)];
}

int64_t CheckpointDifference::count(VariableDifference::Kind kind) const {
  return std::count_if(variables.begin(), variables.end(), [kind](const VariableDifference& v) { return v.kind == kind; });
}

Result<CheckpointDifference> compareCheckpoints(const CheckpointReader& a, const CheckpointReader& b, const Progress& progress) {
  using Kind = VariableDifference::Kind;
  CheckpointDifference out;
  double total = 1, done = 0;
  for (const CheckpointEntry& entry : a.tensors()) total += double(std::max<int64_t>(1, entry.shape.elements()));
  const auto &left = a.tensors(), &right = b.tensors();
  for (size_t i = 0, k = 0; i < left.size() || k < right.size();) {
    VariableDifference v;
    const int order = i == left.size() ? 1 : k == right.size() ? -1 : left[i].name.compare(right[k].name);
    if (order <= 0) {
      v.name = left[i].name;
      v.dtypeA = left[i].dtype;
      v.shapeA = left[i].shape;
    }
    if (order >= 0) {
      v.name = right[k].name;
      v.dtypeB = right[k].dtype;
      v.shapeB = right[k].shape;
    }
    if (order != 0) {
      v.kind = order < 0 ? Kind::OnlyInFirst : Kind::OnlyInSecond;
    } else if (!(v.shapeA == v.shapeB)) {
      v.kind = Kind::ShapeDiffers;
    } else if (v.dtypeA != v.dtypeB) {
      v.kind = Kind::TypeDiffers;
    } else {
      const double weight = double(std::max<int64_t>(1, v.shapeA.elements()));
      const auto part = [&](double share) { return !progress || progress((done + weight * share) / total); };
      if (!part(0)) return cancelledError("the comparison was cancelled");
      auto compared = [&]() -> Result<TensorDifference> {
        WEFT_LET(const Tensor x, a.read(v.name));
        WEFT_LET(const Tensor y, b.read(v.name));
        return differenceOf(x, y, part);
      }();
      if (compared.ok()) {
        v.difference = *compared;
        v.kind = v.difference.differing ? Kind::Changed : Kind::Same;
      } else if (compared.error().code == Code::Cancelled) {
        return compared.error();
      } else {
        v.kind = Kind::Unreadable;
        v.error = compared.error().message;
      }
      done += weight;
    }
    i += order <= 0;
    k += order >= 0;
    out.variables.push_back(std::move(v));
  }
  return out;
}

}  // namespace weft
