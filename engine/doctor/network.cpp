#include "doctor/network.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

#include "proto/meta_graph.pb.h"

namespace weft::doctor {

std::string number(double v) {
  if (std::isnan(v)) return "NaN";
  if (std::isinf(v)) return v > 0 ? "infinite" : "-infinite";
  char text[32];
  const double size = std::abs(v);
  if (size >= 1e7 || (size > 0 && size < 1e-4)) std::snprintf(text, sizeof text, "%.1e", v);
  else if (v == std::floor(v)) std::snprintf(text, sizeof text, "%.0f", v);
  else std::snprintf(text, sizeof text, "%.3g", v);
  return text;
}

DoctorFinding finding(const char* code, std::string node, std::vector<std::string> words) {
  DoctorFinding out;
  for (const DoctorRule& r : doctorRules())
    if (std::string_view(r.code) == code) out.rule = &r;
  out.node = std::move(node);
  out.words = std::move(words);
  return out;
}

OpKind kindOf(const Node& n) {
  struct Names {
    OpKind kind;
    std::string_view ops;  // with a space before and after each
  };
  static constexpr Names kNames[] = {
      {OpKind::Rectifier, " Relu Relu6 "},
      {OpKind::Tanh, " Tanh "},
      {OpKind::Sigmoid, " Sigmoid "},
      {OpKind::Activation, " Elu Selu Softplus Softsign LeakyRelu "},
      {OpKind::Mean, " Mean "},
      {OpKind::Sum, " Sum "},
      {OpKind::Difference, " SquaredDifference Square Abs "},
      {OpKind::Scaling, " Mul RealDiv "},
      {OpKind::Comparison, " GreaterEqual "},
      {OpKind::Rounding, " Floor "},
      {OpKind::Depthwise, " DepthwiseConv2dNative "},
      {OpKind::Transposed, " Conv2DBackpropInput Conv3DBackpropInputV2 "},
      {OpKind::Addition, " AssignAdd AssignSub AssignAddVariableOp AssignSubVariableOp ScatterAdd ScatterSub ResourceScatterAdd ResourceScatterSub "},
      {OpKind::InverseRoot, " Rsqrt "},
      {OpKind::Logarithm, " Log "},
  };
  for (const Names& names : kNames) {
    const size_t at = names.ops.find(n.op);
    if (at != names.ops.npos && names.ops[at - 1] == ' ' && names.ops[at + n.op.size()] == ' ') return names.kind;
  }
  return OpKind::Other;
}

bool isActivation(const Node& n) {
  const OpKind k = kindOf(n);
  return k == OpKind::Rectifier || k == OpKind::Tanh || k == OpKind::Sigmoid || k == OpKind::Activation;
}

const Node* averaged(const Network& net, const std::string& loss, OpKind* kind) {
  const auto o = net.graph().findOutput(loss.find(':') == loss.npos ? loss + ":0" : loss);
  const Node* all = o.ok() ? net.origin(*o) : nullptr;
  *kind = all ? kindOf(*all) : OpKind::Other;
  return (*kind == OpKind::Mean || *kind == OpKind::Sum) && !all->inputs.empty() ? net.origin(all->inputs[0]) : nullptr;
}

const Node* logarithmOf(const Network& net, const Node& n) {
  if (kindOf(n) != OpKind::Logarithm || n.inputs.empty()) return nullptr;
  const Node* from = net.origin(n.inputs[0]);
  return from && (roleOf(*from) == OpRole::Softmax || roleOf(*from) == OpRole::Sigmoid) ? from : nullptr;
}

bool isLayer(const Network& net, const Node& n) {
  const OpRole r = roleOf(n);
  return (r == OpRole::MatMul || r == OpRole::Convolution) && n.inputs.size() >= 2 && net.variableOf(n.inputs[1]);
}

std::set<std::string> trainableOf(const MetaGraph& meta) {
  std::set<std::string> out;
  const auto it = meta.collections.find("trainable_variables");
  if (it == meta.collections.end()) return out;
  for (const std::string& bytes : it->second.bytes) {
    tensorflow::VariableDef def;
    if (def.ParseFromString(bytes)) out.insert(def.variable_name().substr(0, def.variable_name().find(':')));
  }
  return out;
}

Network::Network(const MetaGraph& meta) : meta_(meta), readers_(meta.graph.consumers()) {
  if (auto settings = trainingSettingsOf(meta); settings.ok()) settings_ = std::move(*settings);
  std::vector<std::string> losses, ends;
  if (settings_ && !settings_->loss.empty()) losses.push_back(settings_->loss);
  if (const auto it = meta.collections.find("losses"); it != meta.collections.end())
    losses.insert(losses.end(), it->second.nodes.begin(), it->second.nodes.end());
  if (settings_ && graph().find(settings_->trainOp)) ends.push_back(settings_->trainOp);
  read(std::move(losses), ends);
}

Network::Network(const MetaGraph& meta, const ProgramStepFacts& step) : meta_(meta), readers_(meta.graph.consumers()) {
  settings_.emplace();
  if (!step.losses.empty()) settings_->loss = step.losses[0];
  read(step.losses, step.ends);
}

void Network::feed(std::map<std::string, std::string> numbers) {
  settings_->trainFeed = std::move(numbers);
  dropouts_.clear();
  findDropouts();
}

void Network::read(std::vector<std::string> tensors, const std::vector<std::string>& ends) {
  std::vector<int> losses, runs;
  for (const std::string& tensor : tensors)
    if (const auto o = graph().findOutput(tensor.find(':') == tensor.npos ? tensor + ":0" : tensor); o.ok()) losses.push_back(o->node);
  if (losses.empty()) {
    for (int id = 0; id < graph().size(); ++id)
      if (const Node* n = graph().node(id); n && roleOf(*n) == OpRole::SoftmaxLoss) losses.push_back(id);
  }
  inForward_ = before(losses, false);
  for (int id = 0; id < graph().size(); ++id)
    if (inForward_[size_t(id)]) forward_.push_back(id);
  for (const std::string& end : ends)
    if (const Node* n = graph().find(end)) runs.push_back(n->id);
  if (!runs.empty()) {
    const std::vector<char> run = before(runs, true);
    for (int id = 0; id < graph().size(); ++id)
      if (run[size_t(id)]) trained_.push_back(id);
  }
  trainable_ = trainableOf(meta_);
  findDropouts();
}

std::vector<char> Network::before(const std::vector<int>& ends, bool controls) const {
  std::vector<char> seen(size_t(graph().size()), 0);
  std::vector<int> queue = ends;
  while (!queue.empty()) {
    const int id = queue.back();
    queue.pop_back();
    const Node* n = graph().node(id);
    if (!n || seen[size_t(id)]) continue;
    seen[size_t(id)] = 1;
    for (const Output o : n->inputs) queue.push_back(o.node);
    if (controls) queue.insert(queue.end(), n->controls.begin(), n->controls.end());
  }
  return seen;
}

bool Network::leadsTo(const std::string& from, const std::string& tensor) const {
  const auto begin = graph().findOutput(from), end = graph().findOutput(tensor);
  if (!begin.ok() || !end.ok()) return false;
  std::vector<char> seen(size_t(graph().size()), 0);
  std::vector<Output> queue{*end};
  while (!queue.empty()) {
    const Output o = queue.back();
    queue.pop_back();
    if (o == *begin) return true;
    if (std::exchange(seen[size_t(o.node)], 1)) continue;
    const auto& inputs = graph().node(o.node)->inputs;
    queue.insert(queue.end(), inputs.begin(), inputs.end());
  }
  return false;
}

const Node* Network::origin(Output o) const {
  for (int steps = 0; steps < graph().size(); ++steps) {
    const Node* n = nodeOf(o);
    if (!n || n->inputs.empty()) return n;
    const OpRole r = roleOf(*n);
    if (r != OpRole::Identity && r != OpRole::Reshape && r != OpRole::Cast && r != OpRole::Copy) return n;
    o = n->inputs[0];
  }
  return nullptr;
}

const Node* Network::behindBias(Output o) const {
  for (int steps = 0; steps < graph().size(); ++steps) {
    const Node* n = origin(o);
    if (!n || n->inputs.empty()) return n;
    if (roleOf(*n) == OpRole::BiasAdd || (roleOf(*n) == OpRole::Sum && n->inputs.size() == 2 && variableOf(n->inputs[1]))) {
      o = n->inputs[0];
      continue;
    }
    const auto drop = std::find_if(dropouts_.begin(), dropouts_.end(), [&](const Dropout& d) { return d.drops == n; });
    if (drop == dropouts_.end()) return n;
    o = n->inputs[0];  // the scaled value; its factor is a second multiplication
    const Node* scaled = nodeOf(o);
    if (scaled && kindOf(*scaled) == OpKind::Scaling && !scaled->inputs.empty()) o = scaled->inputs[0];
  }
  return nullptr;
}

const Node* Network::variableOf(Output o) const {
  for (int steps = 0; steps < graph().size(); ++steps) {
    const Node* n = nodeOf(o);
    if (!n) return nullptr;
    if (isVariable(*n)) return n;
    const OpRole r = roleOf(*n);
    if (n->inputs.empty() || (r != OpRole::Identity && r != OpRole::ReadVariable && r != OpRole::RefIdentity && r != OpRole::Cast && r != OpRole::Enter))
      return nullptr;
    o = n->inputs[0];
  }
  return nullptr;
}

std::optional<double> Network::scalar(Output o) const {
  for (int steps = 0; steps < graph().size(); ++steps) {
    const Node* n = nodeOf(o);
    if (!n) return std::nullopt;
    if (settings_) {
      const std::string tensor = graph().tensorName(o);
      for (const LiveScalar& l : settings_->live)
        if (l.tensor == tensor || l.tensor + ":0" == tensor) return l.value;
      for (const auto& [name, text] : settings_->trainFeed)
        if (name == tensor || name + ":0" == tensor) return std::strtod(text.c_str(), nullptr);
    }
    if (isConstant(*n)) {
      const Attr* value = n->attrs.find("value");
      const Tensor* t = value ? value->get<Tensor>() : nullptr;
      return t && t->elements() == 1 ? std::optional<double>(t->asDouble(0)) : std::nullopt;
    }
    const OpRole r = roleOf(*n);
    const bool passes = r == OpRole::Identity || r == OpRole::Cast || r == OpRole::Reshape || r == OpRole::DefaultedPlaceholder;
    if (!passes || n->inputs.empty()) return std::nullopt;
    o = n->inputs[0];
  }
  return std::nullopt;
}

/// TensorFlow 1.15 computes x / (1 - rate) * cast(random >= rate), earlier versions x / keep * floor(keep + random).
void Network::findDropouts() {
  for (const int id : forward_) {
    const Node& n = *graph().node(id);
    if (kindOf(n) != OpKind::Scaling || n.inputs.size() != 2) continue;
    const Node* decides = origin(n.inputs[1]);
    if (!decides || decides->inputs.empty()) continue;
    std::optional<double> rate;
    const Node* random = nullptr;
    if (kindOf(*decides) == OpKind::Comparison && decides->inputs.size() == 2) {
      random = origin(decides->inputs[0]);
      rate = scalar(decides->inputs[1]);
    } else if (kindOf(*decides) == OpKind::Rounding) {
      const Node* sum = origin(decides->inputs[0]);
      if (!sum || roleOf(*sum) != OpRole::Sum || sum->inputs.size() != 2) continue;
      random = origin(sum->inputs[1]);
      if (const auto keep = scalar(sum->inputs[0])) rate = 1 - *keep;
    }
    // Random numbers are scaled to their range.
    for (int i = 0; i < 3 && random && roleOf(*random) != OpRole::Random && !random->inputs.empty(); ++i) random = origin(random->inputs[0]);
    if (!random || roleOf(*random) != OpRole::Random) continue;
    const size_t slash = n.name.rfind('/');
    dropouts_.push_back({&n, slash == n.name.npos ? n.name : n.name.substr(0, slash), rate});
  }
}

}  // namespace weft::doctor
