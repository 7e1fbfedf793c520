#include "studio/start_bench.h"

#include <unistd.h>

#include <QApplication>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimer>
#include <cstdio>
#include <ctime>

#include "main_window/main_window.h"
#include "studio/options.h"

namespace weft::app {
namespace {

constexpr int kIdleMs = 1500;

/// Since the kernel created the process, including the loader; the kernel's resolution is 10 ms.
double msSinceProcessStart() {
  QFile file(QStringLiteral("/proc/self/stat"));
  if (!file.open(QIODevice::ReadOnly)) return -1;
  const QByteArray stat = file.readAll();
  const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (double(now.tv_sec) + double(now.tv_nsec) * 1e-9 - fields.value(19).toDouble() / double(sysconf(_SC_CLK_TCK))) * 1e3;
}

double residentMegabytes() {
  QFile file(QStringLiteral("/proc/self/statm"));
  if (!file.open(QIODevice::ReadOnly)) return -1;
  return file.readAll().split(' ').value(1).toDouble() * double(sysconf(_SC_PAGESIZE)) / 1e6;
}

class FirstPaint : public QObject {
 public:
  double paintedMs = -1;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Paint && paintedMs < 0) QTimer::singleShot(0, this, [this] { paintedMs = paintedMs < 0 ? msSinceProcessStart() : paintedMs; });
    return QObject::eventFilter(watched, event);
  }
};

}  // namespace

int runStartBench(QApplication& application, const StudioOptions& options, const std::function<std::unique_ptr<MainWindow>()>& makeWindow) {
  const double applicationMs = msSinceProcessStart();
  const std::unique_ptr<MainWindow> window = makeWindow();
  FirstPaint first;
  window->installEventFilter(&first);
  window->resize(options.size.value_or(QSize(1440, 900)));
  window->show();
  const double shownMs = msSinceProcessStart();
  QTimer idle;
  idle.setInterval(50);
  int quiet = 0;
  QObject::connect(&idle, &QTimer::timeout, &application, [&] {
    quiet = window->isSettled() && window->workspace().tasks().isEmpty() ? quiet + idle.interval() : 0;
    if (quiet >= kIdleMs) QApplication::quit();
  });
  idle.start();
  application.exec();
  const QJsonObject report{{QStringLiteral("bench"), QStringLiteral("start")},
                           {QStringLiteral("application_ms"), applicationMs},
                           {QStringLiteral("shown_ms"), shownMs},
                           {QStringLiteral("first_window_ms"), first.paintedMs},
                           {QStringLiteral("idle_memory_mb"), residentMegabytes()}};
  if (options.json) std::printf("%s\n", QJsonDocument(report).toJson(QJsonDocument::Compact).constData());
  else
    std::printf("first window after %.0f ms (application object after %.0f, shown after %.0f); idle memory %.1f MB\n", first.paintedMs, applicationMs, shownMs,
                residentMegabytes());
  return 0;
}

}  // namespace weft::app
