#pragma once

#include <QDialog>

class QTextBrowser;

namespace weft::app {

class ActionRegistry;

/// The help: pages in Markdown from resources/help, in the present language where they were written in it, and the list of commands, which
/// is made from the registry. Not modal.
class HelpWindow : public QDialog {
  Q_OBJECT

 public:
  HelpWindow(ActionRegistry& actions, QWidget* parent);
  /// "first-steps", "actions".
  void showPage(const QString& page);
  /// The list of commands as Markdown.
  static QString actionList(const ActionRegistry& actions);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  ActionRegistry& actions_;
  QTextBrowser* browser_;
  QString page_;
};

}  // namespace weft::app
