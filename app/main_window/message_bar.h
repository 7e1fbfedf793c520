#pragma once

#include <QFrame>

class QLabel;
class QToolButton;

namespace weft::app {

/// One sentence across the top of the middle that stays until it is closed: an error, without stopping anything.
class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent = nullptr);

  void showError(const QString& message);
  QString message() const { return message_; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void restyle();

  QString message_;
  QLabel *icon_, *text_;
  QToolButton* close_;
};

}  // namespace weft::app
