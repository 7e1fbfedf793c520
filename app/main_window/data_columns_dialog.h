#pragma once

#include <QDialog>
#include <QVector>

#include "adapters/data_columns.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace weft::app {

class Document;

/// Asks which column of a data set feeds each placeholder. It stands beside the window's work: nothing waits for it.
class DataColumnsDialog : public QDialog {
  Q_OBJECT

 public:
  /// `title`: how people call the data.
  DataColumnsDialog(Document* document, const QString& title, const DataColumns& columns, QWidget* parent = nullptr);

  /// PLACEHOLDER=COLUMN, as graph.bind-data takes them.
  QStringList words() const;

 private:
  void check();

  DataColumns columns_;
  QVector<QComboBox*> choices_;  ///< One for each placeholder.
  QLabel* hint_;
  QPushButton* use_;
};

}  // namespace weft::app
