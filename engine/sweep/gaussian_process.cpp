#include "sweep/gaussian_process.h"

#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::sweep {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Matérn 5/2 of a distance that is already divided by the length scales.
double matern(double squared) {
  const double r = std::sqrt(5 * squared);
  return (1 + r + r * r / 3) * std::exp(-r);
}

}  // namespace

struct GaussianProcess::Impl {
  std::vector<SweepParameter> parameters;
  Matrix x;  // a column per point
  Vector y;  // mean 0, deviation 1
  double mean = 0, scale = 1;
  Vector lengths;  // one per row of x
  double noise = 1e-3;
  Eigen::LLT<Matrix> factor;
  Vector weights;

  Vector encoded(const std::vector<double>& places) const {
    std::vector<double> out;
    for (size_t d = 0; d < parameters.size(); ++d) {
      const SweepParameter& p = parameters[d];
      if (p.kind != SweepParameter::Kind::Choice) {
        // Places that give the same value are the same point.
        out.push_back(p.placeOf(p.at(places[d])).value_or(places[d]));
        continue;
      }
      const size_t chosen = std::min(size_t(places[d] * double(p.choices.size())), p.choices.size() - 1);
      for (size_t c = 0; c < p.choices.size(); ++c) out.push_back(c == chosen ? std::sqrt(0.5) : 0);
    }
    return Eigen::Map<Vector>(out.data(), Eigen::Index(out.size()));
  }

  Matrix kernel(const Vector& lengthScales, double noiseVariance) const {
    const Matrix scaled = lengthScales.cwiseInverse().asDiagonal() * x;
    Matrix k(x.cols(), x.cols());
    for (Eigen::Index i = 0; i < x.cols(); ++i) {
      for (Eigen::Index j = 0; j < i; ++j) k(i, j) = k(j, i) = matern((scaled.col(i) - scaled.col(j)).squaredNorm());
      k(i, i) = 1 + noiseVariance + 1e-8;
    }
    return k;
  }

  /// The log likelihood of the values, with a prior that keeps length scales near the size of the space; −∞ where the matrix is singular.
  double likelihood(const Vector& lengthScales, double noiseVariance) const {
    const Eigen::LLT<Matrix> llt(kernel(lengthScales, noiseVariance));
    if (llt.info() != Eigen::Success) return -std::numeric_limits<double>::infinity();
    const Vector alpha = llt.solve(y);
    double logDeterminant = 0;
    for (Eigen::Index i = 0; i < y.size(); ++i) logDeterminant += std::log(llt.matrixL()(i, i));
    double prior = 0;
    for (const double l : lengthScales) prior += std::pow(std::log(l / 0.5), 2) / 4;
    return -0.5 * y.dot(alpha) - logDeterminant - prior;
  }

  void choose() {
    const Eigen::Index dims = x.rows();
    lengths = Vector::Constant(dims, 0.5);
    double best = -std::numeric_limits<double>::infinity();
    for (const double length : {0.1, 0.2, 0.4, 0.8, 1.6})
      for (const double n : {1e-4, 1e-2, 1e-1}) {
        const double l = likelihood(Vector::Constant(dims, length), n);
        if (l <= best) continue;
        best = l;
        lengths.setConstant(length);
        noise = n;
      }
    // Coordinate ascent: each length scale in turn, then the noise.
    for (int sweep = 0; sweep < 2; ++sweep) {
      for (Eigen::Index d = 0; d < dims; ++d)
        for (const double factorOf : {0.4, 0.7, 1.5, 3.0}) {
          Vector tried = lengths;
          tried[d] = std::clamp(tried[d] * factorOf, 0.03, 10.0);
          if (const double l = likelihood(tried, noise); l > best) best = l, lengths = tried;
        }
      for (const double factorOf : {0.1, 0.4, 2.5, 10.0}) {
        const double tried = std::clamp(noise * factorOf, 1e-6, 1.0);
        if (const double l = likelihood(lengths, tried); l > best) best = l, noise = tried;
      }
    }
  }

  void solve() {
    factor.compute(kernel(lengths, noise));
    weights = factor.solve(y);
  }
};

GaussianProcess::GaussianProcess(const std::vector<SweepParameter>& parameters, const std::vector<std::vector<double>>& places,
                                 const std::vector<double>& values)
    : impl_(std::make_unique<Impl>()) {
  Impl& g = *impl_;
  g.parameters = parameters;
  const auto n = Eigen::Index(values.size());
  for (Eigen::Index i = 0; i < n; ++i) {
    const Vector e = g.encoded(places[size_t(i)]);
    if (i == 0) g.x.resize(e.size(), n);
    g.x.col(i) = e;
  }
  const Eigen::Map<const Vector> given(values.data(), n);
  g.mean = given.mean();
  g.scale = std::sqrt((given.array() - g.mean).square().mean());
  if (!(g.scale > 0)) g.scale = 1;
  g.y = (given.array() - g.mean) / g.scale;
  g.choose();
  g.solve();
}

GaussianProcess::~GaussianProcess() = default;

GaussianProcess::Prediction GaussianProcess::at(const std::vector<double>& places) const {
  const Impl& g = *impl_;
  const Vector e = g.encoded(places);
  Vector k(g.x.cols());
  for (Eigen::Index i = 0; i < g.x.cols(); ++i) k[i] = matern((g.x.col(i) - e).cwiseQuotient(g.lengths).squaredNorm());
  const Vector half = g.factor.matrixL().solve(k);
  return {g.mean + g.scale * k.dot(g.weights), g.scale * std::sqrt(std::max(1 - half.squaredNorm(), 1e-12))};
}

void GaussianProcess::add(const std::vector<std::vector<double>>& places, const std::vector<double>& values) {
  Impl& g = *impl_;
  const Eigen::Index before = g.x.cols();
  g.x.conservativeResize(Eigen::NoChange, before + Eigen::Index(places.size()));
  g.y.conservativeResize(g.x.cols());
  for (size_t i = 0; i < places.size(); ++i) {
    g.x.col(before + Eigen::Index(i)) = g.encoded(places[i]);
    g.y[before + Eigen::Index(i)] = (values[i] - g.mean) / g.scale;
  }
  g.solve();
}

}  // namespace weft::sweep
