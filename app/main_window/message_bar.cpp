#include "main_window/message_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "common/icons.h"
#include "common/theme.h"
#include "main_window/style.h"

namespace weft::app {

MessageBar::MessageBar(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("message_bar"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 7, 8, 7);
  layout->setSpacing(8);
  icon_ = new QLabel(this);
  text_ = new QLabel(this);
  text_->setTextFormat(Qt::PlainText);
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  close_ = new QToolButton(this);
  close_->setProperty("kind", QStringLiteral("flat"));
  close_->setIcon(widgets::icon(QStringLiteral("close")));
  close_->setIconSize({14, 14});
  layout->addWidget(icon_, 0, Qt::AlignTop);
  layout->addWidget(text_, 1);
  layout->addWidget(close_, 0, Qt::AlignTop);
  connect(close_, &QToolButton::clicked, this, [this] {
    message_.clear();
    hide();
  });
  restyle();
  hide();
}

void MessageBar::showError(const QString& message) {
  message_ = message;
  text_->setText(message);
  show();
}

void MessageBar::restyle() {
  const widgets::Theme& theme = widgets::Theme::current();
  setSheet(this, QStringLiteral("#message_bar { background: %1; border: none; border-bottom: 1px solid %2; }")
                    .arg(theme.color(widgets::Role::ErrorSoft).name(), theme.color(widgets::Role::Error).name()));
  icon_->setPixmap(widgets::iconPixmap(QStringLiteral("error"), 16, theme.color(widgets::Role::Error), devicePixelRatioF()));
  close_->setToolTip(tr("Close this message"));
}

void MessageBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::LanguageChange) restyle();
  QFrame::changeEvent(event);
}

}  // namespace weft::app
