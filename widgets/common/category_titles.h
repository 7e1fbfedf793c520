#pragma once

#include <QString>

namespace weft::widgets {

/// What a legend calls an op category of the theme ("gradientUpdate"), in the language of now; a category that is unknown keeps its name.
QString opCategoryTitle(const QString& category);

}  // namespace weft::widgets
