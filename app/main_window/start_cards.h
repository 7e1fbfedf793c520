// Parts of the start page: cards that act as buttons, the drop hint, keys, facts on this machine.
#pragma once

#include <QFrame>

class QLabel;

namespace weft::app {

/// A button that looks like a card: picture, title, lines of text.
class Card : public QFrame {
  Q_OBJECT

 public:
  explicit Card(QWidget* parent = nullptr);

 signals:
  void clicked();

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  bool pressed_ = false;
};

/// The left column with a background and a line beside it. Painted: a style sheet would style all its children twice.
class StartSide : public QFrame {
  Q_OBJECT

 public:
  using QFrame::QFrame;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

/// `kind` selects a rule of the style sheet ("muted", "title"); null: plain.
QLabel* startLabel(QWidget* parent, const QString& text, const char* kind = nullptr);
/// A label in bold.
QLabel* startHeading(QWidget* parent, const QString& text);
/// The files that open when dropped, with their extensions.
QWidget* makeDropHint(QWidget* parent);
/// Keys worth knowing, and machineFacts().
QWidget* makeStartFacts(QWidget* parent);
/// Places the two side by side if there is room.
void arrangeStartFacts(QWidget* facts, int width);
/// Updates a widget of makeStartFacts() with the present machineFacts().
void updateStartFacts(QWidget* facts);

}  // namespace weft::app
