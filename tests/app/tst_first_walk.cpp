// The first day with the IDE: an empty home, and only mouse and keys. From the start page to a trained, debugged, profiled, saved network.
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>

#include "document/debug_controller.h"
#include "document/document.h"
#include "document/profile_store.h"
#include "document/run_controller.h"
#include "graph_view/graph_view.h"
#include "main_window/main_window.h"
#include "main_window/message_bar.h"
#include "plot/scalar_grid.h"
#include "plot/scalar_plot.h"
#include "timeline/timeline_view.h"

using namespace weft::app;
using weft::widgets::GraphView;
using weft::widgets::Item;

namespace {
constexpr int kLong = 60000;  // ms that something may take on a machine that does much else
constexpr int kShort = 5000;  // for steps without computation
constexpr const char* kStopAt = "evaluation/ArgMax";
}  // namespace

class FirstWalkTest : public QObject {
  Q_OBJECT

  QTemporaryDir home_;
  std::unique_ptr<MainWindow> window_;
  QString failure_;

  Document* document() const { return window_->workspace().current(); }
  GraphView* canvas() const { return window_->canvas(); }
  RunController& runs() const { return window_->workspace().runs(); }
  DebugController& debugger() const { return window_->workspace().debugger(); }
  QString saved() const { return home_.filePath(QStringLiteral("first.weft")); }

  /// As `weft-studio` starts it.
  void start() {
    window_ = std::make_unique<MainWindow>(Settings::Kind::User);
    window_->setLanguage(QStringLiteral("en"));
    window_->resize(1600, 1000);
    window_->show();
    window_->begin();
    connect(&window_->actionRegistry(), &ActionRegistry::failed, this, [this](const QString& why) { failure_ = why; });
    QTRY_VERIFY_WITH_TIMEOUT(window_->isSettled(), kLong);
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().isBusy() && window_->workspace().tasks().isEmpty() && window_->isSettled(), kLong); }
  /// The one with that accessible name, or those words, that a person sees.
  template <typename Widget>
  Widget* seen(const QString& words, const QWidget* within = nullptr) const {
    for (Widget* w : (within ? within : window_.get())->template findChildren<Widget*>()) {
      if (!w->isVisible() || !w->visibleRegion().boundingRect().isValid()) continue;
      QString text = w->accessibleName();
      if constexpr (std::is_base_of_v<QAbstractButton, Widget>) text = text.isEmpty() ? w->text() : text;
      if (text.remove(u'&') == words) return w;
    }
    return nullptr;
  }
  QWidget* barButton(const char* action) const {
    for (QToolButton* b : window_->findChild<QToolBar*>(QStringLiteral("run_bar"))->findChildren<QToolButton*>())
      if (b->isVisible() && b->defaultAction() == window_->actionRegistry().action(QLatin1String(action))) return b;
    return nullptr;
  }
  QWidget* trainButton() const { return window_->findChild<QToolBar*>(QStringLiteral("run_bar"))->findChild<QPushButton*>(); }
  QString where() const {
    const DebugState& s = debugger().state();
    return QStringLiteral("phase %1, op %2 of step %3 at %4; %5").arg(int(s.phase)).arg(s.stop.index).arg(s.step).arg(s.node(), failure_);
  }
  /// Maximum time that the window may be blocked.
  QString held() const {
    const QWidget* asks = QApplication::activeModalWidget();
    return QStringLiteral("modal: %1; busy: %2; tasks: %3; runs: %4; debugger: %5")
        .arg(asks ? asks->objectName() : QString())
        .arg(window_->workspace().isBusy())
        .arg(window_->workspace().tasks().isEmpty() ? 0 : 1)
        .arg(runs().isActive())
        .arg(debugger().isActive());
  }
  static void click(QWidget* w) {
    QVERIFY(w && w->isVisible() && w->isEnabled());
    QTest::mouseClick(w, Qt::LeftButton, {}, w->rect().center());
  }
  /// The tab of a dock.
  void clickTab(const QString& words) const {
    for (QTabBar* bar : window_->findChildren<QTabBar*>())
      for (int i = 0; i < bar->count(); ++i)
        if (bar->isVisible() && bar->tabText(i).remove(u'&').startsWith(words)) return QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(i).center());
    QFAIL(qPrintable(QStringLiteral("No tab is called %1").arg(words)));
  }
  /// Sends a key to the focus widget.
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QWidget* w = window_->focusWidget() ? window_->focusWidget() : window_.get();
    QTest::keyClick(w, key, modifiers);
  }

 private slots:
  void initTestCase() {
    QVERIFY(home_.isValid());
    QTest::failOnWarning(QRegularExpression(QStringLiteral("QObject|QWidget|QLayout")));
  }
  void cleanupTestCase() { window_.reset(); }

  void _01_theStartPageOffersTemplatesAndATour() {
    start();
    QVERIFY(window_->isStartPageShown());
    QVERIFY(!window_->shownMessages().isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(seen<QPushButton>(QStringLiteral("Multi-layer perceptron")), kLong);
  }
  void _02_aClickOpensATemplate() {
    click(seen<QPushButton>(QStringLiteral("Multi-layer perceptron")));
    QTRY_VERIFY_WITH_TIMEOUT(document() && canvas() && canvas()->isVisible(), kLong);
    settle();
    QTRY_VERIFY(!canvas()->isLayoutPending());
    // All of it is in sight.
    const QRectF shown = canvas()->itemRect(Item::scope(document()->scopeIndex(QStringLiteral("hidden1"))));
    QVERIFY(!shown.isEmpty() && QRectF(canvas()->rect()).contains(shown));
  }
  void _03_trainTrains() {
    click(trainButton());
    QVERIFY2(failure_.isEmpty(), qPrintable(failure_));
    QTRY_VERIFY_WITH_TIMEOUT(runs().progress().step > 0, kLong);
    QCOMPARE(runs().document(), document());
  }
  void _04_curvesGrow() {
    press(Qt::Key_2, Qt::ControlModifier);
    QTRY_VERIFY(window_->isViewVisible(QStringLiteral("overview")));
    clickTab(QStringLiteral("Scalars"));
    QTRY_VERIFY(window_->isViewVisible(QStringLiteral("scalars")));
    auto* grid = window_->viewWidget(QStringLiteral("scalars"))->findChild<weft::widgets::ScalarGrid*>();
    QTRY_VERIFY_WITH_TIMEOUT(grid->tags().contains(QStringLiteral("loss")), kLong);
    QTRY_VERIFY_WITH_TIMEOUT(grid->plot(QStringLiteral("loss"))->drawnSamples(0) > 1, kLong);
  }
  void _05_stopEndsIt() {
    // It may have come to its end before the hand came to the button.
    if (QWidget* stop = barButton("run.stop"); stop && stop->isEnabled()) click(stop);
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isActive(), kLong);
    QVERIFY2(runs().lastError().isEmpty(), qPrintable(runs().lastError()));
    QCOMPARE(runs().runs().size(), size_t(1));
  }
  void _06_aBreakpointIsSetOnTheCanvas() {
    press(Qt::Key_1, Qt::ControlModifier);
    settle();
    // Ctrl+F finds the op, wherever it is; B marks it.
    click(canvas());
    press(Qt::Key_F, Qt::ControlModifier);
    auto* field = qobject_cast<QLineEdit*>(window_->focusWidget());
    if (!field) field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    QVERIFY(field);
    QTest::keyClicks(field, QLatin1String(kStopAt));
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(document()->selection(), QStringList{QLatin1String(kStopAt)});
    QTest::keyClick(field, Qt::Key_Escape);
    canvas()->setFocus(Qt::OtherFocusReason);
    press(Qt::Key_B);
    QTRY_COMPARE(debugger().breakpoints(document()).size(), size_t(1));
    QCOMPARE(debugger().breakpoints(document()).front().place, std::string(kStopAt));
  }
  void _07_theDebuggerStopsThere() {
    press(Qt::Key_3, Qt::ControlModifier);
    settle();
    press(Qt::Key_F9);
    QVERIFY2(failure_.isEmpty(), qPrintable(failure_));
    QTRY_VERIFY_WITH_TIMEOUT(debugger().isStopped(), kLong);
    QCOMPARE(debugger().state().node(), QLatin1String(kStopAt));
    QVERIFY(barButton("debug.step-op"));  // in the place of the one for training
  }
  void _08_stepsGoOnAndBack() {
    const qint64 before = debugger().state().stop.index;
    QTRY_VERIFY(barButton("debug.step-op")->isEnabled());
    press(Qt::Key_F10);
    QTRY_VERIFY2_WITH_TIMEOUT(debugger().isStopped() && debugger().state().stop.index > before, qPrintable(where()), kLong);
    QTRY_VERIFY(barButton("debug.step-back")->isEnabled());
    press(Qt::Key_F10, Qt::ShiftModifier);
    QTRY_VERIFY2_WITH_TIMEOUT(debugger().isStopped() && debugger().state().stop.index <= before, qPrintable(where()), kLong);
    click(barButton("debug.stop"));
    QTRY_VERIFY(barButton("profile.trace") && barButton("profile.trace")->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(!debugger().isActive(), kLong);
  }
  void _09_theProfilerTracesSteps() {
    press(Qt::Key_4, Qt::ControlModifier);
    settle();
    click(barButton("profile.trace"));
    QVERIFY2(failure_.isEmpty(), qPrintable(failure_));
    ProfileStore& store = ProfileStore::of(window_->workspace());
    QTRY_VERIFY_WITH_TIMEOUT(store.current() && !store.isBusy(), kLong);
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isActive(), kLong);
    auto* timeline = window_->viewWidget(QStringLiteral("timeline"))->findChild<weft::widgets::TimelineView*>();
    QTRY_VERIFY(timeline && timeline->isVisible());
  }
  void _10_saveAsksForAName() {
    QTimer answer;
    answer.setInterval(50);
    connect(&answer, &QTimer::timeout, this, [&] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      auto* name = dialog ? dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit")) : nullptr;
      if (!name) return;
      answer.stop();
      name->setText(saved());  // typed, a list of completions would take the keys that follow
      for (QPushButton* button : dialog->findChildren<QPushButton*>())
        if (button->isDefault()) QTest::mouseClick(button, Qt::LeftButton);
    });
    answer.start();
    press(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(saved()).size() > 0 && document()->path() == saved(), kLong);
    QTRY_VERIFY(!document()->isModified());
  }
  void _11_theWindowCloses() {
    settle();
    // Everything is saved: nothing is asked.
    window_->close();
    QTRY_VERIFY2_WITH_TIMEOUT(!window_->isVisible(), qPrintable(held()), kShort);
    window_.reset();
  }
  void _12_aRestartOpensItAgain() {
    start();
    QTRY_VERIFY_WITH_TIMEOUT(document() && document()->path() == saved() && canvas() && canvas()->isVisible(), kLong);
    settle();
    QVERIFY(!document()->isModified() && !window_->isStartPageShown());
    QCOMPARE(debugger().breakpoints(document()).size(), size_t(1));
    // Changed, it is asked about.
    canvas()->selectNames({QLatin1String(kStopAt)});
    canvas()->setFocus(Qt::OtherFocusReason);
    press(Qt::Key_H);
    QTRY_VERIFY(document()->isModified() && !document()->isEditing());
    press(Qt::Key_Q, Qt::ControlModifier);
    auto* question = window_->findChild<QDialog*>(QStringLiteral("unsaved_dialog"));
    QVERIFY(question && question->isVisible() && window_->isVisible());
    click(seen<QPushButton>(QStringLiteral("Save"), question));
    QTRY_VERIFY2_WITH_TIMEOUT(!window_->isVisible(), qPrintable(held()), kShort);
    QVERIFY(!document()->isModified());
  }
};

// The home is empty before anything is read from it.
int main(int argc, char** argv) {
  QTemporaryDir home;
  for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"}) qputenv(name, home.path().toUtf8());
  QCoreApplication::setOrganizationName(QStringLiteral("weft"));
  QCoreApplication::setApplicationName(QStringLiteral("weft-studio"));
  QApplication application(argc, argv);
  FirstWalkTest test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_first_walk.moc"
