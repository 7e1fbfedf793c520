#include <Eigen/Dense>
#include <cmath>

#include "embedding/descent.h"

namespace weft::embedding {
namespace {

using Block = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kWidth = 8, kDegree = 12, kFilterRounds = 6;
constexpr double kUnwanted = 0.9;  // eigenvalues below it are damped

bool isConnected(const Edges& edges) {
  std::vector<char> seen(size_t(edges.rows()), 0);
  std::vector<int32_t> open{0};
  seen[0] = 1;
  int64_t count = 1;
  while (!open.empty()) {
    const int32_t i = open.back();
    open.pop_back();
    for (long e = edges.start[size_t(i)]; e < edges.start[size_t(i) + 1]; ++e) {
      const int32_t j = edges.column[size_t(e)];
      if (seen[size_t(j)]) continue;
      seen[size_t(j)] = 1;
      ++count;
      open.push_back(j);
    }
  }
  return count == edges.rows();
}

/// out = D^-1/2 W D^-1/2 in.
void multiply(const Edges& edges, const std::vector<float>& scale, const Block& in, Block& out) {
  parallelFor(edges.rows(), 256, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float sum[kWidth] = {};
      for (long e = edges.start[size_t(i)]; e < edges.start[size_t(i + 1)]; ++e) {
        const int32_t j = edges.column[size_t(e)];
        const float w = edges.weight[size_t(e)] * scale[size_t(j)];
        const float* from = in.data() + int64_t(j) * kWidth;
        for (int k = 0; k < kWidth; ++k) sum[k] += w * from[k];
      }
      for (int k = 0; k < kWidth; ++k) out(i, k) = sum[k] * scale[size_t(i)];
    }
  });
}

/// The products of all columns, summed over blocks of rows in order.
Eigen::MatrixXd productOf(const Block& a, const Block& b) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(a.cols(), b.cols());
  constexpr Eigen::Index kRows = 4096;
  for (Eigen::Index first = 0; first < a.rows(); first += kRows) {
    const Eigen::Index n = std::min(kRows, a.rows() - first);
    sum += (a.middleRows(first, n).transpose() * b.middleRows(first, n)).cast<double>();
  }
  return sum;
}

/// Columns of length 1 at right angles, by the eigenvectors of their products.
void makeOrthonormal(Block& block) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(productOf(block, block));
  const double most = solver.eigenvalues()[kWidth - 1];
  Eigen::VectorXd factor = solver.eigenvalues();
  for (double& v : factor) v = v > 1e-12 * most ? 1 / std::sqrt(v) : 0;
  block = block * (solver.eigenvectors() * factor.asDiagonal()).cast<float>();
}

}  // namespace

std::vector<float> spectralPositions(const Edges& edges, const std::vector<float>& guess, int dimensions, uint64_t seed) {
  const int64_t rows = edges.rows();
  if (rows < 2 * kWidth || !isConnected(edges)) return {};
  std::vector<float> scale(static_cast<size_t>(rows));
  Block block(rows, kWidth), image(rows, kWidth), before(rows, kWidth);
  for (int64_t i = 0; i < rows; ++i) {
    double degree = 0;
    for (long e = edges.start[size_t(i)]; e < edges.start[size_t(i + 1)]; ++e) degree += edges.weight[size_t(e)];
    scale[size_t(i)] = float(1 / std::sqrt(degree));
    block(i, 0) = float(std::sqrt(degree));  // the eigenvector of eigenvalue 1, which says nothing
    for (int k = 1; k < kWidth; ++k) block(i, k) = k <= dimensions ? guess[size_t(i * dimensions + k - 1)] : float(gaussian(seed, uint64_t(i * kWidth + k)));
  }
  for (int k = 0; k < kWidth; ++k) block.col(k) /= std::max(block.col(k).norm(), 1e-30f);
  makeOrthonormal(block);
  // Chebyshev polynomials stay small on [-1, kUnwanted] and grow fastest above it.
  const float middle = float((kUnwanted - 1) / 2), radius = float((kUnwanted + 1) / 2);
  for (int round = 0; round < kFilterRounds; ++round) {
    before = block;
    multiply(edges, scale, before, image);
    block = (image - middle * before) / radius;
    for (int degree = 2; degree <= kDegree; ++degree) {
      multiply(edges, scale, block, image);
      before = (2 / radius) * (image - middle * block) - before;
      std::swap(before, block);
    }
    makeOrthonormal(block);
  }
  multiply(edges, scale, block, image);
  const Eigen::MatrixXd inside = productOf(block, image);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver((inside + inside.transpose()) / 2);
  std::vector<float> out(size_t(rows * dimensions));
  for (int d = 0; d < dimensions; ++d) {
    const Eigen::VectorXf v = block * solver.eigenvectors().col(kWidth - 2 - d).cast<float>();
    for (int64_t i = 0; i < rows; ++i) out[size_t(i * dimensions + d)] = v[i] * (v[0] < 0 ? -1.f : 1.f);
  }
  return out;
}

}  // namespace weft::embedding
