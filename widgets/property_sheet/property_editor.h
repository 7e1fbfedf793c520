#pragma once

#include <QWidget>

#include "property_sheet/property.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QToolButton;

namespace weft::widgets {

/// Edits one value. Invalid input stays in the field, marked, with the reason as `problem()`. GUI thread.
class PropertyEditor : public QWidget {
  Q_OBJECT

 public:
  explicit PropertyEditor(Property property, QWidget* parent = nullptr);

  const Property& property() const { return property_; }
  /// Takes another value, unless the user is typing.
  void setProperty(const Property& property);
  /// Whether this editor can show `property`: same name, type and choices.
  bool suits(const Property& property) const;
  QString problem() const { return problem_; }
  /// Shows an external error until the next edit.
  void setProblem(const QString& problem);

 signals:
  void edited(const QString& text);
  void problemChanged();

 private:
  enum class Kind { Switch, Choice, Elements, Text };
  static Kind kindOf(const Property& property);
  void build();
  void show(const QString& value);
  QString typed() const;
  void commit();
  void judge();

  Property property_;
  Kind kind_;
  QString problem_;
  QVector<QLineEdit*> fields_;
  QComboBox* choice_ = nullptr;
  QCheckBox* switch_ = nullptr;
  bool showing_ = false;
};

}  // namespace weft::widgets
