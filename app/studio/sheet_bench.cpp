#include "studio/sheet_bench.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QScrollBar>
#include <QTableView>
#include <QTemporaryDir>
#include <cstdio>
#include <vector>

#include "commands/stall_watch.h"
#include "document/document.h"
#include "document/sheet_store.h"
#include "document/workspace.h"
#include "graph_view/frame_times.h"
#include "main_window/main_window.h"
#include "studio/options.h"

namespace weft::app {
namespace {

constexpr int kFrames = 200, kEdited = 1000;
constexpr int kMostSeconds = 300;

/// A chain of ops in scopes, as text.
QByteArray madeGraph(int nodes) {
  const QList<QByteArray> ops = QByteArray("Relu Tanh Sigmoid Identity Abs").split(' ');
  QByteArray out =
      "node { name: \"x\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"shape\" value { shape { dim { size: 32 } dim { "
      "size: 64 } } } } }\n";
  QByteArray before = "x";
  for (int i = 1; i < nodes; ++i) {
    const QByteArray name = "block" + QByteArray::number(i / 500) + "/layer" + QByteArray::number(i / 20 % 25) + "/op" + QByteArray::number(i);
    out += "node { name: \"" + name + "\" op: \"" + ops[i % 5] + "\" input: \"" + before + "\" attr { key: \"T\" value { type: DT_FLOAT } } }\n";
    before = i % 20 == 0 ? QByteArray("x") : name;
  }
  return out;
}

struct Step {
  const char* name;
  double ms = 0, longestMs = 0, longestCpuMs = 0;  // until it is seen; the longest event of the GUI thread
  int rows = 0;
};

}  // namespace

int runSheetBench(StudioApplication& application, const StudioOptions& options, const std::function<std::unique_ptr<MainWindow>()>& makeWindow) {
  const int nodes = options.benchItems > 0 ? options.benchItems : 100'000;
  QTemporaryDir folder;
  QString path = options.benchFile;
  if (path.isEmpty()) {
    path = folder.filePath(QStringLiteral("made.pbtxt"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(madeGraph(nodes)) < 0) return 1;
  }
  const std::unique_ptr<MainWindow> window = makeWindow();
  window->resize(options.size.value_or(QSize(1600, 1000)));
  window->show();
  Workspace& workspace = window->workspace();
  const auto wait = [&](const std::function<bool()>& done) {
    QElapsedTimer clock;
    clock.start();
    while (!done() && clock.elapsed() < kMostSeconds * 1000) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    return done();
  };
  QString error;
  workspace.open(path, [&error](const QString& why) { error = why; });
  wait([&] { return workspace.current() || !error.isEmpty(); });
  if (!workspace.current()) {
    std::fprintf(stderr, "weft-studio: %s\n", qPrintable(error.isEmpty() ? QStringLiteral("the graph was not read in time") : error));
    return 1;
  }
  wait([&] { return window->isSettled() && workspace.tasks().isEmpty(); });

  SheetStore& store = SheetStore::of(workspace);
  std::vector<Step> steps;
  const auto measure = [&](const char* name, const std::function<void()>& act) {
    application.resetStalls();
    application.setWatching(true);
    QElapsedTimer clock;
    clock.start();
    act();
    wait([&] { return !store.isBusy() && workspace.tasks().isEmpty(); });
    const double ms = double(clock.nsecsElapsed()) * 1e-6;
    application.setWatching(false);
    Step step{name, ms, 0, 0, int(store.rows()->rows.size())};
    step.longestMs = application.stalls().maxMs;
    for (const StudioApplication::Stall& stall : application.stalls().worst) {
      step.longestCpuMs = std::max(step.longestCpuMs, stall.cpuMs);
      if (options.detail) std::printf("  %s: %.1f ms (%.1f ms of its own): %s\n", name, stall.ms, stall.cpuMs, qPrintable(stall.text));
    }
    steps.push_back(step);
  };
  measure("read", [&] { window->showView(QStringLiteral("sheet")); });
  auto* table = window->viewWidget(QStringLiteral("sheet"))->findChild<QTableView*>();
  measure("filter by a word", [&] { store.setFilter(QStringLiteral("layer7")); });
  measure("filter by a condition", [&] { store.setFilter(QStringLiteral("op = Relu and bytes > 1k or name ~ \"op[0-9]*7$\"")); });
  measure("no filter", [&] { store.setFilter({}); });
  measure("sort by texts", [&] { store.sortBy(QStringLiteral("name")); });
  measure("sort by numbers", [&] { store.sortBy(QStringLiteral("flops")); });
  measure("select all, sums", [&] { table->selectAll(); });
  measure("edit 1,000 rows", [&] {
    const std::vector<int> rows(store.rows()->rows.begin(),
                                store.rows()->rows.begin() + std::min<std::ptrdiff_t>(kEdited, std::ptrdiff_t(store.rows()->rows.size())));
    store.set(rows, QStringLiteral("device"), QStringLiteral("/device:CPU:0"), {}, [&error](const QString& why) { error = why; });
  });
  widgets::FrameTimes frames;
  for (int i = 0; i < kFrames; ++i) {
    QElapsedTimer clock;
    clock.start();
    table->verticalScrollBar()->setValue(i * std::max(1, table->verticalScrollBar()->maximum() / kFrames));
    table->viewport()->repaint();
    frames.add(double(clock.nsecsElapsed()) * 1e-6);
  }
  const widgets::FrameStats scroll = frames.stats();
  if (options.json) {
    QJsonArray list;
    for (const Step& s : steps)
      list << QJsonObject{{QStringLiteral("step"), QLatin1String(s.name)},
                          {QStringLiteral("ms"), s.ms},
                          {QStringLiteral("longest_event_ms"), s.longestMs},
                          {QStringLiteral("rows"), s.rows}};
    std::printf("%s\n", QJsonDocument(QJsonObject{{QStringLiteral("bench"), QStringLiteral("sheet")},
                                                  {QStringLiteral("nodes"), nodes},
                                                  {QStringLiteral("steps"), list},
                                                  {QStringLiteral("scroll_p99_ms"), scroll.p99Ms}})
                            .toJson(QJsonDocument::Compact)
                            .constData());
  } else {
    std::printf("%d rows\n", store.table() ? store.table()->rows() : 0);
    for (const Step& s : steps)
      std::printf("%-24s %7.0f ms, %6d rows; longest event %.1f ms (%.1f ms of its own over 5 ms)\n", s.name, s.ms, s.rows, s.longestMs, s.longestCpuMs);
    std::printf("%-24s median %.1f ms, p99 %.1f ms, max %.1f ms\n", "scrolling", scroll.medianMs, scroll.p99Ms, scroll.maxMs);
  }
  if (!error.isEmpty()) std::fprintf(stderr, "weft-studio: %s\n", qPrintable(error));
  return error.isEmpty() ? 0 : 1;
}

}  // namespace weft::app
