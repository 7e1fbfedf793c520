#include <chrono>
#include <cmath>
#include <filesystem>

#include "weft/file_system.h"
#include "weft/sweep_runner.h"

// Sweeps on disk: their folders and names.
namespace weft {

std::string sweepFolderOf(const std::string& document) {
  std::string name = fileNameOf(document);
  for (const std::string_view end : {".gz", ".pbtxt", ".pb", ".weft", ".meta", ".h5"})
    if (name.size() > end.size() && name.ends_with(end)) name.resize(name.size() - end.size());
  return joinPath(folderOf(document), name + "-sweeps");
}

std::string experimentsFileOf(const std::string& sweepFolder) { return joinPath(sweepFolder, "experiments.sqlite"); }

Result<ExperimentSweep> beginSweep(ExperimentStore& store, const std::string& folder, const std::string& document, const SweepPlan& plan) {
  WEFT_TRY(checkPlan(plan));
  WEFT_LET(const auto before, store.sweeps());
  const auto taken = [&](const std::string& name) {
    for (const ExperimentSweep& s : before)
      if (s.name == name) return true;
    return posixFileSystem().exists(joinPath(folder, name));
  };
  int n = 1;
  while (taken("sweep-" + std::to_string(n))) ++n;
  ExperimentSweep sweep;
  sweep.name = "sweep-" + std::to_string(n);
  std::error_code ignored;
  sweep.document = document.empty() ? document : std::filesystem::absolute(document, ignored).lexically_normal().string();
  sweep.folder = std::filesystem::absolute(joinPath(folder, sweep.name), ignored).lexically_normal().string();
  sweep.created = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  sweep.plan = plan;
  WEFT_TRY(posixFileSystem().makeFolders(sweep.folder));
  WEFT_LET(sweep.id, store.addSweep(sweep));
  return sweep;
}

Result<ExperimentRecord> bestRunOf(ExperimentStore& store, const ExperimentSweep& sweep) {
  WEFT_LET(const auto table, store.table(sweep.id));
  const auto column = table->column(sweep.plan.metric);
  const ExperimentRun* best = nullptr;
  double value = std::nan("");
  for (size_t i = 0; column.ok() && i < table->runs().size(); ++i) {
    const ExperimentRun& run = table->runs()[i];
    if (run.status != ExperimentStatus::Finished && run.status != ExperimentStatus::StoppedEarly) continue;
    if (!sweep.plan.better((*column)->numbers[i], value)) continue;
    best = &run;
    value = (*column)->numbers[i];
  }
  if (!best) return notFound("no run of ", sweep.name, " has a value of ", sweep.plan.metric, " yet");
  return table->record(best->id);
}

}  // namespace weft
