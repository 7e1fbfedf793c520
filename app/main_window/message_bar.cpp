#include "main_window/message_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

#include "common/icons.h"
#include "common/theme.h"
#include "shell/style.h"

namespace weft::app {
namespace {
constexpr size_t kMaxMessages = 8;  // older ones are in the log
constexpr int kTogetherMs = 10000, kReadMs = 1500;
const QString kFailure = QStringLiteral("failed/");
}  // namespace

MessageBar::MessageBar(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("message_bar"));
  row_ = new QHBoxLayout(this);
  row_->setContentsMargins(12, 6, 8, 6);
  row_->setSpacing(8);
  icon_ = new QLabel(this);
  text_ = new QLabel(this);
  text_->setTextFormat(Qt::PlainText);
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  count_ = new QLabel(this);
  count_->setProperty("kind", QStringLiteral("muted"));
  close_ = new QToolButton(this);
  close_->setProperty("kind", QStringLiteral("flat"));
  close_->setIcon(widgets::icon(QStringLiteral("close")));
  close_->setIconSize({14, 14});
  row_->addWidget(icon_);
  row_->addWidget(text_, 1);
  row_->addWidget(count_);
  row_->addWidget(close_);
  connect(close_, &QToolButton::clicked, this, [this] {
    if (!messages_.empty()) drop(messages_.size() - 1);
  });
  hide();
}

void MessageBar::showMessage(const Message& message) {
  const bool isError = message.kind == Message::Kind::Error;
  std::erase_if(messages_,
                [&](const Message& m) { return message.key.isEmpty() ? isError && m.kind == Message::Kind::Error && m.key.isEmpty() : m.key == message.key; });
  if (isError && message.key.isEmpty()) lastError_.start();
  messages_.push_back(message);
  if (messages_.size() > kMaxMessages) messages_.erase(messages_.begin());
  showNewest();
}

void MessageBar::addFailure(const QString& text) {
  const bool together = lastFailure_.isValid() && lastFailure_.elapsed() < kTogetherMs;
  if (!together) std::erase_if(messages_, [](const Message& m) { return m.key.startsWith(kFailure); });
  lastFailure_.start();
  showMessage({Message::Kind::Error, kFailure + text, text});
}

void MessageBar::moveOn() {
  const auto unread = [](const QElapsedTimer& since) { return since.isValid() && since.elapsed() < kReadMs; };
  const bool keepError = unread(lastError_), keepFailures = unread(lastFailure_);
  const auto old = [&](const Message& m) {
    return m.kind == Message::Kind::Error && ((m.key.isEmpty() && !keepError) || (m.key.startsWith(kFailure) && !keepFailures));
  };
  if (std::erase_if(messages_, old) > 0) showNewest();
}

void MessageBar::withdraw(const QString& key) {
  if (std::erase_if(messages_, [&](const Message& m) { return m.key == key; }) > 0) showNewest();
}

QString MessageBar::error() const {
  for (auto it = messages_.rbegin(); it != messages_.rend(); ++it) {
    if (it->kind == Message::Kind::Error) return it->text;
  }
  return {};
}

QStringList MessageBar::texts() const {
  QStringList all;
  for (const Message& message : messages_) all.prepend(message.text);
  return all;
}

bool MessageBar::press(const QString& button) {
  if (messages_.empty()) return false;
  for (const Message::Button& b : messages_.back().buttons) {
    if (b.text != button) continue;
    const auto clicked = b.clicked;
    drop(messages_.size() - 1);
    if (clicked) clicked();
    return true;
  }
  return false;
}

void MessageBar::drop(size_t index) {
  messages_.erase(messages_.begin() + std::ptrdiff_t(index));
  showNewest();
}

void MessageBar::showNewest() {
  for (QWidget* button : std::as_const(buttons_)) button->deleteLater();  // one of them may be the sender of this click
  for (QWidget* button : std::as_const(buttons_)) button->hide();
  buttons_.clear();
  if (messages_.empty()) {
    hide();
    return;
  }
  const Message& message = messages_.back();
  text_->setText(message.text);
  count_->setVisible(messages_.size() > 1);
  count_->setText(tr("1 of %1").arg(messages_.size()));
  count_->setToolTip(texts().mid(1).join(u'\n'));
  const widgets::Theme& theme = widgets::Theme::current();
  using widgets::Role;
  const bool isError = message.kind == Message::Kind::Error, isWarning = message.kind == Message::Kind::Warning;
  const Role role = isError ? Role::Error : isWarning ? Role::Warning : Role::Info;
  const Role soft = isError ? Role::ErrorSoft : isWarning ? Role::WarningSoft : Role::InfoSoft;
  setSheet(
      this,
      QStringLiteral("#message_bar { background: %1; border: none; border-bottom: 1px solid %2; }").arg(theme.color(soft).name(), theme.color(role).name()));
  icon_->setPixmap(widgets::iconPixmap(isError     ? QStringLiteral("error")
                                       : isWarning ? QStringLiteral("warning")
                                                   : QStringLiteral("info"),
                                       16, theme.color(role), devicePixelRatioF()));
  // A new style sheet may have called this function recursively.
  for (QWidget* button : std::as_const(buttons_)) {
    button->hide();
    button->deleteLater();
  }
  buttons_.clear();
  for (const Message::Button& b : message.buttons) {
    auto* button = new QPushButton(b.text, this);
    button->setAccessibleDescription(message.text);
    connect(button, &QPushButton::clicked, this, [this, text = b.text] { press(text); });
    row_->insertWidget(row_->count() - 1, button);
    buttons_ << button;
  }
  close_->setToolTip(tr("Close this message"));
  close_->setAccessibleName(close_->toolTip());
  setAccessibleName(message.text);
  show();
}

void MessageBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    for (Message& message : messages_) {
      if (!message.again) continue;
      Message fresh = message.again();
      message.text = std::move(fresh.text);
      message.buttons = std::move(fresh.buttons);
    }
  }
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::LanguageChange) {
    if (!messages_.empty()) showNewest();
  }
  QFrame::changeEvent(event);
}

}  // namespace weft::app
