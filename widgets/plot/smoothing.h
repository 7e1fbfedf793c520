// What takes the noise out of a curve. Every way works on all samples, never on what is drawn.
#pragma once

#include <QString>
#include <cstdint>
#include <span>
#include <vector>

#include "plot/series_store.h"

namespace weft::widgets {

/// A way to smooth and how strongly, 0…0.999. The ways are made comparable: at the same strength w all of them take away as much noise as an
/// exponential average of weight w does, which is as much as the mean of (1 + w) / (1 - w) samples does.
struct Smoothing {
  enum class Kind {
    Ema,       ///< TensorBoard's: an exponential moving average with the bias of its start removed
    TimeEma,   ///< the same over time instead of samples: what was logged densely weighs no more than what was logged sparsely
    Average,   ///< the mean of as many samples on either side
    Gaussian,  ///< weights of a normal distribution on either side
  };
  Kind kind = Kind::Ema;
  double strength = 0;

  bool isOn() const { return strength > 0; }
  /// Samples that an Average takes the mean of: odd.
  std::size_t window() const;
  /// Standard deviation of the Gaussian, in samples.
  double sigma() const;
  bool operator==(const Smoothing&) const = default;
};

/// "ema", "time-ema", "average", "gaussian", as scripts and settings name them; false: none of these.
bool smoothingKind(const QString& name, Smoothing::Kind* kind);
QString smoothingName(Smoothing::Kind kind);

/// The smoothed values of a series, kept up to date as it grows.
///
/// Ema: last = last·w + (1 - w)·value; smoothed = last / (1 - wⁿ). TimeEma: the same with w^(Δt/τ) in place of w, τ the mean time between samples of
/// the series so far. Average and Gaussian: over the neighbours that exist; at the ends there are fewer. A constant series stays as it is.
/// Values that are not finite are passed through and weigh nothing.
class SmoothedCurve {
 public:
  /// Another way: all begins anew with the next update().
  void set(const Smoothing& smoothing);
  const Smoothing& smoothing() const { return how_; }
  /// Brings the values up to date and returns them, one for each sample. Costs as much as has been added; the first time, and for the ways that look
  /// ahead, some more.
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

/// All at once.
std::vector<double> smoothed(const SeriesStore& store, const Smoothing& smoothing);

}  // namespace weft::widgets
