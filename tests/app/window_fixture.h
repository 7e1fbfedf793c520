#pragma once
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <memory>

#include "document/debug_controller.h"
#include "document/run_controller.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "main_window/main_window.h"
#include "shell/action_registry.h"

/// A main window in English with separate settings, for tests of the frame. A test class starts each test with open() and ends it with close().
class WindowFixture : public QObject {
 protected:
  /// A small graph as text: x -> a/y.
  static constexpr const char* kGraph =
      "node { name: \"x\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLOAT } } }\n"
      "node { name: \"a/y\" op: \"Relu\" input: \"x\" attr { key: \"T\" value { type: DT_FLOAT } } }\n";

  /// Settings, caches and data go to a folder of this program.
  void keepToOwnFolder() {
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"}) qputenv(name, folder_.path().toUtf8());
  }
  void showWindow() {
    window_ = std::make_unique<weft::app::MainWindow>(weft::app::Settings::Kind::InMemory);
    window_->setLanguage("en");
    window_->resize(1400, 900);
    window_->show();
  }
  void closeWindow() {
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().tasks().isEmpty() && window_->isSettled(), 30000);
    window_.reset();
  }
  /// Stops what runs and what is debugged, then closes the window, if there is one.
  void stopAndClose() {
    if (!window_) return;
    weft::app::Workspace& workspace = window_->workspace();
    workspace.debugger().stop();
    workspace.runs().stop();
    QTRY_VERIFY_WITH_TIMEOUT(!workspace.debugger().isActive() && !workspace.runs().isActive(), 60000);
    closeWindow();
  }
  weft::app::Document* document() const { return window_->workspace().current(); }
  weft::widgets::GraphView* canvas() const { return window_->canvas(); }
  /// The visible push button with a text, or null.
  QPushButton* named(const QString& text) const {
    const auto buttons = window_->findChildren<QPushButton*>();
    const auto at = std::find_if(buttons.begin(), buttons.end(), [&](const QPushButton* b) { return b->isVisible() && b->text() == text; });
    return at == buttons.end() ? nullptr : *at;
  }
  /// Whether a visible label matches.
  bool says(const QRegularExpression& text) const {
    const auto labels = window_->findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [&](const QLabel* l) { return l->isVisible() && text.match(l->text()).hasMatch(); });
  }
  bool run(const char* id, const QStringList& words = {}) { return window_->actionRegistry().run(id, words).ok; }
  /// Runs a command and waits for its end; its error, if there is one.
  QString failure(const char* id, const QStringList& words) {
    const weft::app::CommandResult result = window_->actionRegistry().run(id, words);
    if (!result.ok || !result.later) return result.ok ? QString() : result.message;
    for (int i = 0; i < 1500; ++i) {
      if (const auto answer = result.later()) return answer->ok ? QString() : answer->message;
      QTest::qWait(10);
    }
    return QStringLiteral("it did not end");
  }
  void ok(const char* id, const QStringList& words) {
    const QString error = failure(id, words);
    QVERIFY2(error.isEmpty(), qPrintable(QLatin1String(id) + u' ' + words.join(u' ') + QStringLiteral(": ") + error));
  }
  static QByteArray onDisk(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  QString write(const QString& name, const QByteArray& bytes) {
    QFile file(folder_.filePath(name));
    if (file.open(QIODevice::WriteOnly)) file.write(bytes);
    return file.fileName();
  }
  void open(const QString& path) {
    const auto before = window_->workspace().documents().size();
    window_->workspace().open(path);
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().documents().size(), before + 1, 10000);
    QCoreApplication::processEvents();
  }
  void openTemplate() {
    const auto before = window_->workspace().documents().size();
    window_->workspace().newFromTemplate("mlp");
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().documents().size() == before + 1 && window_->canvas(), 30000);
    QTest::qWait(50);
  }

  QTemporaryDir folder_;
  std::unique_ptr<weft::app::MainWindow> window_;
};
