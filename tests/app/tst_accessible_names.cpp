// Screen readers: each button, field and list of every dock has an accessible name, with and without data.
#include <QAbstractButton>
#include <QAccessible>
#include <QDialog>
#include <QDockWidget>
#include <QTest>

#include "document/debug_controller.h"
#include "document/document.h"
#include "document/profile_store.h"
#include "document/run_controller.h"
#include "window_fixture.h"

using namespace weft::app;

namespace {

constexpr int kLong = 60000;

/// Parts of Qt's own composite widgets, which speak through their owner.
bool isPart(const QWidget* widget) {
  if (widget->objectName().startsWith(QLatin1String("qt_"))) return true;
  for (const char* owner :
       {"QAbstractSpinBox", "QComboBox", "QLineEdit", "QKeySequenceEdit", "QTabBar", "QMenuBar", "QHeaderView", "QAbstractItemView", "QDialogButtonBox"})
    for (const QWidget* p = widget->parentWidget(); p; p = p->parentWidget())
      if (p->inherits(owner) && !widget->inherits("QPushButton")) return true;
  for (const char* kind : {"QHeaderView", "QScrollBar", "QMenu", "QTabBar", "QMenuBar"})
    if (widget->inherits(kind)) return true;
  return false;
}

bool isInteractive(const QWidget* widget) { return widget->focusPolicy() != Qt::NoFocus || qobject_cast<const QAbstractButton*>(widget); }

}  // namespace

class NamesTest : public WindowFixture {
  Q_OBJECT

  QStringList nameless_;

  void look(QWidget* root, const QString& where) {
    if (!root) return;
    for (QWidget* widget : root->findChildren<QWidget*>()) {
      if (!widget->isVisible() || !isInteractive(widget) || isPart(widget)) continue;
      const QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
      // A button that shows a picture only has no text to fall back on.
      if (interface && interface->text(QAccessible::Name).trimmed().isEmpty())
        nameless_ << QStringLiteral("%1: %2 \"%3\" in %4")
                         .arg(where, QLatin1String(widget->metaObject()->className()), widget->objectName(),
                              QLatin1String(widget->parentWidget() ? widget->parentWidget()->metaObject()->className() : ""));
    }
  }
  void lookAtAll(const QString& when) {
    for (const QString& id : window_->viewIds()) {
      window_->showView(id);
      QCoreApplication::processEvents();
      look(window_->viewWidget(id), when + u' ' + id);
      window_->showView(id, false);
    }
    look(window_.get(), when + QStringLiteral(" window"));
    nameless_.removeDuplicates();
    QVERIFY2(nameless_.isEmpty(), qPrintable(nameless_.join('\n')));
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().isBusy() && window_->workspace().tasks().isEmpty() && window_->isSettled(), kLong); }

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() {
    showWindow();
    window_->resize(1600, 1400);
    nameless_.clear();
  }
  void cleanup() { stopAndClose(); }

  void whileNothingIsOpen() {
    write(QStringLiteral("g.pbtxt"), kGraph);
    window_->workspace().settings().addRecentFile(folder_.filePath(QStringLiteral("g.pbtxt")));
    window_->showStartPage();
    settle();
    lookAtAll(QStringLiteral("start"));
  }
  void afterATraining() {
    openTemplate();
    QVERIFY(run("run.train", {"--epochs", "2"}));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().runs().isActive(), kLong);
    QVERIFY(run("profile.trace", {"--steps", "2"}));
    QTRY_VERIFY_WITH_TIMEOUT(ProfileStore::of(window_->workspace()).current() && !window_->workspace().runs().isActive(), kLong);
    QVERIFY(run("run.evaluate"));
    settle();
    QVERIFY(run("graph.select", {"hidden1"}));
    lookAtAll(QStringLiteral("trained"));
  }
  void whileARunIsStopped() {
    openTemplate();
    QVERIFY(run("debug.break", {"hidden2/MatMul"}));
    QVERIFY(run("debug.train"));
    DebugController& debugger = window_->workspace().debugger();
    QTRY_VERIFY_WITH_TIMEOUT(debugger.isStopped(), kLong);
    debugger.addWatch(window_->workspace().current(), QStringLiteral("hidden1/Relu:0"));
    debugger.showTensor(QStringLiteral("hidden1/Relu:0"));
    settle();
    QVERIFY(run("graph.select", {"hidden2/MatMul"}));
    lookAtAll(QStringLiteral("stopped"));
  }
  void inFilesAndDialogs() {
    openTemplate();
    QVERIFY(run("run.train", {"--epochs", "1"}));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().runs().isActive(), kLong);
    const auto& checkpoints = window_->workspace().runs().runs().front()->checkpoints;
    QVERIFY(!checkpoints.isEmpty());
    window_->workspace().open(checkpoints.last().prefix + QStringLiteral(".index"));
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().currentFile(), kLong);
    settle();
    look(window_.get(), QStringLiteral("checkpoint"));
    for (const char* id : {"settings.open", "help.keys", "help.about", "help.first-steps", "help.bug-report", "debug.forced"}) {
      run(id);
      QCoreApplication::processEvents();
    }
    for (QWidget* top : QApplication::topLevelWidgets())
      if (top != window_.get() && top->isVisible()) look(top, top->objectName());
    nameless_.removeDuplicates();
    QVERIFY2(nameless_.isEmpty(), qPrintable(nameless_.join('\n')));
  }
};

QTEST_MAIN(NamesTest)
#include "tst_accessible_names.moc"
