// Finds layers in plain ops, and where their scopes would be.
#include <algorithm>
#include <charconv>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "api/recipe_parts.h"
#include "fold/fold_parts.h"
#include "weft/groups.h"
#include "weft/op_traits.h"
#include "weft/variables.h"

namespace weft::folding {
namespace {

using From = Source::From;

constexpr size_t kMostLeft = 200;  // lines of a report

std::string floatText(double v) {
  char text[40];
  return std::string(text, std::to_chars(text, text + sizeof text, float(v)).ptr);
}

std::string listOf(const std::vector<int64_t>& values) {
  if (values.size() == 1) return std::to_string(values[0]);
  std::string out;
  for (const int64_t v : values) out += (out.empty() ? "[" : ",") + std::to_string(v);
  return out + "]";
}

std::optional<double> scalarOf(const Node& n) {
  if (!isConstant(n)) return {};
  const Attr* value = n.attrs.find("value");
  const Tensor* t = value ? value->get<Tensor>() : nullptr;
  if (!t || t->elements() != 1 || !isFloating(t->dtype())) return {};
  return t->asDouble(0);
}

/// Of a variable, or of the constant in its place.
const Shape* shapeOf(const Node& n) {
  const Attr* shape = n.attrs.find("shape");
  if (shape) return shape->get<Shape>();
  const Attr* value = n.attrs.find("value");
  const Tensor* t = value ? value->get<Tensor>() : nullptr;
  return t ? &t->shape() : nullptr;
}

/// The text of a parameter as the matched ops have it; unset: they do not say.
std::optional<std::string> valueFrom(const Source& source, const Specimen& s, const Match& match, const Graph& graph) {
  const auto elements = [&](const std::vector<int64_t>& all) -> std::optional<std::string> {
    std::vector<int64_t> chosen;
    for (const int e : source.elements) {
      if (e >= int(all.size())) return {};
      chosen.push_back(all[size_t(e)]);
    }
    return chosen.empty() ? std::nullopt : std::optional(listOf(chosen));
  };
  if (source.from == From::Variable) {
    for (const auto& [p, n] : match.variables) {
      if (s.variables.at(p) != source.name) continue;
      const Shape* dims = shapeOf(*graph.node(n));
      if (!dims || !dims->isFullyKnown()) return {};
      std::vector<int64_t> all;
      for (int i = 0; i < dims->rank(); ++i) {
        if (dims->dim(i) % source.divisor != 0) return {};
        all.push_back(dims->dim(i) / source.divisor);
      }
      return elements(all);
    }
    return {};
  }
  if (source.from == From::Attribute) {
    for (const auto& [p, n] : match.nodes) {
      if (!s.dependent.count(p)) continue;  // the slices of a shape have strides, too
      const Attr* own = s.meta.graph.node(p)->attrs.find(source.name);
      const Attr* value = graph.node(n)->attrs.find(source.name);
      if (!own || !value) continue;
      if (const auto* list = value->get<std::vector<int64_t>>()) {
        if (const auto text = elements(*list)) return text;
      } else if (const auto* real = value->get<float>()) {
        return floatText(double(*real));
      } else if (const auto* word = value->get<std::string>()) {
        std::string lower = *word;
        for (char& c : lower) c = c >= 'A' && c <= 'Z' ? char(c + 32) : c;
        return lower;
      }
    }
    return {};
  }
  double wanted = 0;
  for (const auto& [name, text] : s.parameters)
    if (name == source.parameter) std::from_chars(text.data(), text.data() + text.size(), wanted);
  const bool rest = source.from == From::ConstantRest;
  for (const auto& [p, n] : match.nodes) {
    const auto own = scalarOf(*s.meta.graph.node(p)), value = scalarOf(*graph.node(n));
    if (own && value && *own == (rest ? 1 - wanted : wanted)) return floatText(rest ? 1 - *value : *value);
  }
  return {};
}

class Finder {
 public:
  Finder(const MetaGraph& meta, std::vector<FoldLeft>* left) : graph_(meta.graph), left_(left), trainable_(trainableVariables(meta)) {
    for (const Recipe& r : recipesOf(meta)) {
      if (r.trains()) continue;
      taken_.insert(r.scope);
      for (const auto& [own, kept] : recipes::keptNames(r)) takenVariables_.insert(kept);
    }
    for (const GroupInstance& i : groupInstancesOf(meta)) taken_.insert(i.scope);
  }

  std::vector<Found> run() {
    std::vector<Found> out;
    const auto order = graph_.topologicalOrder();
    if (!order.ok()) {
      left_->push_back({{}, order.error().message});
      return out;
    }
    consumers_ = graph_.consumers();
    counts_ = countByScope(graph_, consumers_, false);
    quiet_ = countByScope(graph_, consumers_, true);
    frozen_ = true;
    for (int id = 0; id < graph_.size() && frozen_; ++id)
      if (const Node* n = graph_.node(id); n && roleOf(*n) == OpRole::Variable) frozen_ = false;
    // From the end of the graph, so that a layer is found with its activation before it is found without.
    for (size_t i = order->size(); i-- > 0;) {
      const int id = (*order)[i];
      if (claimed_.count(id) || isTaken(graph_.node(id)->name)) continue;
      if (auto found = layerAt(id)) out.push_back(std::move(*found));
    }
    std::reverse(out.begin(), out.end());
    keepFirstOfEachVariable(out);
    for (Found& f : out) place(f);
    tellLeft();
    return out;
  }

 private:
  bool isTaken(const std::string& name) const {
    if (taken_.empty()) return false;
    for (size_t slash = name.rfind('/'); slash != name.npos && slash > 0; slash = name.rfind('/', slash - 1))
      if (taken_.count(name.substr(0, slash))) return true;
    return false;
  }

  std::optional<Found> layerAt(int id) {
    const Node& node = *graph_.node(id);
    const std::vector<Pattern> unrolled = unrolledPatterns(graph_, node);
    for (const Pattern& pattern : unrolled)
      if (auto found = tryPattern(pattern, id)) return found;
    if (const auto known = patterns().find(node.op); known != patterns().end())
      for (const Pattern& pattern : known->second)
        if (auto found = tryPattern(pattern, id)) return found;
    return {};
  }

  std::optional<Found> tryPattern(const Pattern& pattern, int id) {
    const Output output{id, pattern.isBare ? 0 : pattern.specimen->output.index};
    std::string why;
    Match partial;
    const auto rough = matchAt(*pattern.specimen, graph_, consumers_, output, {false, frozen_, pattern.isBare}, &why, pattern.gates > 0 ? &partial : nullptr);
    if (rough) {
      why.clear();
      if (auto found = exactly(pattern, *rough, output, &why)) return found;
    }
    // What came closest says most. Of a recurrent layer's many ops, one may differ.
    if (rough || pattern.gates > 0)
      for (const auto& [p, v] : (rough ? *rough : partial).variables) {
        reasonOf_.emplace(v, std::pair(id, why));
        if (pattern.steps > 0) almostRecurrent_.insert(v);
      }
    return {};
  }

  std::optional<Found> exactly(const Pattern& pattern, const Match& rough, Output output, std::string* why) {
    const Specimen& s = *pattern.specimen;
    TextAttrs parameters = s.parameters;
    for (const Source& source : pattern.sources) {
      const auto value = valueFrom(source, s, rough, graph_);
      const auto at = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.first == source.parameter; });
      // A number that the graph does not hold has its default.
      if (!value && at != parameters.end() && (source.from == Source::From::Constant || source.from == Source::From::ConstantRest)) parameters.erase(at);
      if (!value) continue;
      if (at != parameters.end()) at->second = *value;
      else parameters.emplace_back(source.parameter, *value);
    }
    std::vector<InputKind> inputs;
    std::vector<Output> wires;
    for (const int in : s.inputs) {
      const auto at = rough.inputs.find(in);
      if (at == rough.inputs.end()) return {};
      wires.push_back(at->second);
      inputs.push_back({baseType(graph_.dtype(at->second)), graph_.shape(at->second)});
    }
    // What inference does not know, the weights do.
    if (pattern.steps > 0 && inputs[0].shape.rank() == 3 && inputs[0].shape.dim(1) < 0) inputs[0].shape.setDim(1, pattern.steps);
    if (!pattern.channels.first.empty() && inputs[0].shape.rank() > 0 && inputs[0].shape.dim(inputs[0].shape.rank() - 1) < 0)
      for (const auto& [p, v] : rough.variables)
        if (s.variables.at(p) == pattern.channels.first)
          if (const Shape& weights = graph_.shape({v, 0}); weights.rank() > pattern.channels.second) {
            const int64_t state = pattern.gates > 0 ? weights.dim(weights.rank() - 1) / pattern.gates : 0;
            inputs[0].shape.setDim(inputs[0].shape.rank() - 1, weights.dim(pattern.channels.second) - state);
          }
    std::vector<std::string> ports;
    const ApiRecord& record = *ApiRegistry::instance().findLayer(s.kind);
    const std::vector<LayerInput> all = layerInputs(record);
    for (size_t i = 1; i < s.inputs.size(); ++i) ports.push_back(all[i].name);
    const auto exact = specimenFor(s.kind, parameters, inputs, ports);
    if (!exact.ok()) {
      *why = exact.error().message;
      return {};
    }
    const auto match = matchAt(**exact, graph_, consumers_, output, {true, frozen_, pattern.isBare}, why);
    if (!match) return {};
    std::vector<int> nodes = match->more;
    for (const auto& [p, n] : match->nodes) nodes.push_back(n);
    Found f;
    const auto readsVariable = [&](int n) {
      return std::any_of(f.variables.begin(), f.variables.end(),
                         [&](const auto& v) { return graph_.node(n)->name.starts_with(graph_.node(v.second)->name + "/"); });
    };
    for (const auto& [p, v] : match->variables) {
      const std::string& name = graph_.node(v)->name;
      if (!isTrainable(name) && trainableVariables((*exact)->meta).count((*exact)->meta.graph.node(p)->name)) {
        *why = name + " is not trained, the layer's is";
        return {};
      }
      if (isTaken(name) || takenVariables_.count(name)) {
        *why = "it shares " + name + " with another layer";
        return {};
      }
      f.variables.emplace((*exact)->variables.at(p), v);
      if (trainableVariables((*exact)->meta).count((*exact)->meta.graph.node(p)->name)) f.trained.insert((*exact)->variables.at(p));
    }
    for (const int n : nodes) {
      if (!readsVariable(n) && (claimed_.count(n) || isTaken(graph_.node(n)->name))) {
        *why = graph_.node(n)->name + ": belongs to another layer";
        return {};
      }
    }
    if (pattern.steps > 0)
      if (const auto reader = readerWithin(nodes, output.node, readsVariable)) {
        *why = concat(graph_.node(reader->first)->name, ": is read by ", graph_.node(reader->second)->name, ", and of this layer only the output can be");
        return {};
      }
    std::vector<int> placed = nodes;
    for (const auto& [p, v] : match->variables) placed.push_back(v);
    for (const int n : placed)
      if (!graph_.node(n)->device.empty()) {
        *why = concat(graph_.node(n)->name, ": is placed on ", graph_.node(n)->device, ", and layers choose no device");
        return {};
      }
    for (const int n : nodes) {
      if (readsVariable(n)) continue;
      claimed_.insert(n);
      f.ops.push_back(n);
    }
    f.output = output;
    f.outputShape = (*exact)->meta.graph.shape((*exact)->output);
    f.inputs.resize(all.size());
    for (size_t i = 0; i < wires.size(); ++i) f.inputs[i] = wires[i];
    f.shown.kind = s.kind;
    for (const auto& [name, text] : parameters) {
      const ApiParameter* p = record.find(name);
      const auto value = p ? argumentFromText(*p, text) : Result<Argument>(notFound(name));
      if (p && p->otherwise && value.ok() && argumentToText(*value) == argumentToText(*p->otherwise)) continue;
      f.shown.parameters.emplace_back(name, text);
    }
    return f;
  }

  /// A node of a layer other than its output, and what reads it from outside, as the next cell of a stack reads each step; nullopt: nothing, but gradients. These depend on the
  /// output in other ways than by reading it.
  std::optional<std::pair<int, int>> readerWithin(const std::vector<int>& nodes, int output, const std::function<bool(int)>& ofVariable) {
    const std::unordered_set<int> own(nodes.begin(), nodes.end());
    std::unordered_set<int> after;
    const bool trained = trains();
    std::vector<int> open;
    if (trained) open.push_back(output);
    while (!open.empty()) {
      const int id = open.back();
      open.pop_back();
      for (const int reader : consumers_[size_t(id)])
        if (after.insert(reader).second) open.push_back(reader);
    }
    const auto& direct = consumers_[size_t(output)];
    for (const int id : nodes) {
      if (id == output || ofVariable(id) || (trained && isConstant(*graph_.node(id)))) continue;
      for (const int reader : consumers_[size_t(id)]) {
        const bool isShape = trained && roleOf(*graph_.node(reader)) == OpRole::ShapeOf;  // gradients of what broadcasts
        const bool isGradient = isShape || (after.count(reader) && std::find(direct.begin(), direct.end(), reader) == direct.end());
        if (!own.count(reader) && !isGradient && !isQuiet(graph_, consumers_, *graph_.node(reader))) return std::pair(id, reader);
      }
    }
    return {};
  }

  bool trains() const {
    for (int id = 0; id < graph_.size(); ++id)
      if (const Node* n = graph_.node(id); n && roleOf(*n) == OpRole::ApplyGradient) return true;
    return false;
  }

  /// Of ops that share weights only the first can be the layer that has them. A gradient's convolution with the same kernel is such an op.
  void keepFirstOfEachVariable(std::vector<Found>& all) {
    // A step of what is almost a recurrent layer is no layer of its own.
    std::erase_if(all, [&](const Found& f) {
      return std::any_of(f.variables.begin(), f.variables.end(),
                         [&](const auto& v) { return f.shown.kind == "layers.dense" && almostRecurrent_.count(v.second); });
    });
    std::erase_if(all, [&](const Found& f) {
      for (const auto& [name, v] : f.variables)
        if (const auto [at, isNew] = owners_.emplace(v, f.output.node); !isNew) {
          reasonOf_[v] = {f.output.node, "it shares " + graph_.node(v)->name + " with " + graph_.node(at->second)->name};
          return true;
        }
      return false;
    });
    for (const auto& [v, owner] : owners_) claimed_.insert(v);
  }

  Result<std::shared_ptr<const Specimen>> specimenFor(const std::string& kind, const TextAttrs& parameters, const std::vector<InputKind>& inputs,
                                                      const std::vector<std::string>& ports) {
    std::string key = kind;
    for (const auto& [name, text] : parameters) key += concat("\x01", name, "=", text);
    for (const InputKind& in : inputs) key += concat("\x01", dtypeName(in.type), in.shape.toString());
    if (const auto at = specimens_.find(key); at != specimens_.end()) return at->second;
    auto made = buildSpecimen(kind, parameters, inputs, ports);
    specimens_.emplace(key, made);
    return made;
  }

  /// Chooses the scope: the one that holds all of the layer and nothing else, or a new one.
  void place(Found& f) {
    const std::string common = commonScopeOf(graph_, f.ops);
    const auto below = [](const auto& counts, const std::string& scope) {
      const auto at = counts.find(scope);
      return at == counts.end() ? 0 : at->second;
    };
    int own = int(f.ops.size()) + below(quiet_, common);
    for (const auto& [name, v] : f.variables) {
      const std::string& variable = graph_.node(v)->name;
      if (!common.empty() && variable.starts_with(common + "/")) own += 1 + below(counts_, variable) - below(quiet_, variable);
    }
    const bool alone = !common.empty() && below(counts_, common) == own && !graph_.find(common);
    f.parent = common;
    f.base = f.shown.kind.substr(f.shown.kind.rfind('.') + 1);
    if (!alone) f.moved = f.ops;
    f.shown.scope = alone ? common : uniqueScope(common.empty() ? f.base : common + "/" + f.base);
    for (const int id : f.ops) f.shown.nodes.push_back(graph_.node(id)->name);
    for (const int id : f.moved) f.shown.moved.push_back(graph_.node(id)->name);
    for (const auto& [name, v] : f.variables) f.shown.variables.push_back(graph_.node(v)->name);
    for (const Output o : f.inputs) f.shown.inputs.push_back(o.valid() ? graph_.tensorName(o) : std::string());
    f.shown.outputs = {graph_.tensorName(f.output)};
    std::sort(f.shown.nodes.begin(), f.shown.nodes.end());
  }

  std::string uniqueScope(const std::string& base) {
    for (int k = 0;; ++k) {
      std::string name = k ? concat(base, "_", k) : base;
      if (!graph_.find(name) && !counts_.count(name) && newScopes_.insert(name).second) return name;
    }
  }

  /// Ops with weights that no layer has, one line for each variable that has a reason of its own.
  void tellLeft() {
    if (frozen_) return tellLeftOfFrozen();
    for (int id = 0; id < graph_.size() && left_->size() < kMostLeft; ++id) {
      const Node* n = graph_.node(id);
      if (!n || roleOf(*n) != OpRole::Variable) continue;
      if (claimed_.count(id) || isTaken(n->name) || takenVariables_.count(n->name)) continue;
      const Node* user = userOf(id);
      if (!user || !isTrainable(n->name)) continue;  // the state of an optimizer
      const auto reason = reasonOf_.find(id);
      const bool resource = !n->outputTypes.empty() && !isRef(n->outputTypes[0]);
      const Node* shown = reason != reasonOf_.end() ? graph_.node(reason->second.first) : user;
      std::string why = reason != reasonOf_.end() ? reason->second.second : std::string();
      if (why.starts_with(shown->name + ": ")) why.erase(0, shown->name.size() + 2);
      left_->push_back({shown->name, !why.empty() ? why
                                     : resource   ? n->name + " is a resource variable; layers have reference variables"
                                                  : concat("no layer computes ", user->op, " with ", n->name)});
    }
    tellOnce();
  }

  /// Without repetitions: the variables of a layer have its reason.
  void tellOnce() {
    std::set<std::pair<std::string, std::string>> told;
    std::erase_if(*left_, [&](const FoldLeft& l) { return !told.emplace(l.node, l.reason).second; });
  }

  /// In a frozen graph only what came close to a layer says that a constant is a weight.
  void tellLeftOfFrozen() {
    bool any = !owners_.empty();
    for (const auto& [id, reason] : reasonOf_) {
      if (left_->size() >= kMostLeft || claimed_.count(id) || isTaken(graph_.node(id)->name)) continue;
      any = true;
      const Node& shown = *graph_.node(reason.first);
      std::string why = reason.second;
      if (why.starts_with(shown.name + ": ")) why.erase(0, shown.name.size() + 2);
      if (!why.empty()) left_->push_back({shown.name, why});
    }
    tellOnce();
    if (!any) left_->push_back({{}, "the graph has no variables, and no constants that a layer would have as its weights"});
  }

  /// Whether the graph lists a variable as one that trainings change. Without a list, any may be.
  bool isTrainable(const std::string& name) const { return trainable_.empty() || trainable_.count(name) > 0; }

  /// The first op that computes with a variable's value.
  const Node* userOf(int variable) const {
    std::vector<int> open{variable};
    for (size_t i = 0; i < open.size(); ++i) {
      for (const int reader : consumers_[size_t(open[i])]) {
        const OpRole role = roleOf(*graph_.node(reader));
        const bool passes = role == OpRole::Identity || role == OpRole::ReadVariable || role == OpRole::Enter;
        if (passes && std::find(open.begin(), open.end(), reader) == open.end()) open.push_back(reader);
        else if (!passes && !keepsBooks(role)) return graph_.node(reader);
      }
    }
    return nullptr;
  }

  const Graph& graph_;
  std::vector<FoldLeft>* left_;
  const std::set<std::string, std::less<>> trainable_;  // empty: the file does not tell
  std::unordered_set<std::string> taken_;               // scopes of layers and instances
  std::set<std::string> takenVariables_;
  std::vector<std::vector<int>> consumers_;
  std::unordered_map<std::string, int> counts_, quiet_;
  bool frozen_ = false;  // no variables: constants may be weights
  std::set<int> claimed_;
  std::map<int, int> owners_;  // the output of the layer that has a variable
  std::set<std::string> newScopes_;
  std::map<int, std::pair<int, std::string>> reasonOf_;  // by variable
  std::set<int> almostRecurrent_;                        // variables of what is almost such a layer
  std::map<std::string, Result<std::shared_ptr<const Specimen>>> specimens_;
};

}  // namespace

std::vector<Found> findLayers(const MetaGraph& meta, std::vector<FoldLeft>* left) { return Finder(meta, left).run(); }

}  // namespace weft::folding
