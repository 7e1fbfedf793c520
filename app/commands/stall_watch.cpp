#include "commands/stall_watch.h"

#include <QEvent>
#include <QMetaEnum>
#include <QThread>
#include <algorithm>
#include <ctime>

#include "adapters/border.h"

namespace weft::app {
namespace {
constexpr double kHandlerLimitMs = 5, kPaintLimitMs = 16;
constexpr size_t kMaxWorst = 12;

double threadCpuMs() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
}

bool isPaint(QEvent::Type type) { return type == QEvent::Paint || type == QEvent::UpdateRequest || type == QEvent::Expose || type == QEvent::UpdateLater; }

QString textOf(const char* className, const QString& name, QEvent::Type type) {
  const char* typeName = QMetaEnum::fromType<QEvent::Type>().valueToKey(int(type));
  return QStringLiteral("%1 \"%2\" %3").arg(QLatin1String(className), name, typeName ? QLatin1String(typeName) : QString::number(int(type)));
}
}  // namespace

bool StudioApplication::notify(QObject* receiver, QEvent* event) {
  const int depth = depth_;
  bool result = false;
  const QString failure = failureOf([&] { result = deliver(receiver, event); });
  if (!failure.isEmpty()) {
    depth_ = depth;
    qWarning("a handler failed: %s", qPrintable(failure));
  }
  return result;
}

bool StudioApplication::deliver(QObject* receiver, QEvent* event) {
  if (detailed_ && watching_ && depth_ > 0 && event->type() == QEvent::Paint) {
    const char* className = receiver->metaObject()->className();
    const QString name = receiver->objectName();
    const double before = threadCpuMs();
    const bool result = QApplication::notify(receiver, event);
    add(className, name, QEvent::Paint, threadCpuMs() - before);
    return result;
  }
  if (!watching_ || depth_ > 0 || QThread::currentThread() != thread()) return QApplication::notify(receiver, event);
  // Read first, because the receiver may be deleted by the event.
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
  if (!counted) return result;
  const double cpuMs = threadCpuMs() - cpuBefore;
  add(className, name, type, cpuMs);
  count(isPaint(type), ms, cpuMs, className, name, type);
  return result;
}

void StudioApplication::add(const char* className, const QString& name, QEvent::Type type, double cpuMs) {
  auto& [sum, events] = spent_[{className, type, name}];
  sum += cpuMs;
  ++events;
}

std::vector<StudioApplication::Spent> StudioApplication::spent() const {
  std::vector<Spent> list;
  for (const auto& [key, value] : spent_) list.push_back({value.first, value.second, textOf(std::get<0>(key), std::get<2>(key), std::get<1>(key))});
  std::sort(list.begin(), list.end(), [](const Spent& a, const Spent& b) { return a.cpuMs > b.cpuMs; });
  return list;
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
  Stall stall{ms, cpuMs, textOf(className, name, type)};
  auto& worst = stalls_.worst;
  worst.insert(std::upper_bound(worst.begin(), worst.end(), ms, [](double value, const Stall& s) { return value > s.ms; }), std::move(stall));
  if (worst.size() > kMaxWorst) worst.pop_back();
}

}  // namespace weft::app
