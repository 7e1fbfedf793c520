#pragma once

#include <QLabel>
#include <QResizeEvent>

namespace weft::widgets {

/// One line that is cut with an ellipsis at its end rather than asking for width; the tooltip says all of it.
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
  const QString& full() const { return full_; }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QLabel::resizeEvent(event);
    cut();
  }

 private:
  void cut() { setText(fontMetrics().elidedText(full_, Qt::ElideRight, contentsRect().width())); }
  QString full_;
};

}  // namespace weft::widgets
