// `weft why --measure`: what recording costs a training, and how long answers take.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>

#include "cli/command.h"
#include "cli/why_report.h"
#include "weft/graph.h"

namespace weft::cli {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

double at(std::vector<double> sorted, double share) {
  return sorted.empty() ? NAN : sorted[std::min(sorted.size() - 1, size_t(share * double(sorted.size())))];
}

/// Computing time of a training's last half, in seconds per step.
Result<double> train(const MetaGraph& document, TrainOptions options, int64_t steps, int64_t record, std::unique_ptr<Trainer>* kept) {
  options.steps = steps;
  options.recording.steps = record;
  Clock::time_point begin;
  options.callbacks.step = [&](const TrainStep& s) {
    if (s.step == steps / 2) begin = Clock::now();
  };
  WEFT_LET(auto trainer, Trainer::create(document, std::move(options)));
  WEFT_TRY(trainer->run());
  const double seconds = secondsSince(begin) / double(steps - steps / 2);
  if (kept) *kept = std::move(trainer);
  return seconds;
}

}  // namespace

Result<std::string> measureWhy(const MetaGraph& document, const TrainOptions& options, int64_t steps, int64_t questions, bool json) {
  constexpr int kRounds = 3;
  double without = INFINITY, with = INFINITY;
  std::unique_ptr<Trainer> trainer;
  for (int round = 0; round < kRounds; ++round) {
    WEFT_LET(const double plain, train(document, options, steps, 0, nullptr));
    WEFT_LET(const double recorded, train(document, options, steps, 1000, &trainer));
    without = std::min(without, plain);
    with = std::min(with, recorded);
  }
  const RecordedSteps kept = trainer->recordedSteps();
  if (!kept.whyNot.empty()) return failedPrecondition(kept.whyNot);
  WEFT_LET(auto replay, trainer->replay());
  WEFT_LET(auto provenance, Provenance::create(std::move(replay), {}));
  // Elements of all tensors that the gradients pass through, and of variables, in random steps.
  std::vector<std::string> names;
  for (const AppliedGradient& g : appliedGradients(document.graph, provenance->replay().settings().trainOp)) {
    names.push_back(g.variable);
    names.push_back(g.tensor);
  }
  names.push_back(provenance->replay().settings().loss);
  std::mt19937_64 random(1);
  std::vector<double> answers, rows;
  int64_t links = 0;
  for (int64_t q = 0; q < questions && !interrupted(); ++q) {
    const std::string& name = names[size_t(random() % names.size())];
    const int64_t step = kept.first + int64_t(random() % uint64_t(kept.last - kept.first + 1));
    auto begin = Clock::now();
    WEFT_LET(const Element element, provenance->largest(name, step));
    WEFT_LET(const auto path, provenance->path(element));
    answers.push_back(secondsSince(begin));
    links += int64_t(path.size());
    if (q % 8 != 0) continue;
    begin = Clock::now();
    if (provenance->rows(element).ok()) rows.push_back(secondsSince(begin));
  }
  std::sort(answers.begin(), answers.end());
  std::sort(rows.begin(), rows.end());
  const nlohmann::json out = {{"steps", steps},
                              {"step_seconds_plain", without},
                              {"step_seconds_recorded", with},
                              {"cost_percent", 100 * (with / without - 1)},
                              {"recorded", kept.last - kept.first + 1},
                              {"copies", kept.copies},
                              {"bytes", kept.bytes},
                              {"questions", answers.size()},
                              {"links_mean", answers.empty() ? 0 : double(links) / double(answers.size())},
                              {"answer_p50", at(answers, 0.5)},
                              {"answer_p99", at(answers, 0.99)},
                              {"answer_max", answers.empty() ? NAN : answers.back()},
                              {"rows_p50", at(rows, 0.5)},
                              {"rows_max", rows.empty() ? NAN : rows.back()}};
  if (json) return out.dump() + "\n";
  std::string text;
  for (const auto& [name, value] : out.items()) text += concat(name, ": ", value.dump(), "\n");
  return text;
}

}  // namespace weft::cli
