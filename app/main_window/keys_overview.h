#pragma once

#include <QDialog>

class QLineEdit;
class QTextBrowser;

namespace weft::app {

class ActionRegistry;

/// An overview of all keys, in groups, filtered by typing.
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

/// The title of a command group, which is the part of an id before the dot.
QString commandGroupTitle(const QString& id);

}  // namespace weft::app
