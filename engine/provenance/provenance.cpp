// Steps with all their values, and elements found in them.
#include <algorithm>

#include "provenance/provenance_impl.h"
#include "weft/op_traits.h"

namespace weft {

using provenance::flatOf;
using provenance::indexOf;
using provenance::numberAt;

namespace provenance {

Result<int64_t> flatOf(const std::string& name, const Shape& shape, const std::vector<int64_t>& index) {
  if (index.size() != size_t(shape.rank()))
    return invalidArgument(name, " has ", shape.rank(), shape.rank() == 1 ? " dimension " : " dimensions ", shape.toString(), ", the index has ", index.size());
  int64_t flat = 0;
  for (size_t i = 0; i < index.size(); ++i) {
    if (index[i] < 0 || index[i] >= shape.dim(int(i)))
      return outOfRange(elementText({name, index, 0}), " is outside of ", name, ", whose shape is ", shape.toString());
    flat = flat * shape.dim(int(i)) + index[i];
  }
  return flat;
}

std::vector<int64_t> indexOf(const Shape& shape, int64_t flat) {
  std::vector<int64_t> out(size_t(std::max(0, shape.rank())));
  for (int i = shape.rank() - 1; i >= 0; --i) {
    out[size_t(i)] = flat % std::max<int64_t>(1, shape.dim(i));
    flat /= std::max<int64_t>(1, shape.dim(i));
  }
  return out;
}

double numberAt(const Tensor& value, int64_t flat) {
  if (!value.hasValue() || sizeOf(value.dtype()) == 0 || flat < 0 || flat >= value.elements()) return NAN;
  return value.asDouble(flat);
}

}  // namespace provenance

Provenance::Provenance(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Provenance::~Provenance() = default;

Result<std::unique_ptr<Provenance>> Provenance::create(std::unique_ptr<StepReplay> replay, Options options) {
  auto impl = std::make_unique<Impl>();
  impl->replay = std::move(replay);
  impl->options = options;
  impl->findData();
  return std::unique_ptr<Provenance>(new Provenance(std::move(impl)));
}

StepReplay& Provenance::replay() { return *impl_->replay; }
void Provenance::setCancellation(CancellationToken token) { impl_->cancellation = std::move(token); }

void Provenance::Impl::findData() {
  ofData.assign(size_t(graph().size()), 0);
  std::vector<int> work;
  const auto visit = [&](int id) {
    if (ofData[size_t(id)]) return;
    ofData[size_t(id)] = 1;
    work.push_back(id);
  };
  for (const std::string& tensor : replay->dataTensors())
    if (const auto o = graph().findOutput(tensor); o.ok()) visit(o->node);
  const auto consumers = graph().consumers();
  while (!work.empty()) {
    const int id = work.back();
    work.pop_back();
    for (const int to : consumers[size_t(id)]) {
      const Node& node = *graph().node(to);
      const bool reads = std::any_of(node.inputs.begin(), node.inputs.end(), [&](const Output& in) { return in.node == id; });
      if (reads && roleOf(node) != OpRole::ShapeOf) visit(to);
    }
  }
}

Result<Provenance::Impl::Step*> Provenance::Impl::at(int64_t step) {
  constexpr size_t kKept = 3;
  const auto known = std::find_if(kept.begin(), kept.end(), [&](const auto& s) { return s->step == step; });
  if (known != kept.end()) {
    auto found = std::move(*known);
    kept.erase(known);
    kept.push_front(std::move(found));
    return kept.front().get();
  }
  WEFT_TRY(replay->goTo(step, cancellation));
  auto made = std::make_unique<Step>();
  made->step = step;
  made->before = replay->variables();
  made->feeds = replay->feeds();
  made->batchFeeds = int64_t(replay->dataTensors().size());
  made->rows = replay->rows();
  made->run = std::make_unique<provenance::RecordedRun>(options.keepBytes);
  if (kept.size() >= kKept) kept.pop_back();
  const Status computed = replay->compute(*made->run);
  // What a step computed before it failed can be asked about too.
  if (!computed.ok() && made->run->ops().empty()) return computed.error();
  kept.push_front(std::move(made));
  return kept.front().get();
}

Result<Provenance::Impl::Place> Provenance::Impl::placeOf(const std::string& tensor) const {
  const bool isNode = tensor.find(':') == std::string::npos;
  if (isNode) {
    const Node* node = graph().find(tensor);
    if (!node) {
      std::string near;
      for (int id = 0; id < graph().size() && near.empty(); ++id)
        if (const Node* n = graph().node(id); n && n->name.size() > tensor.size() && n->name.ends_with("/" + tensor)) near = n->name;
      return notFound("There is no tensor or variable ", tensor, near.empty() ? "." : concat("; did you mean ", near, "?"));
    }
    if (isVariable(*node)) return Place{node, {}};
  }
  WEFT_LET(const Output o, graph().findOutput(isNode ? tensor + ":0" : tensor));
  if (const Node& node = *graph().node(o.node); isVariable(node)) return Place{&node, {}};
  // The output of an update refers to the variable as it is then: after the step.
  const DType type = graph().dtype(o);
  if ((isRef(type) || type == DType::Resource) && changesVariable(roleOf(*graph().node(o.node))))
    if (const Node* variable = provenance::variableBehind(graph(), o)) return Place{variable, {}};
  return Place{nullptr, o};
}

Result<Tensor> Provenance::Impl::valueOf(Step& step, Output output, int64_t order) const {
  const Node& node = *graph().node(output.node);
  const DType type = graph().dtype(output);
  if (isRef(type) || type == DType::Resource) {
    const Node* variable = provenance::variableBehind(graph(), output);
    const auto value = variable ? step.before.find(provenance::variableName(*variable)) : step.before.end();
    if (value == step.before.end()) return notFound(graph().tensorName(output), " has no value that can be read.");
    return value->second;
  }
  const KeptOp op = step.run->latest(output.node, order);
  if (op && size_t(output.index) < op->outputs.size() && op->outputs[size_t(output.index)].hasValue()) return op->outputs[size_t(output.index)];
  if (op && op->forgotten)
    return resourceExhausted(graph().tensorName(output), " was computed, but the values of a step are kept up to ", options.keepBytes >> 20, " MB only.");
  if (const Attr* value = isConstant(node) ? node.attrs.find("value") : nullptr; value && value->get<Tensor>()) return *value->get<Tensor>();
  std::string instead;
  if (isSummary(roleOf(node)) && node.inputs.size() > 1) instead = concat(" It is a summary; ask about ", graph().tensorName(node.inputs.back()), ".");
  return notFound(graph().tensorName(output), " is not computed in training step ", step.step, ".", instead);
}

Result<Tensor> Provenance::Impl::variableAfter(const Node& variable, int64_t step) {
  const std::string name = provenance::variableName(variable);
  const RecordedSteps r = replay->recorded();
  if (step == r.first - 1 && r.first > 0) {
    WEFT_LET(const Step* next, at(r.first));
    const auto value = next->before.find(name);
    if (value == next->before.end()) return notFound("Variable ", name, " has no value after step ", step, ".");
    return value->second;
  }
  WEFT_LET(const Step* now, at(step));
  if (const auto changed = now->run->changed().find(name); changed != now->run->changed().end()) return changed->second;
  const auto value = now->before.find(name);
  if (value == now->before.end()) return notFound("Variable ", name, " has no value after step ", step, ".");
  return value->second;
}

OriginPart Provenance::Impl::variablePart(const Node& variable, const Tensor& value, int64_t flat, int64_t step) const {
  OriginPart p;
  p.element = {variable.name, indexOf(value.shape(), flat), step};
  p.kind = OriginKind::Variable;
  p.op = "variable";
  p.value = numberAt(value, flat);
  return p;
}

Result<OriginPart> Provenance::Impl::part(Step& step, Output output, int64_t flat, int64_t order) const {
  const Node& node = *graph().node(output.node);
  WEFT_LET(const Tensor value, valueOf(step, output, order));
  if (const Node* variable = provenance::variableBehind(graph(), output)) return variablePart(*variable, value, flat, step.step - 1);
  OriginPart p;
  p.element = {graph().tensorName(output), indexOf(value.shape(), flat), step.step};
  p.op = node.op;
  p.value = numberAt(value, flat);
  p.order = order;
  const auto fed = std::find_if(step.feeds.begin(), step.feeds.end(), [&](const auto& f) { return f.first == p.element.tensor; });
  if (fed != step.feeds.end()) p.kind = fed - step.feeds.begin() < step.batchFeeds ? OriginKind::Data : OriginKind::Setting;
  else if (isConstant(node)) p.kind = OriginKind::Constant;
  else if (roleOf(node) == OpRole::Random) p.kind = OriginKind::Random;
  return p;
}

Result<OriginPart> Provenance::find(const Element& element) {
  WEFT_LET(const Impl::Place place, impl_->placeOf(element.tensor));
  if (place.variable) {
    WEFT_LET(const Tensor value, impl_->variableAfter(*place.variable, element.step));
    WEFT_LET(const int64_t flat, flatOf(element.tensor, value.shape(), element.index));
    return impl_->variablePart(*place.variable, value, flat, element.step);
  }
  WEFT_LET(Impl::Step * step, impl_->at(element.step));
  WEFT_LET(const Tensor value, impl_->valueOf(*step, place.output, INT64_MAX));
  WEFT_LET(const int64_t flat, flatOf(element.tensor, value.shape(), element.index));
  return impl_->part(*step, place.output, flat, INT64_MAX);
}

Result<Shape> Provenance::shapeOf(const std::string& tensor, int64_t step) {
  WEFT_LET(const Impl::Place place, impl_->placeOf(tensor));
  if (place.variable) {
    WEFT_LET(const Tensor value, impl_->variableAfter(*place.variable, step));
    return value.shape();
  }
  WEFT_LET(Impl::Step * at, impl_->at(step));
  WEFT_LET(const Tensor value, impl_->valueOf(*at, place.output, INT64_MAX));
  return value.shape();
}

Result<Element> Provenance::largest(const std::string& tensor, int64_t step) {
  WEFT_LET(const Impl::Place place, impl_->placeOf(tensor));
  Tensor value;
  if (place.variable) {
    WEFT_LET(value, impl_->variableAfter(*place.variable, step));
  } else {
    WEFT_LET(Impl::Step * at, impl_->at(step));
    WEFT_LET(value, impl_->valueOf(*at, place.output, INT64_MAX));
  }
  if (sizeOf(value.dtype()) == 0) return invalidArgument(tensor, " holds ", dtypeName(value.dtype()), ", not numbers.");
  if (value.elements() == 0) return invalidArgument(tensor, " has no elements; its shape is ", value.shape().toString(), ".");
  int64_t best = 0;
  double most = -1;
  for (int64_t i = 0, n = value.elements(); i < n; ++i) {
    const double v = value.asDouble(i), size = std::isnan(v) ? INFINITY : std::abs(v);
    if (size > most) {
      most = size;
      best = i;
    }
  }
  return Element{place.variable ? place.variable->name : impl_->graph().tensorName(place.output), indexOf(value.shape(), best), step};
}

std::vector<std::pair<int64_t, double>> Provenance::history(const Element& element) {
  const auto place = impl_->placeOf(element.tensor);
  if (!place.ok() || !place->variable) return {};
  const auto value = impl_->variableAfter(*place->variable, element.step);
  const auto flat = value.ok() ? flatOf(element.tensor, value->shape(), element.index) : Result<int64_t>(value.error());
  return flat.ok() ? impl_->replay->history(provenance::variableName(*place->variable), *flat) : std::vector<std::pair<int64_t, double>>();
}

}  // namespace weft
