#pragma once

#include <QAbstractTableModel>

#include "adapters/experiment_page.h"

namespace weft::app {

/// The runs of a page as rows; if they are grouped, each group begins with a head that summarizes it. Columns: run, status, parameters, metrics.
class RunTable : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  enum { Run, Status, FirstValue };
  void setPage(ExperimentPagePtr page);
  const ExperimentPage& page() const { return *page_; }
  /// Index into the page's runs; −1: a head.
  int runAt(int row) const { return entries_[size_t(row)].run; }
  /// The row of a run; −1: it is filtered out.
  int rowOf(int run) const { return run >= 0 && size_t(run) < rowOfRun_.size() ? rowOfRun_[size_t(run)] : -1; }
  /// The name by which a column is sorted.
  QString sortName(int column) const;
  void retranslate();

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(entries_.size()); }
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : FirstValue + int(page_->columns.size()); }
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  static QString statusText(ExperimentPage::Run::Status status);

 private:
  struct Entry {
    int run = -1, group = -1;
  };
  QVariant headData(const ExperimentPage::Group& group, int column, int role) const;

  ExperimentPagePtr page_ = std::make_shared<ExperimentPage>();
  std::vector<Entry> entries_;
  std::vector<int> rowOfRun_;
};

}  // namespace weft::app
