#pragma once

#include <QString>

namespace weft::widgets {

/// Localized legend title of a theme's op category ("gradientUpdate"); an unknown category keeps its name.
QString opCategoryTitle(const QString& category);

}  // namespace weft::widgets
