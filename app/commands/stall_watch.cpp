#include "commands/stall_watch.h"

#include <QEvent>
#include <QMetaEnum>
#include <QThread>
#include <algorithm>
#include <ctime>

namespace weft::app {
namespace {
constexpr double kHandlerLimitMs = 5, kPaintLimitMs = 16;
constexpr size_t kMaxWorst = 12;

double threadCpuMs() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
}

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
  const QString name = receiver->objectName();
  ++depth_;
  const double cpuBefore = threadCpuMs();
  QElapsedTimer timer;
  timer.start();
  const bool result = QApplication::notify(receiver, event);
  const double ms = double(timer.nsecsElapsed()) * 1e-6;
  --depth_;
  if (counted) count(isPaint(type), ms, threadCpuMs() - cpuBefore, className, name, type);
  return result;
}

void StudioApplication::count(bool paint, double ms, double cpuMs, const char* className, const QString& name, QEvent::Type type) {
  ++stalls_.events;
  const size_t group = size_t(std::upper_bound(kClassEndsMs.begin(), kClassEndsMs.end(), ms) - kClassEndsMs.begin());
  ++(paint ? stalls_.paints : stalls_.handlers)[group];
  double& longest = paint ? stalls_.maxPaintMs : stalls_.maxMs;
  longest = std::max(longest, ms);
  if (ms <= (paint ? kPaintLimitMs : kHandlerLimitMs)) return;
  ++(paint ? stalls_.paintsOver16ms : stalls_.over5ms);
  if (cpuMs > (paint ? kPaintLimitMs : kHandlerLimitMs)) ++(paint ? stalls_.busyPaintsOver16ms : stalls_.busyOver5ms);
  const char* typeName = QMetaEnum::fromType<QEvent::Type>().valueToKey(int(type));
  Stall stall{ms, cpuMs, QStringLiteral("%1 \"%2\" %3").arg(QLatin1String(className), name, typeName ? QLatin1String(typeName) : QString::number(int(type)))};
  auto& worst = stalls_.worst;
  worst.insert(std::upper_bound(worst.begin(), worst.end(), ms, [](double value, const Stall& s) { return value > s.ms; }), std::move(stall));
  if (worst.size() > kMaxWorst) worst.pop_back();
}

}  // namespace weft::app
