// Shared by the sources of this folder.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "weft/fold.h"

namespace weft::folding {

/// A layer built in a graph of its own, to compare others with.
struct Specimen {
  MetaGraph meta;
  std::string kind;
  TextAttrs parameters;
  std::vector<int> inputs;  ///< Nodes that stand for the layer's inputs; -1: not connected.
  Output output;
  std::set<int> dependent;               ///< Nodes that depend on an input: all of them must be found.
  std::map<int, std::string> variables;  ///< Name within the layer's scope, by node.
  size_t size = 0;                       ///< Nodes from which the output is computed.
};

/// Longer names of scopes are not looked at: they are no layers, and each of their levels would be kept.
inline constexpr size_t kLongestScope = 2000;

/// Where the value of a parameter is read in ops that may be the layer.
struct Source {
  enum class From { Variable, Attribute, Constant, ConstantRest };
  std::string parameter;
  From from = From::Variable;
  std::string name;           ///< Of the variable in the layer, or of the attribute; empty: the constant that has the specimen's value, or 1 less it.
  std::vector<int> elements;  ///< Dimensions or list elements; empty: the value as a whole.
};

/// A layer with one choice of its options, as built for some input.
struct Pattern {
  std::shared_ptr<const Specimen> specimen;
  std::vector<Source> sources;
  std::pair<std::string, int> channels;  ///< The variable and its dimension that tell the last dimension of the input, where it is not inferred; empty: none.
};
/// All patterns, by the op of their output; larger ones first. Made once, on the first call. Any thread.
const std::map<std::string, std::vector<Pattern>>& patterns();

/// What an input of the layer is.
struct InputKind {
  DType type = DType::Float;
  Shape shape = Shape::unknown();
};
/// Errors are those of the layer's record.
Result<std::shared_ptr<const Specimen>> buildSpecimen(const std::string& kind, const TextAttrs& parameters, const std::vector<InputKind>& inputs,
                                                      const std::vector<std::string>& ports);

/// Which node of a graph is which of a specimen.
struct Match {
  std::map<int, int> nodes;  ///< By node of the specimen, without variables and inputs.
  std::map<int, int> variables;
  std::map<int, Output> inputs;  ///< By node of the specimen.
};
/// Compares ops from the output back; with `exact`, also attributes, constants and shapes of variables, and what else depends on the inputs, as updates of averages.
/// With `constants`, a constant may stand for a variable, as in a frozen graph. `why` gets the first difference.
std::optional<Match> matchAt(const Specimen& s, const Graph& graph, const std::vector<std::vector<int>>& consumers, Output output, bool exact, bool constants,
                             std::string* why);

/// A proposal with the ids of its nodes.
struct Found {
  FoldProposal shown;
  std::vector<int> ops;  ///< Without variables and their reads.
  std::vector<int> moved;
  std::map<std::string, int> variables;  ///< By name in the layer; in a frozen graph, constants.
  std::set<std::string> trained;         ///< Those that trainings change.
  std::vector<Output> inputs;
  Output output;
  Shape outputShape;         ///< As the layer's record knows it.
  std::string parent, base;  ///< Where a new scope goes, and how it is called.
};
/// Layers only.
std::vector<Found> findLayers(const MetaGraph& meta, std::vector<FoldLeft>* left);

/// A constant of a frozen graph that is a weight.
struct FrozenWeight {
  int constant = -1;
  bool trained = true;  ///< Trainings change it.
};
/// Makes constants variables of their name that begin with their values; what read a constant reads the variable.
Status thaw(GraphEditor& editor, const std::vector<FrozenWeight>& weights);

}  // namespace weft::folding
