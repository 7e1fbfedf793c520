#pragma once

#include <QDialog>
#include <QVector>

#include "document/settings.h"

class QFormLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QScrollArea;
class QStackedWidget;

namespace weft::app {

class ActionRegistry;
class ShortcutsPage;
class Workspace;

/// The settings, made from the SettingRecords, and a page for keys; filtered by typing. Changes apply at once.
class SettingsDialog : public QDialog {
  Q_OBJECT

 public:
  static void open(Workspace& workspace, ActionRegistry& actions, QWidget* window, const QString& text);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Row {
    const SettingRecord* record;
    QWidget* box;  ///< contains the whole row
    QWidget* editor;
    QLabel *label, *toolTip;
  };
  struct Section {
    const char* page;
    QLabel* heading;
  };
  SettingsDialog(Workspace& workspace, ActionRegistry& actions, QWidget* window);
  QWidget* makeEditor(const SettingRecord& record, QWidget* parent);
  void showValue(const Row& row);
  void retranslate();
  void narrow(const QString& text);
  void showPage(int index);

  Settings& settings_;
  QLineEdit* search_;
  QListWidget* pages_;
  QStackedWidget* stack_;
  QScrollArea* scroll_;
  QLabel* nothing_;
  ShortcutsPage* shortcuts_;
  QVector<Row> rows_;
  QVector<Section> sections_;
};

}  // namespace weft::app
