// What docks of texts in a column have in common.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QScrollArea>

namespace weft::app {

/// Scrolls a page up and down that is as wide as the dock.
inline QScrollArea* makeColumnArea(QWidget* parent) {
  auto* area = new QScrollArea(parent);
  area->setWidgetResizable(true);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setFrameShape(QFrame::NoFrame);
  return area;
}

/// A plain text that wraps to several lines and can be selected. `kind`: how the theme draws it, such as "muted".
inline QLabel* wrapped(const QString& text, QWidget* parent = nullptr, const char* kind = nullptr) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::MinimumExpanding);
  if (kind) label->setProperty("kind", QLatin1String(kind));
  return label;
}

/// A text whose long names may break after each part.
inline QString breakable(QString text) { return text.replace(u'/', QStringLiteral("/\u200B")); }

}  // namespace weft::app
