// Documents of templates, and edits of them by commands. What fails ends the test program.
#pragma once

#include <QtGlobal>
#include <string>
#include <utility>
#include <vector>

#include "weft/graph_commands.h"
#include "weft/templates.h"
#include "weft/train.h"

namespace weft::tests {

inline MetaGraph documentOf(const std::string& templateName) {
  auto meta = api::buildTemplate(templateName);
  if (!meta.ok()) qFatal("%s: %s", templateName.c_str(), meta.error().toString().c_str());
  return std::move(*meta);
}

/// A document after commands, as scripts state them.
inline LoadedGraph edited(LoadedGraph graph, const std::vector<GraphCommand>& commands) {
  for (const GraphCommand& c : commands) {
    auto next = runGraphCommand(graph, c);
    if (!next.ok()) qFatal("%s: %s", c.toString().c_str(), next.error().toString().c_str());
    graph = std::move(next->graph);
  }
  return graph;
}

/// The built-in digits: rows of 64 numbers for `x`, classes for `y`.
inline DatasetBinding digits() {
  DatasetBinding data;
  data.builtin = "digits";
  data.placeholders = {{"x:0", "images"}, {"y:0", "labels"}};
  return data;
}

/// Nodes with one of these names, or in one of these scopes.
inline std::vector<int> idsIn(const MetaGraph& meta, const std::vector<std::string>& names) {
  std::vector<int> out;
  for (int id = 0; id < meta.graph.size(); ++id) {
    const Node* n = meta.graph.node(id);
    if (!n) continue;
    for (const std::string& name : names)
      if (n->name == name || n->name.starts_with(name + "/")) out.push_back(id);
  }
  return out;
}

}  // namespace weft::tests
