#include "property_sheet/property.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <cmath>
#include <limits>

namespace weft::widgets {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(Property)
};

QString elementProblem(const QString& type, const QString& text) {
  bool ok = false;
  if (type == QLatin1String("int")) {
    text.toLongLong(&ok);
    static const QRegularExpression digits(QStringLiteral("^[+-]?[0-9]+$"));
    if (!ok && digits.match(text).hasMatch())
      return Words::tr("%1 is out of range: expected %2 to %3.").arg(text).arg(std::numeric_limits<qint64>::min()).arg(std::numeric_limits<qint64>::max());
    return ok ? QString() : Words::tr("%1 is not a whole number.").arg(text);
  }
  if (type == QLatin1String("float")) {
    const double value = text.toDouble(&ok);
    if (!ok && std::isinf(value)) return Words::tr("%1 is too large for float32.").arg(text);
    if (!ok) return Words::tr("%1 is not a number.").arg(text);
    return std::abs(value) > std::numeric_limits<float>::max() && std::isfinite(value) ? Words::tr("%1 is too large for float32.").arg(text) : QString();
  }
  if (type == QLatin1String("bool"))
    return text == QLatin1String("true") || text == QLatin1String("false") ? QString() : Words::tr("%1 is neither true nor false.").arg(text);
  if (type == QLatin1String("shape")) {
    if (text == QLatin1String("?") || text == QLatin1String("unknown") || text == QLatin1String("scalar")) return {};
    for (const QString& dim : listElements(text)) {
      if (dim == QLatin1String("?") || dim == QLatin1String("-1") || dim == QLatin1String("None")) continue;
      const qint64 value = dim.toLongLong(&ok);
      if (!ok || value < 0) return Words::tr("%1 is not a dimension: expected a number from 0, or ? for an unknown one.").arg(dim);
    }
    return {};
  }
  return {};
}

}  // namespace

QStringList listElements(const QString& text) {
  QString inner = text.trimmed();
  if (inner.startsWith(u'[') && inner.endsWith(u']')) inner = inner.mid(1, inner.size() - 2);
  static const QRegularExpression separators(QStringLiteral("[,;\\s×]+"));
  return inner.split(separators, Qt::SkipEmptyParts);
}

QString listText(const QStringList& elements) { return u'[' + elements.join(u',') + u']'; }

bool isExpression(const Property& property, const QString& text) {
  const bool freeText = property.type == QLatin1String("string") && property.choices.isEmpty() && property.expression.isEmpty();
  return !freeText && text.trimmed().startsWith(u'=');
}

QString propertyProblem(const Property& property, const QString& typed) {
  const QString text = typed.trimmed();
  if (text.isEmpty() && property.type != QLatin1String("string")) {
    if (!property.otherwise.isNull()) return {};
    if (!property.type.startsWith(QLatin1String("list"))) return Words::tr("A value is required.");
  }
  if (!property.choices.isEmpty() && !property.type.startsWith(QLatin1String("list")) && !property.choices.contains(text))
    return Words::tr("%1 is not one of %2.").arg(text, property.choices.join(QStringLiteral(", ")));
  if (property.type.startsWith(QLatin1String("list(")) && !property.type.contains(QLatin1String("shape"))) {
    const QString element = property.type.mid(5, property.type.size() - 6);
    const QStringList elements = listElements(text);
    for (const QString& e : elements) {
      const QString problem = elementProblem(element, e);
      if (!problem.isEmpty()) return problem;
      if (!property.choices.isEmpty() && !property.choices.contains(e))
        return Words::tr("%1 is not one of %2.").arg(e, property.choices.join(QStringLiteral(", ")));
    }
    if (property.minimum && elements.size() < *property.minimum)
      return Words::tr("Expected at least %1 elements, got %2.").arg(*property.minimum).arg(elements.size());
    return {};
  }
  const QString problem = elementProblem(property.type, text);
  if (!problem.isEmpty()) return problem;
  if (property.minimum && property.type == QLatin1String("int") && text.toLongLong() < *property.minimum)
    return Words::tr("Expected at least %1.").arg(*property.minimum);
  return {};
}

}  // namespace weft::widgets
