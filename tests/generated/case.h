#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "weft/graph.h"

namespace weft::generated {

/// One run of a session.
struct Step {
  std::vector<std::pair<std::string, Tensor>> feeds;
  std::vector<std::string> fetches, targets;
};

/// A derivative in the graph: of the sum of `ys` with respect to `x`. With `indices`, `dx` holds only these rows.
struct Derivative {
  std::vector<std::string> ys;
  std::string x, dx, indices;
};

/// A generated graph and its steps in one session.
struct Case {
  uint64_t seed = 0;
  MetaGraph meta;
  std::vector<Step> steps;
  std::vector<Derivative> derivatives;
  std::map<std::string, std::string> files;  ///< By name; the contents of the working directory when a session begins.
};

/// Ids of the nodes that a step needs, feeds cut off, in order of id.
std::vector<int> neededBy(const Graph& graph, const Step& step);
/// The part of the graph that the steps need: the same names, new ids. REQUIRES: the case's steps name nodes that exist.
Case pruned(const Case& whole);
/// Ids of the nodes that depend on `node` by data or control edges, itself included.
std::vector<bool> dependents(const Graph& graph, int node);

/// A readable description: the graph as text and the steps with their feeds.
std::string describe(const Case& one);

/// Whether a value of this type can be fetched and compared.
bool fetchable(DType type);
/// Whether an op only routes values in version 1 control flow.
bool isFlow(const std::string& op);

}  // namespace weft::generated
