// Shared by the sources of this folder.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "weft/fold.h"
#include "weft/op_traits.h"

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
  int64_t divisor = 1;        ///< Of a variable's dimensions: the parameter is their quotient.
};

/// A layer with one choice of its options, as built for some input.
struct Pattern {
  std::shared_ptr<const Specimen> specimen;
  std::vector<Source> sources;
  std::pair<std::string, int> channels;  ///< The variable and its dimension that tell the last dimension of the input, where it is not inferred; empty: none.
  int gates = 0;                         ///< Of a recurrent layer: its `channels` also count the state, of which the kernel's columns have so many.
  int64_t steps = 0;                     ///< Of one that is unrolled: how many.
  bool isBare = false;                   ///< Without the Identity at its end, as TensorFlow's cells are.
};
/// All patterns, by the op of their output; larger ones first. Made once, on the first call. Any thread.
const std::map<std::string, std::vector<Pattern>>& patterns();
/// Unrolled recurrent layers that may end with this op, over the steps that the graph has before it. The latest ones are kept. Any thread.
std::vector<Pattern> unrolledPatterns(const Graph& graph, const Node& output);

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
  std::vector<int> more;         ///< Further nodes: constants that the layer has once, and what gives the rows of a state of zeros.
};
/// The ops from `input` to a state of zeros; nullopt: its shape is not [rows of the input, columns], or not known to be.
std::optional<std::vector<int>> opsOfState(const Graph& graph, int zeros, Output input, int64_t columns);
/// Whether ops compute the same of the same inputs: Add and AddV2 do.
inline bool isSameOp(std::string_view a, std::string_view b) { return a == b || (roleOf(a) == OpRole::Sum && roleOf(b) == OpRole::Sum); }

/// See matchAt().
struct MatchOptions {
  bool exact = false, constants = false, isBare = false;
};
/// Compares ops from the output back; with `exact`, also attributes, constants and shapes of variables, and what else depends on the inputs, as updates of averages.
/// With `constants`, a constant may stand for a variable, as in a frozen graph. `why` gets the first difference, and `partial`, where there are few of them, what is the same.
std::optional<Match> matchAt(const Specimen& s, const Graph& graph, const std::vector<std::vector<int>>& consumers, Output output, const MatchOptions& options,
                             std::string* why, Match* partial = nullptr);

/// Whether a node only reports, or is a constant that nothing else reads. Such nodes do not keep a scope from being a layer.
bool isQuiet(const Graph& graph, const std::vector<std::vector<int>>& consumers, const Node& n);
/// Roles of ops that keep, change or report a variable, rather than compute with it.
bool keepsBooks(OpRole role);
/// How many nodes lie below each scope; `quiet`: only the quiet ones.
std::unordered_map<std::string, int> countByScope(const Graph& graph, const std::vector<std::vector<int>>& consumers, bool quiet);
std::string commonScopeOf(const Graph& graph, const std::vector<int>& ids);

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
