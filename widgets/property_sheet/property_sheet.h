#pragma once

#include <QWidget>

#include "property_sheet/property.h"

class QGridLayout;
class QLabel;

namespace weft::widgets {

class PropertyEditor;

/// Properties in rows: name, editor, and error beneath. GUI thread.
class PropertySheet : public QWidget {
  Q_OBJECT

 public:
  explicit PropertySheet(QWidget* parent = nullptr);

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
    QWidget* value = nullptr;  // label of a read-only property
    PropertyEditor* editor = nullptr;
  };
  void rebuild(const QVector<Property>& properties);
  void fill(Row& row);

  QGridLayout* grid_;
  QVector<Row> rows_;
};

}  // namespace weft::widgets
