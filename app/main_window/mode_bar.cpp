#include "main_window/mode_bar.h"

#include <QAction>
#include <QEvent>
#include <QToolButton>

#include "common/theme.h"
#include "shell/action_registry.h"
#include "shell/style.h"

namespace weft::app {

ModeBar::ModeBar(ActionRegistry& actions, const QStringList& ids, QWidget* parent) : QToolBar(parent) {
  setObjectName(QStringLiteral("mode_bar"));
  setOrientation(Qt::Vertical);
  setMovable(false);
  const widgets::Metrics& m = widgets::Theme::current().metrics();
  setFixedWidth(m.modeStrip);
  setContentsMargins(0, 0, 0, 0);
  retheme();
  for (const QString& id : ids) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(actions.action(id));
    button->setProperty("kind", QStringLiteral("mode"));
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setIconSize({20, 20});
    button->setFixedSize(m.modeStrip, m.modeButton);
    button->setFocusPolicy(Qt::TabFocus);
    addWidget(button);
  }
  takeStyledMargins(this);
}

void ModeBar::retheme() {
  setSheet(this, QStringLiteral("#mode_bar { padding: 0; spacing: 0; border: none; border-right: 1px solid %1; }")
                     .arg(widgets::Theme::current().color(widgets::Role::Border).name()));
}

void ModeBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) retheme();
  QToolBar::changeEvent(event);
}

}  // namespace weft::app
