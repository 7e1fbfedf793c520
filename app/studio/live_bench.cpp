#include "studio/live_bench.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QJsonDocument>
#include <QJsonObject>
#include <QThread>
#include <QTimer>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "commands/action_registry.h"
#include "document/workspace.h"
#include "graph_view/frame_times.h"
#include "main_window/main_window.h"
#include "plot/scalar_grid.h"
#include "plot/scalar_plot.h"
#include "studio/options.h"

namespace weft::app {
namespace {

constexpr int kSteps = 30000;  // some seconds: the first tenth of one is spent on making the charts

double wallSeconds() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

double threadSeconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

/// Notes at each painting of a chart how old the samples are that are seen for the first time.
class Ages : public QObject {
 public:
  explicit Ages(const widgets::ScalarPlot* plot) : plot_(plot), seen_(plot->samples(0).size()) {}
  widgets::FrameTimes ages;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    // After the painting, in the order of filters: this one comes before the chart's own.
    if (event->type() == QEvent::Paint) QTimer::singleShot(0, this, [this] { seen(); });
    return QObject::eventFilter(watched, event);
  }

 private:
  void seen() {
    const widgets::SeriesStore& samples = plot_->samples(0);
    if (plot_->drawnPoints() == 0) return;
    const double now = wallSeconds();
    for (; seen_ < samples.size(); ++seen_) ages.add((now - samples[seen_].wall) * 1e3);
  }

  const widgets::ScalarPlot* plot_;
  std::size_t seen_;
};

}  // namespace

int runLiveBench(QApplication& application, const StudioOptions& options, const std::function<std::unique_ptr<MainWindow>()>& makeWindow) {
  const std::unique_ptr<MainWindow> window = makeWindow();
  window->resize(options.size.value_or(QSize(1600, 1000)));
  window->show();
  Workspace& workspace = window->workspace();
  const int steps = options.benchItems > 0 ? options.benchItems : kSteps;
  QString error;
  workspace.newFromTemplate(QStringLiteral("mlp"), [&](const QString& e) {
    error = e;
    if (!e.isEmpty()) application.exit(1);
    window->useLayout(QStringLiteral("train"));
    RunRequest request;
    request.steps = steps;
    workspace.runs().start(workspace.current(), request);
  });
  std::unique_ptr<Ages> ages;
  QElapsedTimer clock;
  double before = 0, wall = 0, gui = 0;
  QTimer watch;
  watch.setInterval(20);
  QObject::connect(&watch, &QTimer::timeout, &application, [&] {
    if (!ages) {
      auto* view = window->viewWidget(QStringLiteral("scalars"));
      auto* grid = view ? view->findChild<widgets::ScalarGrid*>() : nullptr;
      auto* plot = grid && grid->tags().contains(QStringLiteral("loss")) ? grid->plot(QStringLiteral("loss")) : nullptr;
      // What is new takes a moment to be made; it is the going on that counts.
      if (!plot || plot->samples(0).size() < 100) return;
      ages = std::make_unique<Ages>(plot);
      plot->body()->installEventFilter(ages.get());
      clock.start();
      before = threadSeconds();
    }
    if (workspace.runs().isActive()) return;
    wall = double(clock.nsecsElapsed()) * 1e-9;
    gui = threadSeconds() - before;
    QApplication::quit();
  });
  watch.start();
  const int status = application.exec();
  if (status != 0 || !ages) {
    std::fprintf(stderr, "weft-studio: %s\n", error.isEmpty() ? "the training ended before it was seen" : qPrintable(error));
    return 1;
  }
  const widgets::FrameStats s = ages->ages.stats();
  const double share = gui / std::max(wall, 1e-9) / QThread::idealThreadCount() * 100;
  if (options.json) {
    const QJsonObject report{{QStringLiteral("bench"), QStringLiteral("live")}, {QStringLiteral("steps"), s.count},   {QStringLiteral("median_ms"), s.medianMs},
                             {QStringLiteral("p99_ms"), s.p99Ms},               {QStringLiteral("max_ms"), s.maxMs},  {QStringLiteral("seconds"), wall},
                             {QStringLiteral("gui_share_percent"), share}};
    std::printf("%s\n", QJsonDocument(report).toJson(QJsonDocument::Compact).constData());
  } else {
    std::printf("%d steps in %.1f s; seen after median %.1f ms, p99 %.1f ms, at most %.1f ms; the GUI thread takes %.1f %% of the processors\n", s.count, wall, s.medianMs, s.p99Ms,
                s.maxMs, share);
  }
  return 0;
}

}  // namespace weft::app
