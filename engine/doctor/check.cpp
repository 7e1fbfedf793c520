// A document examined before its first step, and fixes tried on copies.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "doctor/bench.h"
#include "doctor/remedies.h"

namespace weft {

using doctor::Bench;
using doctor::Network;

namespace {

constexpr int64_t kTrySteps = 60;

/// The loss after a few steps on the training data.
Result<double> lossAfter(const Network& net, const DoctorOptions& options, const std::vector<std::pair<std::string, std::string>>& set) {
  DoctorOptions own = options;
  for (const auto& [name, value] : set) {
    std::erase_if(own.set, [&, n = name](const auto& wished) { return wished.first == n; });
    own.set.emplace_back(name, value);
  }
  WEFT_LET(const auto bench, Bench::make(net, own));
  WEFT_TRY(bench->initialize());
  const int64_t rows = bench->fixedRows() > 0 ? bench->fixedRows() : std::min(bench->count(), bench->batchSize());
  double sum = 0;
  int64_t counted = 0;
  for (int64_t step = 0; step < kTrySteps; ++step) {
    const int64_t begin = bench->count() > rows ? step * rows % (bench->count() - rows + 1) : 0;
    WEFT_LET(const auto values, bench->run(bench->slice(begin, rows), {bench->settings().loss}, true, true));
    if (step < kTrySteps - 10) continue;
    sum += values[0].asDouble(0);
    ++counted;
  }
  return sum / double(std::max<int64_t>(1, counted));
}

/// The loss after the same steps with a change, on a copy.
Result<double> lossWith(const Network& net, const MetaGraph& document, const DoctorOptions& options, const DoctorFix& fix) {
  if (!fix.setting.empty()) return lossAfter(net, options, {{fix.setting, fix.value}});
  LoadedGraph before;
  before.meta = document;
  WEFT_LET(EditedGraph edited, runGraphCommand(before, fix.command));
  return lossAfter(Network(edited.graph.meta), options, {});
}

}  // namespace

Result<std::vector<DoctorFinding>> doctorBeforeTraining(const MetaGraph& document, const DoctorOptions& options) {
  const Network net(document);
  std::vector<DoctorFinding> out;
  doctor::readStructure(net, out);
  if (!net.settings()) return out;
  const auto goesOn = [&](double share) { return !options.progress || options.progress(share); };
  WEFT_LET(const auto bench, Bench::make(net, options));
  if (!goesOn(0.1)) return cancelledError("the examination was cancelled");
  doctor::readData(net, *bench, out);
  if (!goesOn(0.2)) return cancelledError("the examination was cancelled");
  // Labels that are no class make every run fail.
  const bool runs = std::none_of(out.begin(), out.end(), [](const DoctorFinding& f) { return std::string_view(f.rule->code) == "labels-out-of-range"; });
  if (runs) WEFT_TRY(doctor::readFirstSteps(net, *bench, options, out));
  if (options.triesFixes && !net.settings()->loss.empty()) {
    std::optional<Result<double>> without;
    for (DoctorFinding& f : out) {
      for (DoctorFix& fix : doctor::remediesOf(net, f)) {
        if (!goesOn(0.95)) return cancelledError("the examination was cancelled");
        if (!without) without = lossAfter(net, options, {});
        const auto with = lossWith(net, document, options, fix);
        if (!with.ok()) continue;
        fix.tried = true;
        fix.steps = kTrySteps;
        fix.lossWithout = without->ok() ? **without : INFINITY;
        fix.lossWith = *with;
        if (fix.helps() && (!f.fix || fix.lossWith < f.fix->lossWith)) f.fix = std::move(fix);
      }
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const DoctorFinding& a, const DoctorFinding& b) { return a.rule->weight > b.rule->weight; });
  return out;
}

}  // namespace weft
