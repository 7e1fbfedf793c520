#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <optional>

namespace weft::widgets {

/// A named value and what is known of it.
struct Property {
  QString name;
  QString type;       ///< "int", "float", "bool", "string", "type", "shape", "list(int)", "list(float)", …; what is unknown is edited as text
  QString value;      ///< as text; see README.md
  QString otherwise;  ///< the default; null: there is none, a value is needed
  QString doc, unit;
  QString note;                   ///< short, beside a value that cannot be edited: "from input"
  QStringList choices;            ///< all values that are allowed; empty: any
  std::optional<qint64> minimum;  ///< of a number, or of the length of a list
  bool isDefault = false;
  bool readOnly = false;
  bool mixed = false;  ///< several things are shown and they differ
};

/// Why `text` is no value for the property: a sentence; empty if it is one.
QString propertyProblem(const Property& property, const QString& text);
/// Elements of a list or shape: `[1, 2,2 ,1]`, `1 2 2 1`, `5×5`.
QStringList listElements(const QString& text);
QString listText(const QStringList& elements);

}  // namespace weft::widgets
