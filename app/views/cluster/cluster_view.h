#pragma once

#include <QWidget>

#include "adapters/cluster_watcher.h"
#include "document/local_cluster.h"
#include "shell/view.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTreeWidget;
class QTreeWidgetItem;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

/// The tasks of a cluster, by job; beside or beneath them the output of the chosen local task.
class ClusterView : public QWidget {
  Q_OBJECT

 public:
  ClusterView(const ViewContext& context, QWidget* parent);
  QSize sizeHint() const override { return {620, 240}; }

 public slots:
  void refreshNow();

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makeTree(QWidget* parent);
  void retranslate();
  /// Watches the server of the next run, if the dock is visible.
  void follow();
  QString address() const;
  void refill();
  void fillTask(QTreeWidgetItem* item, const ClusterTask& task);
  void showOutput();
  void showMenu(const QPoint& at);
  void use(const QString& address);
  QString chosenTask() const;
  const LocalCluster::Task* localTask(const QString& name, const QString& address) const;

  ViewContext context_;
  ClusterWatcher watcher_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QLabel* verdict_;
  QPushButton *choose_, *edit_, *stopLocal_;
  QSplitter* splitter_;
  QTreeWidget* tree_;
  QPlainTextEdit* output_;
  QString outputOf_;
  QVector<LocalCluster::Task> local_;
};

extern const ViewRecord clusterView;

}  // namespace weft::app
