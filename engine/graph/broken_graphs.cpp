// Assembles graphs that TensorFlow would refuse: keeps every node, and gives every wire two ends.
#include <charconv>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "graph/function_library.h"
#include "graph/graph_assembler.h"
#include "graph/graph_shapes.h"
#include "graph/missing_nodes.h"
#include "weft/defects.h"

namespace weft {
namespace {

constexpr int kMostOutputs = 65535;  // of an unknown node; the same limit as for unknown ops

/// Splits "node:2" or "node"; false for any other text.
bool parted(std::string_view said, std::string_view* node, int* index) {
  *index = 0;
  *node = said;
  if (said.empty()) return false;
  const size_t colon = said.rfind(':');
  if (colon == said.npos) return true;
  const auto r = std::from_chars(said.data() + colon + 1, said.data() + said.size(), *index);
  *node = said.substr(0, colon);
  return r.ec == std::errc() && r.ptr == said.data() + said.size() && *index >= 0 && !node->empty();
}

}  // namespace

/// Makes names unique: the first node keeps a shared name; nodes without a name are named after their op.
void GraphAssembler::nameApart() {
  std::unordered_set<std::string> taken;
  std::vector<Node*> unnamed;
  for (const auto& p : pending_)
    if (p->node.name.empty() || !taken.insert(p->node.name).second) unnamed.push_back(&p->node);
  // New names must not be names that inputs refer to, even of missing nodes.
  for (const auto& p : pending_) {
    for (const std::string_view said : p->inputs) {
      std::string_view name;
      int index = 0;
      if (parted(said.substr(said.starts_with('^') ? 1 : 0), &name, &index)) taken.emplace(name);
    }
  }
  std::unordered_map<std::string, int> last;
  for (Node* n : unnamed) {
    const std::string base = !n->name.empty() ? n->name : n->op.empty() ? "unnamed" : n->op;
    std::string name = n->name.empty() ? base : std::string();
    for (int& i = last[base]; name.empty() || taken.count(name);) name = concat(base, "_", ++i);
    taken.insert(name);
    n->name = std::move(name);
  }
}

Status GraphAssembler::connectAvailable(Graph& graph, const std::vector<std::vector<std::string>>& said) const {
  const int nodes = graph.size();  // missing nodes are appended
  for (int id = 0; id < nodes; ++id) {
    std::vector<Output> inputs;
    std::vector<int> controls;
    std::set<int> waited;
    for (const std::string& text : said[size_t(id)]) {
      const bool control = text.starts_with('^');
      const std::string_view whole = std::string_view(text).substr(control ? 1 : 0);
      std::string_view name = whole;
      int index = 0;
      const bool formed = control ? !whole.empty() : parted(whole, &name, &index);
      const Node* from = formed ? graph.find(name) : nullptr;
      if (from && isMissing(*from)) from = nullptr;
      Output source;
      if (from && !control && (index > kMostOutputs || (from->record && index >= int(from->outputTypes.size())))) {
        WEFT_LET(source.node, missingNode(graph, whole, kMissingOutput));
      } else if (from) {
        source = {from->id, index};
      } else if (formed && index <= kMostOutputs) {
        WEFT_LET(source.node, missingNode(graph, name, kMissingNode, index));
        source.index = index;
      } else {
        WEFT_LET(source.node, missingNode(graph, whole, kMissingText));
      }
      if (!control) inputs.push_back(source);
      else if (waited.insert(source.node).second) controls.push_back(source.node);
    }
    changeKeepingBytes(graph, id, [&](Node& n) {
      n.inputs = std::move(inputs);
      n.controls = std::move(controls);
    });
  }
  // Nodes with unknown outputs get as many as are read.
  for (int id = 0; id < graph.size(); ++id) {
    for (const Output o : std::vector<Output>(graph.node(id)->inputs)) {
      if (o.index < int(graph.node(o.node)->outputTypes.size())) continue;
      changeKeepingBytes(graph, o.node, [&](Node& n) {
        n.outputTypes.resize(size_t(o.index) + 1, DType::Invalid);
        n.outputShapes.resize(n.outputTypes.size(), Shape::unknown());
      });
    }
  }
  return {};
}

Result<Graph> GraphAssembler::finishBroken(std::vector<Error>* problems) {
  nameApart();
  Graph graph;
  graph.versions = versions_;
  graph.functions = library_;
  std::vector<std::vector<std::string>> inputs;
  inputs.reserve(pending_.size());
  for (auto& p : pending_) {
    inputs.emplace_back(p->inputs.begin(), p->inputs.end());
    // A valid node keeps its record and outputs; inputs that refer to other outputs of it are defects of the readers.
    if (p->node.op.empty() || !sign(p->node).ok()) p->node.record = nullptr;
    WEFT_TRY(graph.add(std::move(p->node)));
    p.reset();
  }
  pending_.clear();
  WEFT_TRY(connectAvailable(graph, inputs));
  (void)reviewNodes(graph);
  if (problems) {
    std::map<std::string, int> unknown;
    for (int id = 0; id < graph.size(); ++id)
      if (const Node* n = graph.node(id); n && !n->op.empty() && !recordOf(graph, n->op)) ++unknown[n->op];
    listUnknownOps(unknown, problems);
    if (options_.inferShapes) WEFT_TRY(inferGraphShapes(graph, orderDespiteCycles(graph), problems));
    listDefects(graph, problems);
  }
  return graph;
}

}  // namespace weft
