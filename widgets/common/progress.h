#pragma once

#include <QProgressBar>

namespace weft::widgets {

/// Sets range and value of a bar, `share` from 0 to 1; below 0: it is not known how far it is. QProgressBar itself would paint at once, and with it
/// whatever else of the window waits to be painted; here all of that comes in its turn. GUI thread.
inline void showProgress(QProgressBar* bar, double share) {
  constexpr int kSteps = 1000;
  const int most = share < 0 ? 0 : kSteps, value = share < 0 ? -1 : int(share * kSteps);
  if (bar->maximum() == most && bar->value() == value) return;
  bar->setUpdatesEnabled(false);
  bar->setRange(0, most);
  if (value >= 0) bar->setValue(value);
  bar->setUpdatesEnabled(true);
}

}  // namespace weft::widgets
