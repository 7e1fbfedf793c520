#pragma once

#include <QWidget>

#include "property_sheet/property_editor.h"

class QGridLayout;
class QLabel;

namespace weft::widgets {

class ElidedLabel;

/// Properties in rows: name, editor, and beneath an error or what an expression gives. GUI thread.
class PropertySheet : public QWidget {
  Q_OBJECT

 public:
  explicit PropertySheet(QWidget* parent = nullptr);

  /// Lets the values follow expressions. Before the first setProperties().
  void setExpressions(ExpressionSource source) { source_ = std::move(source); }

  /// Sets the properties. Unchanged rows keep their editors, with focus and cursor.
  void setProperties(const QVector<Property>& properties);
  QVector<Property> properties() const;
  /// Shows why an edit failed, beneath the row of that name.
  void setProblem(const QString& name, const QString& problem);
  PropertyEditor* editor(const QString& name) const;

 signals:
  void edited(const QString& name, const QString& text);
  /// Reset to the default.
  void resetRequested(const QString& name);

 private:
  struct Row {
    Property property;
    QLabel *name = nullptr, *problem = nullptr;
    ElidedLabel* result = nullptr;  // of an expression
    QWidget* value = nullptr;       // label of a read-only property
    PropertyEditor* editor = nullptr;
  };
  void rebuild(const QVector<Property>& properties);
  void fill(Row& row);

  QGridLayout* grid_;
  ExpressionSource source_;
  QVector<Row> rows_;
};

}  // namespace weft::widgets
