#include "embedding/pca.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "device/cpu/gemm.h"
#include "device/cpu/pieces.h"

// The centred matrix X - 1 mᵀ is never stored. Both products with it go over blocks of rows of a fixed size, so that sums do not depend on the number of threads.
namespace weft::embedding {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int64_t kBlockRows = 512;
constexpr int kOversampling = 8;

int64_t blocksOf(int64_t rows) { return (rows + kBlockRows - 1) / kBlockRows; }

/// Rows [block * kBlockRows, …) less the mean.
int64_t centre(const PointsView& points, const std::vector<double>& mean, int64_t block, std::vector<float>& out) {
  const int64_t first = block * kBlockRows, rows = std::min(kBlockRows, points.rows - first);
  out.resize(size_t(rows * points.columns));
  for (int64_t r = 0; r < rows; ++r) {
    const float* from = points.data + (first + r) * points.columns;
    float* to = out.data() + r * points.columns;
    for (int64_t c = 0; c < points.columns; ++c) to[c] = float(double(from[c]) - mean[size_t(c)]);
  }
  return rows;
}

std::vector<double> meanOf(const PointsView& points) {
  const int64_t blocks = blocksOf(points.rows);
  std::vector<double> sums(size_t(blocks * points.columns)), mean(size_t(points.columns));
  cpu::overPieces(parallelism(), blocks, [&](int64_t block) {
    double* sum = sums.data() + block * points.columns;
    for (int64_t r = block * kBlockRows; r < std::min(points.rows, (block + 1) * kBlockRows); ++r) {
      for (int64_t c = 0; c < points.columns; ++c) sum[c] += points.data[r * points.columns + c];
    }
  });
  for (int64_t block = 0; block < blocks; ++block) {
    for (int64_t c = 0; c < points.columns; ++c) mean[size_t(c)] += sums[size_t(block * points.columns + c)];
  }
  for (double& m : mean) m /= double(std::max<int64_t>(1, points.rows));
  return mean;
}

/// Cᵀ (C Q) for the centred rows C, and the sum of the squares of C.
Matrix squareTimes(const PointsView& points, const std::vector<double>& mean, const Matrix& q, double* squares, const CancellationToken& cancellation) {
  const int64_t blocks = blocksOf(points.rows), width = q.cols(), columns = points.columns, size = columns * width;
  const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> narrow = q.cast<float>();
  Matrix sum = Matrix::Zero(columns, width);
  *squares = 0;
  // A few blocks at a time: their results are added in order.
  constexpr int64_t kTogether = 16;
  std::vector<float> parts(size_t(kTogether * size));
  std::vector<double> partSquares(kTogether);
  for (int64_t first = 0; first < blocks && !cancellation.cancelled(); first += kTogether) {
    const int64_t count = std::min(kTogether, blocks - first);
    cpu::overPieces(parallelism(), count, [&](int64_t k) {
      const SplitAsAlone alone(1);
      std::vector<float> rows, product;
      const int64_t n = centre(points, mean, first + k, rows);
      double s = 0;
      for (const float v : rows) s += double(v) * v;
      partSquares[size_t(k)] = s;
      product.resize(size_t(n * width));
      cpu::gemm({n, columns, width, false, false}, rows.data(), narrow.data(), product.data());
      cpu::gemm({columns, n, width, true, false}, rows.data(), product.data(), parts.data() + k * size);
    });
    for (int64_t k = 0; k < count; ++k) {
      sum += Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(parts.data() + k * size, columns, width).cast<double>();
      *squares += partSquares[size_t(k)];
    }
  }
  return sum;
}

Matrix orthonormal(const Matrix& m) {
  Eigen::HouseholderQR<Eigen::MatrixXd> qr(m);
  return qr.householderQ() * Eigen::MatrixXd::Identity(m.rows(), std::min(m.rows(), m.cols()));
}

}  // namespace

Result<Directions> principalDirections(const PointsView& points, int count, int rounds, uint64_t seed, const CancellationToken& cancellation) {
  Directions out;
  out.columns = points.columns;
  out.mean = meanOf(points);
  out.count = int(std::min<int64_t>({count, points.columns, points.rows}));
  if (out.count <= 0) {
    out.count = 0;
    return out;
  }
  const int64_t width = std::min<int64_t>(points.columns, out.count + kOversampling);
  Matrix q(points.columns, width);
  for (int64_t i = 0; i < q.size(); ++i) q.data()[i] = gaussian(seed, uint64_t(i));
  q = orthonormal(q);
  double squares = 0;
  Matrix image;
  for (int round = 0; round <= rounds; ++round) {
    image = squareTimes(points, out.mean, q, &squares, cancellation);
    if (cancellation.cancelled()) return stopped();
    if (round < rounds && squares > 0) q = orthonormal(image);
  }
  // Rayleigh-Ritz: the eigenvectors of the covariance within the space of q.
  const Matrix inside = q.transpose() * image;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver((inside + inside.transpose()) / 2);
  out.vectors.resize(size_t(points.columns * out.count));
  for (int k = 0; k < out.count; ++k) {
    Eigen::VectorXd v = q * solver.eigenvectors().col(width - 1 - k);
    Eigen::Index largest = 0;
    v.cwiseAbs().maxCoeff(&largest);
    if (v[largest] < 0) v = -v;
    for (int64_t c = 0; c < points.columns; ++c) out.vectors[size_t(c * out.count + k)] = float(v[c]);
    out.varianceShares.push_back(squares > 0 ? std::max(0.0, solver.eigenvalues()[width - 1 - k]) / squares : 0);
  }
  return out;
}

std::vector<float> project(const PointsView& points, const Directions& directions) {
  std::vector<float> out(size_t(points.rows * directions.count));
  if (directions.count == 0) return out;
  cpu::overPieces(parallelism(), blocksOf(points.rows), [&](int64_t block) {
    const SplitAsAlone alone(1);
    std::vector<float> rows;
    const int64_t n = centre(points, directions.mean, block, rows);
    cpu::gemm({n, points.columns, directions.count, false, false}, rows.data(), directions.vectors.data(), out.data() + block * kBlockRows * directions.count);
  });
  return out;
}

}  // namespace weft::embedding
