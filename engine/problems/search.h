#pragma once

#include <string>
#include <vector>

#include "weft/graph_problems.h"
#include "weft/translated.h"

namespace weft::problems {

/// Fixes are tried only in graphs of up to this many nodes, because each trial edits a copy.
inline constexpr int kLargestForTrials = 3000;

/// A sentence of this folder in the window's context for problems.
inline ProblemText said(const char* text, std::vector<std::string> words = {}) { return {"GraphProblems", text, std::move(words)}; }

/// What all searches share: the graph, and the problems found so far.
struct Search {
  explicit Search(const LoadedGraph& loadedGraph);

  GraphProblem& add(DoctorWeight weight, const std::string& node, const char* code, ProblemText text);
  /// Adds a fix if a trial shows that it works. At most four for each problem.
  void offer(GraphProblem& p, ProblemText text, GraphCommand command, const std::string& node);
  /// The layer with that scope; null if there is none, or it is a training.
  const Recipe* layer(const std::string& scope) const;

  const LoadedGraph& loaded;
  const MetaGraph& meta;
  const Graph& graph;
  const std::vector<Recipe> recipes;
  const std::vector<std::vector<int>> readers;  ///< By node.
  std::vector<GraphProblem> found;
  int trials = 0;
};

/// Whether a command runs on a copy and leaves no problem at `node`, and no more problems overall than before. `shape`, if given, gets that of an inserted node's output.
bool fixesNode(const LoadedGraph& loaded, const GraphCommand& command, const std::string& node, Shape* shape = nullptr);
/// Conversions that may be wanted for a tensor of that shape, likeliest first; not tried.
std::vector<WireOffer> shapeOffers(const Shape& shape);
/// The node that a serialised VariableDef describes.
std::string variableOf(const std::string& def);

void findMisfits(Search& s, const Error& e);
void findDefects(Search& s);
void findOpenInputs(Search& s);
void findUninitialised(Search& s);
void findUntrained(Search& s);
void findWrongLabels(Search& s);
void findFixedSwitches(Search& s);
void findUnread(Search& s);
void findTrainingProblems(Search& s);

}  // namespace weft::problems
