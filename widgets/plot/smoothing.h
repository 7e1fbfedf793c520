// Smoothing of curves. All methods work on all samples, never on the drawn points.
#pragma once

#include <QString>
#include <cstdint>
#include <span>
#include <vector>

#include "plot/series_store.h"

namespace weft::widgets {

/// A smoothing method and its strength, 0…0.999. The methods are comparable: at strength w, all remove as much noise as an exponential average of weight w,
/// which is as much as the mean of (1 + w) / (1 - w) samples.
struct Smoothing {
  enum class Kind {
    Ema,       ///< TensorBoard's exponential moving average with bias correction
    TimeEma,   ///< the same over time instead of samples: densely logged parts get no extra weight
    Average,   ///< centred mean of the neighbouring samples
    Gaussian,  ///< centred normal distribution weights
  };
  Kind kind = Kind::Ema;
  double strength = 0;

  bool isOn() const { return strength > 0; }
  /// Number of samples in an Average: odd.
  std::size_t window() const;
  /// Standard deviation of the Gaussian, in samples.
  double sigma() const;
  bool operator==(const Smoothing&) const = default;
};

/// Parses "ema", "time-ema", "average" or "gaussian", as used by scripts and settings; returns false for other names.
bool smoothingKind(const QString& name, Smoothing::Kind* kind);
QString smoothingName(Smoothing::Kind kind);

/// The smoothed values of a series, kept up to date as it grows.
///
/// Ema: last = last·w + (1 - w)·value; smoothed = last / (1 - wⁿ). TimeEma: the same with w^(Δt/τ) in place of w, τ the mean time between samples of the series
/// so far. Average and Gaussian: over the existing neighbours, fewer at the ends. A constant series is unchanged. Values that are not finite are passed through
/// and have no weight.
class SmoothedCurve {
 public:
  /// Sets another method; the next update() recomputes everything.
  void set(const Smoothing& smoothing);
  const Smoothing& smoothing() const { return how_; }
  /// Updates the values and returns them, one per sample. Cost is linear in the appended samples; more on the first call and for methods that look ahead.
  const std::vector<double>& update(const SeriesStore& store);
  const std::vector<double>& values() const { return values_; }
  void clear();

 private:
  void exponential(const SeriesStore& store, std::size_t from);
  void average(const SeriesStore& store, std::size_t from);
  void gaussian(const SeriesStore& store, std::size_t from);

  Smoothing how_;
  std::vector<double> values_;
  std::uint64_t version_ = 0;
  double last_ = 0, power_ = 1, before_ = 0, interval_ = 0;  // of the exponential averages
  std::size_t taken_ = 0;
  bool constant_ = true;  // so far
};

/// Smooths a whole series.
std::vector<double> smoothed(const SeriesStore& store, const Smoothing& smoothing);

}  // namespace weft::widgets
