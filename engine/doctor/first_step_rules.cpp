// Rules on initial values and the first steps, tried on a copy.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "doctor/bench.h"
#include "doctor/watch.h"
#include "weft/tensor_statistics.h"

namespace weft::doctor {
namespace {

constexpr double kScale = 8;          // how far from He's rule initial weights may be
constexpr double kFirstLoss = 2;      // how far from guessing the first loss may be, as a factor
constexpr int64_t kRowsByHeart = 16;  // that have to be learned by heart
constexpr double kLearned = 0.5;      // of the first loss
constexpr double kMoved = 1e-4;       // relative change that rounding does not explain

/// Inputs and outputs of a layer's kernel; 0: not known.
std::pair<int64_t, int64_t> fans(const Tensor& kernel) {
  if (kernel.rank() < 2) return {0, 0};
  int64_t field = 1;
  for (int d = 0; d + 2 < kernel.rank(); ++d) field *= kernel.dim(d);
  return {field * kernel.dim(kernel.rank() - 2), field * kernel.dim(kernel.rank() - 1)};
}

void initialWeights(const Network& net, const std::map<std::string, Tensor>& variables, std::vector<DoctorFinding>& out) {
  std::set<std::string> seen;
  for (const int id : net.forward()) {
    const Node& n = *net.graph().node(id);
    if (!isLayer(net, n)) continue;
    const Node* v = net.variableOf(n.inputs[1]);
    const auto at = variables.find(v->name);
    if (at == variables.end() || !seen.insert(v->name).second || (!net.trainable().empty() && !net.trainable().contains(v->name))) continue;
    const TensorStatistics s = statisticsOf(at->second);
    const auto [in, outputs] = fans(at->second);
    if (s.elements < 16 || in <= 0) continue;
    if (s.min == s.max) {
      // The units of a last layer get gradients of their own.
      if (layerFollows(net, id)) out.push_back(finding("constant-weights", v->name, {v->name, number(s.min)}));
      continue;
    }
    // Between Glorot's rule and He's.
    const double he = std::sqrt(2.0 / double(in)), glorot = std::sqrt(2.0 / double(in + outputs)),
                 ratio = s.std > he ? s.std / he : std::min(1.0, s.std / glorot);
    if (ratio <= kScale && ratio >= 1 / kScale) continue;
    const bool large = ratio > kScale;
    DoctorFinding f = finding(large ? "weights-too-large" : "weights-too-small", v->name,
                              {v->name, number(std::round(large ? ratio : 1 / ratio)), number(s.std), number(double(in)), number(double(outputs)), number(he)});
    f.evidence = DoctorFinding::Evidence::Histogram;
    for (const int64_t k : histogramOf(at->second, s, 24)) f.values.push_back(double(k));
    f.from = s.min;
    f.to = s.max;
    out.push_back(std::move(f));
  }
}

/// The variance that a normalization takes from a variable, not from the batch; null: it does not.
const Node* storedVariance(const Network& net, const Node& n) {
  if (roleOf(n) == OpRole::BatchNorm && n.inputs.size() >= 5) return n.attrs.flag("is_training", true) ? nullptr : net.variableOf(n.inputs[4]);
  if (kindOf(n) != OpKind::InverseRoot || n.inputs.empty()) return nullptr;
  const Node* sum = net.nodeOf(n.inputs[0]);
  return sum && roleOf(*sum) == OpRole::Sum ? net.variableOf(sum->inputs[0]) : nullptr;
}

/// Normalizations whose averages have their initial values and are updated by nothing.
void normalizations(const Network& net, const std::map<std::string, Tensor>& variables, std::vector<DoctorFinding>& out) {
  std::set<std::string> seen;
  for (const int id : net.forward()) {
    const Node& n = *net.graph().node(id);
    const Node* v = storedVariance(net, n);
    const auto at = v ? variables.find(v->name) : variables.end();
    if (at == variables.end() || at->second.rank() != 1 || net.trainable().contains(v->name) || !seen.insert(v->name).second) continue;
    const TensorStatistics s = statisticsOf(at->second);
    bool updated = s.min != s.max || s.elements < 2;
    for (int other = 0; other < net.graph().size() && !updated; ++other) {
      const Node* writes = net.graph().node(other);
      const bool trained = std::binary_search(net.trained().begin(), net.trained().end(), other);
      if (writes && !writes->inputs.empty() && (roleOf(*writes) == OpRole::Update || (trained && changesVariable(roleOf(*writes)))))
        updated = net.variableOf(writes->inputs[0]) == v;
    }
    if (!updated) out.push_back(finding("norm-not-training", n.name, {n.name, v->name, number(s.min)}));
  }
}

/// Rows that the graph takes at once, at most `most`.
int64_t batchRows(const Bench& bench, int64_t most) { return bench.fixedRows() > 0 ? bench.fixedRows() : std::min(bench.count(), most); }

bool hasBatchNorm(const Network& net) {
  return std::any_of(net.forward().begin(), net.forward().end(), [&](int id) { return roleOf(*net.graph().node(id)) == OpRole::BatchNorm; });
}
/// Whether something is divided by its deviation, over the batch perhaps.
bool normalizes(const Network& net) {
  return std::any_of(net.forward().begin(), net.forward().end(), [&](int id) {
    const Node& n = *net.graph().node(id);
    return roleOf(n) == OpRole::BatchNorm || kindOf(n) == OpKind::InverseRoot;
  });
}
/// Whether two runs of the forward pass may differ.
bool isRandom(const Network& net) {
  return std::any_of(net.forward().begin(), net.forward().end(), [&](int id) { return any(effectsOf(*net.graph().node(id)) & Effect::Random); });
}

Status firstLoss(const Network& net, Bench& bench, std::vector<DoctorFinding>& out) {
  const auto c = classifier(net);
  const std::string& loss = bench.settings().loss;
  const int64_t rows = batchRows(bench, 128);
  WEFT_LET(const auto once, bench.run(bench.slice(0, rows), {loss}, true));
  const double first = once[0].asDouble(0);
  // A loss of several parts (regularization, several outputs) is no single cross entropy.
  OpKind kind;
  const Node* from = averaged(net, loss, &kind);
  const bool single = c && kind == OpKind::Mean && from && from->name == c->op;
  if (single && std::isfinite(first)) {
    const double guess = std::log(double(c->classes));
    if (first > kFirstLoss * guess || first < guess / kFirstLoss)
      out.push_back(finding("first-loss-wrong", loss.substr(0, loss.find(':')), {number(first), number(double(c->classes)), number(guess)}));
  }
  // The heads of canned estimators sum on purpose.
  if (bench.fixedRows() > 0 || bench.count() < 16 || isRandom(net) || loss.find("head/weighted_loss/") != loss.npos) return {};
  // The same rows twice: a mean stays, a sum doubles.
  const int64_t half = std::min<int64_t>(bench.count(), 32);
  std::vector<Tensor> single_rows = bench.slice(0, half), twice;
  for (const Tensor& t : single_rows) {
    std::vector<int64_t> index;
    for (int k = 0; k < 2; ++k)
      for (int64_t i = 0; i < half; ++i) index.push_back(i);
    WEFT_LET(Tensor doubled, takeRows(t, index.data(), int64_t(index.size())));
    twice.push_back(std::move(doubled));
  }
  WEFT_LET(const auto one, bench.run(single_rows, {loss}, true));
  WEFT_LET(const auto two, bench.run(twice, {loss}, true));
  const double a = one[0].asDouble(0), b = two[0].asDouble(0);
  if (a > 0 && std::abs(b / a - 2) < 0.02) out.push_back(finding("loss-sums-batch", loss.substr(0, loss.find(':')), {number(b), number(a)}));
  return {};
}

/// Elements that differ by more than rounding, in rows [from, …), and the largest difference.
std::pair<int64_t, double> moved(const Tensor& a, const Tensor& b, int64_t from, double tolerance = kMoved) {
  const int64_t width = a.elements() / std::max<int64_t>(1, a.dim(0));
  std::pair<int64_t, double> out{0, 0};
  for (int64_t i = from * width; i < std::min(a.elements(), b.elements()); ++i) {
    const double x = a.asDouble(i), y = b.asDouble(i), d = std::abs(x - y);
    if (!(d > tolerance * (1 + std::abs(x)))) continue;
    ++out.first;
    out.second = std::max(out.second, d);
  }
  return out;
}

/// Whether rows are meant to see each other: nodes of a graph, whose edges are a square matrix or sparse.
bool isAboutPairs(const Network& net, const std::vector<Tensor>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const Tensor& t) { return t.rank() == 2 && t.dim(0) == t.dim(1) && t.dim(0) > 1; }) ||
         std::any_of(net.forward().begin(), net.forward().end(), [&](int id) { return kindOf(*net.graph().node(id)) == OpKind::SparseProduct; });
}

Status inputs(const Network& net, Bench& bench, std::vector<DoctorFinding>& out) {
  const bool classifies = classifier(net).has_value();
  const std::string output = outputOf(net);
  // Outputs that are found by what they are compared with may be normalized by the program itself.
  if (output.empty() || bench.count() < 4 || (!classifies && normalizes(net))) return {};
  const int64_t rows = batchRows(bench, 32);
  const std::vector<Tensor> plain = bench.slice(0, rows);
  WEFT_LET(const auto logits, bench.run(plain, {output}, false));
  const bool perRow = logits[0].rank() >= 1 && (logits[0].rank() == 2 || !classifies) && logits[0].dim(0) == rows;
  WEFT_LET(const auto again, bench.run(plain, {output}, false));
  if (moved(logits[0], again[0], 0).first > 0) return {};  // random in tests as well
  const bool pairs = isAboutPairs(net, bench.rows());
  const bool loops = std::any_of(net.forward().begin(), net.forward().end(), [&](int id) { return roleOf(*net.graph().node(id)) == OpRole::Enter; });
  for (size_t i = 0; i < plain.size(); ++i) {
    const Tensor& t = plain[i];
    if (!net.leadsTo(bench.placeholders()[i], output) || t.rank() == 0 || t.dtype() == DType::String || t.elements() == 0) continue;
    const std::string name = bench.placeholders()[i], node = name.substr(0, name.find(':'));
    std::vector<Tensor> zeros = plain;
    zeros[i] = Tensor::zeros(t.dtype(), t.shape());
    WEFT_LET(const auto without, bench.run(zeros, {output}, false));
    if (moved(logits[0], without[0], 0).first == 0 && statisticsOf(t).norm > 0) {
      const bool exactly = moved(logits[0], without[0], 0, 0).first == 0;
      if (classifies && exactly) out.push_back(finding("ignores-input", node, {name, output}));
      continue;
    }
    // The rows of a sequence that is run through a loop are its steps.
    if (!perRow || pairs || (loops && (t.rank() < 3 || t.dim(1) < 2))) continue;
    // Row 0 becomes the last one's copy.
    std::vector<int64_t> index(static_cast<size_t>(rows));
    for (int64_t r = 0; r < rows; ++r) index[size_t(r)] = r == 0 ? rows - 1 : r;
    std::vector<Tensor> changed = plain;
    WEFT_LET(changed[i], takeRows(t, index.data(), rows));
    WEFT_LET(const auto other, bench.run(changed, {output}, false));
    const auto [count, most] = moved(logits[0], other[0], 1);
    if (count > 0) out.push_back(finding("mixes-rows", node, {name, number(double(count)), number(most)}));
  }
  return {};
}

Status learnsBatch(const Network& net, Bench& bench, const DoctorOptions& options, std::vector<DoctorFinding>& out) {
  const auto c = classifier(net);
  if (options.fitSteps <= 0 || !c || bench.count() < kRowsByHeart || bench.fixedRows() > 0) return {};
  const std::vector<Tensor> rows = bench.slice(0, kRowsByHeart);
  const std::string& loss = bench.settings().loss;
  DoctorFinding f = finding("cannot-learn-batch", {}, {});
  double first = 0, best = INFINITY, last = 0;
  int64_t step = 0;
  for (; step < options.fitSteps; ++step) {
    const auto values = bench.run(rows, {loss}, true, true);
    if (!values.ok()) return values.status();
    last = (*values)[0].asDouble(0);
    f.values.push_back(last);
    if (step == 0) first = last;
    if (!std::isfinite(last)) break;
    best = std::min(best, last);
    if (best < kLearned * first) return {};
    if (options.progress && step % 16 == 0 && !options.progress(0.4 + 0.5 * double(step) / double(options.fitSteps)))
      return cancelledError("the examination was cancelled");
  }
  f.words = {number(double(kRowsByHeart)), number(double(f.values.size())), number(first), number(last)};
  f.evidence = DoctorFinding::Evidence::Curve;
  f.to = double(f.values.size());
  out.push_back(std::move(f));
  return {};
}

}  // namespace

void readInitialWeights(const Network& net, Bench& bench, std::vector<DoctorFinding>& out) {
  std::vector<std::string> names;
  for (const int id : net.forward())
    for (const Output o : net.graph().node(id)->inputs)
      if (const Node* v = net.variableOf(o)) names.push_back(v->name);
  const auto variables = valuesNow(bench.session(), readsOf(net, names));
  initialWeights(net, variables, out);
  normalizations(net, variables, out);
}

Status readForward(const Network& net, Bench& bench, std::vector<DoctorFinding>& out) {
  if (bench.count() == 0 || bench.settings().loss.empty()) return {};
  const auto loss = net.graph().findOutput(bench.settings().loss);
  const Shape* shape = loss.ok() ? &net.graph().shape(*loss) : nullptr;
  const bool scalar = shape && shape->hasRank() && shape->rank() == 0;
  if (normalizes(net)) return {};
  if (scalar) WEFT_TRY(firstLoss(net, bench, out));
  return inputs(net, bench, out);
}

bool isRepeatable(const Network& net, const std::vector<std::string>& tensors, const std::vector<std::string>& fed) {
  constexpr Effect kHarmless = Effect::Reads | Effect::Makes | Effect::Feed | Effect::Check | Effect::Declared | Effect::Step;
  std::set<Output> given;
  std::vector<int> queue;
  std::vector<char> seen(size_t(net.graph().size()), 0);
  for (const std::string& name : fed)
    if (const auto o = net.graph().findOutput(name); o.ok()) given.insert(*o);
  const auto add = [&](Output o) {
    if (o.valid() && !given.contains(o)) queue.push_back(o.node);
  };
  for (const std::string& name : tensors)
    if (const auto o = net.graph().findOutput(name); o.ok()) add(*o);
  while (!queue.empty()) {
    const Node* n = net.graph().node(queue.back());
    queue.pop_back();
    if (!n || std::exchange(seen[size_t(n->id)], 1)) continue;
    if (any(effectsOf(*n) & ~kHarmless)) return false;
    for (const Output o : n->inputs) add(o);
    queue.insert(queue.end(), n->controls.begin(), n->controls.end());
  }
  return true;
}

Status readFirstSteps(const Network& net, Bench& bench, const DoctorOptions& options, std::vector<DoctorFinding>& out) {
  WEFT_TRY(bench.initialize());
  readInitialWeights(net, bench, out);
  if (bench.count() == 0 || bench.settings().loss.empty()) return {};
  if (!hasBatchNorm(net)) WEFT_TRY(firstLoss(net, bench, out));
  WEFT_TRY(inputs(net, bench, out));
  WEFT_TRY(learnsBatch(net, bench, options, out));
  return bench.initialize();
}

}  // namespace weft::doctor
