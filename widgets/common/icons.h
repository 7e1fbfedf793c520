#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QStringList>

#include "common/theme.h"

namespace weft::widgets {

/// The icon `name` of resources/icons. It is coloured at each painting (text colour; accent when checked, grey when disabled), so it follows theme changes. A
/// null icon for an unknown name. GUI thread.
QIcon icon(const QString& name);
/// The same in a fixed role of the theme.
QIcon icon(const QString& name, Role role);
/// A square pixmap of `size` logical pixels in `color`, sharp at `devicePixelRatio`. Cached.
QPixmap iconPixmap(const QString& name, int size, const QColor& color, double devicePixelRatio);
/// All names, sorted.
QStringList iconNames();

}  // namespace weft::widgets
