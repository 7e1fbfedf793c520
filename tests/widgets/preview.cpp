// widgets-preview DIRECTORY [light|dark|highContrast] [bench]: writes a PNG of every widget there. QT_SCALE_FACTOR=2 gives them at
// 200 %.
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QTableWidget>
#include <cmath>
#include <cstdio>
#include <random>

#include "common/icons.h"
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
  std::printf("15,000 nodes: set in %lld ms, layout %.1f ms, %d items\n", timer.elapsed(), view.lastLayoutMs(), view.visibleItemCount());
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

// Every state of a node and every kind of wire; a loop; controls of the style sheet.
void states() {
  MemoryGraphModel m;
  const auto add = [&m](const char* name, NodeStatus status, const char* detail = "50×1024") {
    const int n = m.addNode(QLatin1String(name), QStringLiteral("MatMul"), -1, OpCategory::Math, QString::fromUtf8(detail));
    m.nodes.back().status = status;
    return n;
  };
  int last = -1;
  for (const auto& [name, tint] : {std::pair{"done", NodeTint::Done},
                                   {"executing", NodeTint::Executing},
                                   {"ready", NodeTint::Ready},
                                   {"pending", NodeTint::Pending},
                                   {"dead", NodeTint::Dead}}) {
    const int n = add(name, {tint, 0, {}});
    if (last >= 0) m.connectNodes(last, n, {}, QStringLiteral("float32"), 1 << 20);
    last = n;
  }
  last = -1;
  for (const auto& [name, badges] : {std::pair{"muted", BadgeMuted},
                                     {"breakpoint", BadgeBreakpoint},
                                     {"probe", BadgeProbe},
                                     {"nan", BadgeNan},
                                     {"warning", BadgeWarning},
                                     {"broken", BadgeError}}) {
    const int n = add(name, {NodeTint::None, static_cast<quint16>(badges), badges == BadgeNan ? QStringLiteral("256 NaN") : QString()});
    if (last >= 0) m.connectNodes(last, n, QStringLiteral("?×1024"), QStringLiteral("int32"), 1 << 12);
    last = n;
  }
  m.edges.back().ends.broken = true;
  const int loop = m.addScope(QStringLiteral("while"), -1);
  m.scopes.back().badges = BadgeLoop;
  m.scopes.back().summary = QStringLiteral("i = 5");
  int ops[5];
  const char* names[] = {"Merge", "Switch", "mul", "NextIteration", "Exit"};
  for (int i = 0; i < 5; ++i) ops[i] = m.addNode(QStringLiteral("while/") + QLatin1String(names[i]), QLatin1String(names[i]), loop, OpCategory::ControlFlow);
  m.connectNodes(ops[0], ops[1], {}, QStringLiteral("bool"), 4);
  m.connectNodes(ops[1], ops[2], {}, QStringLiteral("string"), 4);
  m.connectNodes(ops[2], ops[3], {}, QStringLiteral("resource"), 4);
  m.connectNodes(ops[3], ops[0], {}, QStringLiteral("float32"), 1 << 16);
  m.connectNodes(ops[1], ops[4], {}, QStringLiteral("float32_ref"), 1 << 16, EdgeKind::Reference);
  const int scalar = m.addNode(QStringLiteral("rate"), QStringLiteral("Const"), -1, OpCategory::Array, QStringLiteral("1e-5"), NodeShape::Constant);
  m.connectNodes(scalar, 0, {}, QStringLiteral("float32"), 4);
  const int saver = m.addNode(QStringLiteral("save"), QStringLiteral("NoOp"), -1, OpCategory::IoSummary, {});
  m.connectNodes(4, saver, {}, {}, -1, EdgeKind::Control);
  GraphView view;
  view.resize(1050, 560);
  view.setModel(&m);
  view.show();
  view.setExpanded(loop, true);
  view.fitAll();
  shoot(view, QStringLiteral("states"));
  view.setHighlight({Item::node(1), Item::node(2)});
  shoot(view, QStringLiteral("states-lit"));
}

void controls() {
  QWidget panel;
  panel.resize(560, 360);
  auto* grid = new QGridLayout(&panel);
  const auto button = [&](const QString& text, const char* kind, const QString& iconName) {
    auto* b = new QPushButton(icon(iconName), text);
    if (kind != nullptr) b->setProperty("kind", kind);
    return b;
  };
  grid->addWidget(button(QStringLiteral("Train"), "primary", {}), 0, 0);
  grid->addWidget(button(QStringLiteral("Step"), nullptr, QStringLiteral("step")), 0, 1);
  auto* linked = button(QStringLiteral("Linked"), nullptr, QStringLiteral("check"));
  linked->setCheckable(true);
  linked->setChecked(true);
  grid->addWidget(linked, 0, 2);
  auto* stop = button(QStringLiteral("Stop"), nullptr, QStringLiteral("stop"));
  stop->setEnabled(false);
  grid->addWidget(stop, 0, 3);
  grid->addWidget(button(QStringLiteral("Discard"), "flat", {}), 0, 4);
  grid->addWidget(new QLineEdit(QStringLiteral("1e-3")), 1, 0, 1, 2);
  auto* bad = new QLineEdit(QStringLiteral("3136x"));
  bad->setProperty("invalid", true);
  grid->addWidget(bad, 1, 2);
  auto* combo = new QComboBox;
  combo->addItems({QStringLiteral("SAME"), QStringLiteral("VALID")});
  grid->addWidget(combo, 1, 3);
  grid->addWidget(new QSpinBox, 1, 4);
  auto* check = new QCheckBox(QStringLiteral("use bias"));
  check->setChecked(true);
  grid->addWidget(check, 2, 0);
  grid->addWidget(new QCheckBox(QStringLiteral("trainable")), 2, 1);
  auto* radio = new QRadioButton(QStringLiteral("step"));
  radio->setChecked(true);
  grid->addWidget(radio, 2, 2);
  auto* progress = new QProgressBar;
  progress->setValue(62);
  grid->addWidget(progress, 2, 3, 1, 2);
  auto* table = new QTableWidget(3, 3);
  table->setHorizontalHeaderLabels({QStringLiteral("tensor"), QStringLiteral("shape"), QStringLiteral("mean")});
  table->verticalHeader()->hide();
  table->setShowGrid(false);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) table->setItem(r, c, new QTableWidgetItem(c == 0 ? QStringLiteral("conv%1/Relu:0").arg(r + 1) : QStringLiteral("0.214")));
  table->selectRow(1);
  grid->addWidget(table, 3, 0, 1, 5);
  auto* tabs = new QTabWidget;
  tabs->addTab(new QLabel(QStringLiteral("  palette")), QStringLiteral("lenet-digits*"));
  tabs->addTab(new QLabel, QStringLiteral("inception.meta"));
  tabs->setTabsClosable(true);
  grid->addWidget(tabs, 4, 0, 1, 5);
  panel.show();
  shoot(panel, QStringLiteral("controls"));
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
      const Sample s{static_cast<double>(step), 1.7e9 + step * 0.02, (0.02 * (8 - run) + 2.3 * std::exp(-t * k * 0.9)) * std::exp(noise(random))};
      grid.append(id, QStringLiteral("loss"), s);
      grid.append(id, QStringLiteral("accuracy"), {s.step, s.wall, std::min(1.0, 1 - 0.9 * std::exp(-t * k) + 0.02 * noise(random))});
      grid.append(id, QStringLiteral("learning_rate"), {s.step, s.wall, run == 5 ? 0.01 : 0.01 * std::pow(0.8, std::floor(t * 2))});
      grid.append(id, QStringLiteral("train/gradient_norm"), {s.step, s.wall, 3 * std::exp(-t) + 0.1 * std::abs(noise(random))});
    }
  }
  grid.setSmoothing({Smoothing::Kind::Ema, 0.9});
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
    std::printf("%d nodes: first picture %.1f ms (layout %.1f), %d items\n", model->nodeCount(), b.firstPictureMs, b.layoutMs, b.visibleItems);
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
  states();
  controls();
  if (argc > 3) bench();
  return 0;
}
