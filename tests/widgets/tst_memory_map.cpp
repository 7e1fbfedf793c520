// The memory map: blocks are hit where they are drawn, however small; mouse and keys work; thousands of blocks are drawn in time.
#include <QElapsedTimer>
#include <QPainter>
#include <QSignalSpy>
#include <QtTest>
#include <random>

#include "common/theme.h"
#include "plot/memory_map.h"
#include "support/sanitized.h"

using namespace weft::widgets;

class TestMemoryMap : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::apply(*qApp, Theme::Kind::Light); }
  void blocksAreWhereTheyAreDrawn();
  void tinyBlocksAreHit();
  void mouseAndKeys();
  void zoomKeepsToTheSteps();
  void allThemes();
  void thousandsOfBlocks();
  void nothingToShow();
};

namespace {

MemoryBlock block(const char* tensor, qint64 offset, qint64 bytes, int first, int last) {
  const QString name = QString::fromLatin1(tensor);
  return {name, name.section(u':', 0, 0), QStringLiteral("math"), offset, bytes, first, last};
}

std::shared_ptr<MemoryMapData> ofSteps(int steps) {
  auto data = std::make_shared<MemoryMapData>();
  for (int i = 0; i < steps; ++i) data->steps << QStringLiteral("op%1").arg(i);
  return data;
}

/// a is there all the time, b above it in the middle, c after b in its place.
std::shared_ptr<MemoryMapData> three() {
  auto data = ofSteps(10);
  data->blocks = {block("a:0", 0, 400, 0, 9), block("b:0", 400, 600, 2, 4), block("c:0", 400, 300, 6, 9)};
  data->inUse = {400, 400, 1000, 1000, 1000, 400, 700, 700, 700, 700};
  data->arenaBytes = 1000;
  data->leastBytes = 1000;
  return data;
}

QColor pixel(MemoryMap& map, QPointF at) { return map.grab().toImage().pixelColor((at * map.devicePixelRatioF()).toPoint()); }

}  // namespace

void TestMemoryMap::blocksAreWhereTheyAreDrawn() {
  MemoryMap map;
  map.resize(700, 300);
  map.setData(three());
  for (int i = 0; i < 3; ++i) {
    const QRectF box = map.blockRect(i);
    QVERIFY(!box.isEmpty());
    QCOMPARE(map.blockAt(box.center()), i);
    QVERIFY(pixel(map, {box.left() + 6, box.bottom() - 6}) != Theme::current().color(Role::Surface2));
  }
  // Twice as high for twice the bytes, as wide as the steps.
  QVERIFY(qAbs(map.blockRect(1).height() / map.blockRect(2).height() - 2) < 0.05);
  QVERIFY(qAbs(map.blockRect(0).width() / map.blockRect(1).width() - 10.0 / 3) < 0.05);
  QVERIFY(map.blockRect(1).bottom() <= map.blockRect(0).top() + 0.01);
  // Between b and c there is nothing above a.
  const QPointF hole((map.blockRect(1).right() + map.blockRect(2).left()) / 2, map.blockRect(2).center().y());
  QCOMPARE(map.blockAt(hole), -1);
  QVERIFY(map.describe(1).contains(QStringLiteral("b:0")) && map.describe(1).contains(QStringLiteral("600 B")) &&
          map.describe(1).contains(QStringLiteral("op2")));
  QVERIFY(map.describeStep(2).contains(QStringLiteral("op2")));
}

void TestMemoryMap::tinyBlocksAreHit() {
  auto data = ofSteps(5000);
  data->blocks = {block("large:0", 0, 100000000, 0, 4999), block("tiny:0", 50000000, 4, 2500, 2500)};
  data->inUse.fill(100000000, 5000);
  data->arenaBytes = data->leastBytes = 100000000;
  MemoryMap map;
  map.resize(700, 300);
  map.setData(data);
  const QRectF box = map.blockRect(1);
  QVERIFY(box.width() >= 0.99 && box.height() >= 0.99);
  QCOMPARE(map.blockAt(box.center() + QPointF(1, 1)), 1);
  QCOMPARE(map.blockAt(box.center() + QPointF(8, 8)), 0);
}

void TestMemoryMap::mouseAndKeys() {
  MemoryMap map;
  map.resize(700, 300);
  map.setData(three());
  map.show();
  QVERIFY(QTest::qWaitForWindowExposed(&map));
  QSignalSpy clicked(&map, &MemoryMap::blockClicked), activated(&map, &MemoryMap::blockActivated);
  QTest::mouseClick(&map, Qt::LeftButton, {}, map.blockRect(1).center().toPoint());
  QCOMPARE(clicked.takeFirst().first().toInt(), 1);
  QCOMPARE(map.selected(), QVector<int>{1});
  QVERIFY(map.accessibleDescription().contains(QStringLiteral("b:0")));
  QTest::mouseDClick(&map, Qt::LeftButton, {}, map.blockRect(2).center().toPoint());
  QCOMPARE(activated.takeFirst().first().toInt(), 2);
  clicked.clear();
  map.setSelected({0});
  QCOMPARE(clicked.size(), 0);
  QTest::keyClick(&map, Qt::Key_Right);  // by first step: a, b, c
  QCOMPARE(clicked.takeFirst().first().toInt(), 1);
  QTest::keyClick(&map, Qt::Key_Right);
  QTest::keyClick(&map, Qt::Key_Right);  // there is none after c
  QCOMPARE(map.selected(), QVector<int>{2});
  QTest::keyClick(&map, Qt::Key_Down);
  QCOMPARE(map.selected(), QVector<int>{0});
  QTest::keyClick(&map, Qt::Key_Up);
  QVERIFY(map.selected() != QVector<int>{0});
  QTest::keyClick(&map, Qt::Key_Return);
  QCOMPARE(activated.size(), 1);
  clicked.clear();
  QTest::mouseClick(&map, Qt::LeftButton, {}, QPoint(5, 5));  // beside all blocks
  QCOMPARE(clicked.size(), 0);
}

void TestMemoryMap::zoomKeepsToTheSteps() {
  MemoryMap map;
  map.resize(700, 300);
  auto data = ofSteps(1000);
  data->blocks = {block("a:0", 0, 4, 0, 999), block("b:0", 4, 4, 500, 510)};
  data->inUse.fill(8, 1000);
  data->arenaBytes = data->leastBytes = 8;
  map.setData(data);
  QCOMPARE(map.range(), (std::pair{0.0, 1000.0}));
  map.setSelected({1});
  QTest::keyClick(&map, Qt::Key_F);
  QVERIFY(map.range().first < 500 && map.range().first > 480 && map.range().second > 511 && map.range().second < 530);
  const double before = map.range().first;
  QTest::keyClick(&map, Qt::Key_D);
  QVERIFY(map.range().first > before);
  for (int i = 0; i < 80; ++i) QTest::keyClick(&map, Qt::Key_W);
  QVERIFY(map.range().second - map.range().first >= 3.9);
  for (int i = 0; i < 80; ++i) QTest::keyClick(&map, Qt::Key_A, Qt::ShiftModifier);
  for (int i = 0; i < 400; ++i) QTest::keyClick(&map, Qt::Key_A, Qt::ShiftModifier);
  QCOMPARE(map.range().first, 0.0);
  for (int i = 0; i < 80; ++i) QTest::keyClick(&map, Qt::Key_S);
  QCOMPARE(map.range(), (std::pair{0.0, 1000.0}));
  QTest::keyClick(&map, Qt::Key_W);
  QTest::keyClick(&map, Qt::Key_Home);
  QCOMPARE(map.range(), (std::pair{0.0, 1000.0}));
}

void TestMemoryMap::allThemes() {
  MemoryMap map;
  map.resize(700, 300);
  map.setData(three());
  for (const Theme::Kind kind : {Theme::Kind::Dark, Theme::Kind::HighContrast, Theme::Kind::Light}) {
    Theme::apply(*qApp, kind);
    // Beside the plot is the theme's background: the picture was redrawn.
    QCOMPARE(pixel(map, {2, 2}), Theme::current().color(Role::Surface2));
  }
}

void TestMemoryMap::thousandsOfBlocks() {
  auto data = ofSteps(3000);
  std::mt19937 random(7);
  data->inUse.fill(0, 3000);
  for (int i = 0; i < 5000; ++i) {
    const int first = int(random() % 2990), last = std::min(2999, first + int(random() % 60));
    const qint64 bytes = 1000 + qint64(random() % 200000);
    data->blocks << block("scope/of/a/name:0", qint64(random() % 40000000), bytes, first, last);
    for (int s = first; s <= last; ++s) data->inUse[s] += bytes;
  }
  data->arenaBytes = 41000000;
  data->leastBytes = 40000000;
  MemoryMap map;
  map.resize(1600, 600);
  map.setData(data);
  map.show();
  QVERIFY(QTest::qWaitForWindowExposed(&map));
  // The fastest of several, because other programs share the processors. Each range is redrawn, with and without labels.
  double all = 1e9, near = 1e9, hovering = 1e9;
  for (int i = 0; i < 20; ++i) {
    QElapsedTimer clock;
    map.setRange(i, i % 2 ? 3000 - i : 60 + i);
    clock.start();
    map.repaint();
    double& fastest = i % 2 ? all : near;
    fastest = std::min(fastest, double(clock.nsecsElapsed()) / 1e6);
    clock.restart();
    static_cast<void>(map.blockAt({800.0 + i, 300.0}));
    hovering = std::min(hovering, double(clock.nsecsElapsed()) / 1e6);
  }
  qInfo("5,000 blocks: all drawn in %.2f ms, near by in %.2f ms, found in %.3f ms", all, near, hovering);
  if (weft::tests::kSanitized) return;
  QVERIFY2(all < 16 && near < 16, qPrintable(QStringLiteral("%1 %2").arg(all).arg(near)));
  QVERIFY2(hovering < 5, qPrintable(QString::number(hovering)));
}

void TestMemoryMap::nothingToShow() {
  MemoryMap map;
  map.resize(300, 100);
  for (const auto& data : {std::shared_ptr<MemoryMapData>(), std::make_shared<MemoryMapData>()}) {
    map.setData(data);
    QCOMPARE(map.blockAt({100, 50}), -1);
    for (const Qt::Key key : {Qt::Key_Left, Qt::Key_W, Qt::Key_F, Qt::Key_Return}) QTest::keyClick(&map, key);
    QTest::mouseMove(&map, {100, 50});
    QVERIFY(!map.grab().isNull());
  }
}

QTEST_MAIN(TestMemoryMap)
#include "tst_memory_map.moc"
