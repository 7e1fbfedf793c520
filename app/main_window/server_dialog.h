#pragma once

#include <QDialog>
#include <memory>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace weft::app {

class ServerCheck;
class Tasks;

/// Asks for the TensorFlow server of the next run. Check connects to it in the background and lists its devices. Not modal.
class ServerDialog : public QDialog {
  Q_OBJECT

 public:
  /// `address`: "host:port" shown first; may be empty. `tasks` outlives the dialog's use.
  ServerDialog(const QString& address, Tasks& tasks, QWidget* parent = nullptr);
  ~ServerDialog() override;

  /// "host:port".
  QString address() const;

 protected:
  void changeEvent(QEvent* event) override;
  void done(int result) override;

 private:
  enum class Tone { Plain, Error };
  void retranslate();
  void takeAddress();
  void check();
  void endCheck();
  void showResult(const ServerCheck& result);
  void say(const QString& text, Tone tone);
  void sayWaiting();
  void sayAnswered();

  Tasks& tasks_;
  std::shared_ptr<ServerCheck> running_;  // null: no check runs
  int task_ = 0;                          // of `running_`
  QLabel *lead_, *label_, *message_;
  QLineEdit* address_;
  QPushButton *check_, *use_, *cancel_;
  QListWidget* devices_;
};

}  // namespace weft::app
