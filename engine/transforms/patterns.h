#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "transforms/transform.h"

namespace weft::transforms {

using NodeIndex = std::unordered_map<std::string, const NodeDef*>;
/// Nodes by name; of two with the same name the last.
NodeIndex indexNodes(const GraphDef& graph);

/// The nodes in TensorFlow's execution order: depth first, the node that became ready last comes first. INVALID_ARGUMENT names an input that is not in the graph,
/// or a node of a cycle. `sorted` has the nodes up to there even then.
Status executionOrder(const GraphDef& graph, std::vector<const NodeDef*>* sorted);

/// Ops to look for: `op` is "*", a name, or several separated by "|". Without inputs any inputs match.
struct Pattern {
  std::string op;
  std::vector<Pattern> inputs;
};

/// Nodes that match a pattern, in its form.
struct Match {
  const NodeDef* node = nullptr;
  std::vector<Match> inputs;
};

/// All nodes of a match once, from its head down.
std::vector<const NodeDef*> nodesOf(const Match& match);
/// Adds the match's own nodes to `nodes`: it stays as it is.
void keepMatch(const Match& match, std::vector<NodeDef>* nodes);

/// Makes the nodes that replace a match. `readOutside`: names of its nodes that other nodes use.
using Replacement = std::function<Status(const Match& match, const std::set<std::string>& readOutside, std::vector<NodeDef>* nodes)>;

/// Replaces each match of a pattern, at the place of its head. Matches do not overlap. Unless `mayDrop`, a match whose replacement lacks a node that is used outside
/// of it stays as it is.
Status replaceMatches(const GraphDef& in, const Pattern& pattern, const Replacement& replacement, bool mayDrop, GraphDef* out);

/// Renames inputs ("x", "x:1", "^x", and "x:*" for all outputs of x), repeatedly, except in the nodes of `except`. INVALID_ARGUMENT if the names form a cycle.
Status renameInputs(const GraphDef& in, const std::map<std::string, std::string>& names, const std::unordered_set<std::string>& except, GraphDef* out);

}  // namespace weft::transforms
