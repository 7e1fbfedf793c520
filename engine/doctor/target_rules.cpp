// Rules on targets: whether the network can reach them, whether its inputs give them away, whether they are padding.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "doctor/bench.h"
#include "weft/tensor_statistics.h"

namespace weft::doctor {
namespace {

constexpr double kOutside = 0.02;  // of the targets, beyond what the output can be
constexpr int64_t kFewRows = 32;   // in which a column may equal the labels by chance
constexpr int64_t kOthers = 5;     // rows with another label than the most frequent one
constexpr int64_t kMostColumns = 4096;
constexpr double kLargeDeviation = 100;
constexpr double kLight = 0.7, kRare = 0.35;       // a weight; a share of the rows
constexpr double kPadded = 0.2, kEndPadded = 0.5;  // of all labels; of the rows

std::string nodeOf(const std::string& tensor) { return tensor.substr(0, tensor.find(':')); }

/// Rows of the target; -1: they are not among the data.
int targetOf(const Network& net, const Bench& bench) {
  const auto feed = labelFeed(net);
  return feed ? bench.placeholder(net.graph().tensorName(*feed)) : -1;
}

void outOfReach(const Network& net, const Bench& bench, std::vector<DoctorFinding>& out) {
  const auto c = classifier(net) ? std::nullopt : comparison(net);
  const int at = targetOf(net, bench);
  if (!c || kindOf(*c->by) == OpKind::Product || at < 0) return;
  const Node* last = net.origin(c->prediction);
  if (!last) return;
  double low = 0, high = 1;
  if (kindOf(*last) == OpKind::Tanh) low = -1;
  else if (kindOf(*last) == OpKind::Rectifier) high = INFINITY;
  else if (kindOf(*last) != OpKind::Sigmoid && roleOf(*last) != OpRole::Softmax) return;
  // Rows without a target may be left out by their value.
  const auto feed = net.graph().findOutput(bench.placeholders()[size_t(at)]);
  const auto asks = [&](int id) { return isKind(net.graph().node(id), {OpKind::Equality, OpKind::Comparison, OpKind::Flat}); };
  if (feed.ok() && std::any_of(net.readers(feed->node).begin(), net.readers(feed->node).end(), asks)) return;
  const Tensor& t = bench.rows()[size_t(at)];
  int64_t outside = 0;
  for (int64_t i = 0; i < t.elements(); ++i) outside += t.asDouble(i) < low - 0.01 || t.asDouble(i) > high + 0.01;
  if (outside < 5 || double(outside) < kOutside * double(t.elements())) return;
  const std::string name = bench.placeholders()[size_t(at)];
  out.push_back(finding("target-out-of-reach", last->name,
                        {last->name, number(low), number(high), name, number(std::round(100.0 * double(outside) / double(t.elements())))}));
}

/// Large targets of a mean squared error: its gradients are as large.
void largeTargets(const Network& net, const Bench& bench, std::vector<DoctorFinding>& out) {
  const auto c = classifier(net) ? std::nullopt : comparison(net);
  const int at = targetOf(net, bench);
  // Other distances, such as Huber's, do not grow like that.
  const auto squares = [&](const Node& n) {
    return isKind(&n, {OpKind::Square, OpKind::SquaredDifference}) || (isKind(&n, {OpKind::Product}) && n.inputs.size() == 2 && n.inputs[0] == n.inputs[1]);
  };
  if (!c || at < 0) return;
  const auto& readers = net.readers(c->by->id);
  const bool isSquared = squares(*c->by) || (isKind(c->by, {OpKind::Subtraction}) && std::any_of(readers.begin(), readers.end(), [&](int id) {
                                               return net.isForward(id) && squares(*net.graph().node(id));
                                             }));
  if (!isSquared) return;
  const Node* last = net.behindBias(c->prediction);
  const Tensor& t = bench.rows()[size_t(at)];
  if (!last || !isLayer(net, *last) || !isFloating(t.dtype()) || t.elements() < kFewRows) return;
  const TensorStatistics s = statisticsOf(t);
  if (s.finite() == t.elements() && (s.std > kLargeDeviation || std::abs(s.mean) > 10 * kLargeDeviation))
    out.push_back(finding("targets-not-scaled", nodeOf(bench.placeholders()[size_t(at)]), {bench.placeholders()[size_t(at)], number(s.mean), number(s.std)}));
}

/// The feed behind what passes values on; invalid: another op computes it.
Output feedBehind(const Network& net, Output o) {
  const Node* n = net.origin(o);
  return n && (isFeedPoint(*n) || roleOf(*n) == OpRole::IteratorGetNext) ? Output{n->id, isFeedPoint(*n) ? 0 : o.index} : Output{};
}

/// Rows of the labels of sampled losses, such as tf.nn.nce_loss; -1: there are none.
int sampledLabels(const Network& net, const Bench& bench) {
  for (const int id : net.forward()) {
    const Node& n = *net.graph().node(id);
    const Output feed = isKind(&n, {OpKind::Sampler}) ? feedBehind(net, n.inputs[0]) : Output{};
    if (feed.valid()) return bench.placeholder(net.graph().tensorName(feed));
  }
  return -1;
}

/// Sequences of numbers of words or classes, each of which is to give itself.
bool sequencesGiven(const Network& net, const Bench& bench, int at, std::vector<DoctorFinding>& out) {
  const Tensor& target = bench.rows()[size_t(at)];
  if (target.rank() != 2 || target.dim(1) < 2 || !isInteger(target.dtype()) || target.elements() < kFewRows) return false;
  for (size_t i = 0; i < bench.rows().size(); ++i) {
    const Tensor& t = bench.rows()[i];
    if (int(i) == at || !(t.shape() == target.shape()) || !isInteger(t.dtype()) || !net.leadsTo(bench.placeholders()[i], outputOf(net))) continue;
    std::set<int64_t> values;
    bool same = true;
    for (int64_t k = 0; k < t.elements() && same; ++k) {
      same = t.asInt(k) == target.asInt(k);
      values.insert(t.asInt(k));
    }
    if (!same || values.size() < 3) continue;
    out.push_back(finding("targets-are-inputs", nodeOf(bench.placeholders()[size_t(at)]), {bench.placeholders()[size_t(at)], bench.placeholders()[i]}));
    return true;
  }
  return false;
}

void givenAway(const Network& net, const Bench& bench, std::vector<DoctorFinding>& out) {
  int at = targetOf(net, bench);
  const bool sampled = at < 0;
  if (sampled) at = sampledLabels(net, bench);
  if (at < 0 || sequencesGiven(net, bench, at, out)) return;
  const Tensor& target = bench.rows()[size_t(at)];
  const int64_t rows = bench.count();
  std::vector<double> values;
  if (target.elements() == rows) {
    for (int64_t i = 0; i < rows; ++i) values.push_back(target.asDouble(i));
  } else if (const auto c = classifier(net)) {
    for (const int64_t l : labelsOf(*c, target)) values.push_back(double(l));
  }
  if (int64_t(values.size()) != rows || rows < kFewRows) return;
  std::map<double, int64_t> counts;
  int64_t most = 0;
  for (const double v : values) most = std::max(most, ++counts[v]);
  if (rows - most < kOthers) return;
  for (size_t i = 0; i < bench.rows().size(); ++i) {
    const Tensor& t = bench.rows()[i];
    // Of one value a row, only numbers of classes or words are no targets of their own.
    const bool single = sampled && t.rank() == 1 && isInteger(t.dtype());
    if (int(i) == at || (t.rank() != 2 && !single) || t.dtype() == DType::String || (!single && t.dim(1) > kMostColumns)) continue;
    if (!net.leadsTo(bench.placeholders()[i], sampled ? net.settings()->loss : outputOf(net))) continue;
    for (int64_t k = 0, width = single ? 1 : t.dim(1); k < width; ++k) {
      bool same = true;
      for (int64_t r = 0; r < rows && same; ++r) same = std::abs(t.asDouble(r * width + k) - values[size_t(r)]) <= 1e-6 * (1 + std::abs(values[size_t(r)]));
      if (!same) continue;
      if (single) return out.push_back(finding("word-is-label", nodeOf(bench.placeholders()[i]), {bench.placeholders()[i], bench.placeholders()[size_t(at)]}));
      out.push_back(finding("label-in-features", nodeOf(bench.placeholders()[i]),
                            {number(double(k)), bench.placeholders()[i], bench.placeholders()[size_t(at)], number(double(rows))}));
      return;
    }
  }
}

/// The weight of the positive class, as tf.nn.weighted_cross_entropy_with_logits has it: 1 + (weight - 1) * labels. Rare classes are to count more, not less.
void classWeights(const Network& net, const Bench& bench, std::vector<DoctorFinding>& out) {
  for (const int id : net.forward()) {
    const Node& n = *net.graph().node(id);
    if (!isKind(&n, {OpKind::Product}) || net.learns(id)) continue;
    for (size_t k = 0; k < 2; ++k) {
      const auto more = net.scalar(n.inputs[k]);
      const Output feed = feedBehind(net, n.inputs[1 - k]);
      const int at = more && feed.valid() ? bench.placeholder(net.graph().tensorName(feed)) : -1;
      const bool added = std::any_of(net.readers(id).begin(), net.readers(id).end(), [&](int reader) {
        const Node& sum = *net.graph().node(reader);
        return roleOf(sum) == OpRole::Sum && sum.inputs.size() == 2 && net.scalar(sum.inputs[sum.inputs[0].node == id ? 1 : 0]).value_or(0) == 1;
      });
      if (at < 0 || !added) continue;
      const Tensor& labels = bench.rows()[size_t(at)];
      int64_t positive = 0;
      bool yesNo = labels.elements() >= kFewRows;
      for (int64_t i = 0; i < labels.elements() && yesNo; ++i) {
        const double v = labels.asDouble(i);
        yesNo = v == 0 || v == 1;
        positive += v == 1;
      }
      const double weight = 1 + *more, share = double(positive) / double(std::max<int64_t>(1, labels.elements()));
      const bool light = weight > 0 && ((weight < kLight && share < kRare) || (weight > 1 / kLight && share > 1 - kRare));
      if (yesNo && light) out.push_back(finding("rare-class-light", n.name, {n.name, number(weight), number(std::round(1000 * share) / 10)}));
    }
  }
}

/// Whether rows reach the network in another way than by the tensors that are seen: a table, a reader, a pipeline's strings.
bool hasOtherData(const Network& net, const Bench& bench) {
  const auto isSeen = [&](Output o) {
    return std::find(bench.placeholders().begin(), bench.placeholders().end(), net.graph().tensorName(o)) != bench.placeholders().end();
  };
  return std::any_of(net.forward().begin(), net.forward().end(), [&](int id) {
    const Node& n = *net.graph().node(id);
    const OpRole r = roleOf(n);
    if (r == OpRole::IteratorGetNext || r == OpRole::Dequeue || r == OpRole::ReaderRead)
      return std::any_of(net.readers(id).begin(), net.readers(id).end(), [&](int reader) {
        const auto& inputs = net.graph().node(reader)->inputs;
        return net.isForward(reader) && std::any_of(inputs.begin(), inputs.end(), [&](Output o) { return o.node == id && !isSeen(o); });
      });
    return isKind(&n, {OpKind::Gather}) && !n.inputs.empty() && isConstant(*net.graph().node(n.inputs[0].node));
  });
}

void constantInput(const Network& net, const Bench& bench, std::vector<DoctorFinding>& out) {
  const std::string output = outputOf(net);
  if (output.empty() || bench.count() < 8 || hasOtherData(net, bench)) return;
  std::string name;
  double value = 0;
  for (size_t i = 0; i < bench.rows().size(); ++i) {
    const Tensor& t = bench.rows()[i];
    if (!net.leadsTo(bench.placeholders()[i], output) || t.elements() == 0) continue;
    if (t.dtype() == DType::String || !isNumeric(t.dtype())) return;
    const TensorStatistics s = statisticsOf(t);
    if (s.min != s.max || s.finite() != t.elements()) return;  // something to learn from
    if (t.rank() < 2) continue;
    name = bench.placeholders()[i];
    value = s.min;
  }
  if (!name.empty()) out.push_back(finding("input-constant", nodeOf(name), {name, number(value)}));
}

/// Share of the labels of sequences that are zeros at their ends; 0: too few are, or 0 is a label like others.
double paddedShare(const Tensor& t) {
  if (t.rank() != 2 || t.dim(1) < 4 || t.dim(0) < 8) return 0;
  const int64_t rows = t.dim(0), width = t.dim(1);
  int64_t padded = 0, ends = 0;
  std::set<int64_t> lengths;
  for (int64_t r = 0; r < rows; ++r) {
    int64_t length = width;
    while (length > 0 && t.asDouble(r * width + length - 1) == 0) --length;
    for (int64_t k = 0; k < length; ++k)
      if (t.asDouble(r * width + k) == 0) return 0;
    padded += width - length;
    ends += width - length >= 2;
    lengths.insert(length);
  }
  const double share = double(padded) / double(t.elements());
  return lengths.size() < 3 || share < kPadded || double(ends) < kEndPadded * double(rows) ? 0 : share;
}

/// A mean over all labels of padded sequences, of losses or of what is right.
void padding(const Network& net, const Bench& bench, std::vector<DoctorFinding>& out) {
  const auto c = classifier(net);
  const int at = targetOf(net, bench);
  if (!c || !c->sparse || at < 0) return;
  const double share = paddedShare(bench.rows()[size_t(at)]);
  if (share == 0) return;
  const std::string name = bench.placeholders()[size_t(at)], percent = number(std::round(100 * share));
  OpKind kind;
  const Node* from = averaged(net, net.settings()->loss, &kind);
  if (from && from->name == c->op) out.push_back(finding("padding-in-loss", from->name, {from->name, percent, name}));
  for (int id = 0; id < net.graph().size(); ++id) {
    const Node* mean = net.graph().node(id);
    const Node* right = isKind(mean, {OpKind::Mean}) ? net.origin(mean->inputs[0]) : nullptr;
    if (!isKind(right, {OpKind::Equality}) || right->inputs.size() != 2) continue;
    const bool ofLabels = std::any_of(right->inputs.begin(), right->inputs.end(), [&](Output o) {
      const Node* n = net.origin(o);
      return n && n->name == nodeOf(name);
    });
    if (ofLabels) out.push_back(finding("padding-in-accuracy", mean->name, {mean->name, percent, name}));
  }
}

}  // namespace

std::optional<Output> labelFeed(const Network& net) {
  const Graph& g = net.graph();
  Output o;
  if (const auto c = classifier(net)) {
    if (const auto labels = g.findOutput(c->labels); labels.ok()) o = *labels;
  } else if (const auto losses = sigmoidLosses(net); losses.size() == 1) {
    o = losses[0].labels;
  } else if (const auto k = comparison(net)) {
    o = k->target;
  }
  for (int steps = 0; steps < 32 && o.valid(); ++steps) {
    const Node& n = *g.node(o.node);
    const OpRole r = roleOf(n);
    if (isFeedPoint(n) || r == OpRole::IteratorGetNext || r == OpRole::Dequeue) return o;
    if (n.inputs.empty() || (r != OpRole::Identity && r != OpRole::Reshape && r != OpRole::Cast && r != OpRole::Copy && kindOf(n) != OpKind::OneHot)) break;
    o = n.inputs[0];
  }
  return std::nullopt;
}

void readTargets(const Network& net, const Bench& bench, std::vector<DoctorFinding>& out) {
  if (bench.count() == 0 || !net.settings()) return;
  outOfReach(net, bench, out);
  givenAway(net, bench, out);
  constantInput(net, bench, out);
  largeTargets(net, bench, out);
  padding(net, bench, out);
  classWeights(net, bench, out);
}

}  // namespace weft::doctor
