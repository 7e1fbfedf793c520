// Extreme files opened in the window: very many nodes, equal blocks, long names, deep scopes, self-loops, no wires. Each opens without a hang, is readable, and
// can be worked with.
#include <QElapsedTimer>
#include <QTimer>
#include <functional>

#include "document/document.h"
#include "main_window/document_page.h"
#include "window_fixture.h"

using namespace weft::app;
using weft::widgets::GraphView;
using weft::widgets::Item;

namespace {

QByteArray node(const QByteArray& name, const QByteArray& input = {}, const QByteArray& op = "Relu") {
  QByteArray text = "node { name: \"" + name + "\" op: \"" + op + "\"";
  if (!input.isEmpty()) text += " input: \"" + input + "\"";
  if (op == "Relu") text += " attr { key: \"T\" value { type: DT_FLOAT } }";
  if (op == "Placeholder") text += " attr { key: \"dtype\" value { type: DT_FLOAT } }";
  return text + " }\n";
}

/// `count` nodes, each reading the one before, or all apart.
QByteArray manyNodes(int count, const QByteArray& scope, bool wired) {
  QByteArray text = node("x", {}, "Placeholder"), before = "x";
  for (int i = 0; i < count; ++i) {
    const QByteArray name = scope + "n" + QByteArray::number(i);
    text += wired ? node(name, before) : node(name, {}, "NoOp");
    before = name;
  }
  return text;
}

QByteArray equalBlocks(int count) {
  QByteArray text = node("x", {}, "Placeholder"), before = "x";
  for (int i = 0; i < count; ++i) {
    const QByteArray block = "block_" + QByteArray::number(i);
    text += node(block + "/a", before) + node(block + "/b", block + "/a");
    before = block + "/b";
  }
  return text;
}

QByteArray deepScopes(int depth) {
  QByteArray text = node("x", {}, "Placeholder"), before = "x", scope;
  for (int i = 0; i < depth; ++i) {
    scope += "s" + QByteArray::number(i) + "/";
    text += node(scope + "relu", before);
    before = scope + "relu";
  }
  return text;
}

}  // namespace

class LimitsTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void opensAndCanBeUsed_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("nodes");
    QTest::newRow("100,000 nodes in one scope") << manyNodes(100000, "s/", true) << 100001;
    QTest::newRow("10,000 equal blocks") << equalBlocks(10000) << 20001;
    QTest::newRow("names of 4,000 letters") << QByteArray(node("x", {}, "Placeholder") + node("s" + QByteArray(2000, 'n') + "/" + QByteArray(1999, 'm'), "x") +
                                                          node(QByteArray(4000, 'q'), "x"))
                                            << 3;
    QTest::newRow("200 scopes in each other") << deepScopes(200) << 201;
    QTest::newRow("self-loops") << QByteArray(node("a", "a") + node("s/b", "s/b") + node("c", "d") + node("d", "c")) << 4;
    QTest::newRow("20,000 nodes without wires") << manyNodes(20000, "", false) << 20001;
  }
  void opensAndCanBeUsed() {
    QFETCH(QByteArray, text);
    QFETCH(int, nodes);
    // The longest time that the event loop is blocked: measured by a timer with a short interval.
    QElapsedTimer beat, all;
    qint64 longest = 0;
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [&] { longest = std::max(longest, beat.restart()); });
    const QString path = write("limit.pbtxt", text);
    beat.start();
    all.start();
    timer.start(5);
    window_->workspace().open(path);
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().documents().size(), 1, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(window_->canvas() && !window_->canvas()->isLayoutPending() && window_->workspace().tasks().isEmpty(), kPatience);
    QCOMPARE(document()->summary().nodes, nodes);
    GraphView* canvas = window_->canvas();
    canvas->setMotion(false);
    QTRY_VERIFY_WITH_TIMEOUT(window_->isSettled(), kPatience);
    const qint64 opened = all.elapsed();

    // At first sight something can be read: text of more than some pixels, and not everything at once.
    QVERIFY(canvas->visibleItemCount() > 0);
    QVERIFY2(canvas->zoom() >= kLeastZoom, qPrintable(QString::number(canvas->zoom())));
    const QImage picture = canvas->grab().toImage();
    if (const QString folder = qEnvironmentVariable("WEFT_LIMIT_PICTURES"); !folder.isEmpty())
      window_->grab().save(folder + u'/' + QString::fromLatin1(QTest::currentDataTag()).replace(u' ', u'-') + QStringLiteral(".png"));
    QVERIFY2(coloursIn(picture) > 8, "the picture is not empty");

    // Every dock has something to say, and the gestures work.
    for (const char* id : {"view.fit", "edit.select-all", "view.fit"}) run(id);
    canvas->clearSelection();
    for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Down, Qt::Key_Left, Qt::Key_F}) QTest::keyClick(canvas, key);
    const QString some = document()->contents()->arrays.nodes[size_t(nodes) / 2].name;
    document()->requestSelection({some});
    QTRY_VERIFY_WITH_TIMEOUT(!canvas->isLayoutPending() && !canvas->itemRect(Item::node(document()->nodeIndex(some))).isEmpty(), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(window_->isSettled(), kPatience);
    qInfo("opened in %lld ms, all in %lld ms, the longest wait of the window %lld ms", static_cast<long long>(opened), static_cast<long long>(all.elapsed()),
          static_cast<long long>(longest));
    QVERIFY2(longest < kLongestWait, qPrintable(QString::number(longest)));
  }

 private:
  static constexpr int kPatience = 120000;  // with sanitizers, on a machine that compiles meanwhile
  static constexpr qint64 kLongestWait = 4000;
  static constexpr double kLeastZoom = 0.2;  // names of large scopes keep their size below 100 %

  static int coloursIn(const QImage& image) {
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); y += 2)
      for (int x = 0; x < image.width(); x += 2) colours.insert(image.pixel(x, y));
    return int(colours.size());
  }
};

QTEST_MAIN(LimitsTest)
#include "tst_limits.moc"
