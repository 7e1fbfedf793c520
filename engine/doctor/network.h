#pragma once

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "weft/doctor.h"
#include "weft/graph.h"
#include "weft/op_traits.h"
#include "weft/train.h"
#include "weft/training_mistakes.h"

namespace weft::doctor {

/// A number for people: 0.0012, 3.1e-07, 125.
std::string number(double v);
/// The finding of a rule. REQUIRES: `code` is one of doctorRules().
DoctorFinding finding(const char* code, std::string node, std::vector<std::string> words);

/// A training step that a program runs itself.
struct ProgramStepFacts {
  std::vector<std::string> losses;  ///< Tensors whose gradients it applies, the main one first; empty: not known.
  std::vector<std::string> ends;    ///< Names of the nodes that it fetches and runs.
};

/// What the doctor's rules ask of a graph. Keeps a pointer to the document.
class Network {
 public:
  explicit Network(const MetaGraph& meta);
  /// The graph of a program, as one of its steps trains it.
  Network(const MetaGraph& meta, const ProgramStepFacts& step);
  /// The single numbers that the step feeds: tensor -> text. REQUIRES: it is a program's.
  void feed(std::map<std::string, std::string> numbers);

  const MetaGraph& meta() const { return meta_; }
  const Graph& graph() const { return meta_.graph; }
  /// The training settings, if the document has some.
  const std::optional<TrainingSettings>& settings() const { return settings_; }
  /// Ids of the nodes before the losses, in the graph's order: the network, without gradients and updates.
  const std::vector<int>& forward() const { return forward_; }
  bool isForward(int id) const { return id >= 0 && inForward_[size_t(id)]; }
  /// Ids of the nodes that a training step runs, with all that they wait for; empty: unknown.
  const std::vector<int>& trained() const { return trained_; }
  /// Whether a training step runs an optimizer's op.
  bool isApplied(int id) const { return trained_.empty() || std::binary_search(trained_.begin(), trained_.end(), id); }
  const std::vector<int>& readers(int id) const { return readers_[size_t(id)]; }

  /// Whether a tensor is computed from another, or is it.
  bool leadsTo(const std::string& from, const std::string& tensor) const;
  const Node* nodeOf(Output o) const { return o.node >= 0 ? graph().node(o.node) : nullptr; }
  /// Where a tensor comes from, seen through identities, reshapes and casts; null: nowhere.
  const Node* origin(Output o) const;
  /// The same, seen through the addition of a bias and through dropout, too.
  const Node* behindBias(Output o) const;
  /// The variable whose value a tensor is; null if it is computed.
  const Node* variableOf(Output o) const;
  /// A scalar's value, if it is constant, a live scalar, or stated for training.
  std::optional<double> scalar(Output o) const;
  /// Names of the variables that are meant to be trained.
  const std::set<std::string>& trainable() const { return trainable_; }
  /// Whether a node before the loss is computed from variables that are to be trained.
  bool learns(int id) const { return id >= 0 && learns_[size_t(id)]; }
  /// Whether a node is computed from what steps are fed, or take from an input pipeline: more than single numbers.
  bool hasData(int id) const { return id >= 0 && data_[size_t(id)]; }
  /// A dropout and its rate, recognised by the comparison of random numbers that decides what is dropped.
  struct Dropout {
    const Node* drops = nullptr;  ///< The node that multiplies by the decision.
    std::string name;             ///< Its scope.
    std::optional<double> rate;   ///< Of training.
  };
  const std::vector<Dropout>& dropouts() const { return dropouts_; }

 private:
  void read(std::vector<std::string> losses, const std::vector<std::string>& ends);
  std::vector<char> before(const std::vector<int>& ends, bool controls) const;
  std::vector<char> behind(const std::vector<int>& begins) const;
  void findDropouts();

  const MetaGraph& meta_;
  std::optional<TrainingSettings> settings_;
  std::vector<std::vector<int>> readers_;
  std::vector<int> forward_, trained_;
  std::vector<char> inForward_, learns_, data_;
  std::set<std::string> trainable_;
  std::vector<Dropout> dropouts_;
};

/// Names of the variables of a graph that are meant to be trained.
std::set<std::string> trainableOf(const MetaGraph& meta);

/// What the doctor knows of an op beyond its role.
enum class OpKind : uint8_t {
  Other,
  Rectifier,
  Tanh,
  Sigmoid,
  Activation,
  Mean,
  Sum,
  Square,
  Difference,
  SquaredDifference,
  Subtraction,
  Product,
  Quotient,
  SafeQuotient,
  Negation,
  Limit,
  Choice,
  Equality,
  Comparison,
  Rounding,
  OneHot,
  Flat,  ///< Without a gradient, and none of the others.
  Root,
  Reciprocal,
  Exponential,
  LogarithmOfSum,
  Ones,
  Zeros,
  Gather,
  Slice,
  NewShape,
  NewOrder,
  ArrayWrite,
  ArrayGather,
  CtcLoss,
  Sampler,  ///< Of candidates, as for tf.nn.nce_loss.
  Skip,     ///< Of a data set, as the next three.
  Take,
  Cache,
  Batch,
  BatchNorm,
  Zip,
  SparseProduct,
  Depthwise,
  Transposed,
  Addition,
  InverseRoot,
  Logarithm
};
OpKind kindOf(const Node& n);
/// Whether a node is of one of these kinds; false for none.
inline bool isKind(const Node* n, std::initializer_list<OpKind> kinds) { return n && std::find(kinds.begin(), kinds.end(), kindOf(*n)) != kinds.end(); }
/// Whether a loss of such values is a distance.
inline bool isDistance(OpKind k) { return k == OpKind::Square || k == OpKind::Difference || k == OpKind::SquaredDifference; }
bool isScaling(const Node& n);
/// Relu, Tanh and so on.
bool isActivation(const Node& n);
/// The node whose values a loss averages or sums; null: it is something else. `kind`: Mean or Sum.
const Node* averaged(const Network& net, const std::string& loss, OpKind* kind);
/// The softmax or sigmoid of which a node takes the logarithm, without anything that keeps it from 0; null: it does not.
const Node* logarithmOf(const Network& net, const Node& n);
/// A matrix product or convolution whose weights are a variable.
bool isLayer(const Network& net, const Node& n);
/// Whether another layer reads what is computed from a node.
bool layerFollows(const Network& net, int id);

/// What a loss compares with what.
struct Comparison {
  Output prediction, target;
  const Node* by = nullptr;  ///< A difference, or the product of a target and a logarithm.
};
/// The comparison nearest to the loss of a value that is learned with one that is data; empty: there is none outside of cross entropies that are one op.
std::optional<Comparison> comparison(const Network& net);
/// A tf.nn.sigmoid_cross_entropy_with_logits before the loss.
struct SigmoidLoss {
  Output logits, labels;
};
std::vector<SigmoidLoss> sigmoidLosses(const Network& net);
/// The tensor that a step is fed, or takes from an input pipeline, for the labels or targets of its loss.
std::optional<Output> labelFeed(const Network& net);
/// The values that the network gives for the rows of a batch: logits of a cross entropy, or what is compared with the data; empty: unknown.
std::string outputOf(const Network& net);

/// A cross entropy's number of classes and labels, if the loss is one.
std::optional<Classifier> classifier(const Network& net);
/// The label of each row; empty: the labels are not classes.
std::vector<int64_t> labelsOf(const Classifier& c, const Tensor& t);

/// An op without a finite gradient where its input is 0, and what that is: a root of a sum of squares, or what tf.where guards only the value of.
std::optional<std::pair<std::string, std::string>> fragileOp(const Network& net);
/// The rules on losses and on what reaches them, by structure alone.
void readLosses(const Network& net, std::vector<DoctorFinding>& out);
/// Whether variables that no optimizer changes are kept as they are on purpose: savers restore them, one or several together, without all that are trained.
bool areFrozen(const Network& net, const std::set<std::string>& variables, const std::set<std::string>& changed);
/// The rules on how savers, recurrent layers, schedules, data sets, noise and networks that share weights are put together.
void readUsage(const Network& net, std::vector<DoctorFinding>& out);
/// The rules on structure.
void readStructure(const Network& net, std::vector<DoctorFinding>& out);

}  // namespace weft::doctor
