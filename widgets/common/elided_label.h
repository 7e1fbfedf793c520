#pragma once

#include <QLabel>
#include <QResizeEvent>

namespace weft::widgets {

/// One line that is cut with an ellipsis rather than asking for width, a sentence at its end, a name at its front; the tooltip says all of it.
class ElidedLabel : public QLabel {
public:
  explicit ElidedLabel(QWidget* parent = nullptr) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  }
  void setFull(const QString& text) {
    full_ = text;
    setToolTip(text);
    cut();
  }
  void setElideMode(Qt::TextElideMode mode) { mode_ = mode; }
  const QString& full() const { return full_; }

protected:
  void resizeEvent(QResizeEvent* event) override {
    QLabel::resizeEvent(event);
    cut();
  }

private:
  void cut() { setText(fontMetrics().elidedText(full_, mode_, contentsRect().width())); }
  QString full_;
  Qt::TextElideMode mode_ = Qt::ElideRight;
};

}  // namespace weft::widgets
