#pragma once

#include <QPushButton>

class QMenuBar;

namespace weft::app {

/// The button in the middle of the menu bar that looks like the search field it opens, with a hint and its key. Painted, so that nothing is cut when theme or
/// language change.
class FindField : public QPushButton {
  Q_OBJECT

 public:
  explicit FindField(QMenuBar* bar);
  void setKey(const QString& key);
  void setHint(const QString& longHint, const QString& shortHint);
  /// Moves it between the menus and the right edge, to the middle of the window if there is room.
  void place();
  /// Whether the hint fits; else it is elided.
  bool showsWholeHint() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QRect hintRect() const;
  QRect keyRect() const;
  const QString& shownHint() const;

  QMenuBar* bar_;
  QString key_, longHint_, shortHint_;
};

}  // namespace weft::app
