#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QStringList>

#include "common/theme.h"

namespace weft::widgets {

/// The icon `name` of resources/icons, drawn in the current theme's text colour (accent when checked, grey when disabled) each time
/// that it is painted: it follows a change of the theme. Null icon if there is none of that name. GUI thread.
QIcon icon(const QString& name);
/// The same in one colour of the theme.
QIcon icon(const QString& name, Role role);
/// `size` logical pixels square in `color`, sharp for `devicePixelRatio`. Cached.
QPixmap iconPixmap(const QString& name, int size, const QColor& color, double devicePixelRatio);
/// All names, sorted.
QStringList iconNames();

}  // namespace weft::widgets
