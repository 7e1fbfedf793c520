// Ops drawn from the samples in golden records.
#include <algorithm>
#include <cctype>

#include "draw_stores.h"
#include "drawing.h"
#include "values.h"

namespace weft::generated {
namespace {

/// The spec that input `i` belongs to, for attributes `attrs`.
const ArgSpec* specOf(const OpRecord& record, const AttrMap& attrs, int i) {
  for (const ArgSpec& a : record.inputs) {
    int n = 1;
    if (a.isTypeList) n = int(attrs.list<DType>(a.typeAttr).size());
    else if (!a.numberAttr.empty()) n = int(attrs.integer(a.numberAttr));
    if (i < n) return &a;
    i -= n;
  }
  return nullptr;
}

/// Whether the argument is data that an op computes with, rather than a count, an axis or an index.
bool isData(const OpRecord& record, const ArgSpec& spec, const Tensor& value) {
  if (isFloating(value.dtype()) || isComplex(value.dtype())) return true;
  const AttrSpec* attr = spec.typeAttr.empty() ? nullptr : record.findAttr(spec.typeAttr);
  if (!attr) return value.dtype() == DType::Bool;
  return attr->allowedTypes.empty() ||
         std::any_of(attr->allowedTypes.begin(), attr->allowedTypes.end(), [](DType t) { return isFloating(t) || t == DType::String; });
}

/// Numbers near those of a record: the same domain, other values.
Tensor jittered(Random& random, const Tensor& value) {
  if (!isFloating(value.dtype()) || random.chance(0.4)) return value;
  const int64_t style = random.below(3);
  const int64_t n = std::max<int64_t>(value.elements(), 1), turn = random.below(n);
  return filled(value.dtype(), value.shape(), [&](int64_t i) {
    const double v = value.asDouble(style == 0 ? (i + turn) % n : i);
    return style == 1 ? v * (0.75 + 0.5 * random.uniform()) : v;
  });
}

}  // namespace

bool Drawing::switchType(const Sample& sample, AttrMap& attrs, std::vector<Tensor>& inputs) {
  std::vector<const AttrSpec*> choices;
  for (const AttrSpec& a : sample.record->attrs)
    if (a.type == "type") choices.push_back(&a);
  if (choices.empty()) return false;
  const AttrSpec& chosen = *random_.pick(choices);
  const DType now = attrs.type(chosen.name);
  const DType next = chosen.allowedTypes.empty() ? randomType() : random_.pick(chosen.allowedTypes);
  if (next == now || !hasNumbers(next) || !hasNumbers(now) || !hasKernel(*sample.record, chosen.name, next)) return false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ArgSpec* spec = specOf(*sample.record, sample.attrs, int(i));
    if (!spec || spec->isTypeList || spec->typeAttr != chosen.name) continue;
    inputs[i] = converted(inputs[i], next);
  }
  attrs.set(chosen.name, next);
  return true;
}

bool Drawing::broadcastOp(const OpSamples& op, const Sample& sample) {
  AttrMap attrs = sample.attrs;
  const OpRecord& record = *op.record;
  // One type attribute for all data inputs; other inputs (a condition) keep theirs.
  std::string typeAttr;
  for (const ArgSpec& a : record.inputs)
    if (!a.typeAttr.empty() && !a.isTypeList && a.numberAttr.empty()) typeAttr = a.typeAttr;
  const Value* first = nullptr;
  if (!typeAttr.empty()) {
    const AttrSpec* spec = record.findAttr(typeAttr);
    first = find([&](const Value& v) {
      return v.shape.isFullyKnown() && v.shape.elements() <= 2048 &&
             (!spec || spec->allowedTypes.empty() || std::count(spec->allowedTypes.begin(), spec->allowedTypes.end(), v.type)) &&
             hasKernel(record, typeAttr, v.type) && hasNumbers(v.type);
    });
    if (first) attrs.set(typeAttr, first->type);
  }
  Shape shape = first ? first->shape : randomShape();
  const size_t place = first ? size_t(random_.below(int64_t(sample.inputs.size()))) : sample.inputs.size();
  std::vector<Output> inputs;
  const Output taken = first ? first->out : Output{};
  const DType takenType = first ? first->type : DType::Invalid;
  for (size_t i = 0; i < sample.inputs.size(); ++i) {
    const ArgSpec* spec = specOf(record, attrs, int(i));
    if (!spec) return false;
    const bool ofType = spec->typeAttr == typeAttr && !typeAttr.empty();
    if (i == place && ofType) {
      inputs.push_back(taken);
      continue;
    }
    const DType type = ofType && first ? takenType : sample.inputs[i].dtype();
    Shape other = shape;
    if (random_.chance(0.4)) {
      const int64_t cut = random_.below(other.rank() + 1);
      if (random_.chance(0.4)) other = other.slice(int(cut));
      for (int d = 0; d < other.rank(); ++d)
        if (random_.chance(0.3)) other.setDim(d, 1);
    }
    inputs.push_back(similar(type, other));
  }
  return builder_->ok() && add(record.name, inputs, std::move(attrs)) >= 0;
}

bool Drawing::sampleOp() {
  const auto drawn = [&]() -> const OpSamples& { return sources_.samples.at(random_.pick(sources_.sampleNames)); };
  const OpSamples* found = &drawn();
  // Old graphs are drawn for the ops that only they may have.
  const int64_t producer = meta_.graph.versions.producer;
  for (int i = 0; i < 40 && producer < GraphVersions().producer && found->record->deprecatedSince <= producer && random_.chance(0.9); ++i) found = &drawn();
  const OpSamples& op = *found;
  if (op.record->deprecatedSince > 0 && op.record->deprecatedSince <= producer) return false;
  const Sample* sample = &random_.pick(op.samples);
  for (int i = 0; i < 4 && sample->refused && random_.chance(0.9); ++i) sample = &random_.pick(op.samples);
  if (op.broadcasts && random_.chance(0.8) && broadcastOp(op, *sample)) return true;
  AttrMap attrs = sample->attrs;
  std::vector<Tensor> values = sample->inputs;
  if (random_.chance(0.2)) switchType(*sample, attrs, values);
  std::vector<Output> inputs;
  for (size_t i = 0; i < values.size(); ++i) {
    const ArgSpec* spec = specOf(*sample->record, sample->attrs, int(i));
    if (!spec) return false;
    const Tensor& value = values[i];
    if (spec->isRef) return false;
    if (isData(*sample->record, *spec, value)) {
      const Value* v = random_.chance(0.7) ? find([&](const Value& x) { return x.type == value.dtype() && x.shape == value.shape(); }) : nullptr;
      if (v) {
        inputs.push_back(v->out);
        continue;
      }
      if (random_.chance(0.3) && hasNumbers(value.dtype())) {
        if (const auto o = adapted(value.dtype(), value.shape())) {
          inputs.push_back(*o);
          continue;
        }
      }
      inputs.push_back(fresh(jittered(random_, value), isFloating(value.dtype()) && random_.chance(0.5)));
    } else {
      const Value* v = random_.chance(0.05) ? find([&](const Value& x) { return x.type == value.dtype() && x.shape == value.shape(); }) : nullptr;
      inputs.push_back(v ? v->out : fresh(value));
    }
    if (!builder_->ok()) return false;
  }
  return add(sample->record->name, inputs, std::move(attrs)) >= 0;
}

namespace {

/// Whether a node lies in a loop or on a branch, judging by its inputs: a new builder knows no contexts.
bool isInside(const Graph& graph, int node) {
  std::vector<bool> seen(size_t(graph.size()), false);
  std::vector<int> open{node};
  while (!open.empty()) {
    const int id = open.back();
    open.pop_back();
    if (seen[size_t(id)]) continue;
    seen[size_t(id)] = true;
    const Node& n = *graph.node(id);
    if (n.op.ends_with("Exit")) continue;
    if (n.op.ends_with("Merge")) {
      if (std::any_of(n.inputs.begin(), n.inputs.end(), [&](Output o) { return graph.node(o.node)->op.ends_with("NextIteration"); })) return true;
      continue;
    }
    if (isFlow(n.op)) return true;
    for (const Output& in : n.inputs) open.push_back(in.node);
    open.insert(open.end(), n.controls.begin(), n.controls.end());
  }
  return false;
}

}  // namespace

Case Drawing::draw() {
  static const std::vector<bool (*)(Drawing&)> kDifferentiated = {drawGradient, drawGradient, drawGradient,    drawGradient, drawNetwork,
                                                                  drawCond,     drawWhile,    drawTensorArray, drawLoop};
  Case out;
  const int64_t wanted = random_.chance(0.7) ? random_.between(5, 22) : random_.between(20, 60);
  if (random_.chance(0.04)) meta_.graph.versions.producer = int(random_.pick(std::vector<int64_t>{1, 2, 6, 7, 8, 9, 10, 12, 20, 21}));
  else if (!sources_.scripts.empty() && random_.chance(0.12)) drawScript(*this);
  for (int trial = 0; trial < 40 && meta_.graph.nodeCount() < wanted; ++trial) {
    const double kind = random_.uniform();
    if (sources_.only == "loops" && random_.chance(0.6)) drawLoop(*this);
    else if (sources_.only == "gradients" && random_.chance(0.6)) (void)random_.pick(kDifferentiated)(*this);
    else if (kind < 0.40) drawFamily(*this);
    else if (kind < 0.75) sampleOp();
    else if (kind < 0.80) {
      static const std::vector<bool (*)(Drawing&)> kStores = {drawList,    drawArrayParts, drawTable,      drawScatter, drawTemporary, drawDataset,
                                                              drawDataset, drawSingle,     drawUnrecorded, drawReader,  drawSaved,     drawAnonymous};
      (void)random_.pick(kStores)(*this);
    } else if (kind < 0.84) drawNetwork(*this);
    else if (kind < 0.87) drawGradient(*this);
    else if (kind < 0.89) drawCond(*this);
    else if (kind < 0.905) drawWhile(*this);
    else if (kind < 0.915) drawLoop(*this);
    else if (kind < 0.93) drawTensorArray(*this);
    else if (kind < 0.945) drawFunction(*this);
    else if (kind < 0.96) drawVariable(*this);
    else if (kind < 0.975) drawOptimizer(*this);
    else if (kind < 0.985) drawQueue(*this);
    else drawRandom(*this);
    if (!builder_->ok()) {
      // Nodes added outside attempt() cannot be removed: the graph ends here.
      builder_ = std::make_unique<GraphBuilder>(meta_);
    }
    if (random_.chance(0.12) && meta_.graph.size() > 2) {
      // A control edge between any two nodes outside loops and branches, including constants and effects. Variable initializers and the ordered ops of a script
      // are excluded: they would run at unexpected times.
      const auto repeats = [&](int id) {
        const std::string& name = meta_.graph.node(id)->name;
        return std::count(initialisers_.begin(), initialisers_.end(), id) ||
               (!scripted_.empty() && name.size() > 1 && name[0] == 's' && std::isdigit(static_cast<unsigned char>(name[1])));
      };
      const auto plain = [&](int id) { return !isFlow(meta_.graph.node(id)->op) && !builder_->contextOf(id) && !isInside(meta_.graph, id); };
      const int to = int(random_.chance(0.5) ? meta_.graph.size() - 1 : random_.below(meta_.graph.size())), from = int(random_.below(meta_.graph.size()));
      if (from != to && !repeats(from) && plain(from) && plain(to) && meta_.graph.node(to)->op != "Placeholder" && !dependents(meta_.graph, to)[size_t(from)])
        builder_->addControlInputs(to, {from});
    }
  }
  finish(out);
  return out;
}

void Drawing::finish(Case& out) {
  const Graph& graph = meta_.graph;
  const auto consumers = graph.consumers();
  std::vector<std::string> leaves, others;
  for (const Value& v : pool_) {
    const std::string& op = graph.node(v.out.node)->op;
    if (op == "Const" || op == "Placeholder") continue;
    (consumers[size_t(v.out.node)].empty() ? leaves : others).push_back(graph.tensorName(v.out));
  }
  for (std::string& o : others)
    if (random_.chance(0.25)) leaves.push_back(std::move(o));
  if (!initialisers_.empty()) {
    Step first;
    for (const int id : initialisers_) first.targets.push_back(graph.node(id)->name);
    out.steps.push_back(std::move(first));
  }
  const int64_t runs = leaves.empty() && targets_.empty() ? 0 : random_.pick(std::vector<int64_t>{1, 1, 2, 2, 3});
  for (int64_t r = 0; r < runs; ++r) {
    Step step;
    for (const Feed& f : feeds_) {
      const bool change = f.free && r > 0 && random_.chance(0.7);
      step.feeds.emplace_back(f.name, change ? randomTensor(random_, f.value.dtype(), f.value.shape()) : f.value);
    }
    const bool all = r == 0 || random_.chance(0.3);
    for (const std::string& f : leaves)
      if (all || random_.chance(0.5)) step.fetches.push_back(f);
    for (const int t : targets_)
      if (all || random_.chance(0.5)) step.targets.push_back(graph.node(t)->name);
    if (step.fetches.empty() && step.targets.empty()) continue;
    out.steps.push_back(std::move(step));
  }
  out.steps.insert(out.steps.end(), scripted_.begin(), scripted_.end());
  out.files = files_;
  out.derivatives = derivatives_;
  out.meta = meta_;
}

}  // namespace weft::generated
