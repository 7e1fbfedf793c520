#pragma once

#include <QDialog>
#include <QMap>

#include "adapters/checkpoint_edits.h"

class QLabel;
class QPushButton;
class QSpinBox;
class QTableWidget;

namespace weft::app {

/// Proposed values for variables whose names a checkpoint lacks, with confidence and reason; the user checks those to take. Not modal.
class NameProposalsDialog : public QDialog {
  Q_OBJECT

 public:
  /// `checkpoint`, `graph`: display names.
  NameProposalsDialog(const NameProposals& proposals, const QString& checkpoint, const QString& graph, QWidget* parent);

  /// The checked proposals: stored key by variable.
  QMap<QString, QString> mapping() const;
  /// The checked proposals as renames: the key that the graph reads, by stored key.
  QMap<QString, QString> renames() const;

 signals:
  /// A checkpoint with the renames is to be written.
  void writeRequested();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fill(const NameProposals& proposals);
  void checkAbove(int percent);
  void checkNone();
  void count();
  bool isChecked(int row) const;

  QVector<NameProposal> names_;  // parallel to the rows
  QTableWidget* table_;
  QSpinBox* percent_;
  QLabel* chosen_;
  QPushButton *use_, *write_;
};

}  // namespace weft::app
