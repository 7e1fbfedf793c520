#include "adapters/profile_coloring.h"

#include <algorithm>

#include "adapters/engine_graph.h"
#include "adapters/profile_trace.h"
#include "weft/mutex.h"
#include "weft/profile_views.h"

namespace weft::app {
namespace {

constexpr std::size_t kRemembered = 101, kEnough = 10;  // steps

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

struct SlowSteps::Kept {
  qint64 number = 0;
  std::shared_ptr<StepTrace> trace;
  double times = 0;  ///< Its duration as a multiple of the median.
};

SlowSteps::SlowSteps(double factor, int most) : factor_(factor), most_(std::size_t(most)) {}
SlowSteps::~SlowSteps() = default;

bool SlowSteps::add(const TracedSteps& steps) {
  auto graph = std::make_shared<TracedSteps>();
  graph->graph = steps.graph;
  graph->plan = steps.plan;
  graph->whyNoPlan = steps.whyNoPlan;
  from_ = std::move(graph);
  bool any = false;
  for (std::size_t i = 0; i < steps.steps.size(); ++i) {
    const double duration = double(steps.steps[i]->durationNs);
    const double usual = durations_.size() >= kEnough ? median(durations_) : 0;
    if (durations_.size() < kRemembered) durations_.push_back(duration);
    else durations_[next_++ % kRemembered] = duration;
    if (usual <= 0) continue;
    const Kept step{steps.numberOf(i), steps.steps[i], duration / usual};
    if (step.times > 0.9 && step.times < 1.1) usual_ = std::make_unique<Kept>(step);
    if (step.times <= factor_) continue;
    if (kept_.size() >= most_) {
      const auto least = std::min_element(kept_.begin(), kept_.end(), [](const Kept& a, const Kept& b) { return a.times < b.times; });
      if (least->times >= step.times) continue;
      kept_.erase(least);
    }
    kept_.push_back(step);
    any = true;
  }
  return any;
}

int SlowSteps::count() const { return int(kept_.size()); }

TracedStepsPtr SlowSteps::kept() const {
  if (kept_.empty()) return nullptr;
  auto out = std::make_shared<TracedSteps>();
  out->graph = from_->graph;
  out->plan = from_->plan;
  out->whyNoPlan = from_->whyNoPlan;
  std::int64_t at = kept_.front().trace->startUnixUs;
  for (const Kept& k : kept_) {
    auto moved = std::make_shared<StepTrace>(*k.trace);
    moved->startUnixUs = at;
    at += k.trace->durationNs / 1000 * 11 / 10 + 1;
    out->steps.push_back(std::move(moved));
    out->numbers.push_back(k.number);
  }
  return out;
}

TracedStepsPtr SlowSteps::usual() const {
  if (!usual_) return nullptr;
  auto out = std::make_shared<TracedSteps>();
  out->graph = from_->graph;
  out->plan = from_->plan;
  out->whyNoPlan = from_->whyNoPlan;
  out->steps = {usual_->trace};
  out->numbers = {usual_->number};
  return out;
}

std::shared_ptr<const widgets::TimelineData> timelineBy(const ProfileContents& profile, SliceColors colors, const TraceComparison* comparison) {
  return makeTimeline(profile.engine->trace, colors, comparison);
}

ProfileRoof machineRoof(QString* error) {
  static Mutex once;
  static ProfileRoof known WEFT_GUARDED_BY(once);
  const MutexLock lock(once);
  if (known.gflops > 0) return known;
  const auto roof = measureRoof();
  if (!roof.ok()) {
    *error = errorText(roof.error());
    return {};
  }
  known = {roof->gflopsPerSecond, roof->gigabytesPerSecond};
  return known;
}

}  // namespace weft::app
