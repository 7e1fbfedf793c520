#include "shell/page_bar.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"

namespace weft::app {
namespace {

using widgets::Role;
using widgets::Theme;

constexpr double kBetweenCrumbs = 22, kBetweenEntries = 12, kSquare = 8, kAfterMark = 5, kGroundPadding = 7, kLine = 18;
constexpr qsizetype kLeastEntries = 3;

QFont heavy() {
  QFont font = Theme::current().uiFont();
  font.setBold(true);
  return font;
}

}  // namespace

CrumbBar::CrumbBar(QWidget* parent) : QWidget(parent) { setCursor(Qt::PointingHandCursor); }

void CrumbBar::setPath(const QVector<Crumb>& path) {
  if (path_ == path) return;
  path_ = path;
  measure();
}

void CrumbBar::measure() {
  const QFontMetricsF plain(Theme::current().uiFont()), bold(heavy());
  QStringList words;
  const int before = sizeHint().width();
  widths_.clear();
  for (qsizetype i = 0; i < path_.size(); ++i) {
    widths_ << (i + 1 == path_.size() ? bold : plain).horizontalAdvance(path_[i].text) + 1;
    words << path_[i].text;
  }
  setAccessibleName(words.join(QStringLiteral(" › ")));
  if (sizeHint().width() != before) updateGeometry();
  update();
}

QSize CrumbBar::sizeHint() const {
  double width = 0;
  for (const double w : widths_) width += w + (width > 0 ? kBetweenCrumbs : 0);
  return {int(std::ceil(width)), int(std::ceil(QFontMetricsF(Theme::current().uiFont()).height()))};
}

void CrumbBar::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::current();
  QPainter painter(this);
  double x = 0;
  for (qsizetype i = 0; i < path_.size(); ++i) {
    if (i > 0) {
      painter.setFont(theme.uiFont());
      painter.setPen(theme.color(Role::Text3));
      painter.drawText(QRectF(x, 0, kBetweenCrumbs, height()), Qt::AlignCenter, QStringLiteral("›"));
      x += kBetweenCrumbs;
    }
    const bool last = i + 1 == path_.size();
    const QFont font = last ? heavy() : theme.uiFont();
    painter.setFont(font);
    painter.setPen(theme.color(Role::Text1));
    const double room = width() - x;
    if (room <= 0) return;
    painter.drawText(QRectF(x, 0, std::min(widths_[i], room), height()), Qt::AlignLeft | Qt::AlignVCenter,
                     widths_[i] > room ? widgets::elideName(path_[i].text, QFontMetricsF(font), room) : path_[i].text);
    x += widths_[i];
  }
}

void CrumbBar::mouseReleaseEvent(QMouseEvent* event) {
  double x = 0;
  for (qsizetype i = 0; i < path_.size(); ++i) {
    if (event->button() == Qt::LeftButton && event->position().x() >= x && event->position().x() <= x + widths_[i]) {
      emit chosen(path_[i].target);
      return;
    }
    x += widths_[i] + kBetweenCrumbs;
  }
  QWidget::mouseReleaseEvent(event);
}

void CrumbBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) measure();
  QWidget::changeEvent(event);
}

LegendStrip::LegendStrip(QWidget* parent) : QWidget(parent) {}

void LegendStrip::setEntries(const QVector<Entry>& entries) {
  if (entries_ == entries) return;
  entries_ = entries;
  measure();
}

double LegendStrip::markWidth(Mark mark) { return mark == Mark::Square ? kSquare : mark == Mark::Loop ? kSquare + 3 : kLine; }

double LegendStrip::widthOf(const Entry& entry) const {
  const double words = QFontMetricsF(Theme::current().smallFont()).horizontalAdvance(entry.text) + 1;
  return entry.mark == Mark::Ground ? words + 2 * kGroundPadding : markWidth(entry.mark) + kAfterMark + words;
}

void LegendStrip::measure() {
  const int before = sizeHint().width();
  widths_.clear();
  QStringList words;
  for (const Entry& e : std::as_const(entries_)) {
    widths_ << widthOf(e);
    words << e.text;
  }
  setAccessibleName(words.join(QStringLiteral(", ")));
  if (sizeHint().width() != before) updateGeometry();
  update();
}

QSize LegendStrip::sizeHint() const {
  double width = 0;
  for (const double w : widths_) width += w + (width > 0 ? kBetweenEntries : 0);
  return {int(std::ceil(width)), int(std::ceil(QFontMetricsF(Theme::current().smallFont()).height())) + 2};
}

// Meanings of lines are shown only beside few colours; the tooltip has all of them.
QVector<LegendStrip::Entry> LegendStrip::fitting(double width) const {
  const auto isLine = [](const Entry& e) {
    return e.mark == Mark::Wire || e.mark == Mark::Dashes || e.mark == Mark::Double || e.mark == Mark::Band || e.mark == Mark::Frame;
  };
  const bool lines = std::any_of(entries_.begin(), entries_.end(), isLine);
  QVector<qsizetype> leaving;  // in this order
  if (lines) {
    for (qsizetype i = entries_.size() - 1; i >= kLeastEntries; --i)
      if (entries_[i].mark == Mark::Square) leaving << i;
    for (const bool line : {false, true})
      for (qsizetype i = entries_.size() - 1; i >= 0; --i)
        if (entries_[i].mark != Mark::Square && isLine(entries_[i]) == line) leaving << i;
  } else {
    for (qsizetype i = entries_.size() - 2; i >= 0; --i) leaving << i;
  }
  QVector<bool> stays(entries_.size(), true);
  const auto needed = [&] {
    double sum = 0;
    for (qsizetype i = 0; i < entries_.size(); ++i)
      if (stays[i]) sum += widths_[i] + (sum > 0 ? kBetweenEntries : 0);
    return sum;
  };
  const auto staying = [&] {
    QVector<Entry> some;
    for (qsizetype i = 0; i < entries_.size(); ++i)
      if (stays[i]) some << entries_[i];
    return some;
  };
  qsizetype left = entries_.size();
  for (qsizetype k = 0; needed() > width && k < leaving.size() && left > std::min(kLeastEntries, entries_.size()); ++k, --left) stays[leaving[k]] = false;
  if (needed() <= width) return staying();
  // The last entry explains a mark, but the colours matter more.
  if (lines || entries_.size() < 2 || entries_.last().mark != Mark::Loop) return {};
  std::fill(stays.begin(), stays.end(), true);
  stays.last() = false;
  return needed() <= width ? staying() : QVector<Entry>();
}

void LegendStrip::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::current();
  QPainter painter(this);
  painter.setFont(theme.smallFont());
  double x = 0;
  for (const Entry& e : fitting(width())) {
    const double whole = widthOf(e), middle = height() / 2.0;
    QRectF words(x, 0, whole, height());
    if (e.mark == Mark::Ground) {
      // Fixed to the text height, whatever the bar's height is.
      const double high = std::min<double>(height(), std::ceil(QFontMetricsF(theme.smallFont()).height()) + 2);
      painter.setRenderHint(QPainter::Antialiasing);
      painter.setPen(Qt::NoPen);
      painter.setBrush(e.color);
      painter.drawRoundedRect(QRectF(x, std::round(middle - high / 2), whole, high), 3, 3);
      words.adjust(kGroundPadding, 0, 0, 0);
    } else if (e.mark == Mark::Loop) {
      painter.setPen(e.color);
      painter.drawText(QRectF(x, 0, kSquare + 4, height()), Qt::AlignCenter, QStringLiteral("↻"));
      words.adjust(markWidth(e.mark) + kAfterMark, 0, 0, 0);
    } else if (e.mark != Mark::Square) {
      paintLine(painter, e, QRectF(x, std::round(middle) - 5, kLine, 10));
      words.adjust(markWidth(e.mark) + kAfterMark, 0, 0, 0);
    } else {
      const QRectF square(x, std::round(middle - kSquare / 2), kSquare, kSquare);
      painter.fillRect(square, e.color);
      // The ends of a ramp may be as dark or light as the bar.
      if (std::abs(e.color.lightnessF() - theme.color(Role::Surface1).lightnessF()) < 0.16f) {
        painter.setPen(theme.color(Role::Text3));
        painter.drawRect(square.adjusted(0.5, 0.5, -0.5, -0.5));
      }
      words.adjust(kSquare + kAfterMark, 0, 0, 0);
    }
    painter.setPen(theme.color(e.mark == Mark::Ground ? Role::Text1 : Role::Text2));
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, e.text);
    x += whole + kBetweenEntries;
  }
}

void LegendStrip::paintLine(QPainter& painter, const Entry& e, const QRectF& box) {
  QPen pen(e.color, e.mark == Mark::Frame ? 1 : 1.6);
  if (e.mark == Mark::Dashes || e.mark == Mark::Frame) pen.setDashPattern({3, 2});
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  if (e.mark == Mark::Band) {
    const Theme& theme = Theme::current();
    painter.fillRect(QRectF(box.left(), box.center().y() - 3.5, box.width(), 7), widgets::mix(theme.color(Role::Text1), theme.color(Role::Surface0), 0.3));
  }
  if (e.mark == Mark::Frame) {
    painter.setPen(pen);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    return;
  }
  painter.setPen(pen);
  const double y = box.center().y() + 0.5;
  for (const double off : e.mark == Mark::Double ? QVector<double>{-1.5, 1.5} : QVector<double>{0})
    painter.drawLine(QPointF(box.left(), y + off), QPointF(box.right(), y + off));
}

void LegendStrip::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) measure();
  QWidget::changeEvent(event);
}

}  // namespace weft::app
