// Compares ops of a graph with those of a layer.
#include <algorithm>

#include "fold/fold_parts.h"
#include "weft/op.h"
#include "weft/op_traits.h"

namespace weft::folding {
namespace {

/// Attributes that do not change what an op computes from its inputs, or that are drawn anew for each op.
bool isIncidental(std::string_view name) {
  return name.starts_with('_') || name == "seed" || name == "seed2" || name == "shared_name" || name == "container" || name == "validate_indices";
}

const Attr* valueOf(const Node& n, const std::string& name) {
  if (const Attr* own = n.attrs.find(name)) return own;
  const AttrSpec* spec = n.record ? n.record->findAttr(name) : nullptr;
  return spec && spec->defaultValue ? &*spec->defaultValue : nullptr;
}

class Matcher {
 public:
  Matcher(const Specimen& s, const Graph& graph, const std::vector<std::vector<int>>& consumers, bool exact, bool constants)
      : s_(s), graph_(graph), consumers_(consumers), exact_(exact), constants_(constants) {}

  bool run(Output output) {
    if (output.index != s_.output.index || !matchNode(s_.output.node, output.node)) return false;
    // Averages and the like hold values of parameters, too.
    return matchRest() || !exact_;
  }

  Match match;
  std::string why;

 private:
  bool differ(const Node& n, const std::string& reason) {
    if (why.empty()) why = n.name + ": " + reason;
    return false;
  }

  bool matchOutput(Output p, Output n) {
    const auto input = std::find(s_.inputs.begin(), s_.inputs.end(), p.node);
    if (input != s_.inputs.end()) {
      const auto [at, isNew] = match.inputs.emplace(p.node, n);
      return isNew || at->second == n || differ(*graph_.node(n.node), "is read where the layer reads its input");
    }
    return p.index == n.index && matchNode(p.node, n.node);
  }

  bool matchNode(int p, int n) {
    const Node &a = *s_.meta.graph.node(p), &b = *graph_.node(n);
    const bool variable = s_.variables.count(p) > 0;
    std::map<int, int>& known = variable ? match.variables : match.nodes;
    if (const auto at = known.find(p); at != known.end()) return at->second == n || differ(b, "is another op than the layer's");
    const bool frozen = variable && constants_ && isConstant(b);
    // Without the op that reads the variable, as constant folding leaves it.
    if (constants_ && roleOf(a) == OpRole::Identity && isConstant(b) && a.inputs.size() == 1 && s_.variables.count(a.inputs[0].node))
      return matchNode(a.inputs[0].node, n);
    if (a.op != b.op && !frozen) return differ(b, concat("is ", b.op, ", the layer has ", a.op));
    if (frozen && !b.controls.empty()) return differ(b, "waits for other ops");
    if (!used_.insert(n).second) return differ(b, "stands for two ops of the layer");
    if (exact_ && !(frozen ? sameValue(a, b) : sameAttributes(a, b))) return false;
    known.emplace(p, n);
    if (variable) return true;
    if (a.inputs.size() != b.inputs.size()) return differ(b, concat("has ", b.inputs.size(), " inputs, the layer's ", a.inputs.size()));
    for (size_t i = 0; i < a.inputs.size(); ++i)
      if (!matchOutput(a.inputs[i], b.inputs[i])) return false;
    if (!exact_) return true;
    if (a.controls.size() != b.controls.size()) return differ(b, "waits for other ops than the layer's");
    for (size_t i = 0; i < a.controls.size(); ++i)
      if (!matchNode(a.controls[i], b.controls[i])) return false;
    return true;
  }

  /// Whether a constant may be the value of that variable.
  bool sameValue(const Node& variable, const Node& constant) {
    const Attr* value = constant.attrs.find("value");
    const Tensor* t = value ? value->get<Tensor>() : nullptr;
    const Attr* shape = variable.attrs.find("shape");
    const Shape* wanted = shape ? shape->get<Shape>() : nullptr;
    if (!t || !wanted) return differ(constant, "has no value that could be read");
    const DType type = baseType(variable.outputTypes[0]);
    if (t->dtype() != type) return differ(constant, concat("is ", dtypeName(t->dtype()), ", the layer's variable ", dtypeName(type)));
    return t->shape() == *wanted || differ(constant, concat("has the shape ", t->shape().toString(), ", the layer's variable ", wanted->toString()));
  }

  bool sameAttributes(const Node& a, const Node& b) {
    std::set<std::string> names;
    for (const Node* n : {&a, &b}) {
      for (const auto& [name, value] : n->attrs) names.insert(name);
      if (n->record)
        for (const AttrSpec& spec : n->record->attrs) names.insert(spec.name);
    }
    for (const std::string& name : names) {
      if (isIncidental(name)) continue;
      const Attr *own = valueOf(a, name), *other = valueOf(b, name);
      if (!own && !other) continue;
      if (!own || !other || !(*own == *other))
        return differ(b, concat(name, " is ", other ? other->toString() : "not set", ", the layer has ", own ? own->toString() : "none"));
    }
    return true;
  }

  /// Nodes that depend on the inputs but not the output on them: found by what they read. What reads a node of this layer says more than what reads its input, which
  /// other layers read as well.
  bool matchRest() {
    bool more = findReaders(false);
    while (more || findReaders(true)) more = findReaders(false);
    for (const int p : s_.dependent)
      if (!match.nodes.count(p)) {
        const Node& at = *graph_.node(match.nodes.at(s_.output.node));
        return differ(at, concat("the layer also has ", s_.meta.graph.node(p)->op, ", which is missing here"));
      }
    return true;
  }

  bool findReaders(bool ofInputs) {
    bool any = false;
    for (const int p : s_.dependent) {
      if (match.nodes.count(p)) continue;
      const std::optional<int> reader = readerLike(*s_.meta.graph.node(p), ofInputs);
      if (!reader || !matchNode(p, *reader)) continue;
      if (ofInputs) return true;
      any = true;
    }
    return any;
  }

  /// A node that reads what `a` reads, of which some is known. Among several, the one whose name is nearest to the output's.
  std::optional<int> readerLike(const Node& a, bool ofInputs) {
    std::optional<int> best;
    size_t near = 0;
    for (size_t i = 0; i < a.inputs.size(); ++i) {
      Output from;
      if (const auto at = match.nodes.find(a.inputs[i].node); at != match.nodes.end()) from = {at->second, a.inputs[i].index};
      else if (const auto in = match.inputs.find(a.inputs[i].node); ofInputs && in != match.inputs.end()) from = in->second;
      if (!from.valid()) continue;
      for (const int reader : consumers_[size_t(from.node)]) {
        const Node& n = *graph_.node(reader);
        if (n.op != a.op || used_.count(reader) || n.inputs.size() != a.inputs.size() || !(n.inputs[i] == from)) continue;
        const size_t common = commonWithOutput(n.name);
        if (best && common <= near) continue;
        // A trial of its own, because a wrong candidate must leave no traces.
        Matcher trial(*this);
        if (!trial.matchNode(a.id, reader)) continue;
        best = reader;
        near = common;
      }
    }
    return best;
  }

  size_t commonWithOutput(const std::string& name) const {
    const std::string& output = graph_.node(match.nodes.at(s_.output.node))->name;
    return size_t(std::mismatch(name.begin(), name.end(), output.begin(), output.end()).first - name.begin());
  }

  const Specimen& s_;
  const Graph& graph_;
  const std::vector<std::vector<int>>& consumers_;
  bool exact_, constants_;
  std::set<int> used_;
};

}  // namespace

std::optional<Match> matchAt(const Specimen& s, const Graph& graph, const std::vector<std::vector<int>>& consumers, Output output, bool exact, bool constants,
                             std::string* why) {
  Matcher m(s, graph, consumers, exact, constants);
  if (m.run(output)) return std::move(m.match);
  if (why) *why = m.why;
  return std::nullopt;
}

}  // namespace weft::folding
