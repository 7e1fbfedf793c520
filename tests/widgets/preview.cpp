// widgets-preview DIRECTORY [light|dark|highContrast] [bench]: writes a PNG of every widget there. QT_SCALE_FACTOR=2 gives them at
// 200 %.
#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <cmath>
#include <cstdio>
#include <random>

#include "common/theme.h"
#include "graph_view/canvas_bench.h"
#include "graph_view/graph_view.h"
#include "graph_view/memory_graph_model.h"
#include "plot/scalar_grid.h"
#include "plot/scalar_plot.h"

using namespace weft::widgets;

namespace {

QDir directory;
QString suffix;

void shoot(QWidget& widget, const QString& name) {
  for (int i = 0; i < 60; ++i) {
    QCoreApplication::processEvents();
    widget.repaint();
  }
  widget.grab().save(directory.filePath(name + suffix + QStringLiteral(".png")));
}

void canvas() {
  MemoryGraphModel lenet;
  fillLenet(lenet);
  GraphView view;
  view.resize(1050, 640);
  view.setModel(&lenet);
  view.show();
  view.setExpanded(1, true);
  view.fitAll();
  view.selectNames({QStringLiteral("conv2/Conv2D")}, false);
  shoot(view, QStringLiteral("lenet"));
  view.expandAll();
  view.fitAll();
  shoot(view, QStringLiteral("lenet-open"));

  MemoryGraphModel made;
  fillMadeNetwork(made, 15000);
  QElapsedTimer timer;
  timer.start();
  view.setModel(&made);
  std::printf("15,000 nodes: set in %lld ms, layout %.1f ms, %d items\n", timer.elapsed(), view.lastLayoutMs(),
              view.visibleItemCount());
  shoot(view, QStringLiteral("made"));
  view.setExpanded(2, true);
  view.setExpanded(3, true);
  view.fitAll();
  shoot(view, QStringLiteral("made-stage"));
  timer.start();
  view.expandAll();
  std::printf("expanded all in %lld ms, layout %.1f ms, %d items\n", timer.elapsed(), view.lastLayoutMs(), view.visibleItemCount());
  view.fitAll();
  shoot(view, QStringLiteral("made-all"));
  view.centerOn(Item::node(2000));
  view.setZoom(0.35);
  shoot(view, QStringLiteral("made-name-tier"));
}

void plots() {
  ScalarGrid grid;
  grid.resize(1240, 700);
  grid.show();
  shoot(grid, QStringLiteral("scalars-empty"));
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, 0.25);
  for (int run = 7; run >= 5; --run) {
    const int id = grid.addRun(QStringLiteral("run %1").arg(run));
    const int last = run == 7 ? 3104 : 6000;
    for (int step = 0; step < last; step += 4) {
      const double t = step / 1000.0, k = run - 4;
      const Sample s{static_cast<double>(step), 1.7e9 + step * 0.02,
                     (0.02 * (8 - run) + 2.3 * std::exp(-t * k * 0.9)) * std::exp(noise(random))};
      grid.append(id, QStringLiteral("loss"), s);
      grid.append(id, QStringLiteral("accuracy"),
                  {s.step, s.wall, std::min(1.0, 1 - 0.9 * std::exp(-t * k) + 0.02 * noise(random))});
      grid.append(id, QStringLiteral("learning_rate"), {s.step, s.wall, run == 5 ? 0.01 : 0.01 * std::pow(0.8, std::floor(t * 2))});
      grid.append(id, QStringLiteral("train/gradient_norm"), {s.step, s.wall, 3 * std::exp(-t) + 0.1 * std::abs(noise(random))});
    }
  }
  grid.setSmoothing(0.9);
  grid.plot(QStringLiteral("loss"))->setLogY(true);
  QCoreApplication::processEvents();
  grid.refreshNow();
  for (const QString& tag : grid.tags()) grid.plot(tag)->setCursor(2480.0);
  shoot(grid, QStringLiteral("scalars"));
}

void bench() {
  const auto print = [](const char* name, const FrameStats& s) {
    std::printf("  %-9s %4d  median %6.2f  p99 %6.2f  max %6.2f ms\n", name, s.count, s.medianMs, s.p99Ms, s.maxMs);
  };
  MemoryGraphModel made, flat;
  fillMadeNetwork(made, 15000);
  fillFlat(flat, 5000);
  for (MemoryGraphModel* model : {&made, &flat}) {
    CanvasBenchOptions options;
    options.edit = [model](int i) {
      const int node = model->addNode(QStringLiteral("edit_%1").arg(i), QStringLiteral("Relu"), -1, OpCategory::Nn);
      model->connectNodes(0, node);
      model->commit();
    };
    const CanvasBench b = runCanvasBench(*model, options);
    std::printf("%d nodes: first picture %.1f ms (layout %.1f), %d items\n", model->nodeCount(), b.firstPictureMs, b.layoutMs,
                b.visibleItems);
    print("pan", b.pan);
    print("zoom", b.zoom);
    print("expand", b.expand);
    print("edit", b.edit);
    print("all", b.all);
    print("handlers", b.handlers);
  }
}

}  // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  if (argc < 2) return 2;
  directory.setPath(QString::fromLocal8Bit(argv[1]));
  directory.mkpath(QStringLiteral("."));
  const QString theme = argc > 2 ? QString::fromLocal8Bit(argv[2]) : QStringLiteral("light");
  suffix = u'-' + theme;
  Theme::apply(app, Theme::kindOf(theme));
  canvas();
  plots();
  if (argc > 3) bench();
  return 0;
}
