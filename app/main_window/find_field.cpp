#include "main_window/find_field.h"

#include <QEvent>
#include <QMenuBar>
#include <QPainter>
#include <QTimer>
#include <algorithm>

#include "common/icons.h"
#include "common/theme.h"

namespace weft::app {
namespace {
constexpr int kFieldWidth = 480, kLeast = 120, kHeight = 22, kFromMenus = 16, kFromEdge = 12, kPad = 8, kIcon = 14;
}

FindField::FindField(QMenuBar* bar) : QPushButton(bar), bar_(bar) {
  setObjectName(QStringLiteral("find_button"));
  setFocusPolicy(Qt::TabFocus);
  setCursor(Qt::IBeamCursor);
  setAttribute(Qt::WA_Hover);
  setStyleSheet(QStringLiteral("QPushButton { min-height: 0; padding: 0; }"));
  bar->installEventFilter(this);
}

void FindField::setKey(const QString& key) {
  key_ = key;
  update();
}

void FindField::setHint(const QString& longHint, const QString& shortHint) {
  longHint_ = longHint;
  shortHint_ = shortHint;
  place();
  update();
}

void FindField::place() {
  int menus = 0;
  for (const QAction* action : bar_->actions()) {
    if (action->isVisible()) menus = std::max(menus, bar_->actionGeometry(const_cast<QAction*>(action)).right() + 1);
  }
  const int left = menus + kFromMenus, room = bar_->width() - left - kFromEdge;
  setVisible(room >= kLeast);
  const int width = std::min(kFieldWidth, room);
  setGeometry(std::clamp((bar_->width() - width) / 2, left, std::max(left, bar_->width() - kFromEdge - width)), (bar_->height() - kHeight) / 2, width, kHeight);
}

bool FindField::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::ActionChanged:
    case QEvent::FontChange:
    case QEvent::StyleChange: QTimer::singleShot(0, this, &FindField::place); break;  // the menus have their places then
    default: break;
  }
  return QPushButton::eventFilter(watched, event);
}

/// The hint's place: right of the icon, left of the key.
QRect FindField::hintRect() const {
  QRect rest = rect().adjusted(kPad + kIcon + kPad, 0, -kPad, 0);
  if (!key_.isEmpty()) rest.setRight(keyRect().left() - kPad);
  return rest;
}

QRect FindField::keyRect() const {
  const int wide = QFontMetrics(widgets::Theme::current().monoSmallFont()).horizontalAdvance(key_) + 10;
  return {width() - kPad - wide + 4, 3, wide, height() - 6};
}

const QString& FindField::shownHint() const {
  return QFontMetrics(widgets::Theme::current().uiFont()).horizontalAdvance(longHint_) <= hintRect().width() ? longHint_ : shortHint_;
}

bool FindField::showsWholeHint() const { return QFontMetrics(widgets::Theme::current().uiFont()).horizontalAdvance(shownHint()) <= hintRect().width(); }

void FindField::paintEvent(QPaintEvent*) {
  using widgets::Role;
  const widgets::Theme& theme = widgets::Theme::current();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(theme.color(hasFocus() ? Role::Focus : underMouse() ? Role::BorderStrong : Role::Border));
  painter.setBrush(theme.color(Role::Surface2));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme.metrics().radiusControl, theme.metrics().radiusControl);
  const QPixmap icon = widgets::iconPixmap(QStringLiteral("search"), kIcon, theme.color(Role::Text3), devicePixelRatioF());
  painter.drawPixmap(kPad, (height() - kIcon) / 2, icon);
  if (!key_.isEmpty()) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Role::Surface3));
    painter.drawRoundedRect(keyRect(), 3, 3);
    painter.setPen(theme.color(Role::Text2));
    painter.setFont(theme.monoSmallFont());
    painter.drawText(keyRect(), Qt::AlignCenter, key_);
  }
  const QFont font = theme.uiFont();
  const QFontMetrics metrics(font);
  painter.setFont(font);
  painter.setPen(theme.color(Role::Text3));
  painter.drawText(hintRect(), Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(shownHint(), Qt::ElideRight, hintRect().width()));
}

}  // namespace weft::app
