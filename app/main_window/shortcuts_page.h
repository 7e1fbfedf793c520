#pragma once

#include <QWidget>

class QKeySequenceEdit;
class QLabel;
class QPushButton;
class QTreeWidget;

namespace weft::app {

class ActionRegistry;
class Settings;

/// The page of the settings on which commands are given other keys. A key that belongs to another command is taken from it only on a second press.
class ShortcutsPage : public QWidget {
  Q_OBJECT

 public:
  ShortcutsPage(ActionRegistry& actions, Settings& settings, QWidget* parent = nullptr);
  /// Shows only commands with these words in their name, id or key. Returns how many there are.
  int narrow(const QString& text);
  void retranslate();

 private:
  void refill();
  QString current() const;
  void choose();
  void apply();
  void store(const QString& id, const QList<QKeySequence>& keys);
  void showState();

  ActionRegistry& actions_;
  Settings& settings_;
  QTreeWidget* list_;
  QLabel *label_, *note_;
  QKeySequenceEdit* edit_;
  QPushButton *set_, *remove_, *reset_, *resetAll_;
};

}  // namespace weft::app
