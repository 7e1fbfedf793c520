// Files of all kinds, whole and damaged, opened one after the other in one window, seen in every layout and closed again: each is shown, or said why not.
#include <QDirIterator>
#include <QElapsedTimer>
#include <QTest>
#include <algorithm>
#include <cstdio>

#include "document/document.h"
#include "document/file_tab.h"
#include "graph_view/graph_view.h"
#include "main_window/main_window.h"
#include "widget_watch.h"
#include "window_fixture.h"

using namespace weft::app;

class EveryFileTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  /// WEFT_EVERY_FILE: a folder of which every file is opened, instead of a share of ours; each is named before it is.
  void isShownOrSaidWhyNot() {
    const bool all = qEnvironmentVariableIsSet("WEFT_EVERY_FILE");
    const QString folder = all ? qEnvironmentVariable("WEFT_EVERY_FILE") : QStringLiteral(WEFT_GOLDEN_FILES);
    QStringList files;
    for (QDirIterator it(folder, QDir::Files, QDirIterator::Subdirectories); it.hasNext();) files << it.next();
    files.sort();
    QVERIFY(!files.isEmpty());
    QStringList wrong;
    int number = 0, shown = 0, refused = 0;
    for (qsizetype i = 0; i < files.size(); i += all ? 1 : kEvery) {
      if (all) std::printf("%s", qPrintable(files[i])), std::fflush(stdout);
      QElapsedTimer clock;
      clock.start();
      const QString problem = visit(files[i], number++, &shown, &refused);
      if (all) std::printf("  %lld ms %s\n", static_cast<long long>(clock.elapsed()), qPrintable(problem)), std::fflush(stdout);
      if (!problem.isEmpty()) wrong << QStringLiteral("%1: %2").arg(files[i], problem);
    }
    std::printf("every file: %d shown, %d refused with a reason\n", shown, refused);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
    QVERIFY(shown > 0 && refused > 0);
  }

 private:
  static constexpr int kEvery = 17;

  /// The error in the window's handling of the file; empty: none.
  QString visit(const QString& path, int number, int* shown, int* refused) {
    Workspace& workspace = window_->workspace();
    bool done = false;
    QString error;
    workspace.open(path, [&](const QString& e) {
      done = true;
      error = e;
    });
    if (!QTest::qWaitFor([&] { return done && idle(); }, 120000)) return "does not come to an end";
    if (!error.isEmpty()) {
      ++*refused;
      return error.trimmed().size() < 12 ? "no reason: " + error : QString();
    }
    ++*shown;
    const QString problem = look(number);
    while (workspace.currentFile() || workspace.current())
      if (!run("file.close", {"--force"})) return "cannot be closed";
    if (!QTest::qWaitFor([&] { return idle(); }, 60000)) return "does not come to an end after it was closed";
    return problem;
  }
  QString look(int number) {
    Workspace& workspace = window_->workspace();
    const Document* document = workspace.currentFile() ? nullptr : workspace.current();
    if (document) {
      for (const Problem& p : document->contents()->problems)
        if (p.message.trimmed().size() < 8 || p.code.isEmpty()) return "a problem without a reason at " + p.node;
    }
    for (const QString& layout : window_->layouts()) {
      window_->useLayout(layout);
      QCoreApplication::processEvents();
      if (document && window_->canvas()) {
        run("graph.fit");
        if (!document->contents()->arrays.nodes.empty()) window_->canvas()->selectNames({document->contents()->arrays.nodes.front().name});
      }
      if (!QTest::qWaitFor([&] { return idle(); }, 120000)) return "does not come to an end in " + layout;
      if (window_->grab().isNull()) return "has no picture in " + layout;
    }
    if (number % 7 == 0) {
      const WidgetWatch watch;
      window_->setTheme(number % 2 ? "light" : "dark");
    }
    if (number % 11 == 0) window_->setLanguage(number % 2 ? "zh_CN" : "en");
    return WidgetWatch::gone().join(u' ');
  }
  bool idle() { return !window_->workspace().isBusy() && window_->workspace().tasks().isEmpty() && window_->isSettled(); }
};

QTEST_MAIN(EveryFileTest)
#include "tst_every_file.moc"
