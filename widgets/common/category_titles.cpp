#include "common/category_titles.h"

#include <QCoreApplication>

namespace weft::widgets {
namespace {

struct Title {
  const char *category, *title;
};
constexpr Title kTitles[] = {
    {"math", QT_TRANSLATE_NOOP("OpCategory", "math")},
    {"nn", QT_TRANSLATE_NOOP("OpCategory", "nn")},
    {"array", QT_TRANSLATE_NOOP("OpCategory", "array")},
    {"variable", QT_TRANSLATE_NOOP("OpCategory", "variable")},
    {"controlFlow", QT_TRANSLATE_NOOP("OpCategory", "control flow")},
    {"ioSummary", QT_TRANSLATE_NOOP("OpCategory", "data")},
    {"random", QT_TRANSLATE_NOOP("OpCategory", "random")},
    {"gradientUpdate", QT_TRANSLATE_NOOP("OpCategory", "gradient")},
};

}  // namespace

QString opCategoryTitle(const QString& category) {
  for (const Title& t : kTitles) {
    if (category == QLatin1String(t.category)) return QCoreApplication::translate("OpCategory", t.title);
  }
  return category;
}

}  // namespace weft::widgets
