#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace weft::widgets {

class CodeEditor;

/// Find and replace in an editor; hidden until opened. GUI thread.
class FindBar : public QWidget {
  Q_OBJECT

 public:
  FindBar(CodeEditor* editor, QWidget* parent);

  /// Opens with the selected text, with or without the replace row.
  void open(bool replace);
  /// Finds the next or previous match. Returns whether there is one.
  bool find(bool forward = true);
  /// Replaces the current match, then finds the next.
  void replaceOne();
  /// Replaces all matches as one undo step. Returns their number.
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
