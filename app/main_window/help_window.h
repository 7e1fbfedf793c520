#pragma once

#include <QDialog>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace weft::app {

class ActionRegistry;
class HelpDrawings;

/// The help: pages of resources/help in the present language, a list of them that can be searched, the list of all commands, the pages on ops and the reference
/// of functions with the graphs that they build.
class HelpWindow : public QDialog {
  Q_OBJECT

 public:
  HelpWindow(ActionRegistry& actions, QWidget* parent);
  /// "first-steps", "actions", "op/MatMul", "api/nn.relu" …; one that does not exist says so.
  void showPage(const QString& page);
  QString page() const { return page_; }
  /// Every command with its key and its name in scripts, as Markdown.
  static QString actionList(const ActionRegistry& actions);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void fillIndex();
  /// Shows page_; where it is if it was shown already, in other words or colours.
  void setText(bool shownAlready);
  void retranslate();

  ActionRegistry& actions_;
  HelpDrawings* drawings_;
  QLineEdit* search_;
  QListWidget* index_;
  QTextBrowser* browser_;
  QString page_;
  bool textQueued_ = false;
};

}  // namespace weft::app
