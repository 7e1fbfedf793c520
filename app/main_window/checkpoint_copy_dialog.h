#pragma once

#include <QDialog>
#include <QTimer>
#include <memory>

#include "adapters/checkpoint_edits.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QSpinBox;
class QTableView;

namespace weft::app {

class CopyTable;
class FileTab;
class Tasks;

/// Asks what an edited copy of an open checkpoint contains: variables, names, type, version, number of files. The table shows what becomes of each variable
/// while the rules are typed. Not modal; closes with the checkpoint.
class CheckpointCopyDialog : public QDialog {
  Q_OBJECT

 public:
  CheckpointCopyDialog(FileTab* file, Tasks& tasks, QWidget* parent);
  ~CheckpointCopyDialog() override;

  CheckpointCopy copy() const;

 signals:
  /// The copy is to be written; its plan has no error.
  void saveRequested();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeTable();
  QWidget* makeFilter();
  QWidget* makeRules();
  void checkShown(bool on);
  void planSoon();
  void plan();
  void showPlan(const CopyPlan& plan);

  FileTensorsPtr tensors_;
  Tasks& tasks_;
  CopyTable* model_;
  QSortFilterProxyModel* shown_;
  QTableView* table_;
  QLineEdit *filter_, *pattern_, *replacement_;
  QComboBox *type_, *version_;
  QSpinBox* shards_;
  QLabel* summary_;
  QPushButton* save_;
  QTimer wait_;
  std::shared_ptr<int> number_;  // of the latest plan: older ones are dropped
  bool filling_ = false;
};

}  // namespace weft::app
