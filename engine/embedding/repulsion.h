#pragma once

#include <complex>
#include <vector>

#include "embedding/points.h"

namespace weft::embedding {

/// The forces of t-SNE that push all points apart, with the kernel K(d) = 1 / (1 + d²).
///
/// The push on a point is the slope of the potential Σ K(y_i - y_j), so one convolution yields both the forces and the sum that normalizes them. Points are spread as
/// cubic B-splines over a mesh, the mesh is convolved with K by Fourier transforms, and potential and slope are read with the same splines. Dividing by the splines'
/// own transform makes the interpolation exact at the nodes (as in particle-mesh Ewald summation, Essmann et al. 1995).
class Repulsion {
 public:
  explicit Repulsion(int dimensions) : dimensions_(dimensions) {}
  /// push[i] = Σ K² (y_i - y_j) over all j; returns Σ K over all pairs i ≠ j.
  double compute(const std::vector<float>& positions, std::vector<float>& push);

 private:
  void fit(const float* low, const float* high);
  void makeKernel();
  void convolve();

  int dimensions_;
  double spacing_ = 0;
  int64_t side_ = 0, padded_ = 0;    // nodes in each direction: of the mesh, and of the transform
  std::vector<float> mesh_, parts_;  // [side, side(, side)]
  std::vector<float> kernel_;        // real, [padded, …, padded / 2 + 1]
  std::vector<std::complex<float>> waves_;
  std::vector<float> potential_;
};

}  // namespace weft::embedding
