#pragma once

#include <QLineEdit>
#include <functional>

namespace weft::app {

/// A number in a bar with its own width. What is typed is taken with Enter or when the field loses the keyboard; what does not fit stays, red, with the reason in the
/// tooltip; Esc brings the old value back.
class RunField : public QLineEdit {
  Q_OBJECT

 public:
  /// Takes a text; returns why not, or nothing.
  using Take = std::function<QString(const QString& text)>;
  RunField(int digits, Take take, QWidget* parent);

  /// What is so now; not shown while somebody types, nor while a refused text waits to be mended.
  void showValue(const QString& text);
  /// Forgets what was typed and refused: another document is meant now.
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
