#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <cmath>
#include <random>

#include "common/card_grid.h"
#include "common/theme.h"
#include "histogram/histogram_grid.h"
#include "histogram/histogram_plot.h"

using namespace weft::widgets;

namespace {

Histogram make(double step, double min, double max, std::vector<double> limits, std::vector<double> counts) {
  Histogram h;
  h.step = step;
  h.wall = 1000 + step;
  h.min = min;
  h.max = max;
  for (const double c : counts) h.num += c;
  h.sum = h.num * (min + max) / 2;
  h.limits = std::move(limits);
  h.counts = std::move(counts);
  return h;
}

/// `n` normal numbers about `mean`, in buckets of a tenth.
Histogram bell(double step, double mean, int n = 2000) {
  std::mt19937 random(7 + static_cast<unsigned>(step));
  std::normal_distribution<double> normal(mean, 1);
  Histogram h;
  h.step = step;
  h.wall = 1000 + step;
  for (double limit = -8; limit < 8.05; limit += 0.1) h.limits.push_back(limit);
  h.counts.assign(h.limits.size(), 0);
  h.min = 1e9;
  h.max = -1e9;
  for (int i = 0; i < n; ++i) {
    const double v = normal(random);
    h.min = std::min(h.min, v);
    h.max = std::max(h.max, v);
    ++h.num;
    h.sum += v;
    h.sumOfSquares += v * v;
    ++h.counts[static_cast<size_t>(std::upper_bound(h.limits.begin(), h.limits.end(), v) - h.limits.begin())];
  }
  return h;
}

std::shared_ptr<HistogramSeries> series(int steps, double drift) {
  auto s = std::make_shared<HistogramSeries>();
  for (int i = 0; i < steps; ++i) s->append(bell(i * 10, drift * i));
  return s;
}

}  // namespace

/// Percentiles, bins and pictures of histograms.
class TestHistogram : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::apply(*qApp, Theme::Kind::Light); }

  void percentilesAreTensorBoards_data() {
    QTest::addColumn<QVector<double>>("limits");
    QTest::addColumn<QVector<double>>("counts");
    QTest::addColumn<double>("min");
    QTest::addColumn<double>("max");
    QTest::addColumn<QVector<double>>("want");
    // Numbers of tensorboard.plugins.distribution.compressor.compress_histogram_proto, TensorBoard 1.15.0.
#include "percentiles.inc"
  }
  void percentilesAreTensorBoards() {
    QFETCH(QVector<double>, limits);
    QFETCH(QVector<double>, counts);
    QFETCH(double, min);
    QFETCH(double, max);
    QFETCH(QVector<double>, want);
    const auto got = percentiles(make(0, min, max, {limits.begin(), limits.end()}, {counts.begin(), counts.end()}));
    for (size_t i = 0; i < got.size(); ++i) {
      const double w = want[qsizetype(i)];
      QVERIFY2(std::abs(got[i] - w) <= 1e-12 * std::max(1.0, std::abs(w)),
               qPrintable(QStringLiteral("%1: %2, expected %3").arg(i).arg(got[i], 0, 'g', 17).arg(w, 0, 'g', 17)));
    }
  }

  void binsKeepTheSum() {
    const Histogram h = bell(0, 0.3);
    for (const int bins : {1, 7, 50, 500}) {
      double sum = 0;
      for (const double c : rebinned(h, h.min, h.max, bins)) sum += c;
      QVERIFY2(std::abs(sum - h.num) < 1e-6, qPrintable(QString::number(sum)));
    }
    // All values equal: they are in one bin.
    const auto one = rebinned(make(0, 2, 2, {1, 2.5}, {0, 10}), 1, 3, 4);
    QCOMPARE(one, (std::vector<double>{0, 0, 10, 0}));
    QCOMPARE(rebinned(make(0, 0, 0, {}, {}), 0, 1, 3), (std::vector<double>{0, 0, 0}));
  }

  void rangesAreNeverEmpty() {
    QCOMPARE(rangeOf({}), (std::pair<double, double>{0, 1}));
    const Histogram same = make(0, 4, 4, {4.5}, {3}), odd = make(0, -INFINITY, NAN, {1}, {2}), fine = make(0, -1, 2, {2}, {1});
    const Histogram* all[] = {&same};
    QVERIFY(rangeOf(all).first < 4 && rangeOf(all).second > 4);
    const Histogram* mixed[] = {&odd, &fine};
    QCOMPARE(rangeOf(mixed), (std::pair<double, double>{-1, 2}));
  }

  /// The values of a training became NaN: no out-of-bounds reads, and the card reports it.
  void whatIsNoNumberIsSaid() {
    for (const double bad : {double(NAN), double(INFINITY), -double(INFINITY)}) {
      QCOMPARE(rebinned(make(0, bad, bad, {1}, {5}), 0, 1, 3).size(), size_t(3));
      auto all = std::make_shared<HistogramSeries>(), some = std::make_shared<HistogramSeries>();
      for (int i = 0; i < 4; ++i) all->append(make(i, bad, bad, {bad}, {10}));
      for (int i = 0; i < 4; ++i) some->append(i % 2 == 0 ? bell(i, 0) : make(i, bad, 1, {bad, 1}, {3, 4}));
      for (const auto& [values, broken] : {std::pair(all, 4), std::pair(some, 2)}) {
        HistogramPlot plot;
        plot.resize(400, 200);
        plot.addSeries(QStringLiteral("run 1"), 0, values);
        for (int mode = 0; mode < 4; ++mode) {
          plot.setMode(HistogramPlot::Mode(mode));
          plot.show();
          QVERIFY(!plot.grab().isNull());
          for (int x = 10; x < 400; x += 40) QTest::mouseMove(&plot, QPoint(x, 100));
        }
        QVERIFY2(plot.summaryText().contains(QStringLiteral("%1 step(s) with NaN or infinite numbers").arg(broken)), qPrintable(plot.summaryText()));
      }
    }
  }

  void goingBackReplaces() {
    HistogramSeries s;
    for (const double step : {0.0, 10.0, 20.0, 30.0}) s.append(bell(step, 0, 10));
    s.append(bell(15, 0, 10));
    QCOMPARE(s.size(), size_t{3});
    QCOMPARE(s.back().step, 15.0);
    QCOMPARE(s.at(12), size_t{1});
    QCOMPARE(s.at(-5), size_t{0});
    QCOMPARE(s.at(99), size_t{2});
  }

  void everyModeDraws_data() {
    QTest::addColumn<int>("mode");
    QTest::newRow("offset") << 0;
    QTest::newRow("overlay") << 1;
    QTest::newRow("heat map") << 2;
    QTest::newRow("distribution") << 3;
  }
  void everyModeDraws() {
    QFETCH(int, mode);
    HistogramPlot plot;
    plot.resize(380, 240);
    plot.setMode(static_cast<HistogramPlot::Mode>(mode));
    plot.addSeries(QStringLiteral("run 1"), 0, series(120, 0.01));
    const int b = plot.addSeries(QStringLiteral("run 2"), 1, series(1, 0));
    const QImage both = plot.grab().toImage();
    plot.setSeriesVisible(b, false);
    const QImage one = plot.grab().toImage();
    QVERIFY(both != one);
    QVERIFY(plot.summaryText().contains(QStringLiteral("120")));
    // Hovering reads a step and signals it.
    QSignalSpy hovered(&plot, &HistogramPlot::stepHovered);
    QMouseEvent move(QEvent::MouseMove, QPointF(150, 150), plot.mapToGlobal(QPointF(150, 150)), Qt::NoButton, Qt::NoButton, {});
    QCoreApplication::sendEvent(&plot, &move);
    QVERIFY(!hovered.isEmpty());
    QVERIFY(hovered.last()[0].value<std::optional<double>>().has_value());
    QVERIFY(plot.grab().toImage() != one);
  }

  void nothingAndOddThingsDraw() {
    HistogramPlot plot;
    plot.resize(300, 200);
    auto s = std::make_shared<HistogramSeries>();
    const int id = plot.addSeries(QStringLiteral("run"), 0, s);
    for (int mode = 0; mode < 4; ++mode) {
      plot.setMode(static_cast<HistogramPlot::Mode>(mode));
      plot.grab();
    }
    s->append(make(3, 0, 0, {}, {}));
    s->append(make(4, NAN, NAN, {1}, {0}));
    s->append(make(5, 2, 2, {2.2}, {7}));
    plot.changed();
    for (int mode = 0; mode < 4; ++mode) {
      plot.setMode(static_cast<HistogramPlot::Mode>(mode));
      plot.grab();
    }
    plot.removeSeries(id);
    plot.grab();
  }

  void exportsHoldEverything() {
    HistogramPlot plot;
    plot.resize(300, 200);
    plot.addSeries(QStringLiteral("a, b"), 0, series(3, 1));
    const QJsonArray list = QJsonDocument::fromJson(plot.toJson()).array();
    QCOMPARE(list.size(), 3);
    QCOMPARE(list[1].toObject()[QStringLiteral("step")].toDouble(), 10.0);
    QCOMPARE(list[1].toObject()[QStringLiteral("percentiles")].toArray().size(), 9);
    double sum = 0;
    const QStringList rows = plot.toCsv().split(u'\n', Qt::SkipEmptyParts);
    QVERIFY(rows[1].startsWith(QStringLiteral("\"a, b\",0,")));
    for (qsizetype i = 1; i < rows.size(); ++i) sum += rows[i].section(u',', -1).toDouble();
    QCOMPARE(sum, 6000.0);
  }

  void gridShowsRunsTogether() {
    HistogramGrid grid;
    grid.resize(900, 600);
    grid.show();
    QVERIFY(QTest::qWaitForWindowExposed(&grid));
    auto s = series(5, 0.1);
    grid.setSeries(QStringLiteral("run 1"), 0, QStringLiteral("conv1/kernel"), s);
    grid.setSeries(QStringLiteral("run 2"), 1, QStringLiteral("conv1/kernel"), series(4, 0));
    grid.setSeries(QStringLiteral("run 1"), 0, QStringLiteral("logits/bias"), series(4, 0));
    QCOMPARE(grid.tags(), (QStringList{"conv1/kernel", "logits/bias"}));
    HistogramPlot* plot = grid.plot(QStringLiteral("conv1/kernel"));
    QVERIFY(plot);
    QTRY_VERIFY(plot->summaryText().contains(QStringLiteral("9")));
    s->append(bell(500, 0));
    grid.grown(QStringLiteral("run 1"), QStringLiteral("conv1/kernel"));
    QTRY_VERIFY(plot->summaryText().contains(QStringLiteral("10")));
    grid.setRunVisible(QStringLiteral("run 2"), false);
    QVERIFY(plot->summaryText().contains(QStringLiteral("6")));
    grid.setMode(HistogramPlot::Mode::Distribution);
    QCOMPARE(plot->mode(), HistogramPlot::Mode::Distribution);
    grid.setSearch(QStringLiteral("bias"));
    QVERIFY(!grid.plot(QStringLiteral("conv1/kernel"))->isVisible());
    grid.removeRun(QStringLiteral("run 1"));
    QCOMPARE(grid.tags(), QStringList{QStringLiteral("conv1/kernel")});
    QVERIFY(!grid.plot(QStringLiteral("nothing")));
  }

  void cardsFillTheirRows() {
    const auto rects = placeCards(
        800, 5, [](int i) { return i == 1; }, QSize(380, 200), 8);
    QCOMPARE(rects[0], QRect(0, 0, 396, 200));
    QCOMPARE(rects[1], QRect(0, 208, 800, 400));  // a large one begins a row
    QCOMPARE(rects[2], QRect(0, 616, 396, 200));
    QCOMPARE(rects[3], QRect(404, 616, 396, 200));
    QCOMPARE(rects[4], QRect(0, 824, 396, 200));
    QCOMPARE(placeCards(100, 1, {}, QSize(380, 200), 8)[0].width(), 100);  // narrower than a card
  }

  void parenthesesNameTheGroups() {
    CardGrid grid([](const QString&, QWidget* parent) { return new QWidget(parent); }, QSize(200, 150));
    grid.resize(700, 500);
    for (const char* tag : {"conv1/kernel", "conv1/bias", "conv2/kernel", "loss"}) {
      const QString key = QLatin1String(tag);
      grid.add(key, key.section(u'/', 0, -2));
    }
    grid.show();
    grid.settle();
    const auto headers = [&] {
      QStringList list;
      for (const QToolButton* b : grid.findChildren<QToolButton*>())
        if (!b->isHidden()) list << b->text().simplified();
      list.sort();
      return list;
    };
    grid.setGeneralName(QStringLiteral("all"));
    grid.settle();
    QCOMPARE(headers(), (QStringList{"all 1", "conv1 2", "conv2 1"}));
    grid.setFilter(QRegularExpression(QStringLiteral("(kernel|bias)$")));
    grid.settle();
    QCOMPARE(headers(), (QStringList{"bias 1", "kernel 2"}));
    grid.add(QStringLiteral("fc/bias"), QStringLiteral("fc"));
    grid.settle();
    QCOMPARE(headers(), (QStringList{"bias 2", "kernel 2"}));
    grid.setFilter({});
    grid.settle();
    QCOMPARE(headers(), (QStringList{"all 1", "conv1 2", "conv2 1", "fc 1"}));
  }

  void onlyCardsInSightExist() {
    int made = 0;
    CardGrid grid(
        [&](const QString&, QWidget* parent) {
          ++made;
          return new QWidget(parent);
        },
        QSize(200, 150));
    grid.resize(700, 500);
    for (int i = 0; i < 1000; ++i) grid.add(QStringLiteral("t%1").arg(i, 4, 10, QLatin1Char('0')), i < 500 ? QString() : QStringLiteral("b"));
    grid.show();
    QVERIFY(QTest::qWaitForWindowExposed(&grid));
    QTRY_VERIFY(made >= 9);
    QVERIFY2(made < 40, qPrintable(QString::number(made)));
    QCOMPARE(grid.shownCount(), 1000);
    for (int i = 0; i < 1000; i += 50) {
      grid.scrollTo(QStringLiteral("t%1").arg(i, 4, 10, QLatin1Char('0')));
      grid.settle();
    }
    QTest::qWait(1);
    QVERIFY2(grid.cards().size() < 120, qPrintable(QString::number(grid.cards().size())));
    grid.setFilter(QRegularExpression(QStringLiteral("999")));
    grid.settle();
    QCOMPARE(grid.shownCount(), 1);
    QVERIFY(grid.card(QStringLiteral("t0999")) && grid.card(QStringLiteral("t0999"))->isVisible());
  }
};

QTEST_MAIN(TestHistogram)
#include "tst_histogram.moc"
