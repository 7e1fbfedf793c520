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

  /// The child of that name, created if needed.
  ViewTree* child(const std::string& name);
  void take(const Trace& trace, NodeTotals& node);  ///< Adds a node to the entry itself.
  void sum();                                       ///< Fills `total`, bottom up.
};

/// Groups by the parts of names. A node named like a scope counts as that scope's own time.
std::unique_ptr<ViewTree> scopeTree(const Trace& trace, std::vector<NodeTotals>& nodes);
/// By inputs: nodes without readers at the top, below each node its inputs; a node with several readers is listed below the first.
std::unique_ptr<ViewTree> graphTree(const Trace& trace, std::vector<NodeTotals>& nodes);
/// Groups by the calls that created the nodes.
std::unique_ptr<ViewTree> codeTree(const Trace& trace, std::vector<NodeTotals>& nodes);

}  // namespace weft
