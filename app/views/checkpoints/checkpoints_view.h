#pragma once

#include <QStringList>
#include <QTimer>
#include <QWidget>
#include <memory>

#include "document/run_controller.h"
#include "shell/view.h"

class QPushButton;
class QStackedWidget;
class QTreeWidget;
class QTreeWidgetItem;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

/// The existing checkpoints of each run, newest first, each with its evaluation.
class CheckpointsView : public QWidget {
  Q_OBJECT

 public:
  CheckpointsView(const ViewContext& context, QWidget* parent);
  ~CheckpointsView() override;

 public slots:
  void refreshNow();

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void retranslate();
  void fitColumns();
  void showChoice();
  /// Makes the archive look for the document's earlier runs.
  void showArchive();

  ViewContext context_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QTreeWidget* list_;
  QPushButton *back_, *open_;
  QTimer soon_;
  class Folders;
  std::unique_ptr<Folders> folders_;  // of present runs, read again with each checkpoint
  QStringList look_;                  // the shown contents, to detect changes
  bool stale_ = true;
};

extern const ViewRecord checkpointsView;

}  // namespace weft::app
