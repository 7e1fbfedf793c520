// Scalar cards: drawn points, readings at the pointer, exports.
#include <QApplication>
#include <QPaintEvent>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "common/theme.h"
#include "plot/run_list.h"
#include "plot/scalar_grid.h"
#include "plot/scalar_plot.h"

using namespace weft::widgets;

namespace {

std::vector<Sample> ramp(int count, double slope) {
  std::vector<Sample> samples;
  for (int i = 0; i < count; ++i) samples.push_back({i * 1.0, 1e9 + i * 0.1, slope * i + std::sin(i * 0.7)});
  return samples;
}

/// The largest difference of a colour's part between two pictures; -1: they are of different sizes.
int farthest(const QImage& a, const QImage& b) {
  if (a.size() != b.size()) return -1;
  int most = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      const QColor p = a.pixelColor(x, y), q = b.pixelColor(x, y);
      most = std::max({most, std::abs(p.red() - q.red()), std::abs(p.green() - q.green()), std::abs(p.blue() - q.blue())});
    }
  return most;
}

}  // namespace

class TestScalarPlot : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::apply(*qApp, Theme::Kind::Light); }

  void drawsFewPointsOfMany() {
    ScalarPlot plot;
    plot.resize(500, 320);
    plot.setSmoothing({Smoothing::Kind::Ema, 0.6});
    const int a = plot.addSeries(QStringLiteral("run 1"));
    plot.append(a, ramp(300000, 0.01));
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    plot.refreshNow();
    QVERIFY(plot.drawnPoints() > 200);
    QVERIFY2(plot.drawnPoints() <= 3000, qPrintable(QString::number(plot.drawnPoints())));
    QCOMPARE(plot.samples(a).size(), size_t{300000});
    plot.setXRange(std::pair{100.0, 160.0});
    plot.refreshNow();
    QCOMPARE(plot.drawnPoints(), 2 * 63);  // every sample and one neighbour on either side, raw and smoothed
  }

  void hiddenDoesNothing() {
    ScalarPlot plot;
    const int a = plot.addSeries(QStringLiteral("run"));
    plot.append(a, ramp(100, 1));
    QTest::qWait(80);
    QCOMPARE(plot.drawnPoints(), 0);
    plot.resize(400, 300);
    plot.show();
    QTRY_VERIFY(plot.drawnPoints() > 0);
  }

  void manySamplesFewRepaints() {
    ScalarPlot plot;
    plot.resize(400, 300);
    const int a = plot.addSeries(QStringLiteral("run"));
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    for (int i = 0; i < 20000; ++i) plot.append(a, Sample{i * 1.0, i * 1.0, 1.0 / (i + 1)});
    QTRY_VERIFY(plot.drawnPoints() > 100);
    QVERIFY(plot.drawnPoints() < 2000);
  }

  /// Drawing new samples on top looks like a full redraw, and only their area is painted.
  void growthLooksAsIfDrawnAnew() {
    struct Strips : QObject {
      std::vector<int> widths;
      bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint) widths.push_back(static_cast<QPaintEvent*>(event)->region().boundingRect().width());
        return false;
      }
    };
    for (const bool logY : {false, true}) {
      for (const auto kind : {Smoothing::Kind::Ema, Smoothing::Kind::Average}) {
        ScalarPlot plot;
        plot.resize(520, 340);
        plot.setSmoothing({kind, 0.8});
        plot.setLogY(logY);
        const int a = plot.addSeries(QStringLiteral("a")), b = plot.addSeries(QStringLiteral("b"));
        plot.setXRange(std::pair{0.0, 320.0});
        plot.setYRange(std::pair{0.5, 40.0});
        std::vector<PlotMark> marks;
        const auto step = [&](int i) {
          plot.append(a, Sample{i * 1.0, i * 1.0, i == 155 ? std::nan("") : 3 + 2 * std::sin(i * 0.3)});
          if (i % 2 == 0) plot.append(b, Sample{i * 1.0, i * 1.0, 20 + 10 * std::cos(i * 0.1)});
          if (i % 40 == 0) plot.setMarks(a, (marks.push_back({i % 80 ? PlotMark::Kind::Edit : PlotMark::Kind::Checkpoint, i * 1.0, {}}), marks));
        };
        for (int i = 0; i < 120; ++i) step(i);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.refreshNow();
        QTest::qWait(60);
        Strips strips;
        plot.body()->installEventFilter(&strips);
        for (int i = 120; i < 260; ++i) {
          step(i);
          if (i % 20 == 19) QTRY_COMPARE(plot.drawnSamples(a), std::size_t(i + 1));
        }
        QTest::qWait(60);
        plot.body()->removeEventFilter(&strips);
        QVERIFY(strips.widths.size() >= 5);
        if (kind == Smoothing::Kind::Ema)
          for (const int width : strips.widths) QVERIFY2(width < plot.body()->width() * 2 / 3, qPrintable(QString::number(width)));
        const QImage grown = plot.body()->grab().toImage();
        plot.refreshNow();
        const QImage anew = plot.body()->grab().toImage();
        // A line cut at the start of the strip may be rounded differently there: the difference is invisible.
        const int off = farthest(grown, anew);
        QVERIFY2(off >= 0 && off <= 4, qPrintable(QStringLiteral("%1: off by %2").arg(logY ? QStringLiteral("log y") : QStringLiteral("linear y")).arg(off)));
      }
    }
  }

  /// A growing series reserves room on the x axis for new samples; the axis is fitted once it ends. Values beyond the y range cause a full redraw.
  void growthIsFollowed() {
    ScalarPlot plot;
    plot.resize(500, 320);
    const int a = plot.addSeries(QStringLiteral("run"));
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    for (int i = 0; i < 400; ++i) {
      plot.append(a, Sample{i * 1.0, i * 1.0, i < 200 ? 1.0 + i % 2 : 100.0 - i % 3});
      if (i % 8 == 7) QTest::qWait(20);
    }
    QTRY_COMPARE(plot.drawnSamples(a), std::size_t{400});
    QTest::qWait(1200);  // nothing more comes
    const QImage settled = plot.grab().toImage();
    plot.refreshNow();
    QCOMPARE(plot.grab().toImage(), settled);
    plot.append(a, Sample{100, 0, 7});  // a resumed run takes samples back
    QTRY_COMPARE(plot.drawnSamples(a), std::size_t{101});
    QTest::qWait(60);
    const QImage back = plot.body()->grab().toImage();
    plot.refreshNow();
    QCOMPARE(plot.body()->grab().toImage(), back);
  }

  void nearestComesFirst() {
    ScalarPlot plot;
    const int low = plot.addSeries(QStringLiteral("low")), high = plot.addSeries(QStringLiteral("high"));
    for (int i = 0; i < 10; ++i) {
      plot.append(low, Sample{i * 1.0, 0, 1});
      plot.append(high, Sample{i * 1.0, 0, 5});
    }
    QCOMPARE(plot.readingAt(3.2, 4.8).first().id, high);
    QCOMPARE(plot.readingAt(3.2, 1.1).first().id, low);
    QCOMPARE(plot.readingAt(3.0, 1.1).first().kind, ScalarPlot::Reading::Kind::Logged);
    plot.setSeriesVisible(high, false);
    QCOMPARE(plot.readingAt(3.2, 4.8).size(), 1);
  }

  void smoothingGrowsWithTheSeries() {
    ScalarPlot plot;
    plot.setSmoothing({Smoothing::Kind::Ema, 0.9});
    const int a = plot.addSeries(QStringLiteral("run"));
    const std::vector<Sample> all = ramp(500, 0.1);
    for (const Sample& sample : all) {
      plot.append(a, sample);
      if (static_cast<int>(sample.step) % 50 == 0) plot.readingAt(sample.step, 0);
    }
    const std::vector<double> expected = smoothed(plot.samples(a), {Smoothing::Kind::Ema, 0.9});
    for (const double step : {0.0, 77.0, 499.0}) QCOMPARE(plot.readingAt(step, 0).first().smoothed, expected[static_cast<size_t>(step)]);
    plot.append(a, Sample{100, 0, 7});  // a resumed run
    QCOMPARE(plot.samples(a).size(), size_t{101});
    QCOMPARE(plot.readingAt(100, 0).first().smoothed, smoothed(plot.samples(a), {Smoothing::Kind::Ema, 0.9}).back());
  }

  void brushZoomsDoubleClickFits() {
    ScalarPlot plot;
    plot.resize(600, 400);
    const int a = plot.addSeries(QStringLiteral("run"));
    plot.append(a, ramp(1000, 1));
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    plot.refreshNow();
    QSignalSpy spy(&plot, &ScalarPlot::xRangeChanged);
    QWidget* area = plot.body();
    const QPoint from(area->width() / 3, area->height() / 2), to(2 * area->width() / 3, area->height() / 2);
    QTest::mousePress(area, Qt::LeftButton, {}, from);
    QTest::mouseMove(area, to);
    QTest::mouseRelease(area, Qt::LeftButton, {}, to);
    QVERIFY(plot.xRange().has_value());
    QVERIFY(plot.xRange()->first > 150 && plot.xRange()->second < 850);
    QTest::mouseDClick(area, Qt::LeftButton, {}, from);
    QVERIFY(!plot.xRange().has_value());
    QCOMPARE(spy.count(), 2);
  }

  void notANumberIsCounted() {
    ScalarPlot plot;
    plot.resize(400, 300);
    const int a = plot.addSeries(QStringLiteral("run"));
    for (int i = 0; i < 10; ++i) plot.append(a, Sample{i * 1.0, 0, i == 4 ? std::nan("") : -1.0 * i});
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    plot.refreshNow();
    QCOMPARE(plot.drawnPoints(), 9);
    plot.setLogY(true);  // nothing positive: nothing to draw, nothing to crash on
    plot.refreshNow();
    QCOMPARE(plot.drawnPoints(), 0);
  }

  void csvHasEverything() {
    ScalarPlot plot;
    const int a = plot.addSeries(QStringLiteral("run \"1\", a"));
    plot.append(a, Sample{1, 2.5, 0.1});
    plot.append(a, Sample{2, 3.5, 0.2});
    const QStringList lines = plot.toCsv().split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines[1], QStringLiteral("\"run \"\"1\"\", a\",1,2.500000,0.10000000000000001,0.10000000000000001"));
  }

  void groupsHaveMeansOfTheirOwn() {
    ScalarGrid grid;
    grid.resize(1300, 700);
    grid.show();
    QVERIFY(QTest::qWaitForWindowExposed(&grid));
    const char* names[] = {"sgd 1", "sgd 2", "adam 1", "adam 2"};
    for (int r = 0; r < 4; ++r) {
      const int run = grid.addRun(QLatin1String(names[r]));
      for (int i = 0; i < 10; ++i) grid.append(run, QStringLiteral("loss"), Sample{i * 1.0, i * 1.0, r < 2 ? 1.0 + r : 10.0 + 2 * r});
    }
    ScalarPlot* plot = grid.plot(QStringLiteral("loss"));
    grid.setSpread(true);
    grid.refreshNow();
    QCOMPARE(plot->groupsAt(3).size(), 1);
    QCOMPARE(plot->groupsAt(3)[0].runs, 4);
    grid.runList()->setFilter(QStringLiteral("(sgd|adam)"));
    grid.refreshNow();
    const auto groups = plot->groupsAt(3);
    QCOMPARE(groups.size(), 2);
    QCOMPARE(groups[0].name, QStringLiteral("sgd"));
    QCOMPARE(groups[0].mean, 1.5);
    QCOMPARE(groups[0].deviation, std::sqrt(0.5));
    QCOMPARE(groups[1].mean, 15.0);
    QVERIFY(groups[0].color != groups[1].color);
    grid.setRunVisible(0, false);
    grid.refreshNow();
    QCOMPARE(plot->groupsAt(3)[0].mean, 2.0);
    grid.runList()->setFilter({});
    grid.refreshNow();
    QCOMPARE(plot->groupsAt(3).size(), 1);
  }

  void eventsOfRunsAreDrawn() {
    ScalarGrid grid;
    grid.resize(900, 500);
    grid.show();
    QVERIFY(QTest::qWaitForWindowExposed(&grid));
    const int run = grid.addRun(QStringLiteral("run 1"));
    for (int i = 0; i < 100; ++i) grid.append(run, QStringLiteral("loss"), Sample{i * 1.0, i * 1.0, 1.0 / (i + 1)});
    grid.refreshNow();
    ScalarPlot* plot = grid.plot(QStringLiteral("loss"));
    const QImage without = plot->grab().toImage();
    grid.setRunMarks(
        run,
        {{PlotMark::Kind::Checkpoint, 50, QStringLiteral("checkpoint")}, {PlotMark::Kind::Edit, 70, QStringLiteral("rate")}, {PlotMark::Kind::Edit, 1e9, {}}});
    grid.refreshNow();
    const QImage with = plot->grab().toImage();
    QVERIFY(with != without);
    grid.setMarksShown(false);
    grid.refreshNow();
    QCOMPARE(plot->grab().toImage(), without);
    grid.setMarksShown(true);
    grid.refreshNow();
    QCOMPARE(plot->grab().toImage(), with);
  }

  void gridMakesCardsAndFilters() {
    ScalarGrid grid;
    grid.resize(1300, 700);
    grid.show();
    QVERIFY(QTest::qWaitForWindowExposed(&grid));
    const int run = grid.addRun(QStringLiteral("run 1"));
    QCOMPARE(grid.addRun(QStringLiteral("run 1")), run);
    for (const char* tag : {"loss", "accuracy", "train/lr"})
      for (int i = 0; i < 20; ++i) grid.append(run, QLatin1String(tag), Sample{i * 1.0, i * 1.0, 1.0 / (i + 1)});
    QCOMPARE(grid.tags(), (QStringList{"accuracy", "loss", "train/lr"}));
    QCOMPARE(grid.samples(run, QStringLiteral("loss"))->size(), size_t{20});
    QVERIFY(grid.samples(run, QStringLiteral("nothing")) == nullptr);
    grid.setSearch(QStringLiteral("^l|lr"));
    QVERIFY(grid.plot(QStringLiteral("loss"))->isVisible());
    QVERIFY(!grid.plot(QStringLiteral("accuracy"))->isVisible());
    grid.setSearch(QStringLiteral("(["));  // incomplete: keeps the previous matches
    QVERIFY(grid.plot(QStringLiteral("loss"))->isVisible() && !grid.plot(QStringLiteral("accuracy"))->isVisible());
    grid.setSearch({});
    QVERIFY(grid.plot(QStringLiteral("accuracy"))->isVisible());
    QSignalSpy spy(&grid, &ScalarGrid::smoothingChanged);
    grid.setSmoothing({Smoothing::Kind::Gaussian, 0.75});
    QCOMPARE(spy.count(), 1);
    QVERIFY(grid.plot(QStringLiteral("loss"))->smoothing() == (Smoothing{Smoothing::Kind::Gaussian, 0.75}));
    emit grid.plot(QStringLiteral("loss"))->cursorMoved(5.0);
    grid.clear();
    QVERIFY(grid.tags().isEmpty());
  }
};

QTEST_MAIN(TestScalarPlot)
#include "tst_scalar_plot.moc"
