// Where one element comes from.
#include <algorithm>
#include <cmath>

#include "provenance/local_slopes.h"
#include "provenance/provenance_impl.h"
#include "weft/op.h"
#include "weft/op_traits.h"

namespace weft {

using provenance::flatOf;
using provenance::indexOf;
using provenance::near;
using provenance::numberAt;

namespace {

/// How much a part matters: a NaN that a NaN was computed from most, an unknown contribution least.
double weightOf(const OriginPart& p) {
  if (!std::isnan(p.contribution)) return std::abs(p.contribution);
  return std::isnan(p.value) && !std::isnan(p.slope) ? INFINITY : -1;
}

/// Largest contribution first; parts whose contribution is unknown last.
void sortParts(std::vector<OriginPart>& parts) {
  std::stable_sort(parts.begin(), parts.end(), [](const OriginPart& a, const OriginPart& b) { return weightOf(a) > weightOf(b); });
}

bool passesOn(const Node& node) {
  switch (roleOf(node)) {
    case OpRole::Identity:
    case OpRole::RefIdentity:
    case OpRole::Copy:
    case OpRole::Reshape:
    case OpRole::Cast:
    case OpRole::Enter:
    case OpRole::Exit:
    case OpRole::NextIteration:
    case OpRole::Switch:
    case OpRole::Check:
    case OpRole::ReadVariable: return true;
    default: return false;
  }
}

/// The same element of an input without slopes: of the same shape, broadcast, or with one value for each row.
std::optional<std::vector<int64_t>> samePosition(const Shape& input, const Shape& output, const std::vector<int64_t>& index) {
  if (input.rank() == 0) return std::vector<int64_t>();
  if (input.rank() > output.rank()) return std::nullopt;
  const auto matches = [&](int shift) {
    for (int i = 0; i < input.rank(); ++i)
      if (input.dim(i) != output.dim(i + shift) && input.dim(i) != 1) return false;
    return true;
  };
  const int right = output.rank() - input.rank();
  for (const int shift : {right, 0}) {
    if (!matches(shift)) continue;
    std::vector<int64_t> out;
    for (int i = 0; i < input.rank(); ++i) out.push_back(input.dim(i) == 1 ? 0 : index[size_t(i + shift)]);
    return out;
  }
  return std::nullopt;
}

}  // namespace

std::string provenance::inputName(const Node& node, size_t input) {
  if (!node.record) return concat("input ", input);
  AttrMap attrs = node.attrs;
  const auto signature = resolveSignature(*node.record, attrs);
  if (!signature.ok()) return concat("input ", input);
  for (size_t s = 0; s < signature->inputRanges.size() && s < node.record->inputs.size(); ++s) {
    const auto [begin, end] = signature->inputRanges[s];
    if (int(input) < begin || int(input) >= end) continue;
    const std::string& name = node.record->inputs[s].name;
    return end - begin > 1 ? concat(name, " ", int(input) - begin) : name;
  }
  return concat("input ", input);
}

void Provenance::Impl::addByPosition(Step& step, const Node& node, const Shape& shape, const std::vector<int64_t>& index, int64_t order,
                                     const std::vector<char>& inputs, Origin& out) const {
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (!inputs[i]) continue;
    const auto value = valueOf(step, node.inputs[i], order);
    if (!value.ok()) continue;
    const auto same = samePosition(value->shape(), shape, index);
    const auto flat = same ? flatOf({}, value->shape(), *same) : Result<int64_t>(int64_t(0));
    auto p = part(step, node.inputs[i], value->elements() > 0 && flat.ok() ? *flat : 0, order);
    if (!p.ok()) continue;
    p->input = provenance::inputName(node, i);
    if (!same && value->elements() != 1) {
      p->whole = true;
      p->element.index.clear();
      p->value = NAN;
    }
    out.parts.push_back(std::move(*p));
    ++out.count;
  }
}

Result<Origin> Provenance::Impl::deriveOp(const OriginPart& self, Output output) {
  Origin out;
  out.self = self;
  WEFT_LET(Step * step, at(self.element.step));
  const Node& node = *graph().node(output.node);
  if (self.kind == OriginKind::Data && !self.element.index.empty() && size_t(self.element.index[0]) < step->rows.size())
    out.dataRow = step->rows[size_t(self.element.index[0])];
  if (self.kind != OriginKind::Computed || self.whole) return out;
  const KeptOp op = step->run->latest(output.node, self.order);
  const int64_t order = op ? op->index : self.order;
  WEFT_LET(const Tensor value, valueOf(*step, output, self.order));
  WEFT_LET(const int64_t flat, flatOf(self.element.tensor, value.shape(), self.element.index));

  const auto copyOf = [&](Output in, size_t i) -> Status {
    WEFT_LET(OriginPart p, part(*step, in, flat, order));
    p.input = provenance::inputName(node, i);
    p.slope = 1;
    p.contribution = p.value;
    // A read after an update of the same step.
    if (p.kind == OriginKind::Variable && p.value != self.value && !(std::isnan(p.value) && std::isnan(self.value))) {
      const Node* variable = provenance::variableBehind(graph(), in);
      const auto changed = step->run->changed().find(provenance::variableName(*variable));
      if (changed != step->run->changed().end() && numberAt(changed->second, flat) == self.value) {
        p = variablePart(*variable, changed->second, flat, self.element.step);
        p.slope = 1;
        p.contribution = p.value;
      }
    }
    // A Cast may round.
    out.rule = p.value == self.value || (std::isnan(p.value) && std::isnan(self.value)) ? OriginRule::Copy : OriginRule::Slope;
    out.parts.push_back(std::move(p));
    out.count = 1;
    return {};
  };
  if (roleOf(node) == OpRole::Merge) {
    size_t last = 0;
    int64_t latest = -2;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const KeptOp from = step->run->latest(node.inputs[i].node, order);
      if (!from || from->index <= latest || !valueOf(*step, node.inputs[i], order).ok()) continue;
      latest = from->index;
      last = i;
    }
    WEFT_TRY(copyOf(node.inputs[last], last));
    return out;
  }
  for (const Stored& stored : storedFor(*step, node, self.element.index, order)) {
    WEFT_LET(const Tensor from, valueOf(*step, stored.output, stored.order));
    WEFT_LET(const int64_t place, flatOf(graph().tensorName(stored.output), from.shape(), stored.index));
    WEFT_LET(OriginPart p, part(*step, stored.output, place, stored.order));
    p.input = "stored";
    p.slope = 1;
    p.contribution = p.value;
    out.parts.push_back(std::move(p));
  }
  if (!out.parts.empty()) {
    out.count = int64_t(out.parts.size());
    out.rule = out.count == 1 ? OriginRule::Copy : OriginRule::Sum;
    if (out.count > 1) out.rest = 0;
    return out;
  }
  if (passesOn(node) && !node.inputs.empty()) {
    WEFT_TRY(copyOf(node.inputs[0], 0));
    return out;
  }

  std::vector<Tensor> inputs;
  for (const Output& in : node.inputs) {
    auto v = valueOf(*step, in, order);
    inputs.push_back(v.ok() ? std::move(*v) : Tensor());
  }
  auto slopes = provenance::localSlopes(graph(), node, inputs, output.index, value.shape(), flat);
  if (cancellation.cancelled()) return cancelledError("Cancelled while ", node.name, " was examined.");
  std::vector<char> without(node.inputs.size(), 0);
  bool any = false;
  if (slopes.ok() && slopes->known)
    for (const auto& s : slopes->perInput) any = any || !s.empty();
  if (!any) {
    out.rule = OriginRule::Position;
    without.assign(node.inputs.size(), 1);
    addByPosition(*step, node, value.shape(), self.element.index, order, without, out);
    return out;
  }
  struct Candidate {
    size_t input;
    int64_t flat;
    double slope, contribution;
  };
  std::vector<Candidate> all;
  std::vector<double> sums(inputs.size(), 0);
  double total = 0, scale = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    for (const auto& [at, slope] : slopes->perInput[i]) {
      const double c = slope * numberAt(inputs[i], at);
      all.push_back({i, at, slope, c});
      sums[i] += c;
      scale = std::max(scale, std::abs(c));
    }
    total += sums[i];
    // Labels and the like: whole numbers that choose.
    if (slopes->perInput[i].empty() && inputs[i].hasValue() && isInteger(inputs[i].dtype()) && !isConstant(*graph().node(node.inputs[i].node)) &&
        inputs[i].rank() > 0)
      without[i] = 1;
  }
  const auto most = std::min(all.size(), size_t(std::max(1, options.most)));
  std::partial_sort(all.begin(), all.begin() + std::ptrdiff_t(most), all.end(), [](const Candidate& a, const Candidate& b) {
    const auto size = [](double v) { return std::isnan(v) ? INFINITY : std::abs(v); };
    return size(a.contribution) != size(b.contribution) ? size(a.contribution) > size(b.contribution) : size(a.slope) > size(b.slope);
  });
  out.count = int64_t(all.size());
  double listed = 0;
  for (size_t k = 0; k < most; ++k) {
    WEFT_LET(OriginPart p, part(*step, node.inputs[all[k].input], all[k].flat, order));
    p.input = provenance::inputName(node, all[k].input);
    p.slope = all[k].slope;
    p.contribution = all[k].contribution;
    listed += p.contribution;
    out.parts.push_back(std::move(p));
  }
  const auto explains = std::count_if(sums.begin(), sums.end(), [&](double s) { return s != 0 && near(s, self.value, scale); });
  if (all.size() == 1 && all[0].slope == 1 && out.parts[0].value == self.value) out.rule = OriginRule::Copy;
  else if (near(total, self.value, scale)) out.rule = OriginRule::Sum;
  else if (explains >= 2) out.rule = OriginRule::Products;
  else out.rule = OriginRule::Slope;
  if (out.rule == OriginRule::Sum) out.rest = self.value - listed;
  addByPosition(*step, node, value.shape(), self.element.index, order, without, out);
  return out;
}

Result<Origin> Provenance::Impl::deriveVariable(const OriginPart& self, const Node& variable) {
  Origin out;
  out.self = self;
  const std::string name = provenance::variableName(variable);
  if (self.element.step < replay->recorded().first) return out;  // its value when the record begins
  WEFT_LET(Step * step, at(self.element.step));
  const auto old = step->before.find(name);
  const KeptOp op = step->run->changeOf(name);
  if (old == step->before.end() && !op) return out;
  if (!op) {
    WEFT_LET(const int64_t flat, flatOf(variable.name, old->second.shape(), self.element.index));
    OriginPart p = variablePart(variable, old->second, flat, self.element.step - 1);
    p.slope = 1;
    p.contribution = p.value;
    out.parts.push_back(std::move(p));
    out.rule = OriginRule::Kept;
    out.count = 1;
    return out;
  }
  const Tensor& now = step->run->changed().at(name);
  WEFT_LET(const int64_t flat, flatOf(variable.name, now.shape(), self.element.index));
  const Node& node = *graph().node(op->node);
  out.self.op = node.op;
  out.rule = OriginRule::Update;
  const double before = old == step->before.end() ? NAN : numberAt(old->second, flat), added = self.value - before;
  const bool replaces = roleOf(node) == OpRole::Assign;
  if (!replaces && old != step->before.end()) {
    OriginPart p = variablePart(variable, old->second, flat, self.element.step - 1);
    p.slope = 1;
    p.contribution = before;
    out.parts.push_back(std::move(p));
  }
  // Sparse updates name their rows.
  Tensor rows;
  std::vector<Tensor> values(node.inputs.size());
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    auto v = valueOf(*step, node.inputs[i], op->index);
    if (v.ok()) values[i] = std::move(*v);
    if (provenance::inputName(node, i) == "indices") rows = values[i];
  }
  for (size_t i = 1; i < node.inputs.size(); ++i) {
    const std::string input = provenance::inputName(node, i);
    const Tensor& v = values[i];
    if (!v.hasValue() || input == "indices") continue;
    const bool drives = input == "grad" || input == "updates" || input == "delta" || input == "value";
    std::vector<int64_t> places;
    if (v.elements() == 1 && now.elements() != 1) {
      places.push_back(0);
    } else if (v.shape() == now.shape()) {
      places.push_back(flat);
    } else if (rows.hasValue() && now.rank() > 0 && now.dim(0) > 0) {
      const int64_t size = now.elements() / now.dim(0), row = flat / size;
      for (int64_t r = 0; r < rows.elements(); ++r)
        if (rows.asInt(r) == row) places.push_back(r * size + flat % size);
    }
    double sum = 0;
    for (const int64_t place : places) sum += numberAt(v, place);
    for (const int64_t place : places) {
      WEFT_LET(OriginPart p, part(*step, node.inputs[i], place, op->index));
      p.input = input;
      if (drives && v.elements() == now.elements() && places.size() == 1) p.contribution = replaces ? p.value : added;
      else if (drives && sum != 0) p.contribution = (replaces ? self.value : added) * p.value / sum;
      if (drives && p.value != 0) p.slope = p.contribution / p.value;
      out.parts.push_back(std::move(p));
    }
  }
  // The value before, what drives the update, and its other inputs.
  std::stable_partition(out.parts.begin(), out.parts.end(), [](const OriginPart& p) { return !std::isnan(p.contribution); });
  out.count = int64_t(out.parts.size());
  // A row that the indices do not name stays.
  if (rows.hasValue() && added == 0 && out.parts.size() >= 1 &&
      std::none_of(out.parts.begin(), out.parts.end(), [](const OriginPart& p) { return p.input == "grad" || p.input == "updates"; }))
    out.rule = OriginRule::Kept;
  return out;
}

Result<Origin> Provenance::derive(const OriginPart& part) {
  WEFT_LET(const Impl::Place place, impl_->placeOf(part.element.tensor));
  if (place.variable) {
    if (!part.whole) return impl_->deriveVariable(part, *place.variable);
    Origin out;
    out.self = part;
    return out;
  }
  WEFT_LET(Origin out, impl_->deriveOp(part, place.output));
  if (out.rule != OriginRule::Update) sortParts(out.parts);
  return out;
}

bool Provenance::Impl::isWeight(const OriginPart& part) const {
  if (part.kind == OriginKind::Variable) return true;
  const auto o = graph().findOutput(part.element.tensor);
  if (!o.ok()) return false;
  const Node& node = *graph().node(o->node);
  return (roleOf(node) == OpRole::ReadVariable || isIdentity(node)) && !node.inputs.empty() && provenance::variableBehind(graph(), node.inputs[0]);
}

/// What a step did to a variable is its gradient. Elsewhere, of parts that contribute the same, the one that comes from the data, not a weight or a constant factor.
const OriginPart& Provenance::Impl::next(const Origin& origin) const {
  if (origin.rule == OriginRule::Update) {
    for (const OriginPart& p : origin.parts)
      if (p.input == "grad" || p.input == "updates" || p.input == "delta" || p.input == "value") return p;
    return origin.parts[0];
  }
  const auto rank = [&](const OriginPart& p) {
    if (isWeight(p)) return 1;
    const auto o = graph().findOutput(p.element.tensor);
    return o.ok() && ofData[size_t(o->node)] ? 2 : 0;
  };
  const OriginPart* best = &origin.parts[0];
  const double most = weightOf(*best);
  for (const OriginPart& p : origin.parts)
    if (weightOf(p) >= (std::isfinite(most) && most > 0 ? 0.999 * most : most) && rank(p) > rank(*best)) best = &p;
  return *best;
}

Result<std::vector<Origin>> Provenance::path(const Element& element, int length, int64_t steps) {
  WEFT_LET(OriginPart at, find(element));
  return pathFrom(std::move(at), length, steps);
}

Result<std::vector<Origin>> Provenance::pathFrom(OriginPart at, int length, int64_t steps) {
  std::vector<Origin> out;
  const int64_t first = at.element.step - steps;
  while (int(out.size()) < length) {
    WEFT_LET(Origin origin, derive(at));
    out.push_back(std::move(origin));
    if (out.back().parts.empty()) break;
    at = impl_->next(out.back());
    if (at.element.step >= first) continue;
    Origin end;
    end.self = std::move(at);
    out.push_back(std::move(end));
    break;
  }
  return out;
}

}  // namespace weft
