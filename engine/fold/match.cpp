// Compares ops of a graph with those of a layer.
#include <algorithm>
#include <cmath>

#include "fold/fold_parts.h"
#include "weft/op.h"
#include "weft/op_traits.h"

namespace weft::folding {
namespace {

/// Attributes that do not change what an op computes from its inputs, or that are drawn anew for each op.
bool isIncidental(std::string_view name) {
  return name.starts_with('_') || name == "seed" || name == "seed2" || name == "shared_name" || name == "container" || name == "validate_indices" ||
         name == "tensor_array_name";
}

const Attr* valueOf(const Node& n, const std::string& name) {
  if (const Attr* own = n.attrs.find(name)) return own;
  const AttrSpec* spec = n.record ? n.record->findAttr(name) : nullptr;
  return spec && spec->defaultValue ? &*spec->defaultValue : nullptr;
}

class Matcher {
 public:
  Matcher(const Specimen& s, const Graph& graph, const std::vector<std::vector<int>>& consumers, const MatchOptions& options, int tolerated)
      : s_(s),
        graph_(graph),
        consumers_(consumers),
        end_(options.isBare ? s.meta.graph.node(s.output.node)->inputs[0] : s.output),
        exact_(options.exact),
        constants_(options.constants),
        tolerated_(tolerated) {}

  bool run(Output output) {
    if (output.index != end_.index || !matchNode(end_.node, output.node)) return false;
    // All else of an unrolled layer leads to its output.
    if (!states_.empty()) return !exact_ || matchStates();
    // Averages and the like hold values of parameters, too.
    return matchRest() || !exact_;
  }

  bool isAlmost() const { return tolerated_ >= 0; }

  Match match;
  std::string why;

 private:
  bool differ(const Node& n, const std::string& reason) {
    if (why.empty()) why = n.name + ": " + reason;
    return false;
  }

  bool matchOutput(Output p, Output n, std::vector<std::pair<Output, Output>>* open) {
    const auto input = std::find(s_.inputs.begin(), s_.inputs.end(), p.node);
    if (input != s_.inputs.end()) {
      const auto [at, isNew] = match.inputs.emplace(p.node, n);
      return isNew || at->second == n || differ(*graph_.node(n.node), "is read where the layer reads its input");
    }
    return (p.index == n.index || differ(*graph_.node(n.node), "is read at another output than the layer's")) && matchOne(p.node, n.node, open);
  }

  /// From an output back. Without recursion, since recurrent layers of many steps are deep.
  bool matchNode(int p, int n) {
    std::vector<std::pair<Output, Output>> open;
    if (!matchOne(p, n, &open)) return false;
    bool same = true;
    while (!open.empty()) {
      const auto [own, other] = open.back();
      open.pop_back();
      if (own.index < 0 ? !matchOne(own.node, other.node, &open) : !matchOutput(own, other, &open)) {
        same = false;
        if (--tolerated_ < 0) return false;
      }
    }
    return same;
  }

  /// `open` gets what the nodes read, the first input last; with an index of -1, what they wait for.
  bool matchOne(int p, int n, std::vector<std::pair<Output, Output>>* open) {
    const Node &a = *s_.meta.graph.node(p), &b = *graph_.node(n);
    const bool variable = s_.variables.count(p) > 0;
    std::map<int, int>& known = variable ? match.variables : match.nodes;
    if (const auto at = known.find(p); at != known.end())
      return at->second == n || (isConstant(a) && isTwin(at->second, n)) || (isState(a, b) && addState(n)) || differ(b, "is another op than the layer's");
    const bool frozen = variable && constants_ && isConstant(b);
    // Without the op that reads the variable, as constant folding leaves it.
    if (constants_ && roleOf(a) == OpRole::Identity && isConstant(b) && a.inputs.size() == 1 && s_.variables.count(a.inputs[0].node))
      return matchOne(a.inputs[0].node, n, open);
    if (!isSameOp(a.op, b.op) && !frozen) return differ(b, concat("is ", b.op, ", the layer has ", a.op));
    if (frozen && !b.controls.empty()) return differ(b, "waits for other ops");
    if (!used_.insert(n).second) return differ(b, "stands for two ops of the layer");
    if (exact_ && !(frozen ? sameValue(a, b) : sameAttributes(a, b))) return false;
    known.emplace(p, n);
    if (variable) return true;
    if (isState(a, b)) return addState(n);
    if (a.inputs.size() != b.inputs.size()) return differ(b, concat("has ", b.inputs.size(), " inputs, the layer's ", a.inputs.size()));
    if (exact_ && a.controls.size() != b.controls.size()) return differ(b, "waits for other ops than the layer's");
    for (size_t i = exact_ ? a.controls.size() : 0; i-- > 0;) open->push_back({{a.controls[i], -1}, {b.controls[i], -1}});
    for (size_t i = a.inputs.size(); i-- > 0;) open->push_back({a.inputs[i], b.inputs[isTurned(a, b) ? 1 - i : i]});
    return true;
  }

  /// Whether a product or sum has its inputs in the other order, told by what they are.
  bool isTurned(const Node& a, const Node& b) const {
    if (a.inputs.size() != 2 || b.inputs.size() != 2 || !a.record || !a.record->isCommutative) return false;
    const auto same = [&](Output p, Output n) { return isSameOp(s_.meta.graph.node(p.node)->op, graph_.node(n.node)->op); };
    const bool differ = !isSameOp(s_.meta.graph.node(a.inputs[0].node)->op, s_.meta.graph.node(a.inputs[1].node)->op);
    return differ && same(a.inputs[0], b.inputs[1]) && same(a.inputs[1], b.inputs[0]);
  }

  /// A constant of the same value as one that the layer has once.
  bool isTwin(int known, int n) {
    const Node &a = *graph_.node(known), &b = *graph_.node(n);
    if (!isConstant(a) || !isConstant(b) || !a.controls.empty() || !b.controls.empty()) return false;
    const Attr *own = a.attrs.find("value"), *other = b.attrs.find("value");
    if (!own || !other || !(*own == *other)) return false;
    if (used_.insert(n).second) match.more.push_back(n);
    return true;
  }

  /// Whether both are zeros with which an unrolled layer begins. Where their shape comes from is the graph's own.
  bool isState(const Node& a, const Node& b) const {
    const auto isZeros = [](const Graph& graph, const Node& n) {
      if (roleOf(n) != OpRole::Fill || n.inputs.size() != 2) return false;
      const Attr* value = graph.node(n.inputs[1].node)->attrs.find("value");
      const Tensor* t = value ? value->get<Tensor>() : nullptr;
      return t && t->elements() == 1 && isFloating(t->dtype()) && t->asDouble(0) == 0 && !std::signbit(t->asDouble(0));
    };
    return (s_.kind == "layers.lstm" || s_.kind == "layers.gru") && isZeros(s_.meta.graph, a) && isZeros(graph_, b);
  }

  bool addState(int n) {
    used_.insert(n);
    if (std::find(states_.begin(), states_.end(), n) == states_.end()) states_.push_back(n);
    return true;
  }

  /// The states have the layer's shape; the ops that compute it, and that nothing else needs, are the layer's.
  bool matchStates() {
    std::set<int> own;
    for (const auto& [p, n] : match.nodes) own.insert(n);
    own.insert(match.more.begin(), match.more.end());
    std::vector<int> ops;
    for (const int id : states_) {
      const Node& n = *graph_.node(id);
      int64_t columns = -1;
      for (const auto& [p, at] : match.nodes)
        if (roleOf(*s_.meta.graph.node(p)) == OpRole::Fill) columns = s_.meta.graph.shape({p, 0}).dim(1);
      const auto before = match.inputs.empty() ? std::nullopt : opsOfState(graph_, id, match.inputs.begin()->second, columns);
      if (!before || graph_.dtype({id, 0}) != baseType(graph_.dtype(match.inputs.begin()->second)))
        return differ(n, concat("is not known to have the layer's shape: the rows of its input, and ", columns, " columns"));
      ops.insert(ops.end(), before->begin(), before->end());
      if (own.insert(id).second) match.more.push_back(id);
    }
    // TensorFlow computes the shape for the record, too, where nothing reads it.
    for (size_t i = 0; i < ops.size(); ++i)
      for (const int reader : consumers_[size_t(ops[i])]) {
        const Node& n = *graph_.node(reader);
        if (!consumers_[size_t(reader)].empty() || !n.controls.empty() || !isPure(n) || std::find(ops.begin(), ops.end(), reader) != ops.end()) continue;
        ops.push_back(reader);
        for (const Output in : n.inputs)
          if (isConstant(*graph_.node(in.node))) ops.push_back(in.node);
      }
    for (bool more = true; more;) {
      more = false;
      for (const int id : ops) {
        const auto& readers = consumers_[size_t(id)];
        if (own.count(id) || !std::all_of(readers.begin(), readers.end(), [&](int reader) { return own.count(reader) > 0; })) continue;
        own.insert(id);
        match.more.push_back(id);
        more = true;
      }
    }
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
      if (name == "frame_name" && own && other) {  // loops have names of their own, the same ones in all of their ops
        const auto [at, isNew] = frames_.emplace(own->toString(), other->toString());
        if (at->second != other->toString()) return differ(b, concat("belongs to the loop ", other->toString(), ", others to ", at->second));
        continue;
      }
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
    // Programs that freeze or optimize a graph leave out what its outputs do not need.
    const auto changes = [&](int p) {
      const OpRole role = roleOf(*s_.meta.graph.node(p));
      return role == OpRole::Assign || role == OpRole::Update;
    };
    if (std::none_of(s_.dependent.begin(), s_.dependent.end(), changes)) return true;
    for (const int p : s_.dependent)
      if (!match.nodes.count(p)) {
        const Node& at = *graph_.node(match.nodes.at(end_.node));
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
    const std::string& output = graph_.node(match.nodes.at(end_.node))->name;
    return size_t(std::mismatch(name.begin(), name.end(), output.begin(), output.end()).first - name.begin());
  }

  const Specimen& s_;
  const Graph& graph_;
  const std::vector<std::vector<int>>& consumers_;
  Output end_;
  bool exact_, constants_;
  int tolerated_;  // differences that do not end the comparison, whose result they decide all the same
  std::set<int> used_;
  std::vector<int> states_;                    // zeros with which an unrolled layer begins
  std::map<std::string, std::string> frames_;  // loops, by those of the layer
};

constexpr int kMostDifferences = 3;  // of what is almost a layer

}  // namespace

std::optional<Match> matchAt(const Specimen& s, const Graph& graph, const std::vector<std::vector<int>>& consumers, Output output, const MatchOptions& options,
                             std::string* why, Match* partial) {
  Matcher m(s, graph, consumers, options, partial ? kMostDifferences : 0);
  if (m.run(output)) return std::move(m.match);
  if (why) *why = m.why;
  if (partial && m.isAlmost()) *partial = std::move(m.match);
  return std::nullopt;
}

}  // namespace weft::folding
