#pragma once

#include <QStatusBar>
#include <QTimer>
#include <functional>

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QToolButton;

namespace weft::app {

class Document;

class Shell;
class TaskPopup;
class FileTab;
class Workspace;

/// Problems, size of the graph, running tasks with a cancel button, processor and memory use of this process.
class StatusBar : public QStatusBar {
  Q_OBJECT

 public:
  StatusBar(Workspace& workspace, Shell& shell, QWidget* parent = nullptr);

  /// Also shows a sentence for a few seconds.
  void notify(const QString& message);
  /// The text is made again when the language changes.
  void notify(std::function<QString()> text);
  /// Updates the facts on the graph in front; with another file or the start page in front, none are shown.
  void updateDocument();

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  Document* inFront() const;
  void showCosts();
  void showFile(const FileTab& file);
  void updateTasks();
  void updateResources();

  Workspace& workspace_;
  Shell& shell_;
  // Null at first, because events reach the bar during construction.
  QLabel *problems_ = nullptr, *counts_ = nullptr, *parameters_ = nullptr, *note_ = nullptr, *task_ = nullptr, *resources_ = nullptr;
  QLabel* problemsIcon_ = nullptr;
  QProgressBar* bar_ = nullptr;
  QToolButton* more_ = nullptr;
  TaskPopup* popup_ = nullptr;
  std::function<QString()> noteText_;
  QToolButton* cancel_ = nullptr;
  QTimer resourceTimer_, taskTimer_, noteTimer_;
  int shownTask_ = 0;
  double lastCpuSeconds_ = -1;
  qint64 lastCpuMs_ = 0;
};

}  // namespace weft::app
