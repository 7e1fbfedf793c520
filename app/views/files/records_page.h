#pragma once

#include <QWidget>

#include "adapters/file_records.h"
#include "shell/view.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTableView;
class QTableWidget;

namespace weft::app {

class FileTab;

/// The page of a record file: its records, the features of the chosen one, and a proposed parse spec, which is tried on that record with every change.
class RecordsPage : public QWidget {
  Q_OBJECT

 public:
  RecordsPage(const ViewContext& context, FileTab* file, QWidget* parent);
  ~RecordsPage() override;

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void retranslate();
  void read(qint64 record);
  void showRecord();
  void fillSpecs();
  void applySpecs();
  void showProgram();
  void specEdited(int row);

  ViewContext context_;
  FileRecordsPtr records_;
  QTableView* list_;
  QTableWidget *features_, *specs_;
  QLabel *totals_, *recordTitle_, *specTitle_, *picture_, *hex_;
  QPlainTextEdit* program_;
  QPushButton *copy_, *copyWriter_;
  QVector<ParseSpec> parse_;
  RecordView view_;
  qint64 record_ = -1;
  int task_ = 0;
  bool filling_ = false;
};

}  // namespace weft::app
