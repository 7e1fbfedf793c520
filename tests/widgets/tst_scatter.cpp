// A cloud of points: its order, its geometry, drawing, selection by mouse and keys.
#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>
#include <limits>
#include <random>

#include "common/theme.h"
#include "scatter/scatter_plot.h"

using namespace weft::widgets;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> randomPositions(int rows, int dimensions) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> in(-10, 10);
  std::vector<float> out;
  for (int i = 0; i < rows * dimensions; ++i) out.push_back(in(random));
  return out;
}

/// A plot of 400×400 pixels with these points.
struct Shown {
  ScatterPlot plot;
  explicit Shown(const std::vector<float>& positions, int dimensions = 2) {
    plot.resize(400, 400);
    plot.setCloud(ScatterCloud::make(positions, dimensions));
    plot.show();
    (void)QTest::qWaitForWindowExposed(&plot);
  }
  QPoint at(int row) const { return plot.pixelOf(row)->toPoint(); }
  void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::mousePress(&plot, Qt::LeftButton, modifiers, from);
    for (int k = 1; k <= 4; ++k) QTest::mouseMove(&plot, from + (to - from) * k / 4);
    QTest::mouseRelease(&plot, Qt::LeftButton, modifiers, to);
  }
};

}  // namespace

class ScatterTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::apply(*qApp, Theme::Kind::Light); }

  void everyFiniteRowHasAPoint() {
    const auto cloud = ScatterCloud::make({0, 0, kNan, 1, 5, 5, 2, std::numeric_limits<float>::infinity(), -1, 3}, 2);
    QCOMPARE(cloud->rows, 5);
    QCOMPARE(cloud->count(), 3);
    for (const int row : {0, 2, 4}) QCOMPARE(cloud->row[size_t(cloud->at[size_t(row)])], row);
    QCOMPARE(cloud->at[1], -1);
    QCOMPARE(cloud->at[3], -1);
    QCOMPARE(ScatterCloud::make({}, 3)->count(), 0);
  }

  void runsHoldWhatIsInSight() {
    const auto positions = randomPositions(20000, 2);
    const auto cloud = ScatterCloud::make(positions, 2);
    ScatterView view = ScatterView::fitted(*cloud, {300, 300}, {});
    view.scale *= 8;
    const ScatterProjection projection(*cloud, view, QSizeF(300, 300));
    const QRectF box(40, 60, 120, 90);
    std::vector<int32_t> byRuns = projection.rowsIn(QPolygonF(box)), byAll;
    for (qsizetype k = 0; k < cloud->count(); ++k)
      if (box.contains(projection.pixel(k))) byAll.push_back(cloud->row[size_t(k)]);
    std::sort(byAll.begin(), byAll.end());
    QVERIFY(!byAll.empty());
    QCOMPARE(byRuns, byAll);
    QVERIFY(projection.countIn(box) < cloud->count() / 10);
  }

  void theNearestPointIsUnderThePointer() {
    Shown shown({0, 0, 10, 10, 10, 0, 0, 10, 5, 5});
    for (int row = 0; row < 5; ++row) QCOMPARE(shown.plot.rowAt(shown.at(row) + QPoint(3, -2)), row);
    QCOMPARE(shown.plot.rowAt(shown.at(4) + QPoint(40, 0)), -1);
  }

  void thePlaceUnderThePointerStaysWhenZooming_data() {
    QTest::addColumn<int>("dimensions");
    QTest::newRow("two dimensions") << 2;
    QTest::newRow("three dimensions") << 3;
  }
  void thePlaceUnderThePointerStaysWhenZooming() {
    QFETCH(int, dimensions);
    Shown shown(randomPositions(50, dimensions), dimensions);
    const QPointF at = *shown.plot.pixelOf(7);
    QWheelEvent wheel(at, shown.plot.mapToGlobal(at), {}, QPoint(0, 120), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&shown.plot, &wheel);
    QVERIFY((*shown.plot.pixelOf(7) - at).manhattanLength() < 0.05);
    QVERIFY((*shown.plot.pixelOf(8) - at).manhattanLength() > 0);
    QTest::keyClick(&shown.plot, Qt::Key_Home);
    QVERIFY((*shown.plot.pixelOf(7) - at).manhattanLength() < 0.05);
  }

  void aClickSelectsAndControlAdds() {
    Shown shown({0, 0, 10, 10, 10, 0, 0, 10});
    QSignalSpy current(&shown.plot, &ScatterPlot::currentChanged);
    QTest::mouseClick(&shown.plot, Qt::LeftButton, {}, shown.at(2));
    QCOMPARE(shown.plot.selection(), (std::vector<int32_t>{2}));
    QCOMPARE(current.takeLast().at(0).toInt(), 2);
    QTest::mouseClick(&shown.plot, Qt::LeftButton, Qt::ControlModifier, shown.at(0));
    QCOMPARE(shown.plot.selection(), (std::vector<int32_t>{0, 2}));
    QTest::mouseClick(&shown.plot, Qt::LeftButton, Qt::ControlModifier, shown.at(2));
    QCOMPARE(shown.plot.selection(), (std::vector<int32_t>{0}));
    QTest::mouseClick(&shown.plot, Qt::LeftButton, {}, shown.at(0) + QPoint(30, -30));
    QVERIFY(shown.plot.selection().empty());
  }

  void rectangleAndLassoSelect() {
    Shown shown({0, 0, 10, 10, 10, 0, 0, 10, 5, 5});
    shown.plot.setTool(ScatterPlot::Tool::Rectangle);
    shown.drag(shown.at(0) + QPoint(-10, 10), shown.at(4) + QPoint(10, -10));
    QCOMPARE(shown.plot.selection(), (std::vector<int32_t>{0, 4}));
    shown.plot.setTool(ScatterPlot::Tool::Move);
    shown.drag(shown.at(2) + QPoint(-10, -10), shown.at(2) + QPoint(10, 10), Qt::ControlModifier);
    QCOMPARE(shown.plot.selection(), (std::vector<int32_t>{2}));
    shown.plot.setTool(ScatterPlot::Tool::Lasso);
    QTest::mousePress(&shown.plot, Qt::LeftButton, {}, shown.at(1) + QPoint(12, -12));
    for (const QPoint& p : {shown.at(3) + QPoint(-12, -12), shown.at(3) + QPoint(-12, 12), shown.at(1) + QPoint(12, 12)}) QTest::mouseMove(&shown.plot, p);
    QTest::mouseRelease(&shown.plot, Qt::LeftButton, {}, shown.at(1) + QPoint(12, 12));
    QCOMPARE(shown.plot.selection(), (std::vector<int32_t>{1, 3}));
    QTest::keyClick(&shown.plot, Qt::Key_Escape);
    QVERIFY(shown.plot.selection().empty());
  }

  void draggingMovesOrTurns() {
    Shown flat({0, 0, 10, 10});
    const QPoint before = flat.at(0);
    flat.drag({200, 150}, {240, 170});
    QCOMPARE(flat.at(0), before + QPoint(40, 20));
    Shown deep(randomPositions(30, 3), 3);
    const QQuaternion rotation = deep.plot.view().rotation;
    deep.drag({200, 150}, {240, 170});
    QVERIFY(deep.plot.view().rotation != rotation);
    const QPoint place = deep.at(3);
    deep.drag({200, 150}, {240, 170}, Qt::ShiftModifier);
    QVERIFY((deep.at(3) - place - QPoint(40, 20)).manhattanLength() <= 2);
  }

  void pointsHaveTheirHuesAndUnselectedOnesFade() {
    Shown shown({0, 0, 10, 10});
    shown.plot.setHues({0, 1}, [](int hue) { return hue == 0 ? QColor(255, 0, 0) : QColor(0, 0, 255); });
    QImage image = shown.plot.grab().toImage();
    QCOMPARE(image.pixelColor(shown.at(0)), QColor(255, 0, 0));
    QCOMPARE(image.pixelColor(shown.at(1)), QColor(0, 0, 255));
    shown.plot.setSelection({1});
    image = shown.plot.grab().toImage();
    QVERIFY(image.pixelColor(shown.at(0)).green() > 100);
    QCOMPARE(image.pixelColor(shown.at(1)), QColor(0, 0, 255));
  }

  void nearPointsHideFarOnes() {
    // Two points one behind the other, seen from the front.
    std::vector<float> positions{0, 0, -1, 0, 0, 1, 5, 5, 0};
    auto cloud = ScatterCloud::make(positions, 3);
    ScatterPaint paint;
    paint.background = qRgb(0, 0, 0);
    for (int i = 0; i < 512; ++i) paint.colors[i] = qRgb(i % 256 == 1 ? 255 : 0, i % 256 == 2 ? 255 : 0, 0);
    for (qsizetype k = 0; k < cloud->count(); ++k) paint.paint.push_back(uint16_t(cloud->row[size_t(k)] + 1));
    QImage image(200, 200, QImage::Format_RGB32);
    ScatterView view = ScatterView::fitted(*cloud, image.size(), {});
    ScatterDrawing().draw(image, *cloud, view, paint, 1, false);
    const QPoint at = ScatterProjection(*cloud, view, image.size()).pixel(cloud->at[1]).toPoint();
    QVERIFY(image.pixelColor(at).green() > 100);  // row 1 is nearer
    QCOMPARE(image.pixelColor(at).red(), 0);
  }

  void selectionAndViewOutliveNewPositions() {
    Shown shown({0, 0, 10, 10, 3, 4});
    shown.plot.setSelection({1, 2, 9});
    QCOMPARE(shown.plot.selection(), (std::vector<int32_t>{1, 2}));
    shown.plot.zoomAt({100, 100}, 2);
    const double scale = shown.plot.view().scale;
    shown.plot.setCloud(ScatterCloud::make({0, 1, 11, 10, 3, 5}, 2), true);
    QCOMPARE(shown.plot.selection(), (std::vector<int32_t>{1, 2}));
    QCOMPARE(shown.plot.view().scale, scale);
    shown.plot.setCloud(ScatterCloud::make({0, 1}, 2), true);
    QVERIFY(shown.plot.selection().empty());
  }

  void picturesAndTextsAppearWhenFewAreInSight() {
    Shown shown(randomPositions(5000, 2));
    int pictures = 0, texts = 0;
    shown.plot.setPictures([&](int) {
      ++pictures;
      QImage image(4, 4, QImage::Format_RGB32);
      image.fill(Qt::green);
      return image;
    });
    shown.plot.setTexts([&](int row) {
      ++texts;
      return QString::number(row);
    });
    shown.plot.grab();
    QCOMPARE(pictures, 0);
    shown.plot.zoomAt(*shown.plot.pixelOf(0), 30);
    shown.plot.grab();
    QVERIFY(pictures > 0);
    QVERIFY(texts > 0);
  }

  void anEmptyCloudIsShown() {
    Shown shown({});
    shown.plot.grab();
    QCOMPARE(shown.plot.rowAt({200, 200}), -1);
    shown.drag({10, 10}, {50, 50}, Qt::ControlModifier);
    shown.plot.setCloud(nullptr);
    shown.plot.grab();
    QTest::mouseClick(&shown.plot, Qt::LeftButton, {}, {50, 50});
  }
};

QTEST_MAIN(ScatterTest)
#include "tst_scatter.moc"
