#include "common/iteration_strip.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "common/theme.h"

namespace weft::widgets {
namespace {
constexpr int kHeight = 24, kChipGap = 3, kSide = 6, kStripMargin = 2;
constexpr int kAhead = 2;  // future iterations that are offered
}  // namespace

IterationStrip::IterationStrip(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("iteration_strip"));
  setFocusPolicy(Qt::TabFocus);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize IterationStrip::sizeHint() const { return {200, kHeight + 2 * kStripMargin}; }

QSize IterationStrip::minimumSizeHint() const { return {chipWidth(), kHeight + 2 * kStripMargin}; }

/// All chips are as wide as the largest number.
int IterationStrip::chipWidth() const {
  const QString widest(QString::number(std::max<qint64>(computed_ + kAhead, 10)).size(), u'0');
  return QFontMetrics(Theme::current().monoSmallFont()).horizontalAdvance(widest) + 2 * kSide;
}

void IterationStrip::setIterations(qint64 present, qint64 computed, const QHash<qint64, Iteration>& known) {
  present_ = present;
  computed_ = std::max(present, computed);
  known_ = known;
  marked_ = -1;
  setAccessibleDescription(tr("iteration %1 of 0 to %2").arg(present_).arg(computed_));
  update();
}

QVector<qint64> IterationStrip::shown() const {
  const qint64 room = std::max(1, (width() - 2 * kStripMargin + kChipGap) / (chipWidth() + kChipGap)), last = computed_ + kAhead;
  const qint64 centre = marked_ >= 0 ? marked_ : present_;
  const qint64 first = std::clamp<qint64>(centre - room / 2, 0, std::max<qint64>(0, last + 1 - room));
  QVector<qint64> out;
  for (qint64 i = first; i <= last && qint64(out.size()) < room; ++i) out << i;
  return out;
}

QRect IterationStrip::rectOf(qint64 iteration) const {
  const qsizetype at = shown().indexOf(iteration);
  return at < 0 ? QRect() : QRect(kStripMargin + int(at) * (chipWidth() + kChipGap), kStripMargin, chipWidth(), kHeight);
}

qint64 IterationStrip::at(const QPoint& point) const {
  for (const qint64 i : shown())
    if (rectOf(i).contains(point)) return i;
  return -1;
}

QString IterationStrip::tipOf(qint64 iteration) const {
  const QString head = QStringLiteral("<b>%1</b><br>").arg(tr("iteration %1").arg(iteration));
  const auto it = known_.constFind(iteration);
  if (it != known_.cend() && !it->tip.isEmpty()) return head + it->tip.toHtmlEscaped();
  if (iteration > computed_) return head + tr("Not reached yet: click to run to it.");
  return head + tr("Values not kept: click to recompute them.");
}

void IterationStrip::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::current();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(theme.monoSmallFont());
  const double radius = theme.metrics().radiusControl;
  for (const qint64 i : shown()) {
    const QRectF rect = QRectF(rectOf(i)).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool present = i == present_, done = i <= computed_;
    const auto it = known_.constFind(i);
    const bool kept = it != known_.cend() && it->isKept;
    QColor ground = present ? theme.color(Role::Accent) : !done ? QColor(Qt::transparent) : kept ? theme.color(Role::Done) : theme.color(Role::Surface3);
    if (i == hovered_ && !present) ground = theme.color(Role::Selection);
    painter.setPen(present ? QPen(theme.color(Role::Accent)) : done ? QPen(Qt::NoPen) : QPen(theme.color(Role::BorderStrong)));
    painter.setBrush(ground);
    painter.drawRoundedRect(rect, radius, radius);
    QFont font = theme.monoSmallFont();
    if (present) font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    painter.setPen(theme.color(present ? Role::AccentText : done ? Role::Text1 : Role::Text2));
    painter.drawText(rect, Qt::AlignCenter, QString::number(i));
    if (it != known_.cend() && it->isOdd)
      painter.fillRect(QRectF(rect.left() + 3, rect.bottom() - 3, rect.width() - 6, 2), theme.color(present ? Role::AccentText : Role::Nan));
    if (!hasFocus() || i != (marked_ >= 0 ? marked_ : present_)) continue;
    painter.setPen(QPen(theme.color(Role::Focus), theme.metrics().focusRing));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(rect.adjusted(-1, -1, 1, 1), radius, radius);
  }
}

void IterationStrip::mouseReleaseEvent(QMouseEvent* event) {
  const qint64 i = event->button() == Qt::LeftButton ? at(event->pos()) : -1;
  if (i >= 0 && i != present_) emit chosen(i);
}

void IterationStrip::mouseMoveEvent(QMouseEvent* event) {
  const qint64 i = at(event->pos());
  if (i == hovered_) return;
  hovered_ = i;
  update();
}

void IterationStrip::leaveEvent(QEvent*) {
  hovered_ = -1;
  update();
}

void IterationStrip::keyPressEvent(QKeyEvent* event) {
  const qint64 from = marked_ >= 0 ? marked_ : present_, last = computed_ + kAhead;
  switch (event->key()) {
    case Qt::Key_Left: marked_ = std::max<qint64>(0, from - 1); break;
    case Qt::Key_Right: marked_ = std::min(last, from + 1); break;
    case Qt::Key_Home: marked_ = 0; break;
    case Qt::Key_End: marked_ = computed_; break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      if (from != present_) emit chosen(from);
      return;
    default: return QWidget::keyPressEvent(event);
  }
  update();
}

bool IterationStrip::event(QEvent* event) {
  if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
    if (event->type() == QEvent::FocusOut) marked_ = -1;
    update();
  }
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const qint64 i = at(help->pos());
    if (i >= 0) QToolTip::showText(help->globalPos(), tipOf(i), this, rectOf(i));
    else QToolTip::hideText();
    return true;
  }
  return QWidget::event(event);
}

}  // namespace weft::widgets
