// A toolbar that takes at most a given share of its panel.
#pragma once

#include <QWidget>
#include <vector>

class QFrame;
class QToolButton;

namespace weft::widgets {

/// Lays out groups of controls in lines, like words in a paragraph. Groups that would exceed the line limit or the share of the parent's height move behind a
/// button at the end, last groups first. GUI thread.
class FoldingBar : public QWidget {
  Q_OBJECT

 public:
  FoldingBar(double share, QWidget* parent);
  /// Maximum number of lines, whatever the parent's height; 0: as many as its share allows.
  void setMostLines(int lines);
  /// Adds `group` as a child; it stays on one line.
  void add(QWidget* group);
  /// Number of groups behind the button.
  int folded() const { return folded_; }
  /// The button that shows the folded groups, for scripts and tests.
  QToolButton* moreButton() const { return more_; }

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fold();
  void showFolded();
  void retranslate();

  const double share_;
  std::vector<QWidget*> groups_;
  QToolButton* more_;
  QFrame* popup_;
  int folded_ = 0, mostLines_ = 0;
};

}  // namespace weft::widgets
