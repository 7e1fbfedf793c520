#pragma once

#include <QWidget>

class QKeySequenceEdit;
class QLabel;
class QPushButton;
class QTreeWidget;

namespace weft::app {

class ActionRegistry;
class Settings;

/// The settings page for the keys of commands. A key of another command is reassigned only on a second press.
class ShortcutsPage : public QWidget {
  Q_OBJECT

 public:
  ShortcutsPage(ActionRegistry& actions, Settings& settings, QWidget* parent = nullptr);
  /// Filters by words in name, id or key. Returns the number of shown commands.
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
