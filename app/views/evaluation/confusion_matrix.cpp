#include "views/evaluation/confusion_matrix.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"

namespace weft::app {
namespace {

using widgets::Role;
using widgets::Theme;

constexpr double kHead = 22, kMaxCell = 44, kMinCellWithText = 15;

}  // namespace

ConfusionMatrix::ConfusionMatrix(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(200, 200);
}

void ConfusionMatrix::setCounts(int classes, const QVector<qint64>& counts) {
  classes_ = counts.size() == qsizetype(classes) * classes ? classes : 0;
  counts_ = counts;
  row_ = column_ = -1;
  update();
}

double ConfusionMatrix::cellSize() const {
  return classes_ > 0 ? std::min(kMaxCell, std::min(width() - 2 * kHead - 4, height() - 2 * kHead - 4) / double(classes_)) : 0;
}
QPointF ConfusionMatrix::origin() const { return {2 * kHead, 2 * kHead}; }

QPair<int, int> ConfusionMatrix::cellAt(QPointF at) const {
  const double size = cellSize();
  if (size <= 0) return {-1, -1};
  const QPointF p = (at - origin()) / size;
  const int row = int(std::floor(p.y())), column = int(std::floor(p.x()));
  return row >= 0 && row < classes_ && column >= 0 && column < classes_ ? QPair<int, int>{row, column} : QPair<int, int>{-1, -1};
}

qint64 ConfusionMatrix::rowSum(int row) const {
  qint64 sum = 0;
  for (int c = 0; c < classes_; ++c) sum += counts_[row * classes_ + c];
  return sum;
}

void ConfusionMatrix::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::current();
  QPainter painter(this);
  const double size = cellSize();
  if (size <= 0) return;
  const QPointF at = origin();
  painter.setFont(theme.smallFont());
  painter.setPen(theme.color(Role::Text2));
  painter.drawText(QRectF(at.x(), 0, classes_ * size, kHead), Qt::AlignLeft | Qt::AlignVCenter, tr("predicted"));
  painter.save();
  painter.translate(0, at.y() + classes_ * size);
  painter.rotate(-90);
  painter.drawText(QRectF(0, 0, classes_ * size, kHead), Qt::AlignRight | Qt::AlignVCenter, tr("actual"));
  painter.restore();
  painter.setFont(theme.monoSmallFont());
  for (int i = 0; i < classes_; ++i) {
    if (size < kMinCellWithText && i % 5 != 0) continue;
    painter.setPen(theme.color(Role::Text2));
    painter.drawText(QRectF(at.x() + i * size, kHead, size, kHead), Qt::AlignCenter, QString::number(i));
    painter.drawText(QRectF(kHead, at.y() + i * size, kHead, size), Qt::AlignCenter, QString::number(i));
  }
  for (int r = 0; r < classes_; ++r) {
    const qint64 sum = std::max<qint64>(1, rowSum(r));
    for (int c = 0; c < classes_; ++c) {
      const qint64 count = counts_[r * classes_ + c];
      const QRectF cell(at.x() + c * size, at.y() + r * size, size, size);
      // Strength is the root of the share, so that even one sample in a hundred is visible. Right and wrong differ by position, hue and number.
      const double strength = count == 0 ? 0 : 0.12 + 0.88 * std::sqrt(double(count) / double(sum));
      const QColor fill = widgets::mix(theme.color(r == c ? Role::Accent : Role::Error), theme.color(Role::Surface2), strength);
      painter.fillRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), fill);
      if (count == 0 || size < kMinCellWithText) continue;
      painter.setPen(widgets::readableOn(fill));
      painter.drawText(cell, Qt::AlignCenter,
                       count < 10000 && size > 24 ? QString::number(count)
                       : count < 1000             ? QString::number(count)
                                                  : widgets::formatCountShort(count));
    }
  }
  if (row_ >= 0) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.color(hasFocus() ? Role::Focus : Role::Text1), 2));
    painter.drawRect(QRectF(at.x() + column_ * size, at.y() + row_ * size, size, size));
  }
}

void ConfusionMatrix::chooseCell(int label, int predicted) {
  const bool exists = label >= 0 && label < classes_ && predicted >= 0 && predicted < classes_;
  choose(exists ? label : -1, exists ? predicted : -1);
}

void ConfusionMatrix::choose(int row, int column) {
  row_ = row;
  column_ = column;
  if (row >= 0) setAccessibleDescription(tr("%1 predicted as %2: %3 of %4").arg(row).arg(column).arg(counts_[row * classes_ + column]).arg(rowSum(row)));
  update();
  emit cellChosen(row, column);
}

void ConfusionMatrix::mousePressEvent(QMouseEvent* event) {
  const auto [row, column] = cellAt(event->position());
  // A second click on a cell shows all samples again.
  const bool again = row == row_ && column == column_;
  choose(again ? -1 : row, again ? -1 : column);
}

void ConfusionMatrix::keyPressEvent(QKeyEvent* event) {
  if (classes_ == 0) return QWidget::keyPressEvent(event);
  int row = std::max(0, row_), column = std::max(0, column_);
  switch (event->key()) {
    case Qt::Key_Left: --column; break;
    case Qt::Key_Right: ++column; break;
    case Qt::Key_Up: --row; break;
    case Qt::Key_Down: ++row; break;
    case Qt::Key_Escape: return choose(-1, -1);
    default: return QWidget::keyPressEvent(event);
  }
  choose(std::clamp(row, 0, classes_ - 1), std::clamp(column, 0, classes_ - 1));
}

bool ConfusionMatrix::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const auto [row, column] = cellAt(help->pos());
    if (row >= 0) {
      const qint64 count = counts_[row * classes_ + column], sum = std::max<qint64>(1, rowSum(row));
      QToolTip::showText(help->globalPos(), tr("%1 predicted as %2: %3 of %4").arg(row).arg(column).arg(count).arg(sum) +
                                                QStringLiteral(" (%1 %)").arg(100.0 * double(count) / double(sum), 0, 'f', 1));
      return true;
    }
    QToolTip::hideText();
  }
  return QWidget::event(event);
}

}  // namespace weft::app
