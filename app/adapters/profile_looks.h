// Other ways to look at a trace: its slices in other colours, what the machine could do, the steps that took long.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "adapters/profile_contents.h"

namespace weft::app {

/// What the colour of a slice tells.
enum class SliceColors { Category, OpType, Scope, Device };
/// The timeline with its slices coloured so. Any thread.
std::shared_ptr<const widgets::TimelineData> timelineBy(const ProfileContents& profile, SliceColors colors);
/// The theme's category of a type of op; empty: none.
QString opCategoryOf(const QString& op);

/// What the machine that the IDE runs on reaches at best; 0: not measured.
struct ProfileRoof {
  double gflops = 0, gigabytes = 0;  ///< per second
};
/// Takes about a tenth of a second of all processors, the first time. Any thread; `error` says why it could not be measured.
ProfileRoof machineRoof(QString* error);

/// Which steps of a training took longer than others: keeps those of the slowest that took more than `factor` times the median of the steps before
/// them, and a usual one to hold them against. Not synchronized.
class SlowSteps {
 public:
  explicit SlowSteps(double factor, int most = 8);
  ~SlowSteps();

  /// Takes recorded steps in, in order. True: at least one of them was slow, and is kept.
  bool add(const TracedSteps& steps);
  int count() const;
  /// What is kept, one step after another without the time between them; null: nothing.
  TracedStepsPtr kept() const;
  /// The last step that took about as long as the median; null: none yet.
  TracedStepsPtr usual() const;

 private:
  struct Kept;
  double factor_;
  std::size_t most_;
  std::vector<double> durations_;  // of the last steps, in a ring
  std::size_t next_ = 0;
  std::vector<Kept> kept_;
  std::unique_ptr<Kept> usual_;
  TracedStepsPtr from_;  // whose graph they are of
};

}  // namespace weft::app
