#pragma once

#include "outcome.h"

namespace weft::generated {

/// The accuracy of an op: how much two good implementations may differ, in units in the last place.
struct Exactness {
  double ulps = 0;      ///< Relative to each result.
  double normUlps = 0;  ///< Relative to the largest result: decompositions, transforms.
  bool sums = false;    ///< A sum: `ulps` scales n · eps · (largest term).
};
Exactness exactnessOf(const std::string& op);

/// How far each fetched value of a case may move when every op of it is computed as inexactly as the table allows: the case is run again
/// several times, op by op, with each result moved at random within its bound, loops and branches included, and the final values are
/// compared with `reference`. Discrete results (argmax, rounding to integers, branches) that changed may differ arbitrarily.
class Conditioning {
 public:
  /// `otherEngine`: the comparison is with another implementation, which may differ in padding times infinity, the maximum of numbers with NaN,
  /// complex division by 0, and the sign of -(0). Within this engine these must be the same however a graph is run.
  Conditioning(const Case& one, const Outcome& reference, bool otherEngine = false) : case_(one), reference_(reference), otherEngine_(otherEngine) {}
  /// Computed when asked for the first time.
  std::vector<double> allowed(int step, int fetch);
  /// Whether a fetch of integers, strings or bools depends on rounding: it changed when results were moved.
  bool unsteady(int step, int fetch);
  /// Whether the outcome as a whole (an error, a shape) depends on rounding.
  bool unsteady();
  /// Makes further runs to confirm a difference: in few runs a result may by chance return to its original value.
  void lookCloser();

 private:
  /// Runs until there are at least that many runs.
  void measure(int runs);
  const Case& case_;
  const Outcome& reference_;
  const bool otherEngine_;
  std::vector<Outcome> moved_;
};

}  // namespace weft::generated
