#pragma once

#include "outcome.h"

namespace weft::generated {

/// The accuracy of an op: by how many units in the last place two good implementations may differ.
struct Exactness {
  double ulps = 0;      ///< Of each result's own size.
  double normUlps = 0;  ///< Of the largest result: decompositions, transforms.
  bool sums = false;    ///< Adds terms up: n · eps · (largest term), of which `ulps` is the factor.
};
Exactness exactnessOf(const std::string& op);

/// How far each fetched value of a case may deviate when every op is computed as inexactly as the table allows. The case is rerun several times op by op, loops
/// and branches included, with each result perturbed at random within its bound, and the final values are compared with `reference`. Discrete results (argmax,
/// rounding to integers, branches) that changed may differ arbitrarily.
class Conditioning {
 public:
  /// `otherEngine`: the comparison is with another implementation, which may use other terms: padding times infinity, NaN in a maximum, complex division by 0,
  /// the sign of -(0). Within this engine all of these must be equal however a graph is run.
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
  /// Ensures that there are at least this many runs.
  void measure(int runs);
  const Case& case_;
  const Outcome& reference_;
  const bool otherEngine_;
  std::vector<Outcome> moved_;
};

}  // namespace weft::generated
