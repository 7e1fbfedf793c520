#pragma once

#include <QFrame>
#include <vector>

#include "main_window/shell.h"

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace weft::app {

/// The bar above the document that says what went wrong or asks what to do, without holding anything up. The newest message is on top; when it is
/// closed or answered the one before comes back.
class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent = nullptr);
  void showMessage(const Message& message);
  void withdraw(const QString& key);
  /// Text of the error that is shown or waits; empty: none.
  QString error() const;
  /// All texts, newest first.
  QStringList texts() const;
  /// Presses a button of the newest message that has one of that text; false if there is none.
  bool press(const QString& button);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void showNewest();
  void drop(size_t index);

  std::vector<Message> messages_;
  QHBoxLayout* row_;
  QLabel *icon_, *text_;
  QVector<QWidget*> buttons_;
  QToolButton* close_;
};

}  // namespace weft::app
