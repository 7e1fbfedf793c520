#include "embedding/repulsion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "device/cpu/fourier.h"
#include "device/cpu/pieces.h"

namespace weft::embedding {
namespace {

constexpr double kWidestSpacing = 0.5;  // the kernel's width is 1
constexpr double kFewestCells = 50;
constexpr int64_t kParts = 4;  // a fixed number: sums do not depend on the number of threads
constexpr int64_t kLargestSide[] = {0, 0, 1200, 128};

/// The next even number without prime factors above 5.
int64_t smooth(int64_t n) {
  for (n += n % 2;; n += 2) {
    int64_t rest = n;
    for (const int p : {2, 3, 5})
      while (rest % p == 0) rest /= p;
    if (rest == 1) return n;
  }
}

/// The transform of the splines' values 1/6, 4/6, 1/6 at the nodes.
double splineTransform(int64_t wave, int64_t n) { return (4 + 2 * std::cos(2 * std::numbers::pi * double(wave) / double(n))) / 6; }

}  // namespace

void Repulsion::fit(const float* low, const float* high) {
  double range = 1e-12;
  for (int d = 0; d < dimensions_; ++d) range = std::max(range, double(high[d]) - low[d]);
  // Steps of the spacing: the kernel is made again only when it changes.
  double spacing = kWidestSpacing;
  while (range / spacing < kFewestCells) spacing *= 0.75;
  const double mostCells = double(kLargestSide[dimensions_] - 6);
  while (range / spacing > mostCells) spacing *= 1.1;
  const int64_t side = int64_t(std::ceil(range / spacing)) + 5;
  if (spacing == spacing_ && side <= side_) return;
  spacing_ = spacing;
  padded_ = smooth(2 * side);
  side_ = padded_ / 2;
  makeKernel();
}

void Repulsion::makeKernel() {
  const int64_t n = padded_, half = n / 2 + 1, planes = dimensions_ == 3 ? n : 1;
  std::vector<float> samples(size_t(planes * n * n));
  const auto squareOf = [&](int64_t i) {
    const double d = double(std::min(i, n - i)) * spacing_;
    return d * d;
  };
  parallelFor(planes * n, 8, [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      const double other = squareOf(line % n) + (dimensions_ == 3 ? squareOf(line / n) : 0);
      for (int64_t x = 0; x < n; ++x) samples[size_t(line * n + x)] = float(1 / (1 + other + squareOf(x)));
    }
  });
  waves_.resize(size_t(planes * n * half));
  using Kind = cpu::FourierKind;
  cpu::transformLines({Kind::FromReal, false, n, planes * n, planes * n, n, {0, n, 1}, {0, half, 1}}, false, samples.data(), waves_.data());
  cpu::transformLines({Kind::Complex, false, n, planes * half, half, n, {n * half, 1, half}, {n * half, 1, half}}, false, waves_.data(), waves_.data());
  if (dimensions_ == 3)
    cpu::transformLines({Kind::Complex, false, n, n * half, n * half, n, {0, 1, n * half}, {0, 1, n * half}}, false, waves_.data(), waves_.data());
  std::vector<double> spline(static_cast<size_t>(n));
  for (int64_t k = 0; k < n; ++k) spline[size_t(k)] = splineTransform(k, n);
  kernel_.resize(waves_.size());
  parallelFor(planes * n, 8, [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      const double other = spline[size_t(line % n)] * (dimensions_ == 3 ? spline[size_t(line / n)] : 1);
      for (int64_t x = 0; x < half; ++x) {
        const double s = other * spline[size_t(x)];
        kernel_[size_t(line * half + x)] = float(waves_[size_t(line * half + x)].real() / (s * s));  // the kernel is even, so its transform is real
      }
    }
  });
}

void Repulsion::convolve() {
  const int64_t n = padded_, side = side_, half = n / 2 + 1, planes = dimensions_ == 3 ? side : 1, plane = n * half;
  using Kind = cpu::FourierKind;
  const cpu::FourierPlaces lines{plane, half, 1}, columns{plane, 1, half}, depths{0, 1, plane}, meshLines{side * side, side, 1};
  cpu::transformLines({Kind::FromReal, false, n, planes * side, side, side, meshLines, lines}, false, mesh_.data(), waves_.data());
  cpu::transformLines({Kind::Complex, false, n, planes * half, half, side, columns, columns}, false, waves_.data(), waves_.data());
  if (dimensions_ == 3) cpu::transformLines({Kind::Complex, false, n, plane, plane, side, depths, depths}, false, waves_.data(), waves_.data());
  parallelFor(int64_t(waves_.size()), 1 << 14, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) waves_[size_t(i)] *= kernel_[size_t(i)];
  });
  if (dimensions_ == 3) cpu::transformLines({Kind::Complex, true, n, plane, plane, n, depths, depths}, false, waves_.data(), waves_.data());
  cpu::transformLines({Kind::Complex, true, n, planes * half, half, n, columns, columns}, false, waves_.data(), waves_.data());
  // The first half of each line is what the mesh needs; it is copied out of whole lines.
  parts_.resize(size_t(std::max<int64_t>(int64_t(parts_.size()), planes * side * n)));
  cpu::transformLines({Kind::ToReal, true, n, planes * side, side, half, lines, {side * n, n, 1}}, false, waves_.data(), parts_.data());
  for (int64_t line = 0; line < planes * side; ++line) std::copy_n(parts_.data() + line * n, side, mesh_.data() + line * side);
}

double Repulsion::compute(const std::vector<float>& positions, std::vector<float>& push) {
  const int d = dimensions_;
  const int64_t rows = int64_t(positions.size()) / d;
  float low[3], high[3];
  for (int c = 0; c < d; ++c) low[c] = high[c] = positions[size_t(c)];
  for (int64_t i = 0; i < rows * d; i += d) {
    for (int c = 0; c < d; ++c) low[c] = std::min(low[c], positions[size_t(i + c)]), high[c] = std::max(high[c], positions[size_t(i + c)]);
  }
  fit(low, high);
  const float perSpacing = float(1 / spacing_);
  for (int c = 0; c < d; ++c) low[c] -= float(1.5 * spacing_);  // a spline reaches over a node before the point's cell and two after it
  const int64_t size = d == 3 ? side_ * side_ * side_ : side_ * side_;
  mesh_.resize(size_t(size));
  parts_.assign(size_t(kParts * size), 0.f);
  cpu::overPieces(parallelism(), kParts, [&](int64_t k) {
    kernels().spread[d - 2](positions.data(), rows * k / kParts, rows * (k + 1) / kParts, low, perSpacing, side_, parts_.data() + k * size);
  });
  parallelFor(size, 1 << 14, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float sum = 0;
      for (int64_t k = 0; k < kParts; ++k) sum += parts_[size_t(k * size + i)];
      mesh_[size_t(i)] = sum;
    }
  });
  convolve();
  potential_.resize(size_t(rows));
  push.resize(positions.size());
  const float slope = float(-0.5 / spacing_);  // K² (y_i - y_j) is the slope of K times -1/2
  parallelFor(rows, 1024, [&](int64_t begin, int64_t end) {
    kernels().sample[d - 2](positions.data(), begin, end, low, perSpacing, side_, mesh_.data(), potential_.data(), push.data());
    for (int64_t i = begin * d; i < end * d; ++i) push[size_t(i)] *= slope;
  });
  double sum = 0;
  for (const float p : potential_) sum += double(p) - 1;  // less the point itself
  return std::max(sum, 1e-12);
}

}  // namespace weft::embedding
