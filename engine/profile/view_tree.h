#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "profile/aggregate.h"

namespace weft {

/// An entry of a view before it is ordered and filtered.
struct ViewTree {
  ViewTree() = default;
  ~ViewTree();  ///< Without recursion: graphs can be chains of thousands of nodes.

  ProfileRow row;
  std::vector<double> durations;
  std::vector<std::unique_ptr<ViewTree>> children;
  std::unordered_map<std::string, ViewTree*> byName;

  /// The child of that name, made if there is none.
  ViewTree* child(const std::string& name);
  void take(const Trace& trace, NodeTotals& node);  ///< Adds a node to the entry itself.
  void sum();                                       ///< Fills `total`, bottom up.
};

/// By the parts of names. A node that bears the name of a scope is that scope's own time.
std::unique_ptr<ViewTree> scopeTree(const Trace& trace, std::vector<NodeTotals>& nodes);
/// By inputs: nodes without readers at the top, below each node its inputs; a node with several readers is listed below the first.
std::unique_ptr<ViewTree> graphTree(const Trace& trace, std::vector<NodeTotals>& nodes);
/// By the calls that made the nodes.
std::unique_ptr<ViewTree> codeTree(const Trace& trace, std::vector<NodeTotals>& nodes);

}  // namespace weft
