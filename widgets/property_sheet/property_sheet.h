#pragma once

#include <QWidget>

#include "property_sheet/property.h"

class QGridLayout;
class QLabel;

namespace weft::widgets {

class PropertyEditor;

/// Properties in rows: name, editor, what is wrong with it beneath. GUI thread.
class PropertySheet : public QWidget {
  Q_OBJECT

 public:
  explicit PropertySheet(QWidget* parent = nullptr);

  /// Rows that stay keep their editors, with focus and cursor.
  void setProperties(const QVector<Property>& properties);
  QVector<Property> properties() const;
  /// Shows why an edit failed under the row of that name.
  void setProblem(const QString& name, const QString& problem);
  PropertyEditor* editor(const QString& name) const;

 signals:
  void edited(const QString& name, const QString& text);
  /// Back to the default.
  void resetRequested(const QString& name);

 private:
  struct Row {
    Property property;
    QLabel *name = nullptr, *problem = nullptr;
    QWidget* value = nullptr;  // of one that cannot be edited
    PropertyEditor* editor = nullptr;
  };
  void rebuild(const QVector<Property>& properties);
  void fill(Row& row);

  QGridLayout* grid_;
  QVector<Row> rows_;
};

}  // namespace weft::widgets
