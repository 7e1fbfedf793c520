#pragma once

#include <QTimer>
#include <QVector>
#include <QWidget>

#include "document/run_controller.h"
#include "views/view.h"

class QPushButton;
class QStackedWidget;
class QTreeWidget;
class QTreeWidgetItem;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

/// The checkpoints, newest first, with the evaluation that went with each.
class CheckpointsView : public QWidget {
  Q_OBJECT

 public:
  CheckpointsView(const ViewContext& context, QWidget* parent);

 public slots:
  void refreshNow();

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  struct Row {
    const RunRecord::Checkpoint* checkpoint;
    QString run, name;
  };
  /// What there is to list, newest first.
  QVector<Row> rows() const;
  /// `bytes` of all files of the checkpoint; 0: it is gone.
  void showSize(QTreeWidgetItem* item, qint64 bytes);
  void retranslate();
  void fitColumns(int rows, bool narrower);
  void showChoice();
  /// Has the earlier runs of the document looked for.
  void showArchive();

  ViewContext context_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QTreeWidget* list_;
  QPushButton *back_, *open_;
  QTimer soon_;
  QVector<std::pair<QString, QString>> shown_;  // prefix and run of each row: asking the items takes longer
  bool stale_ = true, anew_ = true;
};

extern const ViewRecord checkpointsView;

}  // namespace weft::app
