// Headings of the parts of a page about a file.
#pragma once

#include <QLabel>

namespace weft::app {

/// An empty heading with so many pixels above it.
inline QLabel* heading(QWidget* parent, int above) {
  auto* label = new QLabel(parent);
  label->setProperty("kind", QStringLiteral("heading"));
  label->setContentsMargins(12, above, 12, 4);
  return label;
}

}  // namespace weft::app
