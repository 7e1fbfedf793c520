#pragma once

#include <QPlainTextEdit>
#include <QScrollBar>
#include <memory>

namespace weft::widgets {

/// Keeps the end of `edit` in view while text is added or the widget shrinks, until the user scrolls away.
inline void followEnd(QPlainTextEdit* edit) {
  QScrollBar* bar = edit->verticalScrollBar();
  const auto follows = std::make_shared<bool>(true);
  QObject::connect(bar, &QScrollBar::valueChanged, edit, [bar, follows](int value) { *follows = value >= bar->maximum(); });
  // Queued: the text is still being laid out when the range changes.
  QObject::connect(
      bar, &QScrollBar::rangeChanged, edit,
      [bar, follows] {
        if (*follows) bar->setValue(bar->maximum());
      },
      Qt::QueuedConnection);
}

}  // namespace weft::widgets
