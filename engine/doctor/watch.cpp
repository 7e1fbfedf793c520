// Which steps the doctor measures, and the rules on gradients, activations and weights.
#include "doctor/watch.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "weft/saturation.h"
#include "weft/tensor_statistics.h"

namespace weft::doctor {
namespace {

constexpr size_t kMostActivations = 64;
constexpr int64_t kMostBytes = 64 << 20, kMostBytesInAll = 256 << 20;  // of weights that are read after a step: a kernel's, and of all
constexpr int kInARow = 3;                                             // measured steps in which a rule has to hold
constexpr double kVanished = 1e-7, kFar = 1e3;                         // mean size of a gradient; how much larger the last layer's is
constexpr double kExplodedNorm = 1e3, kNormGrowth = 100;
constexpr double kMostUpdate = 0.1, kLeastUpdate = 1e-7;  // of a kernel's size
constexpr double kShare = 0.5, kDeadUnits = 0.6;          // of a layer's values, or units
constexpr int64_t kNarrow = 32;                           // units: of few, many are dead by chance
constexpr double kDeadNarrow = 0.8;
constexpr double kTinyUpdate = 1e-4;  // of a kernel's size, in all steps, with a loss that stays
constexpr double kDrift = 10;
constexpr double kDiverged = 1e6;  // a loss
constexpr double kDeadWeight = 1e-5, kDeadShare = 0.95;
constexpr double kWeightGrowth = 1e3;
constexpr double kSameOutput = 1e-6;
constexpr int64_t kBatches = 8;        // after which the order of rows is judged
constexpr double kFewClasses = 0.6;    // of those that shuffled rows would have
constexpr int64_t kLeastBetween = 10;  // steps between two pairs of measured ones
constexpr double kLeastBudget = 0.25;  // seconds that a short training may cost, whatever its length
constexpr size_t kPlainSteps = 15;     // whose median is the time of a step

double meanSize(const Tensor& t) {
  const int64_t n = t.elements();
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += std::abs(t.asDouble(i));
  return n > 0 ? sum / double(n) : 0;
}

}  // namespace

/// Whether a node's value can be fetched: it lies in no loop and in no branch.
static std::vector<char> fetchable(const Graph& g) {
  std::vector<char> loops(size_t(g.size()), 0);
  std::vector<int> branches(size_t(g.size()), 0);
  const auto order = g.topologicalOrder();
  if (!order.ok()) return loops;
  for (const int id : *order) {
    const Node& n = *g.node(id);
    int depth = 0;
    char inLoop = roleOf(n) == OpRole::Enter;
    for (const Output o : n.inputs) {
      const OpRole from = roleOf(*g.node(o.node));
      inLoop |= from == OpRole::NextIteration || (loops[size_t(o.node)] && from != OpRole::Exit);
      depth = std::max(depth, branches[size_t(o.node)] + (from == OpRole::Switch));
    }
    for (const int c : n.controls) depth = std::max(depth, branches[size_t(c)]);
    loops[size_t(id)] = inLoop;
    branches[size_t(id)] = roleOf(n) == OpRole::Merge ? std::max(0, depth - 1) : depth;
  }
  std::vector<char> out(size_t(g.size()), 0);
  for (const int id : *order) out[size_t(id)] = !loops[size_t(id)] && branches[size_t(id)] == 0;
  return out;
}

/// Whether a tensor takes too much memory to be kept after a step. Fused kernels often do not make it at all.
static bool isLarge(const Graph& g, Output o) {
  const Shape& shape = g.shape(o);
  return shape.isFullyKnown() && shape.elements() * int64_t(sizeOf(baseType(g.dtype(o)))) > kMostBytes;
}

std::vector<std::string> Watch::tensors(const std::function<bool(int node)>& computes) {
  std::vector<std::string> out;
  const Graph& g = net_.graph();
  const std::vector<char> can = fetchable(g);
  const auto fetches = [&](int id) { return can[size_t(id)] && (!computes || computes(id)); };
  std::map<std::string, size_t> kernels;
  for (const int id : net_.forward()) {
    const Node& n = *g.node(id);
    if (isActivation(n) && units_.size() < kMostActivations && fetches(id)) {
      units_.emplace_back().node = &n;
      out.push_back(n.name + ":0");
    }
    if (isLayer(net_, n)) {
      const Node* v = net_.variableOf(n.inputs[1]);
      if (kernels.emplace(v->name, weights_.size()).second) weights_.emplace_back().name = v->name;
    }
  }
  // Whether a layer follows an activation: the last one may well be saturated.
  for (Unit& u : units_) u.hidden = layerFollows(net_, u.node->id);
  gradientAt_.assign(weights_.size(), -1);
  for (const AppliedGradient& a : appliedGradients(g)) {
    const Node* from = net_.nodeOf(g.findOutput(a.tensor).ok() ? *g.findOutput(a.tensor) : Output{});
    if (!from || !fetches(from->id) || !net_.isApplied(a.op) || isLarge(g, *g.findOutput(a.tensor))) continue;
    const auto at = kernels.find(a.variable);
    if (at != kernels.end()) gradientAt_[at->second] = int(out.size());
    else otherGradients_.emplace_back(a.variable, out.size());
    out.push_back(a.tensor);
  }
  if (const auto c = classifier(net_)) {
    const auto o = g.findOutput(c->logits);
    if (o.ok() && fetches(o->node)) {
      logits_ = int(out.size());
      logitsName_ = c->logits;
      out.push_back(c->logits);
    }
    const auto l = g.findOutput(c->labels);
    if (l.ok() && can[size_t(l->node)] && (!computes || computes(l->node))) {
      labels_ = int(out.size());
      classifier_ = c;
      out.push_back(c->labels);
    }
  }
  const std::vector<std::string> parts = parts_.tensors(fetches);
  partsAt_ = out.size();
  partCount_ = parts.size();
  out.insert(out.end(), parts.begin(), parts.end());
  std::vector<std::string> names;
  for (const Weights& w : weights_) names.push_back(w.name);
  reads_ = readsOf(net_, names);
  return out;
}

std::map<std::string, std::string> readsOf(const Network& net, const std::vector<std::string>& variables) {
  const Graph& g = net.graph();
  const std::vector<char> can = fetchable(g);
  std::map<std::string, std::string> out;
  int64_t all = 0;
  for (const std::string& name : variables) {
    const Node& v = *g.find(name);
    const Attr* stated = v.attrs.find("shape");
    const Shape* shape = stated ? stated->get<Shape>() : nullptr;
    if (!shape || !shape->isFullyKnown() || out.contains(name)) continue;
    std::vector<Output> values{{v.id, 0}};
    for (const int id : net.readers(v.id)) {
      const Node& n = *g.node(id);
      if (roleOf(n) == OpRole::ReadVariable && n.controls.empty() && n.inputs[0].node == v.id && can[size_t(id)]) values.push_back({id, 0});
    }
    for (const Output o : values) {
      const DType type = baseType(g.dtype(o));
      if (!isNumeric(type)) continue;  // a handle
      const int64_t bytes = shape->elements() * int64_t(sizeOf(type));
      if (bytes <= kMostBytes && all + bytes <= kMostBytesInAll) {
        all += bytes;
        out[name] = g.tensorName(o);
      }
      break;
    }
  }
  return out;
}

std::map<std::string, Tensor> valuesNow(Session& session, const std::map<std::string, std::string>& reads) {
  std::map<std::string, Tensor> out;
  std::vector<std::string> tensors;
  for (const auto& [name, tensor] : reads) tensors.push_back(tensor);
  if (tensors.empty()) return out;
  auto together = session.run({}, tensors);
  size_t at = 0;
  for (const auto& [name, tensor] : reads) {
    // One that has no value yet fails for all.
    if (together.ok()) out[name] = std::move((*together)[at++]);
    else if (auto one = session.run({}, {tensor}); one.ok()) out[name] = std::move((*one)[0]);
  }
  return out;
}

/// Whether batches hold as many classes as rows in random order would.
void Watch::labels(const Tensor& t) {
  const std::vector<int64_t> list = labelsOf(*classifier_, t);
  const int64_t rows = int64_t(list.size());
  if (rows < 8 || classifier_->classes > 1000 || t.dim(0) != rows) return;
  distinct_ += int64_t(std::set<int64_t>(list.begin(), list.end()).size());
  for (const int64_t l : list) ++classes_[l];
  if (++batches_ < kBatches || classes_.size() < 2) return;
  double all = 0, expected = 0;
  for (const auto& [label, n] : classes_) all += double(n);
  for (const auto& [label, n] : classes_) expected += 1 - std::pow(1 - double(n) / all, double(rows));
  const double mean = double(distinct_) / double(batches_);
  if (mean < kFewClasses * expected)
    report(finding("rows-not-shuffled", classifier_->labels.substr(0, classifier_->labels.find(':')),
                   {number(double(rows)), number(std::round(10 * mean) / 10), number(double(classes_.size())), number(std::round(10 * expected) / 10)}));
}

void Watch::notFinite(double loss, double before) {
  if (blame(loss)) return;
  const std::string& name = net_.settings()->loss;
  if (!firstLoss_) return report(finding("first-loss-not-finite", name.substr(0, name.find(':')), {number(loss)}));
  report(finding("loss-not-finite", name.substr(0, name.find(':')), {number(loss), number(double(step_)), number(before)}));
}

bool Watch::blame(double loss) {
  if (!net_.settings() || std::abs(lastLoss_) > kDiverged) return false;  // it grew before
  for (const int id : net_.forward()) {
    const Node& n = *net_.graph().node(id);
    const Node* from = logarithmOf(net_, n);
    if (!from) continue;
    report(finding("log-of-zero", n.name, {n.name, from->name, number(loss), number(double(step_))}));
    return lost_ = true;
  }
  const auto at = firstLoss_ ? fragileOp(net_) : std::nullopt;
  if (!at) return false;
  report(finding("gradient-not-finite", at->first, {at->first, at->second, number(double(step_))}));
  return lost_ = true;
}

void Watch::activation(Unit& u, const Tensor& t) {
  const TensorStatistics s = statisticsOf(t);
  if (s.nans + s.infinities() > 0 && blame(NAN)) return;
  if (s.nans + s.infinities() > 0)
    return report(finding("not-finite", u.node->name, {number(double(s.nans + s.infinities())), u.node->name, number(double(step_))}));
  ++u.steps;
  const double size = meanSize(t);
  if (u.firstSize < 0) u.firstSize = size;
  else if (size > kDrift * u.firstSize && size > kDrift) report(finding("activations-drift", u.node->name, {u.node->name, number(u.firstSize), number(size)}));
  if (t.rank() < 2 || !u.hidden) return;
  const OpKind kind = kindOf(*u.node);
  if (kind == OpKind::Rectifier) {
    markLiving(net_.graph(), *u.node, t, &u.lives);
    const int64_t all = int64_t(u.lives.size()), dead = std::count(u.lives.begin(), u.lives.end(), 0);
    if (u.steps >= kInARow && all >= 4 && double(dead) > (all < kNarrow ? kDeadNarrow : kDeadUnits) * double(all))
      report(
          finding("dead-units", u.node->name,
                  {number(std::round(100.0 * double(dead) / double(all))), u.node->name, number(double(dead)), number(double(all)), number(double(u.steps))}));
    return;
  }
  const bool tanh = kind == OpKind::Tanh;
  if (!tanh && kind != OpKind::Sigmoid) return;
  const int64_t far = saturationOf(net_.graph(), *u.node, t).counted;
  u.saturated = double(far) > kShare * double(t.elements()) ? u.saturated + 1 : 0;
  if (u.saturated >= kInARow)
    report(finding("saturated-units", u.node->name,
                   {number(std::round(100.0 * double(far) / double(t.elements()))), u.node->name, tanh ? "2.3" : "4.6", u.node->op}));
}

void Watch::kernel(Weights& w, const Tensor& value) {
  const double size = meanSize(value);
  if (w.firstSize < 0) w.firstSize = size;
  if (!std::isfinite(size) || (size > kWeightGrowth * w.firstSize && size > 1))
    report(finding("weights-explode", w.name, {w.name, number(w.firstSize), number(size)}));
  int64_t dead = 0;
  for (int64_t i = 0, n = value.elements(); i < n; ++i) dead += std::abs(value.asDouble(i)) < kDeadWeight;
  if (double(dead) > kDeadShare * double(value.elements()) && step_ > 1)
    report(finding("weights-dead", w.name, {w.name, number(std::round(100.0 * double(dead) / double(value.elements())))}));
  // A program may give a variable another shape.
  if (w.before.hasValue() && w.before.elements() == value.elements() && measuredStep_ + 1 == step_ && size > 0) {
    double change = 0;
    for (int64_t i = 0, n = value.elements(); i < n; ++i) change += std::abs(value.asDouble(i) - w.before.asDouble(i));
    const double ratio = change / double(value.elements()) / size;
    w.large = ratio > kMostUpdate ? w.large + 1 : 0;
    w.small = ratio < kLeastUpdate && w.gradient > 0 ? w.small + 1 : 0;
    if (w.large >= kInARow) report(finding("update-large", w.name, {w.name, number(ratio)}));
    largestUpdate_ = std::max(largestUpdate_, ratio);
    if (w.small >= kInARow && !converged()) report(finding("update-small", w.name, {w.name, number(ratio)}));
  }
}

bool Watch::wanted(int64_t at) {
  if (second_) return true;
  if (at < nextPair_ || extra_ + pairCost_ > std::max(mostCost_ * all_, kLeastBudget)) return false;
  before_ = extra_;
  return true;
}

void Watch::values(int64_t at, const std::vector<Tensor>& t, Session& session) {
  step_ = at;
  const std::map<std::string, Tensor> now = valuesNow(session, reads_);
  for (size_t i = 0; i < units_.size(); ++i)
    if (t[i].hasValue()) activation(units_[i], t[i]);
  const auto gradient = [&](const std::string& variable, const Tensor& g) {
    const TensorStatistics s = statisticsOf(g);
    if (s.nans + s.infinities() > 0 && !blame(NAN))
      report(finding("not-finite", variable, {number(double(s.nans + s.infinities())), "the gradient of " + variable, number(double(step_))}));
    return s;
  };
  const Weights *first = nullptr, *last = nullptr;
  for (size_t i = 0; i < weights_.size(); ++i) {
    Weights& w = weights_[i];
    w.gradient = -1;
    if (gradientAt_[i] >= 0 && t[size_t(gradientAt_[i])].hasValue()) {
      const Tensor& g = t[size_t(gradientAt_[i])];
      const TensorStatistics s = gradient(w.name, g);
      w.gradient = meanSize(g);
      if (w.firstNorm < 0 && s.norm > 0) w.firstNorm = s.norm;
      else if (s.norm > kExplodedNorm && s.norm > kNormGrowth * w.firstNorm)
        report(finding("gradient-explodes", w.name, {w.name, number(s.norm), number(w.firstNorm)}));
      w.zero = w.gradient == 0 ? w.zero + 1 : 0;
      if (w.zero >= kInARow && !converged()) report(finding("gradient-zero", w.name, {w.name, number(double(w.zero))}));
      if (!first) first = &w;
      last = &w;
    }
    if (const auto value = now.find(w.name); value != now.end()) kernel(w, value->second);
  }
  for (const auto& [variable, i] : otherGradients_)
    if (t[i].hasValue()) gradient(variable, t[i]);
  vanishing_ = first && last != first && first->gradient > 0 && first->gradient < kVanished && last->gradient > kFar * first->gradient ? vanishing_ + 1 : 0;
  if (vanishing_ >= kInARow) report(finding("gradient-vanishes", first->name, {first->name, number(first->gradient), last->name, number(last->gradient)}));
  if (logits_ >= 0 && t[size_t(logits_)].hasValue() && t[size_t(logits_)].rank() == 2 && t[size_t(logits_)].dim(0) > 1) {
    const Tensor& out = t[size_t(logits_)];
    const int64_t rows = out.dim(0), width = out.dim(1);
    bool same = true;
    for (int64_t i = width; i < rows * width && same; ++i)
      same = std::abs(out.asDouble(i) - out.asDouble(i % width)) <= kSameOutput * (1 + std::abs(out.asDouble(i)));
    constantOutput_ = same ? constantOutput_ + 1 : 0;
    if (constantOutput_ >= kInARow) report(finding("output-constant", {}, {logitsName_, number(double(constantOutput_))}));
  }
  if (labels_ >= 0 && t[size_t(labels_)].hasValue()) labels(t[size_t(labels_)]);
  if (partCount_ > 0)
    parts_.values(at, {t.begin() + ptrdiff_t(partsAt_), t.begin() + ptrdiff_t(partsAt_ + partCount_)}, [this](DoctorFinding f) { report(std::move(f)); });
  for (Weights& w : weights_)
    if (const auto value = now.find(w.name); value != now.end()) w.before = value->second;
  measuredStep_ = at;
  measures_ = true;
}

void Watch::ended(double seconds) {
  const bool was = std::exchange(measures_, false);
  all_ += seconds;
  if (!was) {
    plain_.push_back(seconds);
    if (plain_.size() > kPlainSteps) plain_.erase(plain_.begin());
  } else {
    std::vector<double> sorted = plain_;
    std::sort(sorted.begin(), sorted.end());
    extra_ += std::max(0.0, seconds - (sorted.empty() ? 0 : sorted[sorted.size() / 2]));
    // Two neighbouring steps show an update.
    if (second_) {
      pairCost_ = extra_ - before_;
      nextPair_ = step_ + std::max<int64_t>(kLeastBetween, step_ / 10);
    }
    second_ = !second_;
  }
  const MutexLock lock(mutex_);
  measured_ += was;
  share_ = all_ > 0 ? extra_ / all_ : 0;
}

void Watch::report(DoctorFinding f) {
  if (lost_ && f.rule->moment == DoctorMoment::During) return;  // what follows is not the cause
  if (!known_.emplace(f.rule->code, f.node).second) return;
  if (f.step == 0 && f.rule->moment != DoctorMoment::Before) f.step = step_;
  {
    const MutexLock lock(mutex_);
    found_.push_back(f);
  }
  if (listener_) listener_(f);
}

void Watch::step(const TrainStep& s) {
  step_ = s.step;
  if (!std::isfinite(s.loss)) {
    if (!lost_ && net_.settings()) notFinite(s.loss, lastLoss_);
    lost_ = true;
    return;
  }
  lastLoss_ = s.loss;
  if (!firstLoss_) firstLoss_ = s.loss;
  curves_.step(s, [this](DoctorFinding f) {
    if (std::string_view(f.rule->code) == "loss-stuck" && largestUpdate_ > 0 && largestUpdate_ < kTinyUpdate) {
      const std::string before = f.words[0], now = f.words[1], steps = f.words[2];
      f.rule = finding("steps-too-small", {}, {}).rule;
      f.words = {number(largestUpdate_), steps, before, now};
    }
    report(std::move(f));
  });
}

void Watch::evaluation(const TrainEvaluation& e) {
  curves_.evaluation(e, [this](DoctorFinding f) { report(std::move(f)); });
}

std::vector<DoctorFinding> Watch::findings() const {
  const MutexLock lock(mutex_);
  return found_;
}

int64_t Watch::measuredSteps() const {
  const MutexLock lock(mutex_);
  return measured_;
}

double Watch::cost() const {
  const MutexLock lock(mutex_);
  return share_;
}

}  // namespace weft::doctor
