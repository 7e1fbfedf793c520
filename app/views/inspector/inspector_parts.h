// Small pieces of the inspector's pages.
#pragma once

#include <QLabel>
#include <QVBoxLayout>

#include "common/theme.h"

namespace weft::app {

inline QLabel* label(const QString& text, const char* kind = nullptr) {
  auto* l = new QLabel(text);
  l->setTextFormat(Qt::PlainText);
  if (kind) l->setProperty("kind", QLatin1String(kind));
  l->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return l;
}

inline QLabel* mono(const QString& text) {
  QLabel* l = label(text);
  l->setFont(widgets::Theme::current().monoFont());
  return l;
}

inline void addHeading(QVBoxLayout* page, const QString& text) {
  page->addSpacing(10);
  page->addWidget(label(text, "heading"));
  page->addSpacing(2);
}

}  // namespace weft::app
