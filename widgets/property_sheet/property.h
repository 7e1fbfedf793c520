#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <optional>

namespace weft::widgets {

/// A named value with its type, bounds and documentation.
struct Property {
  QString name;
  QString type;       ///< "int", "float", "bool", "string", "type", "shape", "list(int)", "list(float)", …; unknown types are edited as text
  QString value;      ///< as text; see README.md
  QString otherwise;  ///< the default; null: there is none, a value is required
  QString doc, unit;
  QString expression;             ///< that the value follows, without its =; empty: none
  QString note;                   ///< short text beside a read-only value: "from input"
  QStringList choices;            ///< all allowed values; empty: any
  std::optional<qint64> minimum;  ///< of a number, or of the length of a list
  bool isDefault = false;
  bool readOnly = false;
  bool mixed = false;  ///< several objects are shown and their values differ
};

/// What an expression gives, as text, or why it gives nothing.
struct ExpressionResult {
  QString value, error;
};
/// Whether a text is an expression for that property: it begins with =. Words of any kind may begin so, and are none.
bool isExpression(const Property& property, const QString& text);

/// Why `text` is not a valid value, as a sentence; empty if it is valid.
QString propertyProblem(const Property& property, const QString& text);
/// Elements of a list or shape: `[1, 2,2 ,1]`, `1 2 2 1`, `5×5`.
QStringList listElements(const QString& text);
QString listText(const QStringList& elements);

}  // namespace weft::widgets
