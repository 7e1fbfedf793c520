#pragma once

#include <QEvent>
#include <QLabel>
#include <algorithm>

#include "common/format.h"

namespace weft::widgets {

/// One line that is cut in its middle, the last part kept longest, rather than making the page wider than the dock. Its tooltip says all of it.
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
  /// What a style sheet puts around the text.
  int extra() const { return std::max(0, QLabel::sizeHint().width() - int(QFontMetricsF(font()).horizontalAdvance(text())) - 3); }
  void fit() {
    const QString shown = elideName(full_, QFontMetricsF(font()), std::max(1, width() - extra()));
    if (shown != text()) setText(shown);
  }
  QString full_;
};

}  // namespace weft::widgets
