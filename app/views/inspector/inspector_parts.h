// Small parts of the inspector's pages.
#pragma once

#include <QLabel>
#include <QVBoxLayout>

#include "common/fitting_label.h"
#include "common/theme.h"

namespace weft::app {

using widgets::FittingLabel;

/// A label that is created with its parent, because reparenting styles a widget again.
inline QLabel* label(const QLayout* page, const QString& text, const char* kind = nullptr) {
  auto* l = new FittingLabel(text, page->parentWidget());
  if (kind) l->setProperty("kind", QLatin1String(kind));
  l->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return l;
}

inline QLabel* mono(const QLayout* page, const QString& text) {
  QLabel* l = label(page, text);
  l->setFont(widgets::Theme::current().monoFont());
  return l;
}

/// A sentence that wraps to several lines.
inline QLabel* sentence(const QLayout* page, const QString& text, const char* kind = nullptr) {
  auto* l = new QLabel(text, page->parentWidget());
  l->setTextFormat(Qt::PlainText);
  l->setWordWrap(true);
  l->setMinimumWidth(1);
  if (kind) l->setProperty("kind", QLatin1String(kind));
  l->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return l;
}

inline void addHeading(QVBoxLayout* page, const QString& text) {
  page->addSpacing(10);
  page->addWidget(label(page, text, "heading"));
  page->addSpacing(2);
}

}  // namespace weft::app
