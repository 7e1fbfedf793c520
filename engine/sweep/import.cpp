#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "weft/event_plugins.h"
#include "weft/events.h"
#include "weft/file_system.h"
#include "weft/sweep_runner.h"

// Runs in event files, whoever wrote them.
namespace weft {
namespace {

namespace fs = std::filesystem;
using Curves = std::map<std::string, std::vector<CurvePoint>>;

struct Found {
  ExperimentRecord record;
  Curves curves;
  bool session = false;  // hparams say what it is
};

std::string textOf(const HParamValue& value) {
  if (const double* number = std::get_if<double>(&value)) {
    char text[40];
    return std::string(text, std::to_chars(text, text + sizeof text, *number).ptr);
  }
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  return {};
}

void takeSession(const HParamsData& data, Found& found) {
  if (data.kind == HParamsData::Kind::SessionStart) {
    found.session = true;
    found.record.parameters.clear();
    for (const auto& [name, value] : data.values) found.record.parameters.emplace_back(name, textOf(value));
    found.record.run.started = data.time;
  }
  if (data.kind == HParamsData::Kind::SessionEnd) {
    found.record.run.ended = data.time;
    found.record.run.status = data.status == HParamsData::Failure ? ExperimentStatus::Failed : ExperimentStatus::Finished;
  }
}

/// Reads one event file up to its end or its damage.
Status readFile(const std::string& path, const std::string& prefix, Found& found, const std::atomic<bool>* stop) {
  WEFT_LET(const auto reader, EventReader::open(path));
  Event event;
  for (int n = 0;; ++n) {
    if (n % 1024 == 0 && stop && *stop) return cancelledError("the import was cancelled");
    const auto more = reader->next(&event);
    if (!more.ok() || !*more) return {};  // what could be read counts
    for (const SummaryValue& v : event.values) {
      if (v.plugin == "hparams") {
        if (const auto data = decodeHParams(v.pluginContent); data.ok()) takeSession(*data, found);
        continue;
      }
      double value = 0;
      if (const float* simple = std::get_if<float>(&v.value)) value = double(*simple);
      else if (const Tensor* tensor = std::get_if<Tensor>(&v.value); tensor && tensor->elements() == 1 && isNumeric(tensor->dtype()))
        value = tensor->asDouble(0);
      else continue;
      found.curves[prefix + v.tag].push_back({event.step, event.wallTime, value});
      found.record.run.step = std::max(found.record.run.step, event.step);
    }
  }
}

/// The record of a run of the IDE: its settings and its end.
void readRunRecord(const std::string& folder, Found& found) {
  const auto text = posixFileSystem().readAll(joinPath(folder, "run.json"), 1 << 24);
  const auto j = text.ok() ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
  if (!j.is_object()) return;
  if (const auto settings = j.find("settings"); settings != j.end() && settings->is_object() && !found.session)
    for (const auto& [name, value] : settings->items())
      if (value.is_string()) found.record.parameters.emplace_back(name, value.get<std::string>());
  const std::string end = j.contains("end") && j["end"].is_string() ? j["end"].get<std::string>() : std::string();
  if (end == "failed") found.record.run.status = ExperimentStatus::Failed;
  else if (end == "stopped early") found.record.run.status = ExperimentStatus::StoppedEarly;
  else if (end == "stopped" || end == "running") found.record.run.status = ExperimentStatus::Interrupted;
  if (const auto error = j.find("error"); error != j.end() && error->is_string()) found.record.run.error = error->get<std::string>();
}

}  // namespace

Result<int64_t> importRuns(ExperimentStore& store, const std::string& folder, const std::atomic<bool>* stop) {
  FileSystem& files = posixFileSystem();
  WEFT_LET(const FileInfo info, files.stat(folder));
  if (!info.isFolder) return invalidArgument("expected a folder with event files").inFile(folder);
  std::map<std::string, Found> runs;  // by folder
  std::vector<std::string> open{files.resolved(folder)};
  while (!open.empty()) {
    const std::string at = open.back();
    open.pop_back();
    if (stop && *stop) return cancelledError("the import was cancelled");
    const auto names = files.list(at);
    if (!names.ok()) continue;
    for (const std::string& name : *names) {
      const std::string path = joinPath(at, name);
      const auto entry = files.stat(path);
      if (!entry.ok()) continue;
      if (entry->isFolder) {
        open.push_back(path);
        continue;
      }
      if (name.find("tfevents") == name.npos) continue;
      const bool evaluation = fileNameOf(at) == "eval";
      Found& found = runs[evaluation ? folderOf(at) : at];
      WEFT_TRY(readFile(path, evaluation ? "test_" : "", found, stop));
    }
  }
  std::erase_if(runs, [](const auto& run) { return run.second.curves.empty() && !run.second.session; });
  if (runs.empty()) return notFound("there are no runs in event files").inFile(folder);
  const std::string root = files.resolved(folder);
  WEFT_LET(const auto before, store.sweeps());
  for (const ExperimentSweep& s : before)
    if (s.folder == root && s.document.empty()) WEFT_TRY(store.removeSweep(s.id));
  ExperimentSweep sweep;
  sweep.name = fileNameOf(root);
  sweep.folder = root;
  sweep.created = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  WEFT_LET(sweep.id, store.addSweep(sweep));
  int64_t number = 0;
  for (auto& [path, found] : runs) {
    ExperimentRun& run = found.record.run;
    run.sweep = sweep.id;
    run.number = ++number;
    run.name = path == root ? fileNameOf(root) : fs::path(path).lexically_relative(root).string();
    run.folder = path;
    if (run.status == ExperimentStatus::Waiting) run.status = ExperimentStatus::Finished;
    readRunRecord(path, found);
    WEFT_LET(const int64_t id, store.addRun(run, found.record.parameters));
    std::vector<std::pair<std::string, std::vector<CurvePoint>>> curves;
    std::vector<std::pair<std::string, double>> last;
    for (auto& [tag, points] : found.curves) {
      std::stable_sort(points.begin(), points.end(), [](const CurvePoint& a, const CurvePoint& b) { return a.step < b.step; });
      last.emplace_back(tag, points.back().value);
      curves.emplace_back(tag, std::move(points));
    }
    WEFT_TRY(store.addCurves(id, curves));
    // The present values are those of the last points.
    for (size_t i = 0; i < curves.size(); ++i)
      WEFT_TRY(store.addPoints(id, curves[i].second.back().step, curves[i].second.back().wall, {{last[i].first, last[i].second}}));
  }
  return number;
}

}  // namespace weft
