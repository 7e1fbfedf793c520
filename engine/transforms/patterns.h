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

/// An attribute, or null.
const tensorflow::AttrValue* attrOf(const NodeDef& node, const std::string& name);
/// The text of an attribute, or what the op takes where it is left out.
std::string textAttr(const NodeDef& node, const std::string& name, const char* otherwise);
/// The value of an attribute that is false where it is left out.
bool boolAttr(const NodeDef& node, const std::string& name);
/// The type that a Const or placeholder states; Invalid if it states none.
DType statedType(const NodeDef& node);

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

/// Makes the nodes that replace a match; none: it stays as it is. `readOutside`: names of its nodes that other nodes use, or that are fed or fetched.
using Replacement = std::function<Status(const Match& match, const std::set<std::string>& readOutside, std::vector<NodeDef>* nodes)>;

/// Replaces each match of a pattern, at the place of its head; returns how many were replaced. Matches do not overlap. A match stays as it is if its replacement has
/// different nodes of one name (with a warning) or, unless `mayDrop`, lacks a node that is used outside.
Result<int> replaceMatches(const GraphDef& in, const Context& context, const Pattern& pattern, const Replacement& replacement, bool mayDrop, GraphDef* out);

/// What a node computes, its name apart: equal for two nodes if and only if op, device, inputs and attributes are equal.
std::string contentOf(const NodeDef& node);

/// Renames inputs ("x", "x:1", "^x", and "x:*" for all outputs of x), repeatedly, except in the nodes of `except`. INVALID_ARGUMENT if the names form a cycle.
Status renameInputs(const GraphDef& in, const std::map<std::string, std::string>& names, const std::unordered_set<std::string>& except, GraphDef* out);

}  // namespace weft::transforms
