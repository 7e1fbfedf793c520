#pragma once

#include <QWidget>

#include "shell/view.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QTableView;

namespace weft::app {

class FileTab;
class TensorDetail;
class TensorFilter;
class TensorTable;

/// The variables of a checkpoint or the arrays of a file: a table with filter and sorting, and below it the values of the selected one.
class TensorsPage : public QWidget {
  Q_OBJECT

 public:
  TensorsPage(const ViewContext& context, FileTab* file, QWidget* parent);

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void retranslate();
  void showTotals();
  void showPlaceholder();
  void showComparison();
  void showColumns();
  void fitColumns();
  void followSelection();

  ViewContext context_;
  FileTab* file_;
  TensorTable* table_;
  TensorFilter* filter_;
  QLineEdit* search_;
  QComboBox* role_;
  QCheckBox* onlyDifferent_;
  QPushButton *compare_, *endCompare_, *statistics_;
  QLabel* totals_;
  QTableView* view_;
  TensorDetail* detail_;
  bool shownBefore_ = false, settingSelection_ = false;
};

}  // namespace weft::app
