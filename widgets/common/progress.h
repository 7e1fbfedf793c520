#pragma once

#include <QProgressBar>

namespace weft::widgets {

/// Sets range and value of a bar; `share` is 0 to 1, below 0 means unknown. QProgressBar would repaint at once, together with all pending repaints of the
/// window; this defers them to the event loop. GUI thread.
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
