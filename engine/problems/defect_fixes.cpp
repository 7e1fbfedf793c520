// Nodes that TensorFlow refuses, and what mends them.
#include <algorithm>
#include <set>

#include "problems/defects.h"
#include "problems/search.h"

namespace weft::problems {
namespace {

constexpr int kMostDefectTrials = 24;  // each costs an edit
constexpr size_t kMostDefectFixes = 4;

ProblemText fixText(const char* text, std::vector<std::string> words = {}) { return {"GraphDefects", text, std::move(words)}; }

/// A valid unused TensorFlow name close to the given one.
std::string validName(const Graph& graph, const std::string& name) {
  std::string base;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    const bool mark = c == '_' || c == '.' || c == '-' || c == '/';
    if (letter || (mark && !base.empty())) base += c;
    else if (!base.empty() && base.back() != '_') base += '_';
  }
  while (!base.empty() && (base.back() == '/' || base.back() == '_')) base.pop_back();
  if (base.empty()) base = "node";
  std::string out = base;
  for (int i = 1; graph.find(out); ++i) out = base + "_" + std::to_string(i);
  return out;
}

class DefectFixer {
 public:
  explicit DefectFixer(Search& search) : s_(search), graph_(s_.graph), defects_(defectsOf(graph_)) { inferAll(); }

  void find() {
    for (const Defect& d : defects_) {
      p_ = &s_.add(DoctorWeight::Error, d.node, d.code.c_str(), defectSentence(graph_, d));
      if (const Node* node = graph_.find(d.node)) offer(*node, d);
    }
  }

 private:
  /// Infers all missing attributes at once.
  void inferAll() {
    if (graph_.nodeCount() > 20 * kLargestForTrials || std::none_of(defects_.begin(), defects_.end(), [](const Defect& d) { return d.code == "missing-attr"; }))
      return;
    after_ = s_.loaded;
    GraphEditor editor(after_.meta, after_.problems);
    if (!inferMissingAttrs(editor, {}).ok() || !editor.finish().ok()) return;
    for (const Defect& d : defects_) {
      const Node* now = d.code == "missing-attr" ? after_.meta.graph.find(d.node) : nullptr;
      if (now && now->attrs.find(d.subject)) inferredNodes_.insert(d.node);
    }
  }

  /// Whether the command removes this defect without leaving another one in its place.
  bool commandFixes(const GraphCommand& command, const Defect& defect) {
    if (++trials_ > kMostDefectTrials || graph_.nodeCount() > kLargestForTrials) return false;
    const auto outcome = runGraphCommand(s_.loaded, command);
    if (!outcome.ok()) return false;
    const std::vector<Defect> left = defectsOf(outcome->graph.meta.graph);
    const auto here = [&](const std::vector<Defect>& list) {
      return std::count_if(list.begin(), list.end(), [&](const Defect& d) { return d.node == defect.node; });
    };
    return left.size() < defects_.size() && here(left) < here(defects_);
  }

  void sure(ProblemText text, GraphCommand command) { p_->fixes.push_back({std::move(text), std::move(command)}); }
  void tried(ProblemText text, GraphCommand command, const Defect& d) {
    if (p_->fixes.size() < kMostDefectFixes && commandFixes(command, d)) p_->fixes.push_back({std::move(text), std::move(command), true});
  }
  void trySetting(const Node& node, const std::string& attr, const std::string& value, const Defect& d) {
    tried(fixText(WEFT_TRANSLATED("GraphDefects", "Set %1 to %2"), {attr, value}), {"graph.set", {node.name, concat(attr, "=", value)}}, d);
  }
  static std::string place(const Node& node, int input) { return concat(node.name, ":", input); }
  /// "Disconnect it", "Remove input 2"
  void disconnects(ProblemText text, const Node& node, int input) { sure(std::move(text), {"graph.disconnect", {place(node, input)}}); }

  void offer(const Node& node, const Defect& d) {
    if (d.code == "missing-attr" || d.code == "bad-attr" || d.code == "bad-value") offerValues(node, d);
    if (d.code == "missing-input" || d.code == "no-such-output") offerWires(node, d);
    if (d.code == "missing-control")
      sure(fixText(WEFT_TRANSLATED("GraphDefects", "Remove the control input")), {"graph.disconnect", {"^" + d.subject, node.name}});
    if (d.code == "control-order") sure(fixText(WEFT_TRANSLATED("GraphDefects", "Put control inputs last")), {"graph.rewrite", {node.name}});
    if (d.code == "duplicate-name" || d.code == "no-name")
      sure(fixText(WEFT_TRANSLATED("GraphDefects", "Name it %1"), {node.name}), {"graph.rewrite", {node.name}});
    if (d.code == "bad-name") {
      const std::string now = validName(graph_, node.name);
      sure(fixText(WEFT_TRANSLATED("GraphDefects", "Rename it to %1"), {now}), {"graph.rename", {node.name, now}});
    }
    if (d.code == "input-count") offerCount(node, d);
    if (d.code == "input-type") offerTypes(node, d);
    if (d.code == "cycle") offerCuts(node, d);
    if (d.code == "no-op") sure(fixText(WEFT_TRANSLATED("GraphDefects", "Delete it")), {"graph.delete", {node.name}});
  }

  void offerCuts(const Node& node, const Defect& d) {
    for (const int input : d.inputs)
      if (p_->fixes.size() < 2)
        tried(fixText(WEFT_TRANSLATED("GraphDefects", "Disconnect input %1"), {inputText(node, input)}), {"graph.disconnect", {place(node, input)}}, d);
    if (!p_->fixes.empty()) return;
    for (const int c : node.controls)
      if (p_->fixes.empty())
        tried(fixText(WEFT_TRANSLATED("GraphDefects", "Remove the control input")), {"graph.disconnect", {"^" + graph_.node(c)->name, node.name}}, d);
  }

  void offerValues(const Node& node, const Defect& d) {
    if (d.code == "missing-attr" && inferredNodes_.count(node.name)) {
      const Attr* value = after_.meta.graph.find(node.name)->attrs.find(d.subject);
      sure(fixText(WEFT_TRANSLATED("GraphDefects", "Set %1 to %2 (inferred)"), {d.subject, value ? value->toString() : "?"}),
           {"graph.infer-attributes", {node.name}});
      if (inferredNodes_.size() > 1) {
        ProblemText all = fixText("Set all %n missing attribute(s) inferred from wires");
        all.count = int64_t(inferredNodes_.size());
        sure(std::move(all), {"graph.infer-attributes", {}});
      }
      return;
    }
    const OpRecord* record = knownOp(node);
    const AttrSpec* spec = record ? record->findAttr(d.subject) : nullptr;
    if (!spec) return;
    const auto set = [&](const std::string& value) { trySetting(node, d.subject, value, d); };
    for (const std::string& value : spec->allowedStrings)
      if (p_->fixes.size() < 2) set(value);
    if (spec->type == "type" && spec->allowedTypes.empty()) set("float32");
    for (const DType type : {DType::Float, DType::Int32})
      if (spec->type == "type" && std::count(spec->allowedTypes.begin(), spec->allowedTypes.end(), type) && p_->fixes.empty())
        set(std::string(dtypeName(type)));
    if (spec->type == "int" && spec->hasMinimum) set(std::to_string(spec->minimum));
    if (spec->type == "bool") set("false");
    if (spec->type == "shape") set("?");
  }

  void offerWires(const Node& node, const Defect& d) {
    const int input = d.inputs.empty() ? 0 : d.inputs.front();
    const Output source = node.inputs[size_t(input)];
    const DType wanted = size_t(input) < node.inputTypes.size() ? node.inputTypes[size_t(input)] : DType::Invalid;
    if (d.code == "no-such-output") {
      const std::string from = d.subject.substr(0, d.subject.rfind(':'));
      if (const Node* producer = graph_.find(from); producer && !producer->outputTypes.empty())
        tried(fixText(WEFT_TRANSLATED("GraphDefects", "Connect %1"), {from + ":0"}), {"graph.connect", {from + ":0", place(node, input)}}, d);
    } else if (source.index == 0 && validName(graph_, d.subject + "/new") == d.subject + "/new" && !isRef(wanted)) {
      const std::string type = wanted == DType::Invalid ? "float32" : typeOrUnknown(wanted);
      sure(fixText(WEFT_TRANSLATED("GraphDefects", "Add a placeholder %1"), {d.subject}),
           {"graph.add", {"Placeholder", "--name", d.subject, "--set", "dtype=" + type}});
    }
    disconnects(fixText(WEFT_TRANSLATED("GraphDefects", "Disconnect it")), node, input);
  }

  void offerCount(const Node& node, const Defect& d) {
    const OpRecord* record = knownOp(node);
    if (!record) return;
    for (const ArgSpec& a : record->inputs) {
      if (a.numberAttr.empty()) continue;
      const int64_t now = node.attrs.integer(a.numberAttr);
      for (const int64_t by : {1, -1, 2, -2})
        if (now + by > 0 && p_->fixes.empty()) trySetting(node, a.numberAttr, std::to_string(now + by), d);
    }
    const size_t fixed = record->inputs.size();
    const auto notGiven = [&](Output o) { return isMissing(*graph_.node(o.node)); };
    const auto missing = std::find_if(node.inputs.begin(), node.inputs.end(), notGiven);
    if (missing != node.inputs.end()) {
      const int input = int(missing - node.inputs.begin());
      disconnects(fixText(WEFT_TRANSLATED("GraphDefects", "Leave %1 open"), {inputText(node, input)}), node, input);
    } else if (node.inputs.size() > fixed) {
      disconnects(fixText(WEFT_TRANSLATED("GraphDefects", "Remove input %1"), {std::to_string(fixed)}), node, int(fixed));
    }
  }

  void offerTypes(const Node& node, const Defect& d) {
    const int input = d.inputs.front();
    const DType wanted = size_t(input) < node.inputTypes.size() ? node.inputTypes[size_t(input)] : DType::Invalid;
    const OpRecord* record = knownOp(node);
    const Output source = node.inputs[size_t(input)];
    const DType given = size_t(source.index) < graph_.node(source.node)->outputTypes.size() ? graph_.dtype(source) : DType::Invalid;
    // The input's type may come from an attribute of the node.
    if (record && size_t(input) < record->inputs.size() && !record->inputs[size_t(input)].typeAttr.empty() && !record->inputs[size_t(input)].isTypeList)
      trySetting(node, record->inputs[size_t(input)].typeAttr, typeOrUnknown(given), d);
    const auto casts = [](DType t) { return isNumeric(baseType(t)) || baseType(t) == DType::Bool; };
    if (casts(given) && casts(wanted))
      tried(fixText(WEFT_TRANSLATED("GraphDefects", "Cast it to %1"), {typeOrUnknown(wanted)}),
            {"graph.insert", {place(node, input), "Cast", "--set", "DstT=" + typeOrUnknown(wanted)}}, d);
    disconnects(fixText(WEFT_TRANSLATED("GraphDefects", "Disconnect it")), node, input);
  }

  Search& s_;
  const Graph& graph_;
  const std::vector<Defect> defects_;
  LoadedGraph after_;                    ///< The graph with all missing attributes that wires determine.
  std::set<std::string> inferredNodes_;  ///< Nodes whose attributes were inferred.
  GraphProblem* p_ = nullptr;            ///< The problem that gets the fixes.
  int trials_ = 0;
};

}  // namespace

void findDefects(Search& s) {
  if (whyRefused(s.loaded.problems)) DefectFixer(s).find();
  for (const Defect& d : functionDefects(s.graph))
    s.add(d.code == "function" ? DoctorWeight::Error : DoctorWeight::Warning, d.node, d.code.c_str(),
          {"GraphDefects", WEFT_TRANSLATED("GraphDefects", "The function it calls cannot be built: %1"), {d.message}});
}

}  // namespace weft::problems
