// Everything computed for a graph when a file is opened, except what needs a window.
#pragma once

#include <memory>
#include <string>

#include "graph/constant_folding.h"
#include "memory_files.h"
#include "profile/node_facts.h"
#include "weft/dataset.h"
#include "weft/diff.h"
#include "weft/graph_text.h"
#include "weft/inspect.h"
#include "weft/recipes.h"
#include "weft/train.h"

namespace weft {

/// How far it got; the test only checks that it returns.
struct OpenedGraph {
  bool loaded = false;
  size_t problems = 0, folded = 0, foldedAfterFailure = 0;
};

inline OpenedGraph openGraph(const std::string& bytes) {
  OpenedGraph out;
  MemoryFiles files;
  files.files["g.pb"] = std::make_shared<std::string>(bytes);
  InspectOptions options;
  options.files = &files;
  (void)inspectPath("g.pb", options);
  const auto loaded = loadGraphBytes(std::make_shared<const std::string>(bytes), "g.pb");
  if (!loaded.ok()) return out;
  out.loaded = true;
  out.problems = loaded->problems.size();
  const Graph& graph = loaded->meta.graph;
  std::set<std::string> failed;
  for (const Error& e : loaded->problems) failed.insert(e.node);
  const NodeFacts facts(graph);
  ConstantFolder folder(graph);
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n) continue;
    (void)facts.describe(*n);
    for (int k = 0; k < int(n->outputTypes.size()); ++k) {
      const bool known = folder.value({id, k}) != nullptr;
      out.folded += known && n->op != "Const";
      out.foldedAfterFailure += known && failed.count(n->name) > 0;
      (void)folder.asShape({id, k});
      (void)staticValue(graph, {id, k});
      (void)findHandleData(graph, {id, k});
    }
  }
  (void)graphToPython(graph);
  (void)graphToDot(graph, "g");
  (void)recipesOf(loaded->meta);
  (void)canvasPlacesOf(loaded->meta);
  (void)trainingSettingsOf(loaded->meta);
  (void)serializeGraph(loaded->meta, GraphFormat::GraphText);
  return out;
}

}  // namespace weft
