#pragma once

#include <QVector>
#include <QWidget>

#include "adapters/graph_contents.h"
#include "main_window/run_plan.h"

class QLabel;
class QMenu;
class QToolButton;

namespace weft::app {

class ActionRegistry;
class RunField;
class Workspace;

/// The fields of the run bar: which run, on what, which data, batch, length, optimizer and live scalars. They show what really runs, else what Train would begin; what is
/// typed becomes an edit of the document. Each has its own place and width, whatever it holds.
class RunFields : public QWidget {
  Q_OBJECT

 public:
  RunFields(Workspace& workspace, ActionRegistry& actions, QWidget* parent = nullptr);

  /// How much is left out, from 0 (nothing) to kLevels.
  static constexpr int kLevels = 6;
  int widthAt(int level) const;
  void setLevel(int level);
  /// What is left out, for the menu beside the fields: title and menu.
  QVector<QPair<QString, QMenu*>> leftOut() const;
  void refresh();
  void retranslate();

 private:
  struct Part {
    QLabel* label = nullptr;  ///< May be null.
    QWidget* field = nullptr;
    int droppedAt = kLevels + 1;
    QMenu* menu = nullptr;
    QString name;  ///< Of a live scalar.
  };
  QToolButton* menuButton(QMenu** menu);
  QString setTraining(const QStringList& words);
  QString takeBatch(const QString& text);
  QString takeLength(const QString& text);
  void buildLive();
  void showLive();
  void fillRuns();
  void fillDevice();
  void fillData();
  void fillUnit();
  void fillOptimizer();
  /// "GPU:0" or "CPU:0": where the next run of the document in front computes.
  QString nextDevice() const;
  void chooseDevice(const QString& device, int threads);
  int widthOf(const Part& part) const;
  void arrange();
  void setButton(QToolButton* button, const QString& text);

  Workspace& workspace_;
  ActionRegistry& actions_;
  RunPlan plan_;
  QToolButton *run_, *device_, *data_, *unit_, *optimizer_;
  QMenu *runMenu_, *deviceMenu_, *dataMenu_, *unitMenu_, *optimizerMenu_;
  RunField *batch_, *length_;
  QVector<Part> parts_;  // from left to right, without live scalars
  QVector<Part> live_;
  GraphContentsPtr of_;              // the contents whose live scalars and optimizer are shown; held, so that no other graph is taken for them
  const Document* shown_ = nullptr;  // compared, never used: it may be gone
  int level_ = 0;
};

}  // namespace weft::app
