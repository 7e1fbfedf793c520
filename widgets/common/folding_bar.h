// A bar of controls that never takes more than its share of a panel.
#pragma once

#include <QWidget>
#include <vector>

class QFrame;
class QToolButton;

namespace weft::widgets {

/// Groups of controls in lines, as words in a text. What would take more lines, or more than a share of the parent's height, stands behind a button at
/// the end instead, the last groups first. GUI thread.
class FoldingBar : public QWidget {
  Q_OBJECT

 public:
  FoldingBar(double share, QWidget* parent);
  /// So many lines at most, however high the parent is; 0: as many as its share holds.
  void setMostLines(int lines);
  /// Takes `group` as its child; it stays on one line.
  void add(QWidget* group);
  /// How many groups stand behind the button.
  int folded() const { return folded_; }
  /// The button that shows them, for what does so without a mouse.
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
