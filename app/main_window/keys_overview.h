#pragma once

#include <QDialog>

class QLineEdit;
class QTextBrowser;

namespace weft::app {

class ActionRegistry;

/// All keys at a glance, in groups, narrowed by typing.
class KeysOverview : public QDialog {
  Q_OBJECT

 public:
  static void open(ActionRegistry& actions, QWidget* window, const QString& text);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  KeysOverview(ActionRegistry& actions, QWidget* window);
  void fill();

  ActionRegistry& actions_;
  QLineEdit* search_;
  QTextBrowser* page_;
  bool fillQueued_ = false;
};

/// What stands before the dot of a command's id, in words.
QString commandGroupTitle(const QString& id);

}  // namespace weft::app
