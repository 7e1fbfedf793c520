// Section headings on a file's page.
#pragma once

#include <QLabel>

namespace weft::app {

/// An empty heading with that many pixels above it.
inline QLabel* heading(QWidget* parent, int above) {
  auto* label = new QLabel(parent);
  label->setProperty("kind", QStringLiteral("heading"));
  label->setContentsMargins(12, above, 12, 4);
  return label;
}

}  // namespace weft::app
