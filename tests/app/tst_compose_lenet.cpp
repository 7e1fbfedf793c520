// A convolutional network for digits, drawn from nothing with keys and mouse in at most twelve gestures, and trained. A gesture is one thing that a person
// does and then looks up: a click, a drag, a name typed and confirmed.
#include <QApplication>
#include <QLineEdit>
#include <QTest>

#include "adapters/graph_edit.h"
#include "common/theme.h"
#include "document/document.h"
#include "graph_view/graph_view.h"
#include "main_window/main_window.h"
#include "palette/add_menu.h"

using namespace weft::app;
using weft::widgets::AddMenu;
using weft::widgets::GraphView;

class LenetTest : public QObject {
  Q_OBJECT

  std::unique_ptr<MainWindow> window_;
  int gestures_ = 0;
  QString failure_;

  Document* document() const { return window_->workspace().current(); }
  GraphView* canvas() const { return window_->canvas(); }
  void settle() {
    QTRY_VERIFY(!document()->isEditing());
    QTRY_VERIFY(!canvas()->isLayoutPending());
  }
  void begin() {
    QVERIFY(window_->actionRegistry().run(QStringLiteral("file.new"), {QStringLiteral("empty")}).ok);
    ++gestures_;
    QTRY_VERIFY(window_->canvas() != nullptr && document() != nullptr);
    canvas()->setFocus(Qt::MouseFocusReason);
  }
  /// One that was closed lives on until the events are done.
  AddMenu* shownMenu() const {
    for (AddMenu* menu : window_->findChildren<AddMenu*>())
      if (menu->isVisible()) return menu;
    return nullptr;
  }
  /// Tab, the text, Enter: the node is added after the selection.
  void type(const QString& words) {
    const int before = document()->history().index();
    QTest::keyClick(canvas(), Qt::Key_Tab);
    AddMenu* menu = shownMenu();
    QVERIFY(menu != nullptr);
    QTest::keyClicks(menu->field(), words);
    QTest::keyClick(menu->field(), Qt::Key_Return);
    ++gestures_;
    QTRY_VERIFY2(document()->history().index() == before + 1, qPrintable(words + QStringLiteral(": ") + failure_));
    settle();
  }
  QString problems() const {
    QStringList all;
    for (const Problem& p : document()->problems()) all << p.node + QStringLiteral(": ") + p.message;
    return all.join(u'\n');
  }

 private slots:
  void initTestCase() { weft::widgets::Theme::apply(*qApp, weft::widgets::Theme::Kind::Light); }
  void init() {
    window_ = std::make_unique<MainWindow>(Settings::Kind::InMemory);
    window_->resize(1500, 900);
    window_->show();
    gestures_ = 0;
    failure_.clear();
    connect(&window_->actionRegistry(), &ActionRegistry::failed, this, [this](const QString& why) { failure_ = why; });
  }
  void cleanup() { window_.reset(); }

  void twelveGesturesAndATraining() {
    begin();
    type(QStringLiteral("digits"));
    QCOMPARE(document()->selection(), QStringList{QStringLiteral("images")});
    type(QStringLiteral("reshape -1x8x8x1"));
    type(QStringLiteral("conv2d 16 3x3 same relu"));
    type(QStringLiteral("max_pooling2d 2x2"));
    type(QStringLiteral("conv2d 32 3x3 same relu"));
    type(QStringLiteral("max_pooling2d 2x2"));
    type(QStringLiteral("flatten"));
    type(QStringLiteral("dense 64 relu"));
    type(QStringLiteral("dense 10"));
    type(QStringLiteral("sparse_softmax_cross_entropy"));
    type(QStringLiteral("adamoptimizer 0.002"));
    QVERIFY2(gestures_ <= 12, qPrintable(QString::number(gestures_)));
    QVERIFY2(problems().isEmpty(), qPrintable(problems()));
    QCOMPARE(document()->summary().parameters, qint64(9 * 16 + 16 + 9 * 16 * 32 + 32 + 128 * 64 + 64 + 64 * 10 + 10));
    RunController& runs = window_->workspace().runs();
    QVERIFY2(runs.whyNot(document()).isEmpty(), qPrintable(runs.whyNot(document())));
    QVERIFY(window_->actionRegistry().run(QStringLiteral("run.train"), {QStringLiteral("--epochs"), QStringLiteral("5")}).ok);
    QTRY_VERIFY_WITH_TIMEOUT(!runs.isActive(), 120000);
    runs.drain();
    QVERIFY2(runs.lastError().isEmpty(), qPrintable(runs.lastError()));
    QVERIFY2(runs.progress().testAccuracy > 0.93, qPrintable(QString::number(runs.progress().testAccuracy)));
  }

  void whatIsTypedMustBeAValue() {
    begin();
    type(QStringLiteral("digits"));
    // A word that no parameter takes adds nothing.
    QTest::keyClick(canvas(), Qt::Key_Tab);
    AddMenu* menu = shownMenu();
    QVERIFY(menu != nullptr);
    QTest::keyClicks(menu->field(), QStringLiteral("dense 10 20.5"));
    QTest::keyClick(menu->field(), Qt::Key_Return);
    QTest::qWait(50);
    QCOMPARE(document()->history().index(), 1);
    // Without words there are values to begin with.
    canvas()->setFocus(Qt::MouseFocusReason);
    type(QStringLiteral("dense"));
    QCOMPARE(document()->summary().parameters, qint64(64 * 64 + 64));
    type(QStringLiteral("dense units=3 use_bias=false"));
    QCOMPARE(document()->summary().parameters, qint64(64 * 64 + 64 + 64 * 3));
  }

  void everythingOfThePaletteCanBeAdded() {
    begin();
    type(QStringLiteral("digits"));
    for (const char* name : {"reshape", "transpose", "cast", "layers.dense", "layers.conv2d", "layers.conv2d_transpose", "layers.separable_conv2d",
                             "layers.max_pooling2d", "layers.average_pooling2d", "layers.flatten", "layers.dropout", "layers.batch_normalization",
                             "summary.scalar", "summary.histogram", "metrics.mean"}) {
      const CommandResult selected = window_->actionRegistry().run(QStringLiteral("graph.select"), {QStringLiteral("images")});
      QVERIFY(selected.ok);
      const int before = document()->history().index();
      const CommandResult added = window_->actionRegistry().run(QStringLiteral("graph.add-here"), {QLatin1String(name)});
      QVERIFY2(added.ok, qPrintable(QLatin1String(name) + QStringLiteral(": ") + added.message));
      QTRY_VERIFY2(document()->history().index() == before + 1, qPrintable(QLatin1String(name) + QStringLiteral(": ") + failure_));
      settle();
    }
  }
};

QTEST_MAIN(LenetTest)
#include "tst_compose_lenet.moc"
