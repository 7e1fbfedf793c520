#include "experiments/importance_bars.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "common/theme.h"

namespace weft::widgets {
namespace {

constexpr int kBarRow = 26, kBarSide = 12, kBarHigh = 12;  // pixels
constexpr double kClear = 0.3;                             // a rank correlation that is worth an arrow
constexpr double kNames = 0.34, kShares = 56, kArrows = 78;

}  // namespace

ImportanceBars::ImportanceBars(QWidget* parent) : QWidget(parent) {}

void ImportanceBars::setContents(std::vector<Bar> bars) {
  bars_ = std::move(bars);
  setMinimumHeight(sizeHint().height());
  updateGeometry();
  update();
}

void ImportanceBars::setMessage(const QString& message) {
  message_ = message;
  update();
}

QSize ImportanceBars::sizeHint() const { return {360, kBarRow * static_cast<int>(std::max<std::size_t>(bars_.size(), 2)) + 2 * kBarSide}; }

void ImportanceBars::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::current();
  QPainter p(this);
  p.fillRect(rect(), theme.color(Role::Surface2));
  if (!message_.isEmpty()) {
    p.setPen(theme.color(Role::Text2));
    p.drawText(rect().adjusted(kBarSide, kBarSide, -kBarSide, -kBarSide), Qt::AlignCenter | Qt::TextWordWrap, message_);
    return;
  }
  const double names = width() * kNames, long_ = width() - 2 * kBarSide - names - kShares - kArrows;
  double y = kBarSide;
  for (const Bar& bar : bars_) {
    p.setFont(theme.smallFont());
    p.setPen(theme.color(Role::Text1));
    p.drawText(QRectF(kBarSide, y, names - 8, kBarRow), Qt::AlignRight | Qt::AlignVCenter,
               p.fontMetrics().elidedText(bar.title, Qt::ElideMiddle, static_cast<int>(names) - 8));
    const QRectF room(kBarSide + names, y + (kBarRow - kBarHigh) / 2.0, std::max(long_, 10.0), kBarHigh);
    p.fillRect(room, theme.color(Role::Surface3));
    p.fillRect(QRectF(room.topLeft(), QSizeF(room.width() * std::clamp(bar.share, 0.0, 1.0), kBarHigh)), theme.color(Role::Accent));
    p.setFont(theme.monoSmallFont());
    p.drawText(QRectF(room.right() + 4, y, kShares - 8, kBarRow), Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("%1 %").arg(100 * bar.share, 0, 'f', 0));
    p.setFont(theme.smallFont());
    p.setPen(theme.color(Role::Text2));
    const QString acts = bar.correlation > kClear ? tr("↗ with it") : bar.correlation < -kClear ? tr("↘ against it") : QString();
    p.drawText(QRectF(room.right() + kShares, y, kArrows, kBarRow), Qt::AlignLeft | Qt::AlignVCenter, acts);
    y += kBarRow;
  }
}

void ImportanceBars::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::LanguageChange) update();
  QWidget::changeEvent(event);
}

}  // namespace weft::widgets
