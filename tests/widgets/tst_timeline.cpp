// The timeline: a row's pyramid agrees with a plain loop, keys and mouse work, nothing vanishes.
#include <QSignalSpy>
#include <QtTest>
#include <random>

#include "timeline/timeline_bench.h"
#include "timeline/timeline_view.h"

using namespace weft::widgets;

class TestTimeline : public QObject {
  Q_OBJECT

 private slots:
  void sumsAreThoseOfALoop();
  void nothingVanishes();
  void placesAreFound();
  void counters();
  void ticks();
  void selectsByMouseAndKeys();
  void zoomsAndPans();
  void measures();
  void searches();
  void marks();
  void emptyAndTiny();
  void groupsAndArrows();
  void tooManyArrowsAreNotDrawn();
  void gapsAreSelected();
  void aMillionSlices();
};

namespace {

TimelineRow randomRow(int count, unsigned seed) {
  std::mt19937 random(seed);
  TimelineRow row;
  std::int64_t time = 0;
  for (int i = 0; i < count; ++i) {
    time += static_cast<std::int64_t>(random() % 200);
    const std::int64_t length = static_cast<std::int64_t>(random() % (random() % 20 == 0 ? 5000 : 50));
    row.add({time, length, i, 0, static_cast<std::int16_t>(random() % 3)});
    time += length;
  }
  row.finish();
  return row;
}

std::shared_ptr<TimelineData> three() {
  auto data = std::make_shared<TimelineData>();
  data->addCategory({QStringLiteral("nn"), QStringLiteral("nn"), -1});
  for (const char* n : {"conv1/Conv2D", "conv1/Relu", "loss"}) data->addName(QString::fromLatin1(n));
  const int t = data->addTrack(QStringLiteral("CPU:0"), {}, 2);
  data->add(t, 0, {0, 100000, 0, 0, 0});
  data->add(t, 1, {10000, 20000, 1, 1, 0});
  data->add(t, 0, {200000, 300000, 2, 2, 0});
  data->finish();
  return data;
}

/// A task that sends and one that receives, below each other: `count` transfers of 100 µs, one a millisecond.
std::shared_ptr<TimelineData> twoTasks(int count) {
  auto data = std::make_shared<TimelineData>();
  data->addCategory({QStringLiteral("transfers"), {}, 0});
  data->addName(QStringLiteral("w"));
  data->addGroup({0, QStringLiteral("ps:0"), QStringLiteral("reference clock"), QStringLiteral("tip"), 0});
  const int from = data->addTrack(QStringLiteral("CPU:0"), {}, 1);
  data->addGroup({0, QStringLiteral("worker:0"), QStringLiteral("clock moved by +5 ms"), {}, 1});
  const int to = data->addTrack(QStringLiteral("CPU:0"), {}, 1);
  for (int i = 0; i < count; ++i) {
    const std::int64_t at = i * 1000000LL;
    data->add(from, 0, {at, 1000, 2 * i, 0, 0});
    data->add(to, 0, {at + 90000, 10000, 2 * i + 1, 0, 0});
    data->addArrow({2 * i, 2 * i + 1, at, at + 100000, -1, QStringLiteral("w 12 B")});
  }
  data->finish();
  return data;
}

}  // namespace

void TestTimeline::sumsAreThoseOfALoop() {
  const TimelineRow row = randomRow(3000, 3);
  std::mt19937 random(5);
  const std::int64_t end = row.slices().back().end();
  for (int i = 0; i < 300; ++i) {
    const auto a = static_cast<std::int64_t>(random() % static_cast<unsigned>(end)), b = a + static_cast<std::int64_t>(random() % 20000);
    std::int64_t sum = 0, n = 0, count = 0;
    for (const TimelineSlice& s : row.slices()) {
      if (s.end() < a || s.start >= b) continue;
      ++n;
      sum += std::max<std::int64_t>(0, std::min(b, s.end()) - std::max(a, s.start));
    }
    QCOMPARE(row.busyIn(a, b, &count), sum);
    QCOMPARE(count, n);
  }
}

void TestTimeline::nothingVanishes() {
  const TimelineRow row = randomRow(5000, 9);
  std::vector<TimelineRow::Density> density;
  for (const double scale : {1.0, 37.0, 1000.0, 40000.0}) {
    const int columns = 800;
    std::vector<char> covered(columns, 0);
    row.visit(0, scale, columns, 2, density, [&](int i) {
      const TimelineSlice& s = row.slices()[static_cast<std::size_t>(i)];
      for (int c = std::max(0, static_cast<int>(s.start / scale)); c < columns && c * scale < static_cast<double>(s.end()); ++c)
        covered[static_cast<std::size_t>(c)] = 1;
    });
    for (const TimelineSlice& s : row.slices()) {
      const int column = static_cast<int>(static_cast<double>(s.start) / scale);
      if (column >= columns) break;
      QVERIFY2(covered[static_cast<std::size_t>(column)] != 0 || density[static_cast<std::size_t>(column)].busy > 0, qPrintable(QString::number(s.start)));
    }
  }
}

void TestTimeline::placesAreFound() {
  TimelineData data;
  fillMadeTimeline(data, 4000);
  QCOMPARE(data.sliceCount(), 4000);
  for (int id = 0; id < data.sliceCount(); ++id) {
    QCOMPARE(data.slice(id).id, id);
    const TimelineSlice& s = data.slice(id);
    const int found = data.row(data.place(id).row).at(s.start + s.duration / 2, 0);
    QCOMPARE(data.row(data.place(id).row).slices()[static_cast<std::size_t>(found)].id, id);
  }
  QCOMPARE(data.place(-1).row, -1);
  QCOMPARE(data.place(4000).row, -1);
}

void TestTimeline::counters() {
  TimelineData data;
  TimelineCounter c;
  for (int i = 0; i < 1000; ++i) c.points.emplace_back(i * 10, (i * 37) % 101);
  data.addCounter(c);
  data.finish();
  for (int from = 0; from < 9000; from += 173) {
    const int to = from + 611;
    double low = 1e9, high = -1e9;
    for (int i = 0; i < 1000; ++i) {
      if (c.points[static_cast<std::size_t>(i)].first >= to || (i + 1 < 1000 && c.points[static_cast<std::size_t>(i) + 1].first <= from)) continue;
      low = std::min(low, c.points[static_cast<std::size_t>(i)].second);
      high = std::max(high, c.points[static_cast<std::size_t>(i)].second);
    }
    QCOMPARE(data.counterRange(0, from, to), std::pair(low, high));
  }
}

void TestTimeline::ticks() {
  QCOMPARE(tickStep(1, 90), std::int64_t(100));
  QCOMPARE(tickStep(10, 15), std::int64_t(200));
  QCOMPARE(tickStep(1000, 90), std::int64_t(100000));
  QCOMPARE(tickStep(0.001, 10), std::int64_t(1));
  QCOMPARE(formatTick(0, 100), QStringLiteral("0"));
  QCOMPARE(formatTick(1500000, 500000), QStringLiteral("1.5 ms"));
  QCOMPARE(formatTick(200, 100), QStringLiteral("200 ns"));
}

void TestTimeline::selectsByMouseAndKeys() {
  TimelineView view;
  view.resize(900, 300);
  view.setData(three());
  view.show();
  QSignalSpy selected(&view, &TimelineView::sliceSelected);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.sliceRect(2).center().toPoint());
  QCOMPARE(view.selected(), 2);
  QCOMPARE(selected.size(), 1);
  QTest::keyClick(&view, Qt::Key_Comma);
  QCOMPARE(view.selected(), 0);
  QTest::keyClick(&view, Qt::Key_Period);
  QCOMPARE(view.selected(), 2);
  QTest::keyClick(&view, Qt::Key_Period);
  QCOMPARE(view.selected(), 2);  // the last one of its row
  QTest::keyClick(&view, Qt::Key_Comma);
  QTest::keyClick(&view, Qt::Key_Down);
  QCOMPARE(view.selected(), 1);
  QTest::keyClick(&view, Qt::Key_F);
  QVERIFY(view.sliceRect(1).width() > 200);
  QTest::keyClick(&view, Qt::Key_Escape);
  QCOMPARE(view.selected(), -1);
  view.select(2);
  QVERIFY(!view.sliceRect(2).isEmpty());  // was scrolled into sight
  QVERIFY(view.accessibleDescription().contains(QStringLiteral("loss")));
}

void TestTimeline::zoomsAndPans() {
  TimelineView view;
  view.resize(900, 300);
  view.setData(three());
  view.show();
  const double scale = view.nsPerPixel();
  QTest::keyClick(&view, Qt::Key_W);
  QVERIFY(view.nsPerPixel() < scale);
  const double start = view.startNs();
  QTest::keyClick(&view, Qt::Key_D);
  QVERIFY(view.startNs() > start);
  QTest::keyClick(&view, Qt::Key_A);
  QVERIFY(qAbs(view.startNs() - start) < view.nsPerPixel());
  QTest::keyClick(&view, Qt::Key_S);
  QVERIFY(qAbs(view.nsPerPixel() - scale) < scale * 0.01);
  view.setRange(1000, 2000);
  QTest::keyClick(&view, Qt::Key_Home);
  QVERIFY(view.startNs() <= 0);
  for (int i = 0; i < 100; ++i) QTest::keyClick(&view, Qt::Key_W);
  QVERIFY(view.nsPerPixel() > 0);
  for (int i = 0; i < 200; ++i) QTest::keyClick(&view, Qt::Key_S);
  QVERIFY(view.nsPerPixel() * 900 < 500000 * 3);
}

void TestTimeline::measures() {
  TimelineView view;
  view.resize(900, 300);
  view.setData(three());
  view.show();
  QSignalSpy measured(&view, &TimelineView::rangeMeasured);
  const QPoint a = view.sliceRect(0).center().toPoint() + QPoint(0, 80), b = view.sliceRect(2).center().toPoint() + QPoint(0, 80);
  QTest::mousePress(view.viewport(), Qt::LeftButton, {}, a);
  QTest::mouseMove(view.viewport(), (a + b) / 2);
  QTest::mouseMove(view.viewport(), b);
  QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, b);
  QCOMPARE(measured.size(), 1);
  QVERIFY(qAbs(view.measured().first - 50000) < 2000);
  QVERIFY(qAbs(view.measured().second - 350000) < 2000);
  QTest::keyClick(&view, Qt::Key_Escape);
  QVERIFY(view.measured().first >= view.measured().second);
}

void TestTimeline::searches() {
  TimelineView view;
  view.resize(900, 300);
  view.setData(three());
  view.show();
  QCOMPARE(view.setSearch(QStringLiteral("CONV1")), 2);
  QVERIFY(view.findNext());
  QCOMPARE(view.selected(), 0);
  QVERIFY(view.findNext());
  QCOMPARE(view.selected(), 1);
  QVERIFY(view.findNext());
  QCOMPARE(view.selected(), 0);  // from the beginning again
  QVERIFY(view.findNext(true));
  QCOMPARE(view.selected(), 1);
  QCOMPARE(view.setSearch(QStringLiteral("nothing like that")), 0);
  QVERIFY(!view.findNext());
  QSignalSpy asked(&view, &TimelineView::searchRequested);
  QTest::keyClick(&view, Qt::Key_Slash);
  QCOMPARE(asked.size(), 1);
}

void TestTimeline::marks() {
  TimelineView view;
  view.resize(900, 300);
  view.setData(three());
  view.toggleMark(1000);
  view.toggleMark(400000);
  QCOMPARE(view.marks().size(), 2);
  view.toggleMark(1000);
  QCOMPARE(view.marks(), QVector<qint64>{400000});
}

void TestTimeline::emptyAndTiny() {
  TimelineView view;
  view.resize(300, 80);
  view.show();
  view.grab();
  view.setData(nullptr);
  for (const Qt::Key key : {Qt::Key_W, Qt::Key_F, Qt::Key_Comma, Qt::Key_Escape, Qt::Key_Up}) QTest::keyClick(&view, key);
  auto empty = std::make_shared<TimelineData>();
  empty->addTrack(QStringLiteral("nothing"), {}, 1);
  empty->finish();
  view.setData(empty);
  view.grab();
  auto instant = std::make_shared<TimelineData>();
  instant->addName(QStringLiteral("now"));
  instant->add(instant->addTrack(QStringLiteral("t"), {}, 1), 0, {0, 0, 0, 0, 0});
  instant->finish();
  view.setData(instant);
  view.grab();
  view.select(0);
  QTest::keyClick(&view, Qt::Key_F);
  view.resize(20, 20);
  view.grab();
}

// Generous bounds: the machine may be busy. `weft-studio --bench timeline` measures.
void TestTimeline::groupsAndArrows() {
  TimelineView view;
  view.resize(900, 300);
  view.setData(twoTasks(1));
  view.show();
  view.grab();  // the arrows are those last drawn
  // A heading lies above each task's track.
  QVERIFY(view.sliceRect(1).top() - view.sliceRect(0).top() > 50);
  const QPointF middle = view.arrowMiddle(0);
  QVERIFY(!middle.isNull());
  QVERIFY(middle.y() > view.sliceRect(0).bottom() && middle.y() < view.sliceRect(1).top());
  QSignalSpy arrows(&view, &TimelineView::arrowSelected), slices(&view, &TimelineView::sliceSelected);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, middle.toPoint());
  QCOMPARE(arrows.size(), 1);
  QCOMPARE(arrows[0][0].toInt(), 0);
  QCOMPARE(slices.size(), 0);
  // Beside it is nothing, and a slice goes before the arrow that ends there.
  QCOMPARE(view.arrowAt(middle.toPoint() + QPoint(60, 0)), -1);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.sliceRect(1).center().toPoint());
  QCOMPARE(view.selected(), 1);
  QCOMPARE(arrows.size(), 1);
  // An arrow whose send is not in the trace is not drawn.
  auto half = std::make_shared<TimelineData>();
  half->addTrack(QStringLiteral("CPU:0"), {}, 1);
  half->add(0, 0, {0, 10, 0, half->addName(QStringLiteral("w")), 0});
  half->addArrow({-1, 0, -1, 5, -1, {}});
  half->finish();
  view.setData(half);
  view.grab();
  QVERIFY(view.arrowMiddle(0).isNull());
}

void TestTimeline::gapsAreSelected() {
  TimelineView view;
  view.resize(900, 300);
  view.setData(three());
  view.show();
  auto gaps = std::make_shared<TimelineGaps>();
  gaps->rows.resize(1);
  gaps->texts = {QStringLiteral("waits for conv1")};
  gaps->categories = {{QStringLiteral("input"), {}, 0}};
  gaps->tip = [](int id) { return QStringLiteral("gap %1").arg(id); };
  gaps->rows[0].add({500000, 1000, 1, 0, 0});
  gaps->rows[0].add({100000, 100000, 0, 0, 0});
  gaps->finish(2);
  QCOMPARE(gaps->gap(0).start, std::int64_t(100000));
  view.setGaps(gaps);
  QSignalSpy selected(&view, &TimelineView::gapSelected);
  const QRectF box = view.gapRect(0);
  QVERIFY(box.width() > 20);
  const QImage before = view.grab().toImage();
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, box.center().toPoint());
  QCOMPARE(selected.size(), 1);
  QCOMPARE(view.selectedGap(), 0);
  QCOMPARE(view.selected(), -1);
  QVERIFY(view.grab().toImage() != before);
  QCOMPARE(view.accessibleDescription(), QStringLiteral("gap 0"));
  // Keys: the next gap, which is narrow and zoomed to; no further one; back; none.
  QTest::keyClick(&view, Qt::Key_G);
  QCOMPARE(view.selectedGap(), 1);
  QVERIFY(view.gapRect(1).width() >= 6);
  QVERIFY(!view.selectNextGap());
  QTest::keyClick(&view, Qt::Key_G, Qt::ShiftModifier);
  QCOMPARE(view.selectedGap(), 0);
  QTest::keyClick(&view, Qt::Key_Escape);
  QCOMPARE(view.selectedGap(), -1);
  // A slice and a gap exclude each other; without gaps there is none.
  view.selectGap(1);
  view.select(2);
  QCOMPARE(view.selectedGap(), -1);
  view.selectGap(1);
  QCOMPARE(view.selected(), -1);
  view.setGaps(nullptr);
  QCOMPARE(view.selectedGap(), -1);
  QVERIFY(!view.selectNextGap());
}

void TestTimeline::tooManyArrowsAreNotDrawn() {
  TimelineView view;
  view.resize(1600, 300);
  view.setData(twoTasks(600));
  view.show();
  view.grab();
  QCOMPARE(view.arrowAt(view.arrowMiddle(300).toPoint()), -1);
  // Those of the selection are.
  view.select(601);
  view.grab();
  QCOMPARE(view.arrowAt(view.arrowMiddle(300).toPoint()), 300);
  QCOMPARE(view.arrowAt(view.arrowMiddle(200).toPoint()), -1);
  // Nearer, all are.
  view.select(-1);
  view.setRange(0, 20e6);
  view.grab();
  QCOMPARE(view.arrowAt(view.arrowMiddle(5).toPoint()), 5);
}

void TestTimeline::aMillionSlices() {
  auto data = std::make_shared<TimelineData>();
  fillMadeTimeline(*data, 1000000);
  QCOMPARE(data->sliceCount(), 1000000);
  TimelineBenchOptions options;
  options.panSteps = options.zoomSteps = 10;
  options.selectSteps = 4;
  options.searchSteps = 1;
  const TimelineBench bench = runTimelineBench(data, options);
  QVERIFY2(bench.pan.medianMs < 200, qPrintable(QString::number(bench.pan.medianMs)));
}

QTEST_MAIN(TestTimeline)
#include "tst_timeline.moc"
