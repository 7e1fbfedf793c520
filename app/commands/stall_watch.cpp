#include "commands/stall_watch.h"

#include <QEvent>
#include <QThread>

namespace weft::app {
namespace {
constexpr double kHandlerLimitMs = 5, kPaintLimitMs = 16;

bool isPaint(QEvent::Type type) {
  return type == QEvent::Paint || type == QEvent::UpdateRequest || type == QEvent::Expose || type == QEvent::UpdateLater;
}
}  // namespace

bool StudioApplication::notify(QObject* receiver, QEvent* event) {
  if (!watching_ || depth_ > 0 || QThread::currentThread() != thread()) return QApplication::notify(receiver, event);
  // The receiver may be gone afterwards.
  const QEvent::Type type = event->type();
  const bool counted = receiver != ignored_ && type != QEvent::Quit;
  const char* className = receiver->metaObject()->className();
  ++depth_;
  QElapsedTimer timer;
  timer.start();
  const bool result = QApplication::notify(receiver, event);
  const double ms = double(timer.nsecsElapsed()) * 1e-6;
  --depth_;
  if (!counted) return result;
  ++stalls_.events;
  if (isPaint(type)) {
    stalls_.paintsOver16ms += ms > kPaintLimitMs;
    stalls_.maxPaintMs = std::max(stalls_.maxPaintMs, ms);
  } else {
    stalls_.over5ms += ms > kHandlerLimitMs;
    if (ms > stalls_.maxMs) {
      stalls_.maxMs = ms;
      stalls_.worst = QStringLiteral("%1 event %2").arg(QLatin1String(className)).arg(int(type));
    }
  }
  return result;
}

}  // namespace weft::app
