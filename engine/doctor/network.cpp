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
      {OpKind::Square, " Square "},
      {OpKind::Difference, " Abs Pow "},
      {OpKind::SquaredDifference, " SquaredDifference "},
      {OpKind::Subtraction, " Sub "},
      {OpKind::Product, " Mul "},
      {OpKind::Quotient, " RealDiv Div "},
      {OpKind::SafeQuotient, " DivNoNan "},
      {OpKind::Negation, " Neg "},
      {OpKind::Limit, " Maximum Minimum ClipByValue "},
      {OpKind::Choice, " Select SelectV2 "},
      {OpKind::Equality, " Equal "},
      {OpKind::Comparison, " GreaterEqual "},
      {OpKind::Rounding, " Floor "},
      {OpKind::OneHot, " OneHot "},
      {OpKind::Flat, " StopGradient ArgMin Round Rint Ceil Sign NotEqual Greater Less LessEqual "},
      {OpKind::Root, " Sqrt "},
      {OpKind::Reciprocal, " Reciprocal Inv "},
      {OpKind::Exponential, " Exp "},
      {OpKind::LogarithmOfSum, " Log1p "},
      {OpKind::Ones, " OnesLike "},
      {OpKind::Zeros, " ZerosLike "},
      {OpKind::Gather, " Gather GatherV2 "},
      {OpKind::Slice, " StridedSlice "},
      {OpKind::NewShape, " Reshape "},
      {OpKind::NewOrder, " Transpose "},
      {OpKind::ArrayWrite, " TensorArrayWriteV3 "},
      {OpKind::ArrayGather, " TensorArrayGatherV3 "},
      {OpKind::CtcLoss, " CTCLoss "},
      {OpKind::Sampler, " LogUniformCandidateSampler UniformCandidateSampler LearnedUnigramCandidateSampler FixedUnigramCandidateSampler "},
      {OpKind::Skip, " SkipDataset "},
      {OpKind::Take, " TakeDataset "},
      {OpKind::Cache, " CacheDataset CacheDatasetV2 "},
      {OpKind::Batch, " BatchDataset BatchDatasetV2 PaddedBatchDataset PaddedBatchDatasetV2 "},
      {OpKind::BatchNorm, " FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3 "},
      {OpKind::Zip, " ZipDataset "},
      {OpKind::SparseProduct, " SparseTensorDenseMatMul SparseMatMul "},
      {OpKind::Depthwise, " DepthwiseConv2dNative "},
      {OpKind::Transposed, " Conv2DBackpropInput Conv3DBackpropInputV2 "},
      {OpKind::Addition, " AssignAdd AssignSub AssignAddVariableOp AssignSubVariableOp ScatterAdd ScatterSub ResourceScatterAdd ResourceScatterSub "},
      {OpKind::InverseRoot, " Rsqrt "},
      {OpKind::Logarithm, " Log "},
  };
  for (const Names& names : kNames) {
    // One name may be the end of another.
    for (size_t at = names.ops.find(n.op); at != names.ops.npos; at = names.ops.find(n.op, at + 1))
      if (at > 0 && names.ops[at - 1] == ' ' && names.ops[at + n.op.size()] == ' ') return names.kind;
  }
  return OpKind::Other;
}

bool isScaling(const Node& n) { return kindOf(n) == OpKind::Product || kindOf(n) == OpKind::Quotient; }

bool isActivation(const Node& n) {
  const OpKind k = kindOf(n);
  return k == OpKind::Rectifier || k == OpKind::Tanh || k == OpKind::Sigmoid || k == OpKind::Activation;
}

const Node* averaged(const Network& net, const std::string& loss, OpKind* kind) {
  const auto o = net.graph().findOutput(loss.find(':') == loss.npos ? loss + ":0" : loss);
  const Node* all = o.ok() ? net.origin(*o) : nullptr;
  // tf.losses: the sum of losses * weights over the number of weights, in two steps.
  if (all && kindOf(*all) == OpKind::SafeQuotient) {
    const Node* sum = net.origin(all->inputs[0]);
    for (int steps = 0; steps < 2 && sum && kindOf(*sum) == OpKind::Sum; ++steps) sum = net.origin(sum->inputs[0]);
    const bool weighted = sum && kindOf(*sum) == OpKind::Product && net.scalar(sum->inputs[1]).value_or(0) == 1;
    *kind = weighted ? OpKind::Mean : OpKind::Other;
    return weighted ? net.origin(sum->inputs[0]) : nullptr;
  }
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

bool layerFollows(const Network& net, int id) {
  std::vector<int> work{id};
  std::set<int> seen;
  while (!work.empty()) {
    const int now = work.back();
    work.pop_back();
    if (!net.isForward(now) || !seen.insert(now).second) continue;
    if (now != id && isLayer(net, *net.graph().node(now))) return true;
    work.insert(work.end(), net.readers(now).begin(), net.readers(now).end());
  }
  return false;
}

std::optional<Comparison> comparison(const Network& net) {
  const auto loss = net.graph().findOutput(net.settings() ? net.settings()->loss : std::string());
  if (!loss.ok()) return std::nullopt;
  std::vector<int> queue{loss->node};
  std::set<int> seen;
  for (size_t i = 0; i < queue.size(); ++i) {
    const Node& n = *net.graph().node(queue[i]);
    if (!net.isForward(n.id) || !seen.insert(n.id).second) continue;
    const OpKind kind = kindOf(n);
    const bool compares = kind == OpKind::Subtraction || kind == OpKind::SquaredDifference || kind == OpKind::Product;
    for (size_t k = 0; compares && k < 2 && n.inputs.size() == 2; ++k) {
      const Output learned = n.inputs[k], other = n.inputs[1 - k];
      if (!net.learns(learned.node) || net.learns(other.node) || !net.hasData(other.node)) continue;
      if (kind != OpKind::Product) return Comparison{learned, other, &n};
      const Node* log = net.origin(learned);
      if (log && kindOf(*log) == OpKind::Logarithm) return Comparison{log->inputs[0], other, &n};
    }
    for (const Output o : n.inputs) queue.push_back(o.node);
  }
  return std::nullopt;
}

std::vector<SigmoidLoss> sigmoidLosses(const Network& net) {
  const Graph& g = net.graph();
  std::vector<SigmoidLoss> out;
  for (const int id : net.forward()) {
    // max(x, 0) - x * labels + log1p(exp(-|x|)), where -|x| is a choice between -x and x.
    const Node& n = *g.node(id);
    const Node* e = kindOf(n) == OpKind::LogarithmOfSum ? g.node(n.inputs[0].node) : nullptr;
    const Node* choice = e && kindOf(*e) == OpKind::Exponential ? g.node(e->inputs[0].node) : nullptr;
    if (!choice || kindOf(*choice) != OpKind::Choice || choice->inputs.size() != 3) continue;
    const Output logits = choice->inputs[2];
    const std::string scope = n.name.substr(0, n.name.rfind('/') + 1);
    for (const int reader : net.readers(logits.node)) {
      const Node& m = *g.node(reader);
      if (kindOf(m) == OpKind::Product && m.inputs.size() == 2 && m.name.starts_with(scope) && m.inputs[0] == logits) out.push_back({logits, m.inputs[1]});
    }
  }
  return out;
}

std::string outputOf(const Network& net) {
  if (const auto c = classifier(net)) return c->logits;
  if (const auto losses = sigmoidLosses(net); losses.size() == 1) return net.graph().tensorName(losses[0].logits);
  const auto c = comparison(net);
  return c ? net.graph().tensorName(c->prediction) : std::string();
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
  std::vector<int> variables, feeds;
  for (const int id : forward_) {
    const Node& n = *graph().node(id);
    if (isVariable(n) && (trainable_.empty() || trainable_.contains(n.name))) variables.push_back(id);
    const OpRole r = roleOf(n);
    const bool single = n.outputShapes.size() == 1 && n.outputShapes[0].hasRank() && n.outputShapes[0].rank() == 0;
    if ((isFeedPoint(n) && !single) || r == OpRole::IteratorGetNext || r == OpRole::Dequeue) feeds.push_back(id);
  }
  learns_ = behind(variables);
  data_ = behind(feeds);
  findDropouts();
}

/// The nodes before the loss that are computed from some, with these.
std::vector<char> Network::behind(const std::vector<int>& begins) const {
  std::vector<char> seen(size_t(graph().size()), 0);
  std::vector<int> queue = begins;
  while (!queue.empty()) {
    const int id = queue.back();
    queue.pop_back();
    if (!isForward(id) || std::exchange(seen[size_t(id)], 1)) continue;
    for (const int reader : readers(id)) {
      // A size is no value.
      if (roleOf(*graph().node(reader)) != OpRole::ShapeOf) queue.push_back(reader);
    }
  }
  return seen;
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
    if (scaled && isScaling(*scaled) && !scaled->inputs.empty()) o = scaled->inputs[0];
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
    if (kindOf(*n) == OpKind::Subtraction && n->inputs.size() == 2) {  // 1 - keep_prob
      const auto a = scalar(n->inputs[0]), b = scalar(n->inputs[1]);
      return a && b ? std::optional(*a - *b) : std::nullopt;
    }
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
    if (!isScaling(n) || n.inputs.size() != 2) continue;
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
