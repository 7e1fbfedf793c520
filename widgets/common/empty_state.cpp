#include "common/empty_state.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "common/icons.h"
#include "common/theme.h"

namespace weft::widgets {

EmptyState::EmptyState(const QString& iconName, const QString& title, const QString& text, QWidget* parent)
    : QWidget(parent),
      iconName_(iconName),
      icon_(new QLabel(this)),
      title_(new QLabel(title, this)),
      text_(new QLabel(text, this)),
      button_(new QPushButton(this)) {
  setAccessibleName(title);
  icon_->setAlignment(Qt::AlignCenter);
  title_->setAlignment(Qt::AlignCenter);
  QFont font = Theme::current().uiFont();
  font.setWeight(QFont::DemiBold);
  title_->setFont(font);
  text_->setProperty("kind", "muted");
  text_->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  text_->setWordWrap(true);
  button_->hide();
  connect(button_, &QPushButton::clicked, this, &EmptyState::buttonClicked);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 16, 16, 16);
  layout->setSpacing(8);
  layout->addStretch();
  for (QWidget* widget : std::initializer_list<QWidget*>{icon_, title_, text_, button_}) layout->addWidget(widget, 0, Qt::AlignHCenter);
  layout->addStretch();
  updateIcon();
  setText(text);
}

void EmptyState::setTitle(const QString& title) {
  title_->setText(title);
  setAccessibleName(title);
}

void EmptyState::setText(const QString& text) {
  text_->setText(text);
  fitText();
}

void EmptyState::setButton(const QString& label, const QString& iconName) {
  button_->setText(label);
  button_->setIcon(icon(iconName));
  button_->setVisible(!label.isEmpty());
  fitText();
}

// A word-wrapped label beside stretches is given too little height unless it is asked for.
void EmptyState::fitText() {
  const int wide = std::clamp(width() - 32, 80, 260);
  title_->setMaximumWidth(std::max(80, width() - 16));
  text_->ensurePolished();
  // Not heightForWidth(): that keeps to the height which the label was given for another width.
  const int textHeight = text_->fontMetrics().boundingRect(QRect(0, 0, wide, 4000), Qt::AlignHCenter | Qt::TextWordWrap, text_->text()).height();
  text_->setFixedSize(wide, textHeight);
  // In a low dock the picture goes first, then the explanation; title and button stay.
  const int always = leastHeight();
  text_->setVisible(height() >= always + 8 + textHeight);
  icon_->setVisible(height() >= always + 8 + textHeight + 8 + icon_->sizeHint().height());
}

int EmptyState::leastHeight() const { return 32 + title_->sizeHint().height() + (button_->isHidden() ? 0 : 8 + button_->sizeHint().height()); }

QSize EmptyState::minimumSizeHint() const { return {112, leastHeight()}; }

void EmptyState::resizeEvent(QResizeEvent* event) {
  fitText();
  QWidget::resizeEvent(event);
}

void EmptyState::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) updateIcon();
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fitText();
  QWidget::changeEvent(event);
}

void EmptyState::updateIcon() { icon_->setPixmap(iconPixmap(iconName_, 24, Theme::current().color(Role::Text3), devicePixelRatioF())); }

}  // namespace weft::widgets
