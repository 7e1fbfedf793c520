#pragma once

#include <QElapsedTimer>
#include <QFrame>
#include <vector>

#include "shell/shell.h"

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace weft::app {

/// The bar above the document that shows errors and questions without blocking anything. The newest message is on top; when it is closed or answered, the
/// previous one returns.
class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent = nullptr);
  void showMessage(const Message& message);
  /// Adds the failure to read or write a file: several are queued, because each has its own reason.
  void addFailure(const QString& text);
  /// An action succeeded: earlier errors count as read.
  void moveOn();
  void withdraw(const QString& key);
  /// Text of the shown or waiting error; empty: none.
  QString error() const;
  /// All texts, newest first.
  QStringList texts() const;
  /// Presses the button with that text in the newest message that has one; false if there is none.
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
