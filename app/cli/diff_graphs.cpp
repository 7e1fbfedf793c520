#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/diff.h"
#include "weft/defects.h"
#include "weft/diff.h"
#include "weft/file_system.h"

namespace weft::cli {
namespace {

const char* kindName(NodeDifference::Kind kind) {
  static const char* const kNames[] = {"added", "removed", "changed", "renamed"};
  return kNames[int(kind)];
}

}  // namespace

int diffGraphFiles(const std::string& a, const std::string& b, const DiffOptions& how) {
  LoadOptions options;
  options.inferShapes = false;
  std::vector<LoadedGraph> graphs;
  for (const std::string& path : {a, b}) {
    auto loaded = openGraphFile(path, options);
    if (!loaded.ok()) return complain(loaded.error().inFile(path), kWrongUsage);
    graphs.push_back(std::move(*loaded));
  }
  GraphDifference d = how.structure ? diffGraphsByStructure(graphs[0].meta, graphs[1].meta) : diffGraphs(graphs[0].meta, graphs[1].meta);
  // Other names alone are no difference in structure.
  const auto isRenamed = [](const NodeDifference& n) { return n.kind == NodeDifference::Kind::Renamed; };
  const auto renamed = std::count_if(d.nodes.begin(), d.nodes.end(), isRenamed);
  const bool equal = d.collections.empty() && d.others.empty() && (how.structure ? size_t(renamed) == d.nodes.size() : d.nodes.empty());
  if (how.structure && !how.all) std::erase_if(d.nodes, isRenamed);
  if (how.json) {
    nlohmann::ordered_json out{{"equal", equal}, {"nodes", nlohmann::json::array()}, {"collections", d.collections}, {"other", d.others}};
    for (const NodeDifference& n : d.nodes) {
      nlohmann::ordered_json node{{"kind", kindName(n.kind)}, {"name", n.name}, {"op", n.op}};
      if (!n.oldName.empty()) node["old_name"] = n.oldName;
      if (!n.details.empty()) node["details"] = n.details;
      out["nodes"].push_back(std::move(node));
    }
    if (how.structure) out["renamed"] = renamed;
    std::cout << out.dump() << "\n";
    return equal ? kDone : kFailed;
  }
  for (const NodeDifference& n : d.nodes) {
    switch (n.kind) {
      case NodeDifference::Kind::Added: std::cout << "+ " << n.name << " (" << n.op << ")\n"; break;
      case NodeDifference::Kind::Removed: std::cout << "- " << n.name << " (" << n.op << ")\n"; break;
      case NodeDifference::Kind::Renamed: std::cout << "= " << n.oldName << " -> " << n.name << " (" << n.op << ")\n"; break;
      case NodeDifference::Kind::Changed:
        std::cout << "~ " << (n.oldName.empty() ? n.name : n.oldName + " -> " + n.name) << " (" << n.op << ")\n";
        for (const std::string& detail : n.details) std::cout << "    " << detail << "\n";
    }
  }
  for (const std::string& c : d.collections) std::cout << "~ collection " << c << "\n";
  for (const std::string& o : d.others) std::cout << "~ " << o << "\n";
  if (how.structure && renamed) std::cout << renamed << (renamed == 1 ? " node has" : " nodes have") << " another name\n";
  if (equal) std::cout << (how.structure ? "no difference in structure\n" : "no difference\n");
  return equal ? kDone : kFailed;
}

}  // namespace weft::cli
