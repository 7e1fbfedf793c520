// Further views of a trace: other slice colours, the machine's limits, slow steps.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "adapters/profile_contents.h"

namespace weft::app {

/// The meaning of a slice's colour.
enum class SliceColors { Category, OpType, Scope, Device, Difference };
struct TraceComparison;  // adapters/trace_answers.h
/// The timeline in these colours. `comparison`: for SliceColors::Difference, which needs it. Any thread.
std::shared_ptr<const widgets::TimelineData> timelineBy(const ProfileContents& profile, SliceColors colors, const TraceComparison* comparison = nullptr);
/// The theme's category for a type of op; empty: none.
QString opCategoryOf(const QString& op);

/// The best rates of this machine; 0: not measured.
struct ProfileRoof {
  double gflops = 0, gigabytes = 0;  ///< per second
};
/// Measures on the first call, which occupies all processors for about a tenth of a second. Any thread; `error` says why measuring failed.
ProfileRoof machineRoof(QString* error);

/// Finds the slow steps of a training: keeps the slowest ones that took more than `factor` times the median of the steps before, and a typical one for
/// comparison. Not synchronized.
class SlowSteps {
 public:
  explicit SlowSteps(double factor, int most = 8);
  ~SlowSteps();

  /// Adds recorded steps, in order. Returns whether at least one was slow and is kept.
  bool add(const TracedSteps& steps);
  int count() const;
  /// The kept steps, joined without the time between them; null: none.
  TracedStepsPtr kept() const;
  /// The last step of about median duration; null: none yet.
  TracedStepsPtr usual() const;

 private:
  struct Kept;
  double factor_;
  std::size_t most_;
  std::vector<double> durations_;  // of the last steps, in a ring buffer
  std::size_t next_ = 0;
  std::vector<Kept> kept_;
  std::unique_ptr<Kept> usual_;
  TracedStepsPtr from_;  // has the graph of the kept steps
};

}  // namespace weft::app
