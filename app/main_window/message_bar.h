#pragma once

#include <QElapsedTimer>
#include <QFrame>
#include <vector>

#include "shell/shell.h"

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
  /// A file that could not be read or written: several of them at once stand one behind the other, for each has its own reason.
  void addFailure(const QString& text);
  /// Something was done that worked: what went wrong before that has been read.
  void moveOn();
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
  QLabel *icon_, *text_, *count_;
  QVector<QWidget*> buttons_;
  QToolButton* close_;
  QElapsedTimer lastError_, lastFailure_;
};

}  // namespace weft::app
