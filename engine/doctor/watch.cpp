// The doctor beside a training: which steps it measures, and the rules on gradients, activations and weights.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "doctor/curves.h"
#include "weft/mutex.h"
#include "weft/tensor_statistics.h"

namespace weft {

using doctor::Curves;
using doctor::finding;
using doctor::isActivation;
using doctor::isLayer;
using doctor::kindOf;
using doctor::Network;
using doctor::number;
using doctor::OpKind;

namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMostActivations = 64;
constexpr int kInARow = 3;                      // measured steps in which a rule has to hold
constexpr double kVanished = 1e-7, kFar = 1e3;  // mean size of a gradient; how much larger the last layer's is
constexpr double kExplodedNorm = 1e3, kNormGrowth = 100;
constexpr double kMostUpdate = 0.1, kLeastUpdate = 1e-7;  // of a kernel's size
constexpr double kShare = 0.5;                            // of a layer's units or values
constexpr double kSaturated = 0.98;                       // of tanh; sigmoid: 0.99
constexpr double kDrift = 10;
constexpr double kDeadWeight = 1e-5, kDeadShare = 0.95;
constexpr double kWeightGrowth = 1e3;
constexpr double kSameOutput = 1e-6;
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

struct TrainingDoctor::Impl {
  explicit Impl(const MetaGraph& document, double most) : meta(document), net(meta), curves(net), mostCost(most) {}

  struct Unit {  // an activation
    const Node* node = nullptr;
    std::vector<char> lives;  // by unit: was not 0 in some measured step
    int64_t steps = 0;
    int saturated = 0;
    double firstSize = -1;
    bool hidden = false;  // a layer follows
  };
  struct Weights {  // a kernel
    std::string name;
    double firstSize = -1, firstNorm = -1;
    int zero = 0, large = 0, small = 0;
    double gradient = -1;  // mean size in the present step
    Tensor before;         // after the last measured step
  };

  const MetaGraph meta;
  const Network net;
  Curves curves;
  const double mostCost;

  std::vector<Unit> units;
  std::vector<Weights> weights;  // in the order of the network
  std::vector<int> gradientAt;   // by weights: position among the probe's tensors; -1: none
  std::vector<std::pair<std::string, size_t>> otherGradients;
  int logits = -1;
  std::string logitsName;
  int vanishing = 0, constantOutput = 0;

  // The cost.
  std::vector<double> plain;  // seconds of the last steps that were not measured
  Clock::time_point last{};
  bool timed = false, measures = false;
  bool second = false;  // the next step is the second of a pair
  int64_t nextPair = 2, measuredStep = -1;
  double all = 0, extra = 0;        // seconds
  double before = 0, pairCost = 0;  // extra time before the present pair, and of the last one

  mutable Mutex mutex;
  std::vector<DoctorFinding> found WEFT_GUARDED_BY(mutex);
  int64_t measured WEFT_GUARDED_BY(mutex) = 0;
  double share WEFT_GUARDED_BY(mutex) = 0;
  std::set<std::pair<std::string, std::string>> known;
  std::function<void(const DoctorFinding&)> listener;
  int64_t step = 0;

  void report(DoctorFinding f) {
    if (!known.emplace(f.rule->code, f.node).second) return;
    if (f.step == 0) f.step = step;
    {
      const MutexLock lock(mutex);
      found.push_back(f);
    }
    if (listener) listener(f);
  }
  std::vector<std::string> tensors();
  bool wanted(int64_t at);
  void values(int64_t at, const std::vector<Tensor>& t, Session& session);
  void activation(Unit& u, const Tensor& t);
  void kernel(Weights& w, const Tensor& value);
  void ended();
};

/// What a measured step fetches: activations, gradients, the network's output.
std::vector<std::string> TrainingDoctor::Impl::tensors() {
  std::vector<std::string> out;
  const Graph& g = net.graph();
  // Values inside loops cannot be fetched.
  std::vector<char> loops(size_t(g.size()), 0);
  for (const int id : net.forward())
    for (const Output o : g.node(id)->inputs) {
      const OpRole from = roleOf(*g.node(o.node));
      if (from == OpRole::Merge || from == OpRole::Switch || from == OpRole::Enter || (loops[size_t(o.node)] && from != OpRole::Exit)) loops[size_t(id)] = 1;
    }
  std::map<std::string, size_t> kernels;
  for (const int id : net.forward()) {
    const Node& n = *g.node(id);
    if (loops[size_t(id)]) continue;
    if (isActivation(n) && units.size() < kMostActivations) {
      units.emplace_back().node = &n;
      out.push_back(n.name + ":0");
    }
    if (isLayer(net, n)) {
      const Node* v = net.variableOf(n.inputs[1]);
      if (kernels.emplace(v->name, weights.size()).second) weights.emplace_back().name = v->name;
    }
  }
  // Whether a layer follows an activation: the last one may well be saturated.
  for (Unit& u : units) {
    std::vector<int> queue{u.node->id};
    std::set<int> seen;
    while (!queue.empty() && !u.hidden) {
      const int id = queue.back();
      queue.pop_back();
      if (!net.isForward(id) || !seen.insert(id).second) continue;
      u.hidden = id != u.node->id && isLayer(net, *g.node(id));
      queue.insert(queue.end(), net.readers(id).begin(), net.readers(id).end());
    }
  }
  gradientAt.assign(weights.size(), -1);
  for (const AppliedGradient& a : appliedGradients(g, net.settings() ? net.settings()->trainOp : std::string())) {
    const auto at = kernels.find(a.variable);
    if (at != kernels.end()) gradientAt[at->second] = int(out.size());
    else otherGradients.emplace_back(a.variable, out.size());
    out.push_back(a.tensor);
  }
  if (const auto c = net.settings() ? classifierOf(g, net.settings()->loss) : std::nullopt) {
    const auto o = g.findOutput(c->logits);
    if (o.ok() && !loops[size_t(o->node)]) {
      logits = int(out.size());
      logitsName = c->logits;
      out.push_back(c->logits);
    }
  }
  return out;
}

void TrainingDoctor::Impl::activation(Unit& u, const Tensor& t) {
  const TensorStatistics s = statisticsOf(t);
  if (s.nans + s.infinities() > 0)
    return report(finding("not-finite", u.node->name, {number(double(s.nans + s.infinities())), u.node->name, number(double(step))}));
  ++u.steps;
  const double size = meanSize(t);
  if (u.firstSize < 0) u.firstSize = size;
  else if (size > kDrift * u.firstSize && size > kDrift) report(finding("activations-drift", u.node->name, {u.node->name, number(u.firstSize), number(size)}));
  if (t.rank() < 2 || !u.hidden) return;
  const OpKind kind = kindOf(*u.node);
  if (kind == OpKind::Rectifier) {
    const Node* before = net.nodeOf(u.node->inputs[0]);
    const int dim = t.rank() == 4 && before && before->attrs.text("data_format") == "NCHW" ? 1 : t.rank() - 1;
    int64_t inner = 1;
    for (int d = dim + 1; d < t.rank(); ++d) inner *= t.dim(d);
    u.lives.resize(size_t(t.dim(dim)), 0);
    for (int64_t i = 0, n = t.elements(); i < n; ++i)
      if (t.asDouble(i) > 0) u.lives[size_t(i / inner % t.dim(dim))] = 1;
    const int64_t all = t.dim(dim), dead = std::count(u.lives.begin(), u.lives.end(), 0);
    if (u.steps >= kInARow && all >= 4 && double(dead) > kShare * double(all))
      report(
          finding("dead-units", u.node->name,
                  {number(std::round(100.0 * double(dead) / double(all))), u.node->name, number(double(dead)), number(double(all)), number(double(u.steps))}));
    return;
  }
  const bool tanh = kind == OpKind::Tanh;
  if (!tanh && kind != OpKind::Sigmoid) return;
  int64_t far = 0;
  for (int64_t i = 0, n = t.elements(); i < n; ++i) {
    const double v = t.asDouble(i);
    far += tanh ? std::abs(v) > kSaturated : v > 0.99 || v < 0.01;
  }
  u.saturated = double(far) > kShare * double(t.elements()) ? u.saturated + 1 : 0;
  if (u.saturated >= kInARow)
    report(finding("saturated-units", u.node->name,
                   {number(std::round(100.0 * double(far) / double(t.elements()))), u.node->name, tanh ? "2.3" : "4.6", u.node->op}));
}

void TrainingDoctor::Impl::kernel(Weights& w, const Tensor& value) {
  const double size = meanSize(value);
  if (w.firstSize < 0) w.firstSize = size;
  if (!std::isfinite(size) || (size > kWeightGrowth * w.firstSize && size > 1))
    report(finding("weights-explode", w.name, {w.name, number(w.firstSize), number(size)}));
  int64_t dead = 0;
  for (int64_t i = 0, n = value.elements(); i < n; ++i) dead += std::abs(value.asDouble(i)) < kDeadWeight;
  if (double(dead) > kDeadShare * double(value.elements()) && step > 1)
    report(finding("weights-dead", w.name, {w.name, number(std::round(100.0 * double(dead) / double(value.elements())))}));
  if (w.before.hasValue() && measuredStep + 1 == step && size > 0) {
    double change = 0;
    for (int64_t i = 0, n = value.elements(); i < n; ++i) change += std::abs(value.asDouble(i) - w.before.asDouble(i));
    const double ratio = change / double(value.elements()) / size;
    w.large = ratio > kMostUpdate ? w.large + 1 : 0;
    w.small = ratio < kLeastUpdate && w.gradient > 0 ? w.small + 1 : 0;
    if (w.large >= kInARow) report(finding("update-large", w.name, {w.name, number(ratio)}));
    if (w.small >= kInARow) report(finding("update-small", w.name, {w.name, number(ratio)}));
  }
}

bool TrainingDoctor::Impl::wanted(int64_t at) {
  if (second) return true;
  if (at < nextPair || extra + pairCost > std::max(mostCost * all, kLeastBudget)) return false;
  before = extra;
  return true;
}

void TrainingDoctor::Impl::values(int64_t at, const std::vector<Tensor>& t, Session& session) {
  step = at;
  for (size_t i = 0; i < units.size(); ++i) activation(units[i], t[i]);
  const auto gradient = [&](const std::string& variable, const Tensor& g) {
    const TensorStatistics s = statisticsOf(g);
    if (s.nans + s.infinities() > 0)
      report(finding("not-finite", variable, {number(double(s.nans + s.infinities())), "the gradient of " + variable, number(double(step))}));
    return s;
  };
  const std::map<std::string, Tensor> variables = session.variables();
  const Weights *first = nullptr, *last = nullptr;
  for (size_t i = 0; i < weights.size(); ++i) {
    Weights& w = weights[i];
    w.gradient = -1;
    if (gradientAt[i] >= 0) {
      const Tensor& g = t[size_t(gradientAt[i])];
      const TensorStatistics s = gradient(w.name, g);
      w.gradient = meanSize(g);
      if (w.firstNorm < 0 && s.norm > 0) w.firstNorm = s.norm;
      else if (s.norm > kExplodedNorm && s.norm > kNormGrowth * w.firstNorm)
        report(finding("gradient-explodes", w.name, {w.name, number(s.norm), number(w.firstNorm)}));
      w.zero = w.gradient == 0 ? w.zero + 1 : 0;
      if (w.zero >= kInARow) report(finding("gradient-zero", w.name, {w.name, number(double(w.zero))}));
      if (!first) first = &w;
      last = &w;
    }
    if (const auto value = variables.find(w.name); value != variables.end()) kernel(w, value->second);
  }
  for (const auto& [variable, i] : otherGradients) gradient(variable, t[i]);
  vanishing = first && last != first && first->gradient > 0 && first->gradient < kVanished && last->gradient > kFar * first->gradient ? vanishing + 1 : 0;
  if (vanishing >= kInARow) report(finding("gradient-vanishes", first->name, {first->name, number(first->gradient), last->name, number(last->gradient)}));
  if (logits >= 0 && t[size_t(logits)].rank() == 2 && t[size_t(logits)].dim(0) > 1) {
    const Tensor& out = t[size_t(logits)];
    const int64_t rows = out.dim(0), width = out.dim(1);
    bool same = true;
    for (int64_t i = width; i < rows * width && same; ++i)
      same = std::abs(out.asDouble(i) - out.asDouble(i % width)) <= kSameOutput * (1 + std::abs(out.asDouble(i)));
    constantOutput = same ? constantOutput + 1 : 0;
    if (constantOutput >= kInARow) report(finding("output-constant", {}, {logitsName, number(double(constantOutput))}));
  }
  for (Weights& w : weights)
    if (const auto value = variables.find(w.name); value != variables.end()) w.before = value->second;
  measuredStep = at;
  measures = true;
}

/// A step has ended: what it took, and when to measure again.
void TrainingDoctor::Impl::ended() {
  const auto now = Clock::now();
  const double seconds = timed ? std::chrono::duration<double>(now - last).count() : 0;
  last = now;
  const bool was = std::exchange(measures, false);
  if (!timed) {
    timed = true;
    return;
  }
  all += seconds;
  if (!was) {
    plain.push_back(seconds);
    if (plain.size() > kPlainSteps) plain.erase(plain.begin());
  }
  std::vector<double> sorted = plain;
  std::sort(sorted.begin(), sorted.end());
  const double usual = sorted.empty() ? 0 : sorted[sorted.size() / 2];
  if (was) {
    extra += std::max(0.0, seconds - usual);
    // Two neighbouring steps show an update.
    if (second) {
      pairCost = extra - before;
      nextPair = step + std::max<int64_t>(kLeastBetween, step / 10);
    }
    second = !second;
  }
  const MutexLock lock(mutex);
  measured += was;
  share = all > 0 ? extra / all : 0;
}

TrainingDoctor::TrainingDoctor(const MetaGraph& document, double mostCost) : impl_(std::make_unique<Impl>(document, mostCost)) {}
TrainingDoctor::~TrainingDoctor() = default;

void TrainingDoctor::attach(TrainOptions& options) {
  Impl* impl = impl_.get();
  options.probe.tensors = impl->tensors();
  options.probe.wanted = [impl](int64_t step) { return impl->wanted(step); };
  options.probe.values = [impl](int64_t step, const std::vector<Tensor>& values, Session& session) { impl->values(step, values, session); };
  options.callbacks.step = [impl, next = std::move(options.callbacks.step)](const TrainStep& s) {
    impl->step = s.step;
    impl->curves.step(s, [impl](DoctorFinding f) { impl->report(std::move(f)); });
    impl->ended();
    if (next) next(s);
  };
  options.callbacks.evaluation = [impl, next = std::move(options.callbacks.evaluation)](const TrainEvaluation& e) {
    impl->curves.evaluation(e, [impl](DoctorFinding f) { impl->report(std::move(f)); });
    impl->last = Clock::now();
    if (next) next(e);
  };
}

void TrainingDoctor::setListener(std::function<void(const DoctorFinding&)> listener) { impl_->listener = std::move(listener); }

std::vector<DoctorFinding> TrainingDoctor::findings() const {
  const MutexLock lock(impl_->mutex);
  return impl_->found;
}

int64_t TrainingDoctor::measuredSteps() const {
  const MutexLock lock(impl_->mutex);
  return impl_->measured;
}

double TrainingDoctor::cost() const {
  const MutexLock lock(impl_->mutex);
  return impl_->share;
}

}  // namespace weft
