// The "Train" button of panels that have nothing to show yet.
#pragma once

#include <QAction>
#include <QPushButton>

#include "common/empty_state.h"

namespace weft::app {

/// Makes the buttons of empty panels in `panel` follow the action: disabled with it, with the reason as their tooltip.
inline void followTrain(QWidget* panel, const QAction* train) {
  for (QPushButton* button : panel->findChildren<QPushButton*>()) {
    if (!qobject_cast<widgets::EmptyState*>(button->parentWidget())) continue;
    const auto follow = [button, train] {
      button->setEnabled(train->isEnabled());
      button->setToolTip(train->toolTip());
    };
    QObject::connect(train, &QAction::changed, button, follow);
    follow();
  }
}

}  // namespace weft::app
