// A chart's readings at the pointer, in its legend and its footer; and the panels that follow its cursor.
#include <QApplication>
#include <QBuffer>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "common/card_texts.h"
#include "common/theme.h"
#include "image_grid/image_card.h"
#include "image_grid/image_grid.h"
#include "plot/scalar_grid.h"
#include "plot/scalar_plot.h"

using namespace weft::widgets;

namespace {

std::vector<Sample> ramp(int count, double slope) {
  std::vector<Sample> samples;
  for (int i = 0; i < count; ++i) samples.push_back({i * 1.0, 1e9 + i * 0.1, slope * i + std::sin(i * 0.7)});
  return samples;
}

}  // namespace

class ChartCursorTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::apply(*qApp, Theme::Kind::Light); }

  /// The table beside the cursor is of one step: a run that has no sample there gives none, or one between its neighbours that says so.
  void theCursorStandsOnOneStep() {
    using Kind = ScalarPlot::Reading::Kind;
    ScalarPlot plot;
    plot.resize(600, 300);
    const int brief = plot.addSeries(QStringLiteral("run 2")), sparse = plot.addSeries(QStringLiteral("run 5"));
    for (int i = 0; i <= 440; ++i) plot.append(brief, Sample{i * 1.0, i * 1.0, 9});
    for (int i = 0; i <= 100000; i += 1000) plot.append(sparse, Sample{i * 1.0, i * 1.0, i * 1.0});
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    plot.refreshNow();
    const auto late = plot.readingAt(77000, 9);
    QCOMPARE(late.size(), 2);
    QCOMPARE(late[0].id, sparse);
    QCOMPARE(late[0].kind, Kind::Logged);
    QCOMPARE(late[0].value, 77000.0);
    QCOMPARE(late[1].kind, Kind::None);
    QCOMPARE(late[1].last, 440.0);
    QVERIFY(std::isnan(late[1].value));
    const auto early = plot.readingAt(250, 9);
    QCOMPARE(early[0].id, brief);
    QCOMPARE(early[0].kind, Kind::Logged);
    QCOMPARE(early[1].kind, Kind::Between);
    QCOMPARE(early[1].value, 250.0);
    // Where the pointer is, the cursor is.
    QSignalSpy moved(&plot, &ScalarPlot::cursorMoved);
    QTest::mouseMove(plot.body(), QPoint(plot.body()->width() * 3 / 4, 60));
    QVERIFY(!moved.isEmpty());
    const auto step = moved.last()[0].value<std::optional<double>>();
    QVERIFY(step && *step > 60000 && *step < 90000);
    QCOMPARE(std::fmod(*step, 1000), 0.0);  // a sample is a few pixels away
    // Where none is near, it is the whole step below the pointer.
    plot.setXRange(std::pair{5100.0, 5200.0});
    plot.refreshNow();
    const double at = plot.cursorAt(300);
    QVERIFY(at > 5100 && at < 5200 && at == std::round(at));
    QCOMPARE(plot.readingAt(at, 0)[0].kind, Kind::Between);
  }
  void otherCardsShowTheSameStep() {
    ScalarGrid grid;
    grid.resize(1200, 600);
    const int run = grid.addRun(QStringLiteral("run 1"));
    for (const char* tag : {"loss", "accuracy"})
      for (int i = 0; i <= 3000; i += 10) grid.append(run, QLatin1String(tag), Sample{i * 1.0, i * 1.0, 1.0 / (i + 1)});
    grid.show();
    QVERIFY(QTest::qWaitForWindowExposed(&grid));
    grid.refreshNow();
    QSignalSpy moved(&grid, &ScalarGrid::cursorMoved);
    const QImage before = grid.plot(QStringLiteral("accuracy"))->body()->grab().toImage();
    QWidget* loss = grid.plot(QStringLiteral("loss"))->body();
    QTest::mouseMove(loss, QPoint(loss->width() / 2, 40));
    QVERIFY(!moved.isEmpty());
    QVERIFY(grid.plot(QStringLiteral("accuracy"))->body()->grab().toImage() != before);
    // On a time axis, the logged step there is signalled, not seconds.
    grid.setXAxis(SeriesStore::X::Relative);
    grid.refreshNow();
    QTest::mouseMove(loss, QPoint(loss->width() / 3, 40));
    const auto step = moved.last()[0].value<std::optional<double>>();
    QVERIFY(step && std::fmod(*step, 10) == 0);
  }
  void aClickOnACheckpointAsksForIt() {
    ScalarPlot plot;
    plot.resize(600, 300);
    const int line = plot.addSeries(QStringLiteral("run 1"));
    plot.append(line, ramp(101, 1));
    plot.setMarks(line, {{PlotMark::Kind::Checkpoint, 50, QStringLiteral("checkpoint")}, {PlotMark::Kind::Edit, 20, QStringLiteral("edit")}});
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    plot.refreshNow();
    QSignalSpy clicked(&plot, &ScalarPlot::markClicked);
    const int axis = plot.body()->height() - 22;
    for (int x = 20; x < plot.body()->width(); x += 3) QTest::mouseClick(plot.body(), Qt::LeftButton, {}, QPoint(x, axis));
    QVERIFY(!clicked.isEmpty());
    for (const auto& click : clicked) QCOMPARE(click[1].toDouble(), 50.0);
    clicked.clear();
    QTest::mouseClick(plot.body(), Qt::LeftButton, {}, QPoint(plot.body()->width() / 2, 40));
    QCOMPARE(clicked.size(), 0);
  }
  /// However many checkpoints there are, their diamonds are marks and no bar.
  void hundredsOfCheckpointsAreThinnedOut() {
    ScalarPlot plot;
    plot.resize(700, 300);
    const int line = plot.addSeries(QStringLiteral("run 1"));
    plot.append(line, ramp(2000, 1));
    std::vector<PlotMark> marks;
    for (int i = 1; i <= 400; ++i) marks.push_back({PlotMark::Kind::Checkpoint, i * 5.0, QString()});
    plot.setMarks(line, marks);
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    plot.refreshNow();
    const QImage image = plot.body()->grab().toImage();
    const int row = plot.body()->height() - 22 + 2;  // through the lower half of the diamonds, below the axis
    const QColor ground = Theme::current().color(Role::Surface2);
    int covered = 0;
    for (int x = 60; x < image.width() - 20; ++x) covered += image.pixelColor(x, row) != ground;
    QVERIFY2(covered > 10 && covered < (image.width() - 80) / 2, qPrintable(QString::number(covered)));
  }
  void theFootHasTheBestValue() {
    for (const auto& [tag, best] : {std::pair{"test_accuracy", "max 0.9"}, {"loss", "min 0.1"}, {"eval/auc", "max 0.9"}, {"map_size", "min 0.1"}}) {
      ScalarPlot plot;
      plot.setTitle(QLatin1String(tag));
      const int line = plot.addSeries(QStringLiteral("run 1"));
      for (int i = 1; i < 10; ++i) plot.append(line, Sample{i * 1.0, 0, i / 10.0});
      plot.refreshNow();
      QVERIFY2(plot.findChild<CardFoot*>()->right().startsWith(QLatin1String(best)), tag);
    }
  }
  void theLegendNamesAsManyAsFit() {
    ScalarPlot plot;
    plot.setTitle(QStringLiteral("loss"));
    plot.resize(420, 280);
    for (int i = 0; i < 9; ++i) plot.append(plot.addSeries(QStringLiteral("run %1").arg(i + 1)), Sample{1, 0, 0.1234 + i});
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    plot.refreshNow();
    const auto* legend = plot.findChild<CardLegend*>();
    QCOMPARE(legend->entries().size(), 9);
    QVERIFY(legend->drawn() > 1 && legend->drawn() < 9);
    QCOMPARE(legend->entries()[8].name, QStringLiteral("run 9"));
  }
  /// A chart without a value says why it is empty.
  void nothingButNanSaysSo() {
    ScalarPlot plot;
    plot.resize(420, 280);
    const int line = plot.addSeries(QStringLiteral("run 1"));
    for (int i = 0; i < 20; ++i) plot.append(line, Sample{i * 1.0, 0, i % 2 ? NAN : INFINITY});
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    plot.refreshNow();
    const QImage none = plot.body()->grab().toImage();
    // A sentence is shown in the middle, where nothing else is drawn.
    const QColor ground = Theme::current().color(Role::Surface2);
    int told = 0;
    const int middle = none.height() / 2;
    for (int y = middle - 24; y < middle + 8; ++y)
      for (int x = 80; x < none.width() - 40; ++x) {
        const QColor c = none.pixelColor(x, y);
        told += c.red() > c.blue() + 40 && c != ground;  // in the hue of warnings
      }
    QVERIFY2(told > 40, qPrintable(QString::number(told)));
    QTest::mouseMove(plot.body(), QPoint(200, 100));
    QVERIFY(std::isnan(plot.readingAt(3, 0)[0].value));
    plot.append(line, Sample{30, 0, 1});
    plot.refreshNow();
    plot.clear();
    plot.refreshNow();
  }

  // ---- what follows the cursor

  void picturesShowTheStepOfTheCursor() {
    ImageGrid grid;
    grid.resize(600, 400);
    auto series = std::make_shared<PictureSeries>();
    for (int i = 0; i < 5; ++i) {
      QImage image(4, 4, QImage::Format_Grayscale8);
      image.fill(QColor(40 * i, 40 * i, 40 * i));
      QBuffer bytes;
      bytes.open(QIODevice::WriteOnly);
      image.save(&bytes, "PNG");
      series->append({i * 10.0, 0, bytes.data(), 4, 4, 1});
    }
    grid.setSeries(QStringLiteral("run 1"), 0, QStringLiteral("input"), series);
    grid.show();
    QVERIFY(QTest::qWaitForWindowExposed(&grid));
    grid.refreshNow();
    const auto red = [&] { return grid.card(QStringLiteral("run 1"), QStringLiteral("input"))->image().pixelColor(0, 0).red(); };
    QSignalSpy told(&grid, &ImageGrid::stepChanged);
    grid.setStep(10);
    QTRY_COMPARE(red(), 40);
    told.clear();
    grid.followCursor(29);
    QTRY_COMPARE(red(), 120);
    grid.followCursor(2);
    QTRY_COMPARE(red(), 0);
    grid.followCursor(std::nullopt);  // the pointer left: the step that was chosen is back
    QTRY_COMPARE(red(), 40);
    QCOMPARE(told.size(), 0);  // a programmatic cursor emits no signal
  }
};

QTEST_MAIN(ChartCursorTest)
#include "tst_chart_cursor.moc"
