#pragma once

#include <memory>
#include <vector>

#include "weft/sweep.h"

namespace weft::sweep {

/// Regression of a metric over the points of a sweep: a Gaussian process with a Matérn 5/2 kernel, a length scale per dimension, and noise, chosen by maximum
/// likelihood. A parameter of words has one dimension per word.
class GaussianProcess {
 public:
  /// `places`: of points, as placesOf() gives them. `values`: finite. REQUIRES: as many of both, at least 2.
  GaussianProcess(const std::vector<SweepParameter>& parameters, const std::vector<std::vector<double>>& places, const std::vector<double>& values);
  ~GaussianProcess();

  struct Prediction {
    double mean = 0, deviation = 0;
  };
  Prediction at(const std::vector<double>& places) const;
  /// Adds points with values, without choosing length scales again.
  void add(const std::vector<std::vector<double>>& places, const std::vector<double>& values);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::sweep
