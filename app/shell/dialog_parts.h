// What dialogs have in common.
#pragma once

#include <QLabel>
#include <QVBoxLayout>

#include "common/theme.h"

namespace weft::app {

/// The layout of a dialog, with its margins.
inline QVBoxLayout* dialogColumn(QWidget* dialog, int spacing = 10) {
  auto* column = new QVBoxLayout(dialog);
  column->setContentsMargins(20, 16, 20, 16);
  column->setSpacing(spacing);
  return column;
}

/// Adds a text that wraps to several lines. `kind`: how the theme draws it, such as "muted".
inline QLabel* addSentence(QVBoxLayout* column, const QString& text = {}, const char* kind = nullptr) {
  auto* label = new QLabel(text, column->parentWidget());
  label->setWordWrap(true);
  if (kind) label->setProperty("kind", QLatin1String(kind));
  column->addWidget(label);
  return label;
}

/// Adds the place of an error, hidden until there is one.
inline QLabel* addProblem(QVBoxLayout* column, const char* name) {
  QLabel* label = addSentence(column, {}, "error");
  label->setObjectName(QLatin1String(name));
  label->hide();
  return label;
}

/// Adds the place of an error whose text can be selected.
inline QLabel* addRedText(QVBoxLayout* column) {
  QLabel* label = addSentence(column);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  QPalette red = label->palette();
  red.setColor(QPalette::WindowText, widgets::Theme::current().color(widgets::Role::Error));
  label->setPalette(red);
  return label;
}

}  // namespace weft::app
