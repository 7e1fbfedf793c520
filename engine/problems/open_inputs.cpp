// Inputs that are not connected, and likely wires.
#include <algorithm>
#include <set>

#include "problems/search.h"
#include "weft/op.h"
#include "weft/op_traits.h"

namespace weft::problems {
namespace {

constexpr size_t kMostOpenFixes = 3;
constexpr int kMostOpenTrials = 8;

class OpenInputs {
 public:
  explicit OpenInputs(Search& search) : s_(search), trials_(s_.graph.nodeCount() > kLargestForTrials ? 0 : kMostOpenTrials) {}

  void find() {
    for (const Recipe& r : s_.recipes) layer(r);
    for (int id = 0; id < s_.graph.size(); ++id)
      if (const Node* n = s_.graph.node(id); n && !isOpenInput(*n) && !isInWaitingLayer(n->name)) node(*n);
  }

 private:
  static ProblemText notConnected(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& n : names) list += (list.empty() ? "" : ", ") + n;
    return said(WEFT_TRANSLATED("GraphProblems", "Not connected: %1"), {list});
  }

  static ProblemFix wire(const std::string& source, const std::string& tensor, const std::string& input, bool tried) {
    return {said(WEFT_TRANSLATED("GraphProblems", "Connect %1"), {source}), {"graph.connect", {tensor, input}}, tried};
  }

  bool isInWaitingLayer(const std::string& node) const {
    for (size_t slash = node.find('/'); slash != node.npos; slash = node.find('/', slash + 1))
      if (waiting_.count(node.substr(0, slash))) return true;
    return false;
  }

  bool isUnreadLayer(const Recipe& r) const {
    if (r.trains() || r.outputs.empty() || r.kind.starts_with("losses.") || r.kind.starts_with("metrics.")) return false;
    const auto output = s_.graph.findOutput(r.outputs[0]);
    if (!output.ok() || isOpenInput(*s_.graph.node(output->node))) return false;
    const auto& readers = s_.readers[size_t(output->node)];
    return std::all_of(readers.begin(), readers.end(), [&](int reader) { return s_.graph.node(reader)->name.starts_with(r.scope + "/"); });
  }

  /// The last added unread node, the likeliest source for an input; -1: none.
  int unreadNode(int reader, DType type) const {
    for (int id = s_.graph.size() - 1; id >= 0; --id) {
      const Node* n = s_.graph.node(id);
      if (!n || id == reader || isOpenInput(*n) || n->outputTypes.empty() || !s_.readers[size_t(id)].empty() || roleOf(*n) == OpRole::Group) continue;
      if (n->name.find('/') == std::string::npos && (type == DType::Invalid || baseType(n->outputTypes[0]) == baseType(type))) return id;
    }
    return -1;
  }

  void layer(const Recipe& r) {
    if (r.trains()) {
      if (r.nodes.empty())
        s_.add(DoctorWeight::Warning, {}, "training-waits", said(WEFT_TRANSLATED("GraphProblems", "Training is added once the loss can be computed.")));
      return;
    }
    const ApiRecord* record = ApiRegistry::instance().findLayer(r.kind);
    if (!record) {
      s_.add(DoctorWeight::Warning, r.scope, "unknown-layer",
             said(WEFT_TRANSLATED("GraphProblems", "This version of Weft does not know the layer %1; its ops are kept as they are."), {r.kind}));
      return;
    }
    std::vector<std::string> names;
    int first = -1;
    const auto inputs = layerInputs(*record);
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i].required || (i < r.inputs.size() && !r.inputs[i].empty())) continue;
      names.push_back(inputs[i].name);
      if (first < 0) first = int(i);
    }
    if (names.empty()) return;
    waiting_.insert(r.scope);
    GraphProblem& p = s_.add(DoctorWeight::Warning, r.scope, "open-input", notConnected(names));
    const std::string input = concat(r.scope, ":", first);
    if (inputs[size_t(first)].name == "labels") placeholderForLabels(p, r, input);
    for (auto it = s_.recipes.rbegin(); it != s_.recipes.rend(); ++it)
      // The source of another input of the layer is not meant for this one as well.
      if (it->scope != r.scope && isUnreadLayer(*it) && !std::count(r.inputs.begin(), r.inputs.end(), it->outputs[0]))
        tryWire(p, it->scope, it->outputs[0], input, r.scope);
    if (const int id = unreadNode(-1, DType::Invalid); id >= 0) tryWire(p, s_.graph.node(id)->name, s_.graph.node(id)->name + ":0", input, r.scope);
  }

  /// Offers a placeholder for the labels, which are nearly always fed, with the type and shape that this loss takes for the network's output.
  void placeholderForLabels(GraphProblem& p, const Recipe& r, const std::string& input) {
    const bool classes = r.kind.find("sparse") != std::string::npos || r.kind.starts_with("metrics.");
    Shape shape = classes ? Shape{Shape::kUnknownDim} : Shape::unknown();
    for (const std::string& tensor : r.inputs) {
      const auto output = tensor.empty() ? Result<Output>(notFound("open")) : s_.graph.findOutput(tensor);
      if (!output.ok() || !s_.graph.shape(*output).hasRank() || s_.graph.shape(*output).rank() == 0) continue;
      shape = classes ? s_.graph.shape(*output).slice(0, -1) : s_.graph.shape(*output);
      break;
    }
    GraphCommand command{"graph.add", {"Placeholder", "--name", "labels", "--to", input, "--set", classes ? "dtype=int32" : "dtype=float"}};
    if (shape.hasRank()) command.words.insert(command.words.end(), {"--set", "shape=" + shape.toString()});
    if (--trials_ < 0 || !fixesNode(s_.loaded, command, r.scope)) return;
    p.fixes.push_back({said(WEFT_TRANSLATED("GraphProblems", "Add a placeholder for labels")), std::move(command), true});
  }

  void tryWire(GraphProblem& p, const std::string& source, const std::string& tensor, const std::string& input, const std::string& scope) {
    if (p.fixes.size() >= kMostOpenFixes || --trials_ < 0) return;
    if (fixesNode(s_.loaded, {"graph.connect", {tensor, input}}, scope)) p.fixes.push_back(wire(source, tensor, input, true));
  }

  void node(const Node& n) {
    std::vector<std::string> names;
    std::vector<ProblemFix> fixes;
    for (size_t i = 0; i < n.inputs.size(); ++i) {
      const Node* from = s_.graph.node(n.inputs[i].node);
      if (!from || !isOpenInput(*from) || !from->name.starts_with("open_inputs/")) continue;
      names.push_back(from->attrs.text("_weft_open"));
      const int source = fixes.size() < kMostOpenFixes ? unreadNode(n.id, s_.graph.dtype(n.inputs[i])) : -1;
      if (source < 0) continue;
      const std::string& name = s_.graph.node(source)->name;
      fixes.push_back(wire(name, name + ":0", concat(n.name, ":", i), false));
    }
    if (!names.empty()) s_.add(DoctorWeight::Warning, n.name, "open-input", notConnected(names)).fixes = std::move(fixes);
  }

  Search& s_;
  int trials_;
  std::set<std::string> waiting_;
};

}  // namespace

void findOpenInputs(Search& s) { OpenInputs(s).find(); }

}  // namespace weft::problems
