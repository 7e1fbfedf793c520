// What the start page is made of: cards that are buttons, what can be dropped, keys, this machine.
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

/// The left side: a ground and a line beside it. Painted: with a style sheet of its own everything in it would be styled twice.
class StartSide : public QFrame {
  Q_OBJECT

 public:
  using QFrame::QFrame;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

/// `kind` is a word of the style sheet ("muted", "title"); null: plain.
QLabel* startLabel(QWidget* parent, const QString& text, const char* kind = nullptr);
/// A label in bold.
QLabel* startHeading(QWidget* parent, const QString& text);
/// Which files open when they are dropped, with their endings.
QWidget* makeDropHint(QWidget* parent);
/// Keys worth knowing, and machineFacts().
QWidget* makeStartFacts(QWidget* parent);
/// Stands the two beside each other if there is room for that.
void arrangeStartFacts(QWidget* facts, int width);
/// Puts machineFacts() as they are now into a widget of makeStartFacts().
void updateStartFacts(QWidget* facts);

}  // namespace weft::app
