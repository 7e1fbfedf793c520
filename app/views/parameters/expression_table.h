#pragma once

#include <QTreeWidget>
#include <functional>

#include "property_sheet/property.h"

namespace weft::app {

/// A row: what is on the left, its expression and its value.
struct ExpressionRow {
  QString name, expression, value, error, doc;
};

/// Names or fields with expressions, edited in place: F2, a double click or typing begins. GUI thread.
class ExpressionTable : public QTreeWidget {
  Q_OBJECT

 public:
  explicit ExpressionTable(QWidget* parent = nullptr);

  /// What an expression of that row would give, for the hint while it is typed, and the words to complete.
  std::function<widgets::ExpressionResult(const QString& name, const QString& expression)> compute;
  std::function<QStringList()> words;
  /// Whether the left column is edited as well.
  bool renames = false;

  /// Takes other rows; the current one stays current if there is a row of that name.
  void setRows(const QVector<ExpressionRow>& rows);
  const QVector<ExpressionRow>& rows() const { return rows_; }
  /// Names of the selected rows.
  QStringList chosen() const;

 signals:
  void renamed(const QString& from, const QString& to);
  void changed(const QString& name, const QString& expression);
  void removeRequested();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QVector<ExpressionRow> rows_;
  bool filling_ = false;
};

}  // namespace weft::app
