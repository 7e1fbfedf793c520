#include "derivatives.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <set>

#include "outcome.h"
#include "random.h"
#include "weft/op.h"

namespace weft::generated {
namespace {

constexpr int kSteps = 4;          // each half of the one before
constexpr double kSettled = 1e-4;  // how near extrapolated differences must come to each other to say anything
constexpr double kSafety = 30;

/// Converts single precision to double; leaves other types as they are.
DType wide(DType t) { return t == DType::Float ? DType::Double : t == DType::Complex64 ? DType::Complex128 : t; }
bool isWide(DType t) { return t == DType::Double || t == DType::Complex128; }

Tensor widened(const Tensor& t) {
  if (t.dtype() == wide(t.dtype())) return t;
  Tensor out = Tensor::zeros(wide(t.dtype()), t.shape());
  const int64_t n = t.elements() * (isComplex(t.dtype()) ? 2 : 1);
  const auto* from = static_cast<const float*>(t.raw());
  for (int64_t i = 0; i < n; ++i) static_cast<double*>(out.mutableRaw())[i] = from[i];
  return out;
}

/// The same nodes in double precision; false if an op does not take it.
bool widen(Case& one) {
  Graph& graph = one.meta.graph;
  for (int id = 0; id < graph.size(); ++id) {
    Node node = *graph.node(id);
    AttrMap attrs;
    for (const auto& [name, attr] : node.attrs) {
      if (attr.get<FuncAttr>() || attr.get<std::vector<FuncAttr>>()) return false;  // what is in a function stays as it is
      if (const auto* t = attr.get<DType>()) attrs.set(name, wide(*t));
      else if (const auto* value = attr.get<Tensor>()) attrs.set(name, widened(*value));
      else if (const auto* list = attr.get<std::vector<DType>>()) {
        std::vector<DType> types;
        for (const DType t : *list) types.push_back(wide(t));
        attrs.set(name, std::move(types));
      } else attrs.set(name, attr);
    }
    auto signature = resolveSignature(*node.record, attrs);
    if (!signature.ok()) return false;
    const Status changed = graph.change(id, [&](Node& n) {
      n.attrs = std::move(attrs);
      n.inputTypes = std::move(signature->inputTypes);
      n.outputTypes = std::move(signature->outputTypes);
    });
    if (!changed.ok()) return false;
  }
  for (int id = 0; id < graph.size(); ++id) {
    const Node& n = *graph.node(id);
    for (size_t i = 0; i < n.inputs.size(); ++i)
      if (baseType(graph.dtype(n.inputs[i])) != baseType(n.inputTypes[i])) return false;  // an op whose type is fixed
  }
  for (Step& s : one.steps)
    for (auto& [name, value] : s.feeds) value = widened(value);
  return true;
}

/// Ops whose gradient is not the derivative of their outputs, or only for some inputs.
bool hasOtherGradient(const std::string& op) {
  static const std::set<std::string> kOps = {
      "TensorListGather",  // as in TensorFlow, elements gathered twice count once
      "StopGradient",
      "PreventGradient",  // said so
      "Cholesky",
      "CholeskyGrad",
      "SelfAdjointEig",
      "SelfAdjointEigV2",  // of symmetric matrices
      "FusedBatchNormGrad",
      "FusedBatchNormGradV2",
      "FusedBatchNormGradV3",  // mean and variance follow from another input
      "SparseToDense",         // as in TensorFlow not summed where one value is for all
      "RGBToHSV",              // of colours between 0 and 1 only
      "ClipByValue",           // of a lower bound below the upper one only
      "DynamicStitch",
      "ParallelDynamicStitch",  // as in TensorFlow, overwritten values count, too
      "Atan2",                  // as in TensorFlow, not summed over broadcast dimensions
      "Betainc",
      "Igamma",
      "Igammac",
      "Polygamma",
      "Zeta",
      "RandomGamma",
      "RandomGammaGrad",
      "NextAfter",  // by one input only
      "CTCLoss",
      "SoftmaxCrossEntropyWithLogits",
      "SparseSoftmaxCrossEntropyWithLogits",  // gradients come as second outputs
  };
  return op.starts_with("FakeQuant") || op.starts_with("QuantizeAndDequantize") || kOps.count(op);
}

/// Ops that have no derivative because theirs is 0 wherever it is one.
bool isStepwise(const std::string& op) {
  static const std::set<std::string> kOps = {"Floor", "Ceil", "Round", "Rint", "Sign", "ZerosLike", "OnesLike", "FloorDiv"};
  return kOps.count(op);
}

/// Nodes that `from` leads to, itself included; `against`: that lead to it.
std::vector<bool> reached(const Graph& graph, const std::vector<int>& from, bool against) {
  std::vector<std::vector<int>> next(size_t(graph.size()));
  for (int id = 0; id < graph.size(); ++id)
    for (const Output& in : graph.node(id)->inputs) against ? next[size_t(id)].push_back(in.node) : next[size_t(in.node)].push_back(id);
  std::vector<bool> out(size_t(graph.size()), false);
  std::vector<int> open = from;
  while (!open.empty()) {
    const int id = open.back();
    open.pop_back();
    if (out[size_t(id)]) continue;
    out[size_t(id)] = true;
    open.insert(open.end(), next[size_t(id)].begin(), next[size_t(id)].end());
  }
  return out;
}

/// Whether every op between `x` and `ys` has its true derivative as gradient.
bool differentiable(const Case& one, const Derivative& d) {
  const Graph& graph = one.meta.graph;
  const int x = graph.findOutput(d.x)->node;
  std::vector<int> ends;
  for (const std::string& y : d.ys) ends.push_back(graph.findOutput(y)->node);
  const auto after = reached(graph, {x}, false), before = reached(graph, ends, true);
  for (const auto& [name, value] : one.steps[0].feeds) {
    const auto fed = graph.findOutput(name);
    if (fed.ok() && fed->node != x && graph.node(fed->node)->op != "Placeholder") return false;  // something is cut off, in the derivative perhaps
  }
  for (int id = 0; id < graph.size(); ++id) {
    const Node& n = *graph.node(id);
    const bool ofStep = n.op.starts_with("TensorArray") || n.op.starts_with("Stack");
    if (n.record->isStateful && !ofStep && n.op != "StatefulPartitionedCall") return false;
    if (id == x || !after[size_t(id)] || !before[size_t(id)]) continue;
    if (hasOtherGradient(n.op) || (n.op == "MatrixInverse" && n.attrs.flag("adjoint"))) return false;  // of the latter TensorFlow gives the transpose
    bool rounds = false, counts = true;
    for (const DType t : n.outputTypes) {
      const bool real = isFloating(t) || isComplex(t);
      rounds |= real && !isWide(t);
      counts &= !real && baseType(t) != DType::Variant && baseType(t) != DType::Resource;
    }
    if (rounds) return false;  // single precision and less are stairs
    if (n.record->gradientFunction || isFlow(n.op) || ofStep || counts || isStepwise(n.op)) continue;
    return false;
  }
  return true;
}

/// Whether all numbers of a run are.
class Finiteness : public StepController {
 public:
  bool all = true;
  void runBegins(const Graph&, std::span<const int>) override {}
  void fed(Output, const Tensor&) override {}
  StepVerdict before(StepPoint&) override { return StepVerdict::Go; }
  StepVerdict after(StepPoint& point, const Status& status) override {
    for (size_t k = 0; status.ok() && all && k < point.node().outputTypes.size(); ++k) {
      const auto value = point.output(int(k));
      if (!value.ok() || !value->hasValue() || (!isFloating(value->dtype()) && !isComplex(value->dtype()))) continue;
      for (int64_t i = 0; i < value->elements(); ++i)
        all &= std::isfinite(partOf(*value, i, false)) && (!isComplex(value->dtype()) || std::isfinite(partOf(*value, i, true)));
    }
    return StepVerdict::Go;
  }
  void dead(const Node&, const std::vector<LoopPlace>&) override {}
  void runEnds(const Status&) override {}
};

int64_t parts(const Tensor& t) { return t.elements() * (isComplex(t.dtype()) ? 2 : 1); }
double part(const Tensor& t, int64_t i) { return static_cast<const double*>(t.raw())[i]; }

/// The sum of the real parts; NaN after an error.
double total(const std::vector<Tensor>& ys) {
  double sum = 0;
  for (const Tensor& y : ys)
    for (int64_t i = 0; i < parts(y); i += isComplex(y.dtype()) ? 2 : 1) sum += part(y, i);
  return sum;
}
double size(const std::vector<Tensor>& ys) {
  double sum = 0;
  for (const Tensor& y : ys)
    for (int64_t i = 0; i < parts(y); ++i) sum += std::fabs(part(y, i));
  return sum;
}

DerivativeCheck check(const Case& one, const Derivative& d) {
  DerivativeCheck out;
  Case part1 = one;
  part1.derivatives = {d};
  const auto runs = std::find_if(one.steps.rbegin(), one.steps.rend(), [](const Step& s) { return !s.fetches.empty(); });
  if (runs == one.steps.rend()) return out;
  part1.steps = {{runs->feeds, d.ys, {}}};
  std::vector<std::string>& fetches = part1.steps[0].fetches;
  fetches.insert(fetches.end(), {d.x, d.dx});
  if (!d.indices.empty()) fetches.push_back(d.indices);
  part1 = pruned(part1);
  Graph& graph = part1.meta.graph;
  if (part1.derivatives.empty()) return out;
  std::erase_if(part1.steps[0].feeds, [&](const auto& f) { return !graph.findOutput(f.first).ok(); });
  // Constants of the derivative were rounded when it was built (Erf's 2/sqrt(pi)).
  const bool single = wide(graph.dtype(*graph.findOutput(d.x))) != graph.dtype(*graph.findOutput(d.x));
  if (single && !widen(part1)) return out;
  if (!isWide(graph.dtype(*graph.findOutput(d.x))) || !differentiable(part1, d)) return out;
  for (const std::string& y : d.ys)
    if (!isWide(graph.dtype(*graph.findOutput(y)))) return out;

  SessionOptions options;
  options.threads = 1;
  options.operationTimeoutMs = Patience::ms();
  auto session = Session::create(graph, options);
  if (!session.ok()) return out;
  auto feeds = part1.steps[0].feeds;
  std::erase_if(feeds, [&](const auto& f) { return f.first == d.x; });
  const auto given = (*session)->run(part1.steps[0].feeds, {d.x});
  if (!given.ok() || given->front().elements() == 0) return out;
  Random random(one.seed ^ 0xd1ff);
  Tensor x = given->front().clone().value(), v = x.clone().value();
  double largest = 0.1;
  for (int64_t i = 0; i < parts(x); ++i) largest = std::max(largest, std::min(std::fabs(part(x, i)), 10.0));
  // Slightly away from the drawn values, which are often at kinks (Relu at 0, two equal maxima).
  for (int64_t i = 0; i < parts(x); ++i) {
    static_cast<double*>(x.mutableRaw())[i] += 0.05 * largest * random.normal();
    static_cast<double*>(v.mutableRaw())[i] = random.normal();
  }
  const auto valueAt = [&](double by, double* scale = nullptr) {
    Tensor at = x.clone().value();
    for (int64_t i = 0; i < parts(at); ++i) static_cast<double*>(at.mutableRaw())[i] += by * part(v, i);
    auto with = feeds;
    with.emplace_back(d.x, std::move(at));
    const auto ys = (*session)->run(with, d.ys);
    if (!ys.ok()) return double(NAN);
    if (scale) *scale = size(*ys);
    return total(*ys);
  };

  auto with = feeds;
  with.emplace_back(d.x, x);
  std::vector<std::string> asked{d.dx};
  if (!d.indices.empty()) asked.push_back(d.indices);
  Finiteness finite;
  RunOptions watched;
  watched.controller = &finite;
  const auto gradient = (*session)->run(with, asked, {}, watched);
  if (!gradient.ok() || !finite.all) return out;  // NaN may vanish from an output (the maximum of NaN and a number), but not from the chosen index
  const Tensor& g = gradient->front();
  double symbolic = 0, terms = 0;
  const auto add = [&](double a, double b) { symbolic += a * b, terms += std::fabs(a * b); };
  if (d.indices.empty()) {
    if (!(g.shape() == x.shape()) || g.dtype() != x.dtype())
      return {true, concat("the gradient of ", d.x, " is ", g.shape().toString(), ", it is ", x.shape().toString())};
    for (int64_t i = 0; i < parts(g); ++i) add(part(g, i), part(v, i));
  } else {
    const Tensor& rows = gradient->back();
    if (x.rank() == 0 || g.rank() == 0 || x.dim(0) == 0 || g.dim(0) != rows.elements() || !isWide(g.dtype())) return out;
    const int64_t row = parts(x) / x.dim(0);
    for (int64_t i = 0; i < parts(g); ++i) {
      const int64_t to = rows.asInt(i / row);
      if (to < 0 || to >= x.dim(0)) return out;
      add(part(g, i), part(v, to * row + i % row));
    }
  }

  double scale = 0;
  const double middle = valueAt(0, &scale);
  double step = 2e-3 * largest, slope[kSteps], bend[kSteps];
  for (int k = 0; k < kSteps; ++k, step /= 2) {
    const double up = valueAt(step), down = valueAt(-step);
    slope[k] = (up - down) / (2 * step);
    bend[k] = (up - 2 * middle + down) / step;
    if (!std::isfinite(slope[k]) || !std::isfinite(bend[k])) return out;
  }
  double spread = 0, best = 0;
  for (int k = 0; k + 1 < kSteps; ++k) {
    const double better = (4 * slope[k + 1] - slope[k]) / 3;
    if (k > 0) spread = std::max(spread, std::fabs(better - best));
    best = better;
  }
  const double noise = 1e-15 * scale / step, most = std::max(std::fabs(best), std::fabs(symbolic));
  // One-sided slopes come together as the step becomes smaller, unless there is a corner.
  const bool corner = std::fabs(bend[kSteps - 1]) > 0.4 * std::fabs(bend[0]) + 10 * noise + 1e-9 * most;
  if (!std::isfinite(spread) || !std::isfinite(symbolic) || !std::isfinite(best) || corner || spread + noise > kSettled * std::fabs(best)) return out;
  out.judged = true;
  const double apart = std::fabs(symbolic - best), room = kSafety * (spread + noise) + (single ? 8 * 0x1p-23 : 1e-9) * (terms + most);
  if (!(apart <= room))
    out.wrong = concat("the gradient of ", d.ys[0], " by ", d.x, " along a direction is ", symbolic, ", differences give ", best, ", apart ", apart,
                       ", allowed ", room);
  return out;
}

}  // namespace

DerivativeCheck checkDerivatives(const Case& one) {
  DerivativeCheck all;
  for (const Derivative& d : one.derivatives) {
    DerivativeCheck c = check(one, d);
    all.judged |= c.judged;
    if (!c.wrong.empty()) return c;
  }
  return all;
}

}  // namespace weft::generated
