#include "doctor/bench.h"

#include <algorithm>
#include <sstream>

#include "tensor/value_text.h"
#include "train/setting_changes.h"
#include "train/tensor_name.h"

namespace weft::doctor {

Tensor taken(const Tensor& t, int64_t begin, int64_t count) {
  std::vector<int64_t> rows(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) rows[size_t(i)] = begin + i;
  auto out = takeRows(t, rows.data(), count);
  return out.ok() ? std::move(*out) : Tensor();
}

std::optional<Classifier> classifier(const Network& net) {
  auto out = net.settings() ? classifierOf(net.graph(), net.settings()->loss) : std::nullopt;
  if (!out || out->sparse) return out;
  // Rows of probabilities as they come in, before what only passes them on.
  const Graph& g = net.graph();
  auto at = g.findOutput(out->labels);
  for (int steps = 0; at.ok() && steps < g.size(); ++steps) {
    const Shape& s = g.shape(*at);
    if (s.hasRank() && s.rank() == 2 && s.dim(1) == out->classes) out->labels = g.tensorName(*at);
    const Node& n = *g.node(at->node);
    const OpRole r = roleOf(n);
    if (n.inputs.empty() || (r != OpRole::Identity && r != OpRole::Reshape)) break;
    at = n.inputs[0];
  }
  return out;
}

Result<std::unique_ptr<Bench>> Bench::make(const Network& net, const DoctorOptions& options) {
  auto out = std::make_unique<Bench>();
  const Graph& graph = net.graph();
  out->settings_ = *net.settings();
  TrainingSettings& settings = out->settings_;
  WEFT_LET(auto bindings, datasetBindingsOf(net.meta()));
  for (const auto& [name, text] : options.set) {
    WEFT_LET(const bool known, changeSetting(settings, bindings, name, text));
    if (known) continue;
    const auto live = std::find_if(settings.live.begin(), settings.live.end(),
                                   [&name = name](const LiveScalar& l) { return l.name == name || l.tensor == tensorName(name); });
    if (live != settings.live.end()) live->value = std::strtod(text.c_str(), nullptr);
    else settings.trainFeed[name] = text;
  }
  if (!bindings.empty()) {
    out->batchSize_ = bindings[0].batchSize;
    bindings[0].batchSize = int(std::max<int64_t>(1, options.rows));
    WEFT_LET(TrainingData data, TrainingData::load(bindings, graph, options.folder));
    out->placeholders_ = data.placeholders();
    if (data.trainingSamples() > 0) {
      WEFT_LET(out->rows_, data.batch(0, 0));
    }
    const int64_t tests = std::min(data.evaluationRows(), data.evaluationBatchSize());
    if (tests > 0) {
      WEFT_LET(out->testRows_, data.evaluationBatch(0, tests));
    }
    if (data.batchSize() < options.rows && data.batchSize() < data.trainingSamples()) out->fixedRows_ = data.batchSize();
  }
  const auto add = [&](const std::string& name, const std::string& text, std::vector<std::string>& names, std::vector<Tensor>& values) -> Status {
    const std::string tensor = tensorName(name);
    if (std::find(names.begin(), names.end(), tensor) != names.end()) return {};
    WEFT_LET(const weft::Output o, graph.findOutput(tensor));
    auto value = tensorFromText(text, baseType(graph.dtype(o)), graph.shape(o));
    if (!value.ok()) return Error(value.error()).atNode(tensor);
    names.push_back(tensor);
    values.push_back(std::move(*value));
    return {};
  };
  for (const LiveScalar& l : settings.live) {
    std::ostringstream text;
    text.precision(17);
    text << l.value;
    WEFT_TRY(add(l.tensor, text.str(), out->trainNames_, out->trainValues_));
  }
  for (const auto& [name, text] : settings.trainFeed) WEFT_TRY(add(name, text, out->trainNames_, out->trainValues_));
  for (const auto& [name, text] : settings.evalFeed) WEFT_TRY(add(name, text, out->testNames_, out->testValues_));
  if (settings.initOp.empty() && graph.find("init")) settings.initOp = "init";
  WEFT_LET(out->session_, Session::create(graph, options.session));
  out->used_ = out->session_.get();
  return out;
}

std::unique_ptr<Bench> Bench::ofProgram(const Network& net, Session* session, const std::vector<std::string>& names, std::span<const Tensor> values) {
  auto out = std::make_unique<Bench>();
  out->settings_ = *net.settings();
  out->used_ = session;
  const auto c = classifier(net);
  int64_t rows = -1;
  for (size_t i = 0; i < names.size(); ++i) {
    if (values[i].rank() == 0) continue;
    if (rows < 0 || (c && names[i] == c->labels)) rows = values[i].dim(0);
    if (c && names[i] == c->labels) break;
  }
  for (size_t i = 0; i < names.size(); ++i) {
    if (values[i].rank() == 0 || values[i].dim(0) != rows) {
      out->trainNames_.push_back(names[i]);
      out->trainValues_.push_back(values[i]);
      continue;
    }
    out->placeholders_.push_back(names[i]);
    out->rows_.push_back(values[i]);
    const auto o = net.graph().findOutput(names[i]);
    const Shape* shape = o.ok() ? &net.graph().shape(*o) : nullptr;
    if (shape && shape->hasRank() && shape->rank() > 0 && shape->dim(0) > 0) out->fixedRows_ = rows;
  }
  out->testNames_ = out->trainNames_;
  out->testValues_ = out->trainValues_;
  out->batchSize_ = std::max<int64_t>(rows, 1);
  return out;
}

int Bench::placeholder(const std::string& tensor) const {
  const auto at = std::find(placeholders_.begin(), placeholders_.end(), tensor);
  return at == placeholders_.end() ? -1 : int(at - placeholders_.begin());
}

Status Bench::initialize() {
  if (settings_.initOp.empty()) return {};
  return used_->run({}, {}, {settings_.initOp}).status();
}

Result<std::vector<Tensor>> Bench::run(const std::vector<Tensor>& rows, const std::vector<std::string>& fetches, bool training, bool train) {
  std::vector<std::pair<std::string, Tensor>> feeds;
  for (size_t i = 0; i < placeholders_.size(); ++i) feeds.emplace_back(placeholders_[i], rows[i]);
  const auto& names = training ? trainNames_ : testNames_;
  const auto& values = training ? trainValues_ : testValues_;
  for (size_t i = 0; i < names.size(); ++i) feeds.emplace_back(names[i], values[i]);
  return used_->run(feeds, fetches, train ? std::vector<std::string>{settings_.trainOp} : std::vector<std::string>());
}

std::vector<Tensor> Bench::slice(int64_t begin, int64_t count) const {
  std::vector<Tensor> out;
  for (const Tensor& t : rows_) out.push_back(taken(t, begin, count));
  return out;
}

}  // namespace weft::doctor
