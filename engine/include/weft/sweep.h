// The search of a sweep: its parameters, the points that it tries, and the runs that it stops early. Values only; weft/sweep_runner.h runs them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/error.h"

namespace weft {

/// Values of the parameters of one run, as text, by name.
using SweepPoint = std::vector<std::pair<std::string, std::string>>;

/// A parameter of a sweep and the values that it may take.
struct SweepParameter {
  enum class Kind { Uniform, Log, Integer, LogInteger, Choice };
  std::string name;
  Kind kind = Kind::Uniform;
  double low = 0, high = 1;          ///< Inclusive. Log: above 0.
  int gridPoints = 0;                ///< Values in a grid; 0: 5, or fewer where there are fewer integers.
  std::vector<std::string> choices;  ///< Choice: in order.

  /// The value at a place in [0, 1]: shares of the range, of its logarithm, or of the list.
  WEFT_API std::string at(double place) const;
  /// The place of a value; empty if it is not one of this parameter's.
  WEFT_API std::optional<double> placeOf(std::string_view value) const;
  /// Its values in a grid.
  WEFT_API std::vector<std::string> grid() const;
};

/// Reads "lr=log:1e-4:1e-1", "rate=uniform:0:0.5", "units=int:16:64", "units=logint:8:512", "units=choice:32,64"; a range may end with ":N", the number of
/// its values in a grid. INVALID_ARGUMENT names the text and what was expected.
WEFT_API Result<SweepParameter> sweepParameterOf(std::string_view text);
/// The inverse.
WEFT_API std::string textOf(const SweepParameter& parameter);

enum class SweepMethod { Grid, Random, Sobol, Bayesian };
/// Names on the command line: grid, random, sobol, bayesian; none, median, asha, hyperband.
WEFT_API Result<SweepMethod> sweepMethodNamed(std::string_view name);
WEFT_API std::string_view nameOf(SweepMethod method);

/// Which runs end early.
struct StopRule {
  enum class Kind {
    None,
    Median,     ///< Best value so far worse than the median of the other runs' mean values up to the same step (Golovin et al., Google Vizier, 2017).
    Asha,       ///< At steps R/eta^k only the best 1/eta of the values seen there go on (Li et al., ASHA, 2018; stopping variant).
    Hyperband,  ///< Asha, with every run in one of several brackets, which begin to stop runs at different steps (Li et al., Hyperband, 2016).
  };
  Kind kind = Kind::None;
  int eta = 3;              ///< Asha, Hyperband; at least 2.
  double firstShare = 0.1;  ///< Nothing is stopped before this share of a run's steps.
  int leastRuns = 3;        ///< Median: other runs that have reached the step.
};
WEFT_API Result<StopRule::Kind> stopRuleNamed(std::string_view name);
WEFT_API std::string_view nameOf(StopRule::Kind kind);

/// What a sweep tries, and how it compares runs.
struct SweepPlan {
  std::vector<SweepParameter> parameters;
  SweepMethod method = SweepMethod::Random;
  int runs = 0;  ///< 0: all of a grid, 16 of other methods.
  uint64_t seed = 1;
  SweepPoint fixed;       ///< Parameters with the same value in all runs, such as the epochs.
  std::string metric;     ///< Its last value compares runs.
  bool maximize = false;  ///< Whether larger values are better.
  StopRule stop;

  /// Whether `a` is better than `b`; NaN is worse than any number.
  WEFT_API bool better(double a, double b) const;
};

/// A run that was begun before, in the order of the runs.
struct SweepResult {
  SweepPoint point;
  std::optional<double> value;  ///< Of the metric; empty: still running.
  bool failed = false;          ///< It has no value, and never will.
};

/// Checks names, ranges and counts. INVALID_ARGUMENT names the parameter and what was expected.
WEFT_API Status checkPlan(const SweepPlan& plan);
/// How many runs the plan has: at most the size of a grid.
WEFT_API int64_t runsOf(const SweepPlan& plan);
/// The point of run `index` (from 0), a pure function: the same arguments give the same point on every machine. Only Bayesian search looks at `results`: a
/// Gaussian process (Matérn 5/2, a length scale per dimension by maximum likelihood) proposes the point of largest expected improvement; runs that still
/// compute count with their predicted value. Its first runs are random. Any thread; Bayesian takes up to about 1 s with 200 results.
WEFT_API SweepPoint suggestPoint(const SweepPlan& plan, int64_t index, const std::vector<SweepResult>& results = {});
/// The first `count` points of a Sobol sequence in [0, 1)^dims, shifted by `seed` (0: not shifted). REQUIRES: dims <= kMostSobolDims.
WEFT_API std::vector<std::vector<double>> sobolPoints(int dims, int64_t count, uint64_t seed);
inline constexpr int kMostSobolDims = 21;

/// Values of the metric during a run.
struct SweepCurve {
  int64_t run = 0;  ///< Index in the sweep, from 0.
  bool ended = false;
  std::vector<std::pair<int64_t, double>> points;  ///< Step, value; steps increase.
};
/// Whether run `own` should end after its last point. `others`: the curves of the other runs. `totalSteps`: of a complete run.
WEFT_API bool shouldStop(const SweepPlan& plan, const SweepCurve& own, const std::vector<SweepCurve>& others, int64_t totalSteps);

/// How much of the variance of a metric each parameter explains alone, and how much only all parameters together.
struct Importance {
  std::string parameter;
  double share = 0;        ///< 0…1: permutation importance, normalized.
  double correlation = 0;  ///< −1…1: rank correlation of ordered values; 0 for words.
};
/// Permutation importance: a Gaussian process is fitted to (point, value); a parameter's importance is how much its predictions get worse when that parameter's
/// values are shuffled among the runs, averaged over shuffles and normalized to a sum of 1. At most 300 runs are used, evenly chosen. Fewer than 4 runs, or
/// equal values: all shares are 0. Sorted, largest first. Any thread; up to some seconds.
WEFT_API std::vector<Importance> importanceOf(const std::vector<SweepParameter>& parameters, const std::vector<SweepResult>& results);

}  // namespace weft
