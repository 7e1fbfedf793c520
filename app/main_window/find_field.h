#pragma once

#include <QPushButton>

class QMenuBar;

namespace weft::app {

/// The button in the middle of the menu bar that looks like the field it opens: words that say what can be found, and its key. Painted, so that nothing is cut when
/// theme or language change.
class FindField : public QPushButton {
  Q_OBJECT

 public:
  explicit FindField(QMenuBar* bar);
  void setKey(const QString& key);
  void setHint(const QString& longHint, const QString& shortHint);
  /// Between the menus and the right edge, in the middle of the window where there is room.
  void place();
  /// Whether the words have the room that they need; else they end in dots.
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
