#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace weft::widgets {

class CodeEditor;

/// Find and replace in an editor; hidden until it is asked for. GUI thread.
class FindBar : public QWidget {
  Q_OBJECT

 public:
  FindBar(CodeEditor* editor, QWidget* parent);

  /// Shows itself with what is selected; with the row that replaces or without.
  void open(bool replace);
  /// The next or the previous place; whether there is one.
  bool find(bool forward = true);
  /// Replaces what is found now, then finds the next.
  void replaceOne();
  /// In one step of the history; how many.
  int replaceAll();
  int matches() const { return matches_; }

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void count();
  void retranslate();

  CodeEditor* editor_;
  QLineEdit *text_, *with_;
  QCheckBox* cases_;
  QLabel* count_;
  QToolButton *previous_, *next_, *one_, *all_, *close_;
  int matches_ = 0;
};

}  // namespace weft::widgets
