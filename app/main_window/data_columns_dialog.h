#pragma once

#include <QDialog>
#include <QVector>

#include "adapters/data_columns.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace weft::app {

class Document;

/// Asks which column of a data set feeds each placeholder. Not modal.
class DataColumnsDialog : public QDialog {
  Q_OBJECT

 public:
  /// `title`: display name of the data.
  DataColumnsDialog(Document* document, const QString& title, const DataColumns& columns, QWidget* parent = nullptr);

  /// PLACEHOLDER=COLUMN, as graph.bind-data takes them.
  QStringList words() const;

 private:
  void check();

  DataColumns columns_;
  QVector<QComboBox*> choices_;  ///< One per placeholder.
  QLabel* hint_;
  QPushButton* use_;
};

}  // namespace weft::app
