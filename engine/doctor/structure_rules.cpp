// Rules on the graph alone.
#include <algorithm>
#include <map>
#include <string_view>

#include "doctor/network.h"
#include "weft/op.h"
#include "weft/saturation.h"

namespace weft::doctor {
namespace {

void knownMistakes(const Network& net, std::vector<DoctorFinding>& out) {
  for (const TrainingMistake& m : findTrainingMistakes(net.meta(), net.trained())) {
    const std::string& node = net.graph().node(m.node)->name;
    switch (m.kind) {
      case TrainingMistake::Kind::SoftmaxTwice: out.push_back(finding("softmax-twice", node, {node, net.graph().node(m.source)->name})); break;
      case TrainingMistake::Kind::UpdatesNotRun: out.push_back(finding("updates-not-run", node, {node})); break;
      case TrainingMistake::Kind::GlobalStepStays: out.push_back(finding("global-step-stays", node, {node})); break;
    }
  }
}

struct UsualRate {
  std::string_view op, name, usual;
  double most;
};
/// By a part of the op's name; what comes first counts.
constexpr UsualRate kUsual[] = {{"Adadelta", "Adadelta", "0.001 to 1", 10},    {"Adagrad", "Adagrad", "0.001 to 0.1", 2},
                                {"Adam", "Adam", "0.0001 to 0.01", 0.1},       {"AdaMax", "AdaMax", "0.0005 to 0.02", 0.2},
                                {"RMSProp", "RMSProp", "0.0001 to 0.01", 0.1}, {"Momentum", "momentum", "0.001 to 0.1", 1},
                                {"Ftrl", "Ftrl", "0.001 to 0.1", 5},           {"GradientDescent", "gradient descent", "0.001 to 0.5", 3}};
constexpr double kLeastRate = 1e-7;

void learningRates(const Network& net, std::vector<DoctorFinding>& out) {
  std::set<Output> seen;
  for (int id = 0; id < net.graph().size(); ++id) {
    const Node* n = net.graph().node(id);
    const int at = n ? learningRateInput(*n) : -1;
    if (at < 0 || !seen.insert(n->inputs[size_t(at)]).second) continue;
    const auto rate = net.scalar(n->inputs[size_t(at)]);
    const auto usual = std::find_if(std::begin(kUsual), std::end(kUsual), [&](const UsualRate& u) { return n->op.find(u.op) != n->op.npos; });
    if (!rate || usual == std::end(kUsual)) continue;
    const std::string node = net.nodeOf(n->inputs[size_t(at)])->name, name(usual->name), range(usual->usual);
    if (*rate > usual->most) out.push_back(finding("learning-rate-high", node, {number(*rate), name, range}));
    else if (*rate >= 0 && *rate < kLeastRate) out.push_back(finding("learning-rate-low", node, {number(*rate), name, range}));
  }
}

/// Whether a tensor is computed from variables.
bool readsVariables(const Network& net, Output o) {
  std::vector<int> queue{o.node};
  std::set<int> seen;
  while (!queue.empty()) {
    const Node* n = net.graph().node(queue.back());
    queue.pop_back();
    if (!n || !seen.insert(n->id).second) continue;
    if (isVariable(*n)) return true;
    for (const Output from : n->inputs) queue.push_back(from.node);
  }
  return false;
}

/// Whether the program makes a variable a copy or a mean of others, instead of training it.
bool isAssigned(const Network& net, const Node& variable) {
  const auto& readers = net.readers(variable.id);
  return std::any_of(readers.begin(), readers.end(), [&](int id) {
    const Node& n = *net.graph().node(id);
    return roleOf(n) == OpRole::Assign && n.inputs.size() > 1 && n.inputs[0].node == variable.id && readsVariables(net, n.inputs[1]);
  });
}

/// Whether no gradient goes from an op's output to its inputs.
bool blocksGradient(const Network& net, const Node& n) {
  const OpKind k = kindOf(n);
  if (k == OpKind::Flat || k == OpKind::Rounding || k == OpKind::Comparison || k == OpKind::Equality || k == OpKind::OneHot || roleOf(n) == OpRole::ArgMax)
    return true;
  return roleOf(n) == OpRole::Cast && !n.inputs.empty() && (isInteger(baseType(net.graph().dtype({n.id, 0}))) || net.graph().dtype({n.id, 0}) == DType::Bool);
}

/// The ops that keep the gradient from a variable, if all its ways to the loss meet one; empty: some way is open.
std::vector<int> blocks(const Network& net, int variable) {
  const auto loss = net.graph().findOutput(net.settings() ? net.settings()->loss : std::string());
  std::vector<int> out, queue{variable};
  std::set<int> seen;
  while (!queue.empty()) {
    const int id = queue.back();
    queue.pop_back();
    if (!net.isForward(id) || !seen.insert(id).second) continue;
    if (!loss.ok() || id == loss->node) return {};
    if (blocksGradient(net, *net.graph().node(id))) {
      out.push_back(id);
      continue;
    }
    for (const int reader : net.readers(id))
      if (roleOf(*net.graph().node(reader)) != OpRole::ShapeOf) queue.push_back(reader);
  }
  return out;
}

void untrained(const Network& net, std::vector<DoctorFinding>& out) {
  std::set<std::string> changed;
  for (int id = 0; id < net.graph().size(); ++id) {
    const Node* n = net.graph().node(id);
    if (!n || n->inputs.empty()) continue;
    const OpRole r = roleOf(*n);
    // Adam's sparse steps are subtractions; the program's own rules may assign.
    const bool byStep = changesVariable(r) && std::binary_search(net.trained().begin(), net.trained().end(), id);
    if (r != OpRole::ApplyGradient && !byStep) continue;
    // An optimizer in a branch or loop gets the variable through Switch or Enter.
    const Node* v = net.variableOf(n->inputs[0]);
    if (!v) v = changedVariable(net.graph(), *n);
    if (v) changed.insert(v->name);
  }
  if (changed.empty()) return;
  std::map<int, std::vector<std::string>> behind;  // op that blocks the gradient -> variables
  std::set<std::string> left;
  for (const int id : net.forward()) {
    const Node& n = *net.graph().node(id);
    if (!isVariable(n) || !net.trainable().contains(n.name) || changed.contains(n.name) || isAssigned(net, n)) continue;
    const std::vector<int> by = blocks(net, id);
    if (by.empty()) left.insert(n.name);
    for (const int b : by) behind[b].push_back(n.name);
  }
  if (!left.empty() && areFrozen(net, left, changed)) out.push_back(finding("layers-frozen", *left.begin(), {number(double(left.size())), *left.begin()}));
  else
    for (const std::string& name : left) out.push_back(finding("no-gradient", name, {name}));
  std::set<std::vector<std::string>> told;
  for (const auto& [block, variables] : behind) {
    if (!told.insert(variables).second) continue;
    const Node& n = *net.graph().node(block);
    out.push_back(finding("gradient-blocked", n.name, {n.name, n.op, number(double(variables.size())), variables[0]}));
  }
}

/// Inputs and outputs of a layer by its kernel: the last two dims.
std::pair<int64_t, int64_t> sizes(const Network& net, const Node& layer) {
  const Shape& s = net.graph().shape(layer.inputs[1]);
  return s.hasRank() && s.rank() >= 2 ? std::pair(s.dim(s.rank() - 2), s.dim(s.rank() - 1)) : std::pair<int64_t, int64_t>(0, 0);
}

/// Size of the last dim; -1: unknown.
int64_t width(const Network& net, Output o) {
  const Shape& s = net.graph().shape(o);
  return s.hasRank() && s.rank() > 0 ? s.dim(s.rank() - 1) : -1;
}

void layers(const Network& net, std::vector<DoctorFinding>& out) {
  for (const int id : net.forward()) {
    const Node& n = *net.graph().node(id);
    if (n.inputs.empty()) continue;
    if (isLayer(net, n) && kindOf(n) != OpKind::Depthwise) {
      const Node* from = net.behindBias(n.inputs[0]);
      const bool linear = from && isLayer(net, *from) && kindOf(*from) != OpKind::Depthwise && kindOf(*from) != OpKind::Transposed;
      // A narrow layer between two wide ones is a factor of a large matrix, on purpose.
      const auto before = linear ? sizes(net, *from) : std::pair<int64_t, int64_t>(0, 0);
      const bool narrow = linear && before.second < before.first && before.second < sizes(net, n).second;
      if (linear && !narrow) out.push_back(finding("no-nonlinearity", n.name, {from->name, n.name}));
    }
    if (isActivation(n)) {
      const Node* from = net.origin(n.inputs[0]);
      if (from && isActivation(*from)) out.push_back(finding("activation-twice", n.name, {n.name, from->op, n.op}));
    }
    if (roleOf(n) == OpRole::SoftmaxLoss) {
      const Node* from = net.origin(n.inputs[0]);
      if (from && isActivation(*from) && roleOf(*from) != OpRole::Sigmoid)
        out.push_back(finding("activation-on-logits", from->name, {from->name, n.name, from->op}));
      if (const int64_t classes = width(net, n.inputs[0]); classes == 1) out.push_back(finding("loss-fits-not", n.name, {n.name, number(double(classes))}));
    }
    if (roleOf(n) == OpRole::BatchNorm) {
      const Node* from = net.origin(n.inputs[0]);
      if (from && roleOf(*from) == OpRole::BiasAdd && from->inputs.size() == 2 && net.variableOf(from->inputs[1]))
        out.push_back(finding("bias-before-norm", from->name, {from->name, n.name}));
    }
  }
}

void losses(const Network& net, std::vector<DoctorFinding>& out) {
  const auto loss = net.graph().findOutput(net.settings() ? net.settings()->loss : std::string());
  if (loss.ok()) {
    const Shape& s = net.graph().shape(*loss);
    if (s.hasRank() && s.rank() > 0 && !(s.isFullyKnown() && s.elements() == 1))
      out.push_back(finding("loss-not-scalar", net.nodeOf(*loss)->name, {net.settings()->loss, s.toString()}));
  }
  for (const int id : net.forward()) {
    const Node& n = *net.graph().node(id);
    if (const Node* from = logarithmOf(net, n)) out.push_back(finding("log-of-probability", n.name, {n.name, from->name}));
  }
}

void dropouts(const Network& net, std::vector<DoctorFinding>& out) {
  std::vector<char> after(size_t(net.graph().size()), 0);
  for (const Network::Dropout& d : net.dropouts()) {
    if (d.rate && *d.rate > 0.5) out.push_back(finding("dropout-high", d.drops->name, {d.name, number(*d.rate * 100)}));
    std::vector<int> queue{d.drops->id};
    const Node* norm = nullptr;
    while (!queue.empty()) {
      const int id = queue.back();
      queue.pop_back();
      if (after[size_t(id)] || !net.isForward(id)) continue;
      after[size_t(id)] = 1;
      const Node* n = net.graph().node(id);
      if (roleOf(*n) == OpRole::BatchNorm) norm = n;
      queue.insert(queue.end(), net.readers(id).begin(), net.readers(id).end());
    }
    if (norm) out.push_back(finding("dropout-before-norm", d.drops->name, {d.name, norm->name}));
  }
}

bool reaches(const Network& net, int from, int to) {
  std::vector<char> seen(size_t(net.graph().size()), 0);
  std::vector<int> queue{from};
  while (!queue.empty()) {
    const int id = queue.back();
    queue.pop_back();
    if (id == to) return true;
    if (seen[size_t(id)]) continue;
    seen[size_t(id)] = 1;
    queue.insert(queue.end(), net.readers(id).begin(), net.readers(id).end());
  }
  return false;
}

/// Sums can be added in any order.
bool adds(const Node& n) { return kindOf(n) == OpKind::Addition; }

void races(const Network& net, std::vector<DoctorFinding>& out) {
  std::map<const Node*, std::vector<const Node*>> writers;
  for (const int id : net.trained()) {
    const Node* n = net.graph().node(id);
    if (n->inputs.empty() || !changesVariable(roleOf(*n))) continue;
    if (const Node* v = net.variableOf(n->inputs[0])) writers[v].push_back(n);
  }
  for (const auto& [variable, list] : writers) {
    for (size_t i = 0; i + 1 < list.size(); ++i) {
      const Node &a = *list[i], &b = *list[i + 1];
      if ((adds(a) && adds(b)) || reaches(net, a.id, b.id) || reaches(net, b.id, a.id)) continue;
      out.push_back(finding("update-race", variable->name, {a.name, b.name, variable->name}));
      break;
    }
  }
}

}  // namespace

void readStructure(const Network& net, std::vector<DoctorFinding>& out) {
  knownMistakes(net, out);
  untrained(net, out);
  layers(net, out);
  losses(net, out);
  dropouts(net, out);
  learningRates(net, out);
  races(net, out);
  readLosses(net, out);
  readUsage(net, out);
}

}  // namespace weft::doctor

namespace weft {

std::vector<DoctorFinding> doctorReadsGraph(const MetaGraph& meta) {
  std::vector<DoctorFinding> out;
  doctor::readStructure(doctor::Network(meta), out);
  return out;
}

}  // namespace weft
