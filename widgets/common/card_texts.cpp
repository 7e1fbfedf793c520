#include "common/card_texts.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"

namespace weft::widgets {
namespace {
constexpr int kRoundTo = 16;  // pixels
constexpr double kSquare = 7, kAfterSquare = 5, kBetween = 14, kApart = 16;

QString moreText(qsizetype count) { return u'+' + QString::number(count); }

}  // namespace

CardLegend::CardLegend(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); }

void CardLegend::setEntries(const QVector<Entry>& entries) {
  if (entries_ == entries) return;
  entries_ = entries;
  QString words;
  for (const Entry& e : entries_) words += (words.isEmpty() ? QString() : QStringLiteral(", ")) + e.text;
  setAccessibleName(words);
  update();
}

QSize CardLegend::sizeHint() const { return {0, static_cast<int>(std::ceil(QFontMetricsF(Theme::current().monoSmallFont()).height()))}; }

void CardLegend::paintEvent(QPaintEvent*) {
  if (entries_.isEmpty()) return;
  const Theme& theme = Theme::current();
  const QFont font = theme.monoSmallFont();
  const QFontMetricsF metrics(font);
  QPainter painter(this);
  painter.setFont(font);
  painter.setPen(theme.color(Role::Text1));
  double x = 0;
  const int fit = drawn();
  for (const Entry& e : entries_.first(fit)) {
    const double advance = metrics.horizontalAdvance(e.text) + 1;
    painter.fillRect(QRectF(x, std::round((height() - kSquare) / 2), kSquare, kSquare), e.color);
    x += kSquare + kAfterSquare;
    painter.drawText(QRectF(x, 0, advance, height()), Qt::AlignLeft | Qt::AlignVCenter, e.text);
    x += advance + kBetween;
  }
  if (fit == entries_.size()) return;
  painter.setPen(theme.color(Role::Text3));
  const QString more = moreText(entries_.size() - fit);
  if (metrics.horizontalAdvance(more) <= width() - x + 1) painter.drawText(QRectF(x, 0, width() - x, height()), Qt::AlignLeft | Qt::AlignVCenter, more);
}

int CardLegend::drawn() const {
  const QFontMetricsF metrics(Theme::current().monoSmallFont());
  const auto widthOf = [&](const Entry& e) { return kSquare + kAfterSquare + metrics.horizontalAdvance(e.text); };
  double used = 0;
  int fit = 0;
  for (qsizetype i = 0; i < entries_.size(); ++i) {
    used += (i > 0 ? kBetween : 0) + widthOf(entries_[i]);
    const double rest = i + 1 < entries_.size() ? kBetween + metrics.horizontalAdvance(moreText(entries_.size() - i - 1)) : 0;
    if (used > width()) break;
    if (used + rest <= width()) fit = static_cast<int>(i + 1);
  }
  return fit;
}

bool CardLegend::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {  // built on demand: the numbers change many times a second
    constexpr qsizetype kMost = 30;
    QStringList lines;
    for (const Entry& e : entries_.first(std::min(kMost, entries_.size())))
      lines << (e.name.isEmpty() || e.name == e.text ? e.text : QStringLiteral("%1  %2").arg(e.name, e.text));
    if (entries_.size() > kMost) lines << moreText(entries_.size() - kMost);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), lines.join(u'\n'), this);
    return true;
  }
  return QWidget::event(event);
}

CardFoot::CardFoot(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); }

void CardFoot::setTexts(const QString& left, const QString& right) {
  if (left_ == left && right_ == right) return;
  left_ = left;
  right_ = right;
  setAccessibleName(right.isEmpty() ? left : QStringLiteral("%1, %2").arg(left, right));
  update();
}

QSize CardFoot::sizeHint() const { return {0, static_cast<int>(std::ceil(QFontMetricsF(Theme::current().smallFont()).height()))}; }

void CardFoot::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::current();
  const QFont font = theme.smallFont();
  const QFontMetricsF metrics(font);
  QPainter painter(this);
  painter.setFont(font);
  painter.setPen(theme.color(Role::Text3));
  const double leftWidth = metrics.horizontalAdvance(left_), rightWidth = metrics.horizontalAdvance(right_);
  const bool both = leftWidth + rightWidth + kApart <= width();
  painter.drawText(QRectF(0, 0, width(), height()), Qt::AlignLeft | Qt::AlignVCenter, leftWidth > width() ? elideName(left_, metrics, width()) : left_);
  if (both) painter.drawText(QRectF(0, 0, width(), height()), Qt::AlignRight | Qt::AlignVCenter, right_);
}

StableWidthLabel::StableWidthLabel(Kind kind, QWidget* parent) : QWidget(parent), kind_(kind) { setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); }

QFont StableWidthLabel::textFont() const { return kind_ == Kind::Mono ? Theme::current().monoFont() : Theme::current().uiFont(); }

int StableWidthLabel::widthOf(const QString& text) const {
  const int width = static_cast<int>(std::ceil(QFontMetricsF(textFont()).horizontalAdvance(text)));
  return (width + kRoundTo - 1) / kRoundTo * kRoundTo;
}

void StableWidthLabel::setText(const QString& text) {
  if (text_ == text) return;
  text_ = text;
  setAccessibleName(text);
  const int width = widthOf(text);
  if (width > widest_) {
    widest_ = width;
    updateGeometry();
  }
  update();
}

void StableWidthLabel::fit() {
  const int width = widthOf(text_);
  if (width == widest_) return;
  widest_ = width;
  updateGeometry();
}

QSize StableWidthLabel::sizeHint() const { return {widest_, static_cast<int>(std::ceil(QFontMetricsF(textFont()).height()))}; }

void StableWidthLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(textFont());
  painter.setPen(Theme::current().color(Role::Text1));
  painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, text_);
}

void StableWidthLabel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) fit();
  QWidget::changeEvent(event);
}

}  // namespace weft::widgets
