#pragma once

#include <QDateTime>
#include <QString>
#include <vector>

#include "plot/series_store.h"

namespace weft::widgets {

struct Tick {
  double at = 0;  ///< on the drawn axis (the decimal logarithm where the axis is logarithmic)
  QString label;
};

/// Round numbers between `low` and `high`, at most `most` of them: steps of 1, 2 or 5 times a power of ten.
std::vector<Tick> linearTicks(double low, double high, int most);
/// The same for step counts (`1 k`), relative times (`0:21`) and times of day.
std::vector<Tick> xTicks(double low, double high, int most, SeriesStore::X axis);
/// For an axis of decimal logarithms: powers of ten, with 2 and 5 or 3 between them while there are few.
std::vector<Tick> logTicks(double low, double high, int most);
/// `low` and `high` extended by a margin, never equal.
std::pair<double, double> padded(double low, double high, double share = 0.05);
/// A position on the x axis as text: `step 2,480`, `0:29`, `14:03:12`.
QString xText(double x, SeriesStore::X axis);

}  // namespace weft::widgets
