// What a program's steps are fed, and the rules before its first step.
#include "doctor/program_data.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <string_view>

#include "doctor/bench.h"

namespace weft::doctor {
namespace {

constexpr int64_t kRows = 512, kSteps = 64;  // that are looked at, whichever comes first
constexpr size_t kBytes = 64 << 20;
constexpr int64_t kLeastRows = 64;                                        // for features that never change
constexpr size_t kRemembered = 32;                                        // steps
constexpr int64_t kSameSteps = 20;                                        // fed with the same rows
constexpr int64_t kManyMore = 4;                                          // rows, of those of most steps
constexpr size_t kMostSizes = 4;                                          // numbers of rows
constexpr int64_t kSpreads = 8, kSpreadElements = 4096, kSpreadRows = 8;  // batches; of one; of one
constexpr double kSpreadLeast = 256, kOtherScale = 8;                     // values; times the deviation
constexpr int64_t kLooks = 64;                                            // elements of a tensor in a fingerprint

/// One tensor of the rows of several; no value: there are none.
Tensor stacked(const std::vector<Tensor>& parts) {
  if (parts.empty()) return {};
  if (parts.size() == 1) return parts[0];
  int64_t rows = 0;
  for (const Tensor& t : parts) rows += t.dim(0);
  std::vector<int64_t> dims;
  for (int d = 0; d < parts[0].rank(); ++d) dims.push_back(d == 0 ? rows : parts[0].dim(d));
  Tensor out = Tensor::zeros(parts[0].dtype(), Shape(dims));
  char* at = static_cast<char*>(out.mutableRaw());
  for (const Tensor& t : parts) {
    std::memcpy(at, t.raw(), t.bytes());
    at += t.bytes();
  }
  return out;
}

bool hasPlainRows(const Tensor& t);
/// Whether it is compared in training and in tests: numbers of several rows.
bool hasSpread(const Tensor& t) { return hasPlainRows(t) && isFloating(t.dtype()) && t.dim(0) >= kSpreadRows; }

int64_t rowsOf(std::span<const Tensor> values) {
  const auto first = std::find_if(values.begin(), values.end(), hasPlainRows);
  return first == values.end() ? 0 : first->dim(0);
}

bool hasPlainRows(const Tensor& t) { return t.rank() > 0 && t.elements() > 0 && t.dtype() != DType::String && t.bytes() > 0; }

}  // namespace

void ProgramData::choose(const std::function<bool(int)>& computes) {
  const Graph& g = net_.graph();
  std::set<Output> seen;
  const auto add = [&](Output o) {
    if (computes(o.node) && isNumeric(baseType(g.dtype(o))) && seen.insert(o).second) tensors_.push_back(g.tensorName(o));
  };
  if (const auto c = classifier(net_))
    if (const auto o = g.findOutput(c->labels); o.ok() && !isFeedPoint(*g.node(o->node))) add(*o);
  for (const int id : net_.forward())
    for (const Output o : g.node(id)->inputs) {
      const OpRole from = roleOf(*g.node(o.node));
      if (from == OpRole::IteratorGetNext || from == OpRole::Dequeue) add(o);
    }
}

void ProgramData::examine(Session& session, const std::vector<std::string>& names, std::span<const Tensor> values, double most, const Report& report) {
  mostSeconds_ = most;
  std::vector<DoctorFinding> found;
  readStructure(net_, found);
  // What else the program runs is known at its end.
  std::erase_if(found, [](const DoctorFinding& f) {
    const std::string_view code = f.rule->code;
    return code == "updates-not-run" || code == "global-step-stays";
  });
  const auto bench = Bench::ofProgram(net_, &session, names, values);
  readInitialWeights(net_, *bench, found);
  alike_ = std::any_of(found.begin(), found.end(), [](const DoctorFinding& f) { return std::string_view(f.rule->code) == "constant-weights"; });
  if (bench->count() > 0) {
    std::vector<DoctorFinding> data;
    readData(net_, *bench, data);
    // The other rules need more rows.
    std::erase_if(data, [](const DoctorFinding& f) { return !isFatalToRuns(f); });
    const bool runs = data.empty();
    found.insert(found.end(), data.begin(), data.end());
    if (runs && tensors_.empty()) forward(session, names, values, [&](DoctorFinding f) { found.push_back(std::move(f)); });
  }
  for (DoctorFinding& f : found) report(std::move(f));
}

void ProgramData::forward(Session& session, const std::vector<std::string>& names, std::span<const Tensor> values, const Report& report) {
  if (std::exchange(tried_, true)) return;
  std::vector<std::string> fetched;
  if (!net_.settings()->loss.empty()) fetched.push_back(net_.settings()->loss);
  if (const std::string output = outputOf(net_); !output.empty()) fetched.push_back(output);
  if (fetched.empty() || !isRepeatable(net_, fetched, names)) return;
  const auto bench = Bench::ofProgram(net_, &session, names, values);
  const auto begin = std::chrono::steady_clock::now();
  const auto first = bench->run(bench->rows(), fetched, true);
  if (!first.ok() || std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > mostSeconds_) return;
  std::vector<DoctorFinding> found;
  // An error is the program's own, which its step will raise.
  if (!readForward(net_, *bench, found).ok()) return;
  // Where all weights of a layer are alike, that is what has to be said.
  if (alike_) std::erase_if(found, [](const DoctorFinding& f) { return std::string_view(f.rule->code) == "ignores-input"; });
  for (DoctorFinding& f : found) report(std::move(f));
}

void ProgramData::collect(Session& session, const std::vector<std::string>& names, const std::vector<Tensor>& values, const Report& report) {
  ++steps_;
  const auto bench = Bench::ofProgram(net_, &session, names, values);
  if (!tensors_.empty() && bench->count() > 0) forward(session, names, values, report);
  const int64_t rows = std::min(bench->count(), kRows - rows_);
  for (size_t i = 0; i < bench->rows().size() && rows > 0; ++i) {
    const Tensor& t = bench->rows()[i];
    if (!hasPlainRows(t)) continue;
    Column& column = columns_[bench->placeholders()[i]];
    column.fits = column.fits && (column.parts.empty() || (column.parts[0].rank() == t.rank() && column.parts[0].dtype() == t.dtype()));
    for (int d = 1; d < t.rank() && column.fits && !column.parts.empty(); ++d) column.fits = column.parts[0].dim(d) == t.dim(d);
    if (!column.fits) continue;
    column.parts.push_back(taken(t, 0, rows));
    bytes_ += column.parts.back().bytes();
  }
  rows_ += rows;
  if (rows_ >= kRows || steps_ >= kSteps || bytes_ >= kBytes) judge(report);
}

void ProgramData::remember(const std::vector<std::string>& names, std::span<const Tensor> values, const Report& report) {
  if (auto f = memory_.step(names, {values.begin(), values.end()})) report(std::move(*f));
}

void ProgramData::trainedOn(const std::vector<std::string>& names, std::span<const Tensor> values) {
  const uint64_t print = fingerprint(names, {values.begin(), values.end()});
  if (sameSteps_ == 0 && print != 0) {
    sameRows_ = rowsOf(values);
    fed_ = names;
  }
  // Other rows once, and that is settled.
  if (print == 0 || (!trained_.empty() && print != trained_.back())) sameRows_ = 0;
  ++sameSteps_;
  // Later steps may have other values, as of a series that grows.
  if (sameSteps_ <= kSpreads || std::has_single_bit(uint64_t(sameSteps_)))
    for (size_t i = 0; i < names.size(); ++i)
      if (hasSpread(values[i])) spreads_[names[i]].first.add(values[i]);
  if (sizes_.size() <= kMostSizes) {
    Size& size = sizes_[rowsOf(values)];
    if (++size.steps == 1) size.first = print;
    else size.again = size.again || (print != 0 && size.first == print);
  }
  trained_.push_back(print);
  if (trained_.size() > kRemembered) trained_.erase(trained_.begin());
}

void ProgramData::tested(const std::vector<std::string>& names, std::span<const Tensor> values) {
  for (size_t i = 0; i < names.size(); ++i)
    if (const auto s = spreads_.find(names[i]); s != spreads_.end() && s->second.second.batches < kSpreads && hasSpread(values[i]))
      s->second.second.add(values[i]);
  if (sameRows_ == 0) return;
  // Scalars, such as a dropout's rate, need not be the same.
  const bool same = std::all_of(fed_.begin(), fed_.end(), [&](const std::string& n) {
    const auto o = net_.graph().findOutput(n);
    const Shape* s = o.ok() ? &net_.graph().shape(*o) : nullptr;
    return (s && s->hasRank() && s->rank() == 0) || std::find(names.begin(), names.end(), n) != names.end();
  });
  if (same) otherRows_ = std::max(otherRows_, rowsOf(values));
}

void ProgramData::Spread::add(const Tensor& t) {
  const int64_t every = std::max<int64_t>(1, t.elements() / kSpreadElements);
  double count = 0, sum = 0, squares = 0;
  for (int64_t i = 0; i < t.elements(); i += every) {
    const double v = t.asDouble(i);
    if (!std::isfinite(v)) continue;
    ++count;
    sum += v;
    squares += v * v;
  }
  if (count < kSpreadLeast) return;
  ++batches;
  mean = sum / count;
  const double deviation = std::sqrt(std::max(0., squares / count - mean * mean));
  lowest = std::min(lowest, mean);
  highest = std::max(highest, mean);
  narrowest = std::min(narrowest, deviation);
  widest = std::max(widest, deviation);
}

void ProgramData::readSpreads(const Report& report) const {
  const std::string output = outputOf(net_);
  for (const auto& [name, both] : spreads_) {
    const auto& [training, tests] = both;
    if (output.empty() || training.batches < 2 || tests.batches == 0 || training.narrowest <= 0 || tests.narrowest <= 0 || !net_.leadsTo(name, output))
      continue;
    const double beyond = std::max({0., tests.lowest - training.highest, training.lowest - tests.highest});
    // Batches of a series that grows lie apart.
    const double width = training.widest + training.highest - training.lowest, testWidth = tests.widest + tests.highest - tests.lowest;
    if (tests.narrowest < kOtherScale * width && training.narrowest < kOtherScale * testWidth && beyond < kOtherScale * width) continue;
    return report(finding("tests-scaled-otherwise", name.substr(0, name.find(':')),
                          {name, number(training.mean), number(training.widest), number(tests.mean), number(tests.widest)}));
  }
}

void ProgramData::readSizes(const Report& report) const {
  if (sizes_.size() > kMostSizes) return;  // rows come as they come
  const auto usual = std::max_element(sizes_.begin(), sizes_.end(), [](const auto& a, const auto& b) { return a.second.steps < b.second.steps; });
  if (usual == sizes_.end() || usual->first <= 0 || usual->second.steps * 10 < sameSteps_ * 8) return;
  const auto& [rows, large] = *sizes_.rbegin();
  if (rows >= kManyMore * usual->first && large.again)
    report(finding("tests-train", {}, {number(double(large.steps)), number(double(rows)), number(double(usual->first))}));
}

void ProgramData::finish(const Report& report) {
  readSpreads(report);
  readSizes(report);
  if (sameRows_ > 0 && sameSteps_ >= kSameSteps && otherRows_ >= 2 * sameRows_)
    report(finding("batch-stays", {}, {number(double(sameSteps_)), number(double(sameRows_)), number(double(otherRows_))}));
  if (wants_) judge(report);
}

void ProgramData::judge(const Report& report) {
  wants_ = false;
  std::vector<std::string> names;
  std::vector<Tensor> values;
  for (auto& [name, column] : columns_) {
    if (!column.fits || column.parts.empty()) continue;
    names.push_back(name);
    values.push_back(stacked(column.parts));
  }
  columns_.clear();
  std::vector<DoctorFinding> found;
  readData(net_, *Bench::ofProgram(net_, nullptr, names, values), found);
  for (DoctorFinding& f : found)
    if (rows_ >= kLeastRows || std::string_view(f.rule->code) != "constant-feature") report(std::move(f));
}

uint64_t ProgramData::fingerprint(const std::vector<std::string>& names, std::span<const Tensor> values) const {
  uint64_t out = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    const Tensor& t = values[i];
    if (!hasPlainRows(t)) continue;
    out = (out ^ uint64_t(t.elements())) * 0x9E3779B97F4A7C15u + 1;
    const int64_t every = std::max<int64_t>(1, t.elements() / kLooks);
    for (int64_t k = 0; k < t.elements(); k += every) {
      const double v = t.asDouble(k);
      uint64_t bits;
      std::memcpy(&bits, &v, sizeof bits);
      out = (out ^ bits) * 0x9E3779B97F4A7C15u + 1;
    }
  }
  return out;
}

bool ProgramData::wasTrainedOn(uint64_t print) const { return std::find(trained_.begin(), trained_.end(), print) != trained_.end(); }

}  // namespace weft::doctor
