#include "sweep/sessions.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "weft/event_plugins.h"
#include "weft/file_system.h"

namespace weft::sweep {
namespace {

// Names of event files hold whole seconds: a start or end in the same second as the run's own file could be sorted to its wrong side.
constexpr double kApart = 2;

std::optional<double> numberOf(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

bool isNumber(const SweepParameter& p) {
  return p.kind != SweepParameter::Kind::Choice ||
         std::all_of(p.choices.begin(), p.choices.end(), [](const std::string& c) { return numberOf(c).has_value(); });
}

HParamValue valueOf(const SweepParameter& p, const std::string& text) {
  const auto number = isNumber(p) ? numberOf(text) : std::nullopt;
  return number ? HParamValue(*number) : HParamValue(text);
}

bool hasEvents(const std::string& folder) {
  const auto names = posixFileSystem().list(folder);
  return names.ok() && std::any_of(names->begin(), names->end(), [](const std::string& n) { return n.find("tfevents") != n.npos; });
}

}  // namespace

Status writeExperiment(const ExperimentSweep& sweep) {
  if (hasEvents(sweep.folder)) return {};
  HParamsData data;
  data.kind = HParamsData::Kind::Experiment;
  data.description = sweep.name + " of " + fileNameOf(sweep.document);
  data.time = sweep.created;
  for (const SweepParameter& p : sweep.plan.parameters) {
    auto& h = data.hyperparameters.emplace_back();
    h.name = h.displayName = p.name;
    h.type = isNumber(p) ? HParamsData::Hyperparameter::Number : HParamsData::Hyperparameter::Text;
    if (p.kind != SweepParameter::Kind::Choice) h.range = {p.low, p.high};
    for (const std::string& choice : p.choices) h.choices.push_back(valueOf(p, choice));
  }
  data.metrics = {{"eval", "loss", "test_loss"}, {"eval", "accuracy", "test_accuracy"}, {"", "loss", "loss"}, {"", "accuracy", "accuracy"}};
  // The metric that compares runs comes first.
  std::stable_partition(data.metrics.begin(), data.metrics.end(), [&](const auto& m) { return m.displayName == sweep.plan.metric; });
  return writeHParams(sweep.folder, data, sweep.created);
}

Status writeSessionStart(const ExperimentSweep& sweep, const std::string& runFolder, const SweepPoint& point, double now) {
  HParamsData data;
  data.kind = HParamsData::Kind::SessionStart;
  data.time = now;
  for (const SweepParameter& p : sweep.plan.parameters)
    for (const auto& [name, text] : point)
      if (name == p.name) data.values.emplace_back(name, valueOf(p, text));
  return writeHParams(runFolder, data, now - kApart);
}

Status writeSessionEnd(const std::string& runFolder, ExperimentStatus status, double now) {
  HParamsData data;
  data.kind = HParamsData::Kind::SessionEnd;
  data.time = now;
  data.status = status == ExperimentStatus::Failed ? HParamsData::Failure : HParamsData::Success;
  return writeHParams(runFolder, data, now + kApart);
}

void removeCheckpoints(const std::string& runFolder) {
  FileSystem& files = posixFileSystem();
  const std::string folder = joinPath(runFolder, "checkpoints");
  const auto names = files.list(folder);
  if (!names.ok()) return;
  for (const std::string& name : *names) (void)files.remove(joinPath(folder, name)).ok();
  (void)files.remove(folder).ok();
}

}  // namespace weft::sweep
