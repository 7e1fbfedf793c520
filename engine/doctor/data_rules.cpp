// Rules on the data that a training is fed with.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "doctor/bench.h"
#include "weft/tensor_statistics.h"

namespace weft::doctor {
namespace {

constexpr double kMostValue = 20, kMostMean = 4, kMostDeviation = 3;  // beyond, values are not scaled
constexpr double kLeastEvenness = 0.5;                                // of classes: perplexity over their number
constexpr double kMostShared = 0.01;                                  // of test rows
constexpr size_t kFewValues = 8;                                      // a column with no more tells little
constexpr int64_t kTelling = 8;                                       // columns that tell rows apart
constexpr int kBins = 24;

bool isFloat(DType t) { return t == DType::Float || t == DType::Double || t == DType::Half || t == DType::BFloat16; }

void notFinite(const std::string& name, const Tensor& t, std::vector<DoctorFinding>& out) {
  const TensorStatistics s = statisticsOf(t);
  if (s.nans + s.infinities() == 0) return;
  const int64_t rows = t.dim(0), width = t.elements() / std::max<int64_t>(1, rows);
  std::unordered_set<int64_t> bad;
  for (const int64_t at : nonFinitePositions(t, size_t(t.elements()))) bad.insert(at / std::max<int64_t>(1, width));
  out.push_back(finding("data-not-finite", name.substr(0, name.find(':')),
                        {name, number(double(s.nans + s.infinities())), number(double(bad.size())), number(double(rows))}));
}

void notScaled(const std::string& name, const Tensor& t, std::vector<DoctorFinding>& out) {
  const TensorStatistics s = statisticsOf(t);
  if (s.finite() == 0 || (s.absMax() <= kMostValue && std::abs(s.mean) <= kMostMean)) return;
  if (std::abs(s.mean) <= kMostMean && s.std <= kMostDeviation && s.absMax() <= 10 * kMostDeviation) return;  // standardized, with a few far rows
  DoctorFinding f = finding("data-not-scaled", name.substr(0, name.find(':')), {name, number(s.min), number(s.max), number(s.mean), number(s.std)});
  f.evidence = DoctorFinding::Evidence::Histogram;
  for (const int64_t n : histogramOf(t, s, kBins)) f.values.push_back(double(n));
  f.from = s.min;
  f.to = s.max;
  out.push_back(std::move(f));
}

void constantFeatures(const std::string& name, const Tensor& t, std::vector<DoctorFinding>& out) {
  if (t.rank() != 2 || t.dim(0) < 8 || t.dim(1) < 2) return;
  const int64_t rows = t.dim(0), width = t.dim(1);
  int64_t constant = 0, first = -1;
  for (int64_t c = 0; c < width; ++c) {
    bool same = true;
    for (int64_t r = 1; r < rows && same; ++r) same = t.asDouble(r * width + c) == t.asDouble(c);
    if (!same || t.asDouble(c) == 0) continue;  // the border of pictures is 0
    if (constant++ == 0) first = c;
  }
  if (constant > 0)
    out.push_back(finding("constant-feature", name.substr(0, name.find(':')),
                          {number(double(constant)), number(double(width)), name, number(double(first)), number(t.asDouble(first))}));
}

void classes(const Classifier& c, const std::string& name, const Tensor& t, std::vector<DoctorFinding>& out) {
  const std::vector<int64_t> labels = labelsOf(c, t);
  if (labels.size() < 8) return;
  const std::string node = name.substr(0, name.find(':'));
  std::map<int64_t, int64_t> counts;
  for (const int64_t l : labels) ++counts[l];
  for (const auto& [label, n] : counts) {
    if (label >= 0 && label < c.classes) continue;
    out.push_back(finding("labels-out-of-range", node, {name, number(double(label)), number(double(c.classes)), number(double(c.classes - 1))}));
    break;
  }
  if (counts.size() == 1) {
    out.push_back(finding("constant-labels", node, {name, number(double(counts.begin()->first))}));
    return;
  }
  // Too few rows to say; or a label for each letter of a text.
  if (c.classes > 200 || int64_t(labels.size()) < 8 * c.classes || int64_t(labels.size()) != t.dim(0)) return;
  double entropy = 0;
  int64_t most = 0, least = INT64_MAX;
  for (int64_t k = 0; k < c.classes; ++k) {
    const int64_t n = counts.contains(k) ? counts[k] : 0;
    most = std::max(most, n);
    least = std::min(least, n);
    const double p = double(n) / double(labels.size());
    if (p > 0) entropy -= p * std::log(p);
  }
  if (std::exp(entropy) / double(c.classes) >= kLeastEvenness) return;
  DoctorFinding f = finding("classes-unbalanced", node, {name, number(double(most)), number(double(labels.size())), number(double(least))});
  f.evidence = DoctorFinding::Evidence::Bars;
  for (int64_t k = 0; k < c.classes; ++k) f.values.push_back(double(counts.contains(k) ? counts[k] : 0));
  f.to = double(c.classes);
  out.push_back(std::move(f));
}

/// Rows of labels that are no probabilities of classes.
void notProbabilities(const Classifier& c, const std::string& name, const Tensor& t, std::vector<DoctorFinding>& out) {
  if (c.sparse || t.rank() != 2 || t.dim(1) != c.classes || !isFloat(t.dtype())) return;
  for (int64_t r = 0; r < t.dim(0); ++r) {
    double sum = 0, least = 0;
    for (int64_t k = 0; k < c.classes; ++k) {
      sum += t.asDouble(r * c.classes + k);
      least = std::min(least, t.asDouble(r * c.classes + k));
    }
    if (least >= 0 && std::abs(sum - 1) < 0.02) continue;
    out.push_back(finding("labels-not-probabilities", name.substr(0, name.find(':')), {name, number(double(r)), number(sum), number(least)}));
    return;
  }
}

/// Whether a tensor goes into a layer; targets of a regression do not.
bool feedsLayer(const Network& net, const std::string& tensor) {
  const auto o = net.graph().findOutput(tensor);
  if (!o.ok()) return false;
  std::vector<char> seen(size_t(net.graph().size()), 0);
  std::vector<int> queue = net.readers(o->node);
  while (!queue.empty()) {
    const int id = queue.back();
    queue.pop_back();
    if (!net.isForward(id) || std::exchange(seen[size_t(id)], 1)) continue;
    const Node& n = *net.graph().node(id);
    if (isLayer(net, n)) return true;
    // Numbers of words and classes choose rows.
    if (roleOf(n) == OpRole::Cast && isInteger(baseType(net.graph().dtype({id, 0})))) continue;
    queue.insert(queue.end(), net.readers(id).begin(), net.readers(id).end());
  }
  return false;
}

/// The bytes of a row of the tensors that are not labels.
std::string rowBytes(const std::vector<Tensor>& rows, const std::vector<size_t>& inputs, int64_t r) {
  std::string out;
  for (const size_t i : inputs) {
    const Tensor& t = rows[i];
    const size_t bytes = t.bytes() / size_t(std::max<int64_t>(1, t.dim(0)));
    out.append(static_cast<const char*>(t.raw()) + size_t(r) * bytes, bytes);
  }
  return out;
}

/// Columns of more than a few values.
int64_t tellingColumns(const Tensor& t) {
  const int64_t rows = t.dim(0), width = t.elements() / std::max<int64_t>(1, rows);
  int64_t out = 0;
  for (int64_t c = 0; c < width; ++c) {
    std::unordered_set<double> values;
    for (int64_t r = 0; r < rows && values.size() <= kFewValues; ++r) values.insert(t.asDouble(r * width + c));
    out += values.size() > kFewValues;
  }
  return out;
}

void shared(const Bench& bench, const std::vector<size_t>& inputs, std::vector<DoctorFinding>& out) {
  if (inputs.empty() || bench.testRows().empty()) return;
  // Rows of few different values are equal by chance.
  int64_t telling = 0;
  for (const size_t i : inputs) telling += tellingColumns(bench.rows()[i]);
  if (telling < kTelling) return;
  std::unordered_set<std::string> known;
  for (int64_t r = 0; r < bench.count(); ++r) known.insert(rowBytes(bench.rows(), inputs, r));
  const int64_t tests = bench.testRows()[0].dim(0);
  int64_t same = 0;
  for (int64_t r = 0; r < tests; ++r) same += known.contains(rowBytes(bench.testRows(), inputs, r));
  if (double(same) <= kMostShared * double(tests) || same < 2) return;
  const std::string name = bench.placeholders()[inputs[0]];
  out.push_back(finding("test-rows-in-training", name.substr(0, name.find(':')),
                        {number(std::round(1000.0 * double(same) / double(tests)) / 10), number(double(same)), number(double(tests))}));
}

}  // namespace

std::vector<int64_t> labelsOf(const Classifier& c, const Tensor& t) {
  std::vector<int64_t> out;
  const int64_t rows = t.rank() > 0 ? t.dim(0) : 0;
  if (c.sparse) {
    for (int64_t i = 0; i < t.elements(); ++i) out.push_back(int64_t(t.asDouble(i)));
    return out;
  }
  if (t.rank() != 2 || t.dim(1) != c.classes) return out;
  for (int64_t r = 0; r < rows; ++r) {
    int64_t best = 0;
    for (int64_t k = 1; k < c.classes; ++k)
      if (t.asDouble(r * c.classes + k) > t.asDouble(r * c.classes + best)) best = k;
    out.push_back(best);
  }
  return out;
}

bool isFatalToRuns(const DoctorFinding& f) {
  const std::string_view code = f.rule->code;
  return code == "labels-out-of-range" || code == "labels-not-probabilities" || code == "data-not-finite";
}

void readData(const Network& net, const Bench& bench, std::vector<DoctorFinding>& out) {
  const auto c = classifier(net);
  const int labels = c ? bench.placeholder(c->labels) : -1;
  std::vector<size_t> inputs;
  for (size_t i = 0; i < bench.rows().size(); ++i) {
    const std::string& name = bench.placeholders()[i];
    const Tensor& t = bench.rows()[i];
    if (t.rank() == 0 || t.elements() == 0 || t.dtype() == DType::String) continue;
    if (int(i) == labels) {
      notProbabilities(*c, name, t, out);
      classes(*c, name, t, out);
      continue;
    }
    inputs.push_back(i);
    if (!isFloat(t.dtype())) continue;
    notFinite(name, t, out);
    // A column of single numbers is what a regression is to predict.
    if (t.elements() == t.dim(0)) continue;
    if (feedsLayer(net, name)) notScaled(name, t, out);
    constantFeatures(name, t, out);
  }
  if (labels >= 0) shared(bench, inputs, out);
  readTargets(net, bench, out);
}

}  // namespace weft::doctor
