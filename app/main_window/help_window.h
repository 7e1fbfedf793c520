#pragma once

#include <QDialog>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace weft::app {

class ActionRegistry;
class HelpDrawings;

/// The help window: pages of resources/help in the present language with a searchable index, the list of all commands, the pages on ops, and the reference of
/// functions with the graphs that they build.
class HelpWindow : public QDialog {
  Q_OBJECT

 public:
  HelpWindow(ActionRegistry& actions, QWidget* parent);
  /// "first-steps", "actions", "op/MatMul", "api/nn.relu" …; an unknown page shows a notice.
  void showPage(const QString& page);
  QString page() const { return page_; }
  /// Every command with its key and its name in scripts, as Markdown.
  static QString actionList(const ActionRegistry& actions);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void fillIndex();
  /// Shows page_; keeps the scroll position if it was already shown in another language or theme.
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
