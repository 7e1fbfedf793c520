#pragma once

#include <QLineEdit>
#include <functional>

namespace weft::app {

/// A number field in a bar. The typed text is applied with Enter or when the field loses focus; an invalid text stays, in red, with the reason in the tooltip;
/// Esc restores the old value.
class RunField : public QLineEdit {
  Q_OBJECT

 public:
  /// Applies a text; returns an error, or empty.
  using Take = std::function<QString(const QString& text)>;
  RunField(int digits, Take take, QWidget* parent);

  /// Sets the present value; not shown while the user types, or while an invalid text waits for correction.
  void showValue(const QString& text);
  /// Discards a typed invalid text, because the document changed.
  void reset();
  void setTip(const QString& tip);
  bool isRefused() const { return refused_; }

 signals:
  void refused(const QString& why);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void commit();
  void mark(const QString& why);

  Take take_;
  QString value_, tip_;
  bool refused_ = false;
};

}  // namespace weft::app
