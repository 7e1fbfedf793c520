#include "common/folding_bar.h"

#include <QEvent>
#include <QFrame>
#include <QScreen>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "common/flow_layout.h"
#include "common/icons.h"
#include "common/theme.h"

namespace weft::widgets {
namespace {

constexpr int kBarMargin = 6, kSpacing = 6;

/// Whether the group was hidden explicitly and so takes no room.
bool isOff(const QWidget* group) { return group->isHidden() && group->testAttribute(Qt::WA_WState_ExplicitShowHide); }

QSize sizeOf(const QWidget* widget) { return widget->sizeHint().expandedTo(widget->minimumSizeHint()).expandedTo(widget->minimumSize()); }

void moveTo(QWidget* group, QWidget* parent) {
  const bool off = isOff(group);
  group->setParent(parent);
  group->setVisible(!off);
}

}  // namespace

FoldingBar::FoldingBar(double share, QWidget* parent) : QWidget(parent), share_(share) {
  setLayout(new FlowLayout(nullptr, kBarMargin, kSpacing));
  more_ = new QToolButton(this);
  more_->setIcon(icon(QStringLiteral("menu-dots")));
  more_->setProperty("kind", QStringLiteral("flat"));
  more_->setFocusPolicy(Qt::TabFocus);
  more_->hide();
  layout()->addWidget(more_);
  popup_ = new QFrame(this, Qt::Popup);
  popup_->setObjectName(QStringLiteral("folded_controls"));
  auto* column = new QVBoxLayout(popup_);
  column->setContentsMargins(8, 8, 8, 8);
  column->setSpacing(kSpacing);
  connect(more_, &QToolButton::clicked, this, &FoldingBar::showFolded);
  parent->installEventFilter(this);
  retranslate();
}

void FoldingBar::add(QWidget* group) {
  group->setParent(this);
  layout()->removeWidget(more_);  // the button stays last
  layout()->addWidget(group);
  layout()->addWidget(more_);
  groups_.push_back(group);
}

void FoldingBar::setMostLines(int lines) {
  mostLines_ = lines;
  fold();
}

void FoldingBar::fold() {
  int lineHeight = 0;
  std::vector<QWidget*> shown;
  for (QWidget* group : groups_) {
    if (isOff(group)) continue;
    shown.push_back(group);
    lineHeight = std::max(lineHeight, sizeOf(group).height());
  }
  if (shown.empty() || parentWidget()->height() <= 0) return;
  const int width = parentWidget()->width() - 2 * kBarMargin;
  int lines = std::max(1, int((parentWidget()->height() * share_ - 2 * kBarMargin + kSpacing) / (lineHeight + kSpacing)));
  if (mostLines_ > 0) lines = std::min(lines, mostLines_);
  // Same line breaking as FlowLayout.
  const auto fits = [&](size_t count) {
    int x = 0, line = 1;
    const auto place = [&](const QWidget* widget) {
      const int w = sizeOf(widget).width();
      if (x > 0 && x + w > width) x = 0, ++line;
      x += w + kSpacing;
    };
    for (size_t i = 0; i < count; ++i) place(shown[i]);
    if (count < shown.size()) place(more_);
    return line <= lines;
  };
  size_t count = shown.size();
  while (count > 1 && !fits(count)) --count;
  for (size_t i = 0; i < shown.size(); ++i) {
    QWidget* wanted = i < count ? static_cast<QWidget*>(this) : popup_;
    if (shown[i]->parentWidget() == wanted) continue;
    // All groups from the first moved one on are inserted again, to keep their order.
    for (size_t k = i; k < shown.size(); ++k) {
      QWidget* place = k < count ? static_cast<QWidget*>(this) : popup_;
      moveTo(shown[k], place);
      place->layout()->addWidget(shown[k]);
    }
    layout()->removeWidget(more_);
    layout()->addWidget(more_);
    break;
  }
  folded_ = int(shown.size() - count);
  if (more_->isHidden() != (folded_ == 0)) more_->setVisible(folded_ > 0);
  if (folded_ == 0) popup_->hide();
}

void FoldingBar::showFolded() {
  const Theme& theme = Theme::current();
  popup_->setStyleSheet(QStringLiteral("#folded_controls { background: %1; border: 1px solid %2; border-radius: 6px; }")
                            .arg(theme.color(Role::Surface2).name(), theme.color(Role::BorderStrong).name()));
  popup_->adjustSize();
  const QRect free = screen()->availableGeometry();
  const QPoint corner = more_->mapToGlobal(QPoint(more_->width() - popup_->width(), more_->height() + 2));
  popup_->move(std::clamp(corner.x(), free.left(), std::max(free.left(), free.right() - popup_->width())),
               std::clamp(corner.y(), free.top(), std::max(free.top(), free.bottom() - popup_->height())));
  popup_->show();
}

void FoldingBar::retranslate() {
  more_->setToolTip(tr("More controls"));
  more_->setAccessibleName(more_->toolTip());
}

bool FoldingBar::event(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  const bool result = QWidget::event(event);
  if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) fold();
  return result;
}

bool FoldingBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize) fold();
  return QWidget::eventFilter(watched, event);
}

}  // namespace weft::widgets
