#pragma once

#include <QWidget>
#include <functional>

#include "property_sheet/property.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace weft::widgets {

/// How editors compute expressions, and what they complete. `words` is asked when the user begins to type one.
struct ExpressionSource {
  std::function<ExpressionResult(const Property& property, const QString& expression)> compute;
  std::function<QStringList()> words;
};

/// Edits one value, or an expression that it follows: a text that begins with =. Invalid input stays in the field, marked, with the reason as `problem()`. GUI thread.
class PropertyEditor : public QWidget {
  Q_OBJECT

 public:
  /// Without a source of expressions, a text with = is an edit like any other.
  explicit PropertyEditor(Property property, QWidget* parent = nullptr, ExpressionSource source = {});

  /// Turns any editor into a field for an expression, with `text` in it and the cursor at its end. Esc turns it back.
  void beginExpression(const QString& text = QStringLiteral("="));
  /// What the typed or followed expression gives: "= 128"; empty: there is none, or a problem.
  QString result() const { return result_; }

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
  /// Of the problem or the result.
  void problemChanged();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  enum class Kind { Switch, Choice, Elements, Text };
  static Kind kindOf(const Property& property);
  void build();
  void rebuild(Kind kind);
  /// The value as the editor shows it: an expression with its =.
  static QString shownOf(const Property& property);
  void setNotes(const QString& problem, const QString& result);
  void show(const Property& property);
  QString typed() const;
  void commit();
  void judge();

  Property property_;
  Kind kind_;
  ExpressionSource source_;
  QString problem_, result_;
  QString sent_;            ///< The expression that edited() was last emitted with.
  QLabel* mark_ = nullptr;  ///< "fx"
  QVector<QLineEdit*> fields_;
  QComboBox* choice_ = nullptr;
  QCheckBox* switch_ = nullptr;
  bool showing_ = false;
};

}  // namespace weft::widgets
