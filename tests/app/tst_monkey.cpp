// Commands, keys, themes, languages and layouts in random order; and the rule that no widget is destroyed during a theme change.
#include <QApplication>
#include <QDialog>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QMenu>
#include <QRandomGenerator>
#include <QTest>
#include <QTreeView>
#include <cstdio>

#include "document/document.h"
#include "graph_view/graph_view.h"
#include "main_window/main_window.h"
#include "widget_watch.h"
#include "window_fixture.h"

using namespace weft::app;

namespace {

/// Those that lead out of the program, wait for a dialog of the system, or compute for long.
bool isLeftOut(const QString& id, const ActionRecord& record) {
  static const QStringList kOut = {"file.quit",       "file.open",     "file.save",        "file.save-as", "run.open-folder", "program.run",
                                   "program.restart", "program.debug", "console.start",    "help.report",  "profile.roof",    "edit.copy",
                                   "edit.cut",        "edit.paste",    "view.save-layout", "layout.save"};
  if (kOut.contains(id)) return true;
  // Without arguments these open a native dialog, which blocks.
  const QString usage = QLatin1String(record.usage);
  return usage.contains("PATH") || usage.contains("FILE") || usage.contains("FOLDER") || usage.contains("NAME") || id.startsWith("console.") ||
         id.startsWith("program.") || id.contains("export") || id.contains("save");
}

}  // namespace

class MonkeyTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { stopAndClose(); }

  /// Qt restyles widgets through a list of bare pointers: destroying one meanwhile eventually crashes.
  void noWidgetGoesWhileTheThemeChanges_data() {
    QTest::addColumn<QString>("state");
    for (const char* state :
         {"start", "graph", "edited", "renaming", "report", "tensors", "docks", "dialogs", "trained", "profiled", "stopped", "help", "language"})
      QTest::newRow(state) << QString(state);
  }
  void noWidgetGoesWhileTheThemeChanges() {
    QFETCH(QString, state);
    if (state != "start") openTemplate();
    if (state == "edited" || state == "renaming") {
      selectNode();
      QVERIFY(run("graph.frame"));
      settle();
      QVERIFY(run("edit.undo"));
      settle();
    }
    if (state == "renaming") {
      selectNode();
      QVERIFY(run("graph.rename-in-place"));
    }
    if (state == "report") openFile(write("answers.pbtxt.txt", "no graph at all"));
    if (state == "tensors") openFile(write("a.csv", "x,y\n1,2\n3,4\n"));
    if (state == "docks")
      for (const QString& id : window_->viewIds()) window_->showView(id), window_->setViewFloating(id, id == "advisor");
    if (state == "dialogs")
      for (const char* id : {"settings.open", "help.keys", "help.about", "help.first-steps", "find.anything", "edit.find"})
        window_->actionRegistry().run(id), QCoreApplication::processEvents();
    if (state == "trained") {
      QVERIFY(run("run.train", {"--steps", "3"}));
      QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().runs().isActive(), 60000);
      QVERIFY(run("run.set-live", {"Learning rate", "0.5"}));
    }
    if (state == "profiled") {
      window_->useLayout("profile");
      QVERIFY(finished("profile.trace", {"--steps", "2"}));
    }
    if (state == "stopped") {
      window_->useLayout("debug");
      QVERIFY(finished("debug.start"));
    }
    if (state == "help") {  // a page with a drawing, and the drawing just begun
      QVERIFY(run("help.page", {"api/nn.relu"}));
      QVERIFY(run("graph.schedule"));
    }
    for (const char* theme : {"dark", "light"}) {
      {
        const WidgetWatch watch;
        if (state == "language") window_->setLanguage(theme == QLatin1String("dark") ? "zh_CN" : "en");
        window_->setTheme(theme);
      }
      QVERIFY2(WidgetWatch::gone().isEmpty(), qPrintable(QStringLiteral("%1, to %2: %3").arg(state, QLatin1String(theme), WidgetWatch::gone().join(", "))));
      settle();
    }
  }

  /// The walk that crashed: the second change of the theme met the fields of the run bar, which the first one had thrown away because of the edit between them.
  void theThemeAfterAnEdit() {
    openTemplate();
    for (int i = 0; i < 2; ++i) {
      selectNode();
      QTest::keyClick(window_->canvas(), Qt::Key_J, Qt::ControlModifier);
      run("graph.frame");
      settle();
      run("edit.undo");
      settle();
      window_->setTheme("light");
      selectNode();
      QTest::keyClick(window_->canvas(), Qt::Key_R);
      if (auto* field = window_->canvas()->findChild<QLineEdit*>("rename")) QTest::keyClick(field, Qt::Key_Escape);
      window_->setTheme("dark");
    }
  }

  /// A hidden tree is refilled only when shown, but every theme change reads its texts, even after its graph is gone.
  void aHiddenOutlineForgetsAClosedGraph() {
    openTemplate();
    window_->showView("outline");
    auto* tree = window_->findChild<QTreeView*>("outline_tree");
    QTRY_VERIFY(tree->model()->rowCount() > 0);
    window_->showView("outline", false);
    QTRY_VERIFY(!tree->isVisible());
    QVERIFY(run("file.close", {"--force"}));
    QTRY_COMPARE(tree->model()->rowCount(), 0);
    window_->setTheme("dark");
    window_->setTheme("light");
  }

  /// WEFT_MONKEY_SECONDS and WEFT_MONKEY_SEED for longer walks and for the one that failed.
  void aRandomWalk() {
    const double seconds = qEnvironmentVariableIsSet("WEFT_MONKEY_SECONDS") ? qEnvironmentVariable("WEFT_MONKEY_SECONDS").toDouble() : 5;
    const quint32 first = qEnvironmentVariableIsSet("WEFT_MONKEY_SEED") ? qEnvironmentVariable("WEFT_MONKEY_SEED").toUInt() : 1;
    const bool loud = qEnvironmentVariableIsSet("WEFT_MONKEY_LOUD");
    QElapsedTimer clock;
    clock.start();
    int steps = 0;
    quint32 seed = first;
    while (double(clock.elapsed()) < seconds * 1e3) {
      std::printf("monkey: seed %u\n", seed);
      std::fflush(stdout);
      QRandomGenerator random(seed);
      for (int i = 0; i < 120 && double(clock.elapsed()) < seconds * 1e3; ++i, ++steps) {
        const QString done = act(random);
        if (loud) std::printf("  %d %s, %.2f s\n", i, qPrintable(done), double(clock.elapsed()) / 1e3), std::fflush(stdout);
        QVERIFY2(WidgetWatch::gone().isEmpty(),
                 qPrintable(QStringLiteral("seed %1, step %2, %3: %4").arg(seed).arg(i).arg(done, WidgetWatch::gone().join(", "))));
      }
      ++seed;
    }
    std::printf("monkey: %d steps from seed %u on\n", steps, first);
    for (QWidget* widget : QApplication::topLevelWidgets())
      if (widget != window_.get() && widget->isVisible()) widget->close();
  }

 private:
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().isBusy(), 30000);
    QCoreApplication::processEvents();
  }
  /// Runs a command to its end.
  bool finished(const char* id, const QStringList& words = {}) {
    CommandResult result = window_->actionRegistry().run(id, words);
    while (result.ok && result.later) {
      if (const auto later = result.later()) result = *later;
      else QTest::qWait(5);
    }
    if (!result.ok) qWarning("%s: %s", id, qPrintable(result.message));
    return result.ok;
  }
  void selectNode() {
    const Document* document = window_->workspace().current();
    for (const auto& node : document->contents()->arrays.nodes) {
      if (node.name.contains('/')) continue;
      window_->canvas()->selectNames({node.name});
      return;
    }
  }
  void openFile(const QString& path) {
    bool done = false;
    window_->workspace().open(path, [&](const QString&) { done = true; });
    QTRY_VERIFY_WITH_TIMEOUT(done, 30000);
    settle();
  }
  template <typename List>
  static auto oneOf(QRandomGenerator& random, const List& list) {
    return list[random.bounded(int(list.size()))];
  }

  /// Performs one random user action; returns its description.
  QString act(QRandomGenerator& random) {
    Workspace& workspace = window_->workspace();
    const int kind = random.bounded(100);
    if (kind < 12) {
      const QString theme = oneOf(random, QStringList{"light", "dark", "highContrast"});
      const WidgetWatch watch;
      window_->setTheme(theme);
      return "theme " + theme;
    }
    if (kind < 17) {
      const QString language = oneOf(random, QStringList{"en", "zh_CN"});
      window_->setLanguage(language);
      return "language " + language;
    }
    if (kind < 23) {
      const QString mode = oneOf(random, window_->layouts());
      window_->useLayout(mode);
      return "layout " + mode;
    }
    if (kind < 29) {
      const QString id = oneOf(random, window_->viewIds());
      window_->showView(id, random.bounded(3) > 0);
      return "view " + id;
    }
    if (kind < 33 && workspace.documents().size() < 4) {
      const QString name = oneOf(random, QStringList{"mlp", "lenet", "autoencoder"});
      workspace.newFromTemplate(name);
      return "new " + name;
    }
    if (kind < 36) {
      const QString path = random.bounded(2) ? write("walk.csv", "x,y\n1,2\n3,4\n") : write("walk.bin", "no graph");
      workspace.open(path);
      return "open " + path;
    }
    if (kind < 40 && !workspace.documents().isEmpty()) {
      workspace.setCurrent(oneOf(random, workspace.documents()));
      return "other document";
    }
    if (kind < 43) {
      window_->actionRegistry().run("file.close", random.bounded(2) ? QStringList{"--force"} : QStringList{"ask"});
      return "close";
    }
    if (kind < 53 && workspace.current() && !workspace.current()->contents()->arrays.nodes.empty()) {
      const auto& nodes = workspace.current()->contents()->arrays.nodes;
      const QString name = nodes[size_t(random.bounded(int(nodes.size())))].name;
      if (window_->canvas()) window_->canvas()->selectNames({name});
      return "select " + name;
    }
    if (kind < 63) {
      QWidget* to = QApplication::activePopupWidget() ? QApplication::activePopupWidget()
                    : QApplication::focusWidget()     ? QApplication::focusWidget()
                                                      : window_.get();
      const auto key = oneOf(
          random, QVector<Qt::Key>{Qt::Key_Escape, Qt::Key_Return, Qt::Key_Tab, Qt::Key_R, Qt::Key_Down, Qt::Key_A, Qt::Key_H, Qt::Key_1, Qt::Key_Backspace});
      QTest::keyClick(to, key);
      return "key " + QKeySequence(key).toString();
    }
    if (kind < 68) {
      const QString id = oneOf(random, QStringList{"edit.undo", "edit.redo"});
      window_->actionRegistry().run(id);
      return id;
    }
    if (kind < 73) {
      window_->actionRegistry().run("run.train", {"--steps", QString::number(1 + random.bounded(40))});
      return "train";
    }
    if (kind < 77) {
      for (QWidget* widget : QApplication::topLevelWidgets())
        if (widget != window_.get() && widget->isVisible() && (qobject_cast<QDialog*>(widget) || qobject_cast<QMenu*>(widget))) {
          const QString name = widget->objectName();
          widget->close();
          return "close " + name;
        }
    }
    if (kind < 90) {
      const QStringList ids = window_->actionRegistry().ids();
      const QString id = oneOf(random, ids);
      if (isLeftOut(id, window_->actionRegistry().record(id))) return "not " + id;
      window_->actionRegistry().run(id);
      return id;
    }
    if (kind < 96) {
      QCoreApplication::processEvents();
      return "events";
    }
    QTest::qWait(random.bounded(60));
    return "wait";
  }
};

QTEST_MAIN(MonkeyTest)
#include "tst_monkey.moc"
