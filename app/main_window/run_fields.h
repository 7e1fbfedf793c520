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
class Document;
class RunField;
class Workspace;

/// The fields of the run bar: run, device, data, batch, length, optimizer and live scalars. They show the settings of the present run, else those that Train
/// would use; typed values become edits of the document. Each field has a fixed place and width.
class RunFields : public QWidget {
  Q_OBJECT

 public:
  RunFields(Workspace& workspace, ActionRegistry& actions, QWidget* parent = nullptr);

  /// The number of left-out levels, from 0 (nothing) to kLevels.
  static constexpr int kLevels = 6;
  int widthAt(int level) const;
  void setLevel(int level);
  /// The left-out fields, for the menu beside them: title and menu.
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
  /// The graph in front; null while another file is.
  Document* inFront() const;
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
  /// "GPU:0", "CPU:0" or "grpc://host:port": what computes the next run of the document in front.
  QString nextDevice() const;
  void showDevice();
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
  GraphContentsPtr of_;              // the contents whose live scalars and optimizer are shown; kept alive, so that its address is not reused
  const Document* shown_ = nullptr;  // only compared: it may be deleted
  int level_ = 0;
};

}  // namespace weft::app
