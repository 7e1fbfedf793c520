#pragma once

#include "outcome.h"

namespace weft::generated {

/// How exactly an op is computed: what two good implementations of it may differ by, in units of the last place.
struct Exactness {
  double ulps = 0;      ///< Of each result's own size.
  double normUlps = 0;  ///< Of the largest result: decompositions, transforms.
  bool sums = false;    ///< Adds terms up: n · eps · (largest term), of which `ulps` is the factor.
};
Exactness exactnessOf(const std::string& op);

/// How far each fetched value of a case may move when every op of it is computed as inexactly as the table allows: the case is run again
/// some times, op by op, with each result moved at random within its bound, loops and branches included, and what comes out in the end is
/// compared with `reference`. What decides (argmax, rounding to integers, branches) and came out differently is allowed to differ altogether.
class Conditioning {
 public:
  /// `otherEngine`: compared with another implementation, whose terms may be others: padding times infinity, NaN among numbers of which the largest is
  /// sought, a division of complex numbers by 0, the sign of -(0). Within this engine all of these must come out the same however a graph is run.
  Conditioning(const Case& one, const Outcome& reference, bool otherEngine = false) : case_(one), reference_(reference), otherEngine_(otherEngine) {}
  /// Computed when asked for the first time.
  std::vector<double> allowed(int step, int fetch);
  /// Whether a fetch of whole numbers, texts or truth values came out otherwise when results were moved: it hangs on rounding.
  bool unsteady(int step, int fetch);
  /// Whether the outcome as a whole (an error, a shape) hangs on rounding.
  bool unsteady();
  /// Further runs, before a difference is called one: in a few runs a result may by chance have been moved back to where it was.
  void lookCloser();

 private:
  /// Sees to it that there are at least so many runs.
  void measure(int runs);
  const Case& case_;
  const Outcome& reference_;
  const bool otherEngine_;
  std::vector<Outcome> moved_;
};

}  // namespace weft::generated
