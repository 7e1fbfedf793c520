#pragma once

#include <QEvent>
#include <QLabel>
#include <algorithm>

#include "common/format.h"

namespace weft::widgets {

/// A one-line label that elides its text in the middle, preferring to keep the last part, instead of widening the page beyond the dock. The tooltip shows the
/// full text.
class FittingLabel : public QLabel {
 public:
  FittingLabel(const QString& text, QWidget* parent) : QLabel(text, parent), full_(text) {
    setTextFormat(Qt::PlainText);
    setToolTip(text);
  }
  QSize sizeHint() const override { return {int(QFontMetricsF(font()).horizontalAdvance(full_)) + 3 + extra(), QLabel::sizeHint().height()}; }
  QSize minimumSizeHint() const override { return {std::min(kLeast, sizeHint().width()), QLabel::minimumSizeHint().height()}; }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QLabel::resizeEvent(event);
    fit();
  }
  void changeEvent(QEvent* event) override {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fit();
  }

 private:
  static constexpr int kLeast = 28;
  /// Width that the style sheet adds around the text.
  int extra() const { return std::max(0, QLabel::sizeHint().width() - int(QFontMetricsF(font()).horizontalAdvance(text())) - 3); }
  void fit() {
    const QString shown = elideName(full_, QFontMetricsF(font()), std::max(1, width() - extra()));
    if (shown != text()) setText(shown);
  }
  QString full_;
};

}  // namespace weft::widgets
