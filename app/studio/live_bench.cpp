#include "studio/live_bench.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QThread>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "commands/stall_watch.h"
#include "common/live_frames.h"
#include "document/workspace.h"
#include "graph_view/frame_times.h"
#include "main_window/main_window.h"
#include "plot/scalar_grid.h"
#include "plot/scalar_plot.h"
#include "shell/action_registry.h"
#include "studio/options.h"

namespace weft::app {
namespace {

constexpr int kSteps = 200000;
constexpr int kBeforeMs = 1500;  // warm-up, which is not measured
constexpr int kMostAges = 1 << 22;
constexpr int kMostSpent = 16;
constexpr double kClassEndsMs[] = {10, 20, 35, 50, 100, 200, 500};

double wallSeconds() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

/// At each painting of a chart, records the age of the samples that are shown for the first time.
class Ages : public QObject {
 public:
  explicit Ages(const widgets::ScalarPlot* plot) : plot_(plot), seen_(plot->drawnSamples(0)) {}
  widgets::FrameTimes ages{kMostAges};
  int classes[std::size(kClassEndsMs) + 1] = {};
  int paints = 0;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    // After the painting: this filter runs before the chart's own.
    if (event->type() == QEvent::Paint) QTimer::singleShot(0, this, [this] { seen(); });
    return QObject::eventFilter(watched, event);
  }

 private:
  void seen() {
    const widgets::SeriesStore& samples = plot_->samples(0);
    const std::size_t end = std::min(plot_->drawnSamples(0), samples.size());
    if (seen_ < end) ++paints;
    const double now = wallSeconds();
    for (; seen_ < end; ++seen_) {
      const double age = (now - samples[seen_].wall) * 1e3;
      ages.add(age);
      ++classes[std::upper_bound(std::begin(kClassEndsMs), std::end(kClassEndsMs), age) - std::begin(kClassEndsMs)];
    }
  }

  const widgets::ScalarPlot* plot_;
  std::size_t seen_;
};

}  // namespace

int runLiveBench(StudioApplication& application, const StudioOptions& options, const std::function<std::unique_ptr<MainWindow>()>& makeWindow) {
  const std::unique_ptr<MainWindow> window = makeWindow();
  window->resize(options.size.value_or(QSize(1600, 1000)));
  window->show();
  Workspace& workspace = window->workspace();
  const int steps = options.benchItems > 0 ? options.benchItems : kSteps;
  const QString what = options.benchFile.isEmpty() ? QStringLiteral("mlp") : options.benchFile;
  QString error;
  bool loaded = false, started = false;
  const auto begin = [&](const QString& e) {
    error = e;
    if (!e.isEmpty()) return application.exit(1);
    window->useLayout(QStringLiteral("train"));
    window->showView(QStringLiteral("scalars"));
    loaded = true;
  };
  if (QFileInfo::exists(what)) workspace.open(what, begin);
  else workspace.newFromTemplate(what, begin);
  std::unique_ptr<Ages> ages;
  QElapsedTimer clock, running;
  double before = 0, wall = 0, gui = 0;
  QHash<QByteArray, widgets::LiveFrames::Spent> spentBefore;
  QTimer watch;
  watch.setInterval(50);
  QObject::connect(&watch, &QTimer::timeout, &application, [&] {
    if (!started) {
      if (!loaded || !window->isSettled()) return;
      started = true;
      RunRequest request;
      request.steps = steps;
      return workspace.runs().start(workspace.current(), request);
    }
    const bool active = workspace.runs().isActive();
    if (!ages) {
      auto* view = window->viewWidget(QStringLiteral("scalars"));
      auto* grid = view ? view->findChild<widgets::ScalarGrid*>() : nullptr;
      auto* plot = grid && grid->tags().contains(QStringLiteral("loss")) ? grid->plot(QStringLiteral("loss")) : nullptr;
      if (!active) {
        if (error.isEmpty()) error = workspace.runs().lastError();
        return QCoreApplication::quit();
      }
      if (!plot) return;
      if (!running.isValid()) running.start();
      if (running.elapsed() < kBeforeMs) return;
      ages = std::make_unique<Ages>(plot);
      plot->body()->installEventFilter(ages.get());
      application.ignore(&watch);
      application.setDetailed(options.detail);
      application.setWatching(true);
      clock.start();
      before = widgets::threadCpuMs();
      spentBefore = widgets::LiveFrames::current().spent();
    }
    if (active) return;
    wall = double(clock.nsecsElapsed()) * 1e-9;
    gui = (widgets::threadCpuMs() - before) * 1e-3;
    QCoreApplication::quit();
  });
  watch.start();
  const int status = application.exec();
  application.setWatching(false);
  if (status != 0 || !ages) {
    std::fprintf(stderr, "weft-studio: %s\n", error.isEmpty() ? "the training ended before it was seen" : qPrintable(error));
    return 1;
  }
  const widgets::FrameStats s = ages->ages.stats();
  QMap<QByteArray, widgets::LiveFrames::Spent> members;
  for (auto it = widgets::LiveFrames::current().spent().cbegin(); it != widgets::LiveFrames::current().spent().cend(); ++it) {
    const widgets::LiveFrames::Spent before = spentBefore.value(it.key());
    members[it.key()] = {it->cpuMs - before.cpuMs, it->longestMs, it->acts - before.acts};
  }
  const StudioApplication::Stalls& stalls = application.stalls();
  const double share = gui / std::max(wall, 1e-9) / QThread::idealThreadCount() * 100;
  const double perPicture = gui * 1e3 / std::max(1, ages->paints);
  if (options.json) {
    QJsonArray classes;
    for (const int n : ages->classes) classes << n;
    const QJsonObject report{{QStringLiteral("bench"), QStringLiteral("live")},
                             {QStringLiteral("what"), what},
                             {QStringLiteral("steps"), s.count},
                             {QStringLiteral("median_ms"), s.medianMs},
                             {QStringLiteral("p99_ms"), s.p99Ms},
                             {QStringLiteral("max_ms"), s.maxMs},
                             {QStringLiteral("seconds"), wall},
                             {QStringLiteral("gui_share_percent"), share},
                             {QStringLiteral("paints"), ages->paints},
                             {QStringLiteral("ms_per_picture"), perPicture},
                             {QStringLiteral("classes"), classes},
                             {QStringLiteral("events"), stalls.events},
                             {QStringLiteral("over_5_ms"), stalls.busyOver5ms},
                             {QStringLiteral("paints_over_16_ms"), stalls.busyPaintsOver16ms}};
    std::printf("%s\n", QJsonDocument(report).toJson(QJsonDocument::Compact).constData());
    return 0;
  }
  std::printf(
      "%s: %d steps in %.1f s (%.0f/s); seen after median %.1f ms, p99 %.1f ms, at most %.1f ms, painted %.1f times a second; the GUI thread takes %.2f %% of the processors, %.2f ms for a picture\n",
      qPrintable(what), s.count, wall, s.count / std::max(wall, 1e-9), s.medianMs, s.p99Ms, s.maxMs, ages->paints / std::max(wall, 1e-9), share, perPicture);
  std::printf("seen after ms");
  for (std::size_t i = 0; i < std::size(kClassEndsMs); ++i) std::printf("  <=%.0f: %d", kClassEndsMs[i], ages->classes[i]);
  std::printf("  more: %d\n", ages->classes[std::size(kClassEndsMs)]);
  std::printf("%d events; longest handler %.1f ms, longest painting %.1f ms; over 5 ms of its own time %d, painting over 16 ms %d\n", stalls.events,
              stalls.maxMs, stalls.maxPaintMs, stalls.busyOver5ms, stalls.busyPaintsOver16ms);
  for (const StudioApplication::Stall& stall : stalls.worst) std::printf("  %.1f ms (%.1f ms of its own): %s\n", stall.ms, stall.cpuMs, qPrintable(stall.text));
  if (!options.detail) return 0;
  for (auto it = members.cbegin(); it != members.cend(); ++it)
    std::printf("  %7.2f ms a second in %6.1f frames, %.3f ms each, %.1f ms at most: %s\n", it->cpuMs / wall, it->acts / wall,
                it->cpuMs / std::max(1, it->acts), it->longestMs, it.key().constData());
  const std::vector<StudioApplication::Spent> spent = application.spent();
  for (std::size_t i = 0; i < std::min<std::size_t>(kMostSpent, spent.size()); ++i)
    std::printf("  %7.2f ms a second in %6.1f events, %.3f ms each: %s\n", spent[i].cpuMs / wall, spent[i].events / wall, spent[i].cpuMs / spent[i].events,
                qPrintable(spent[i].text));
  return 0;
}

}  // namespace weft::app
