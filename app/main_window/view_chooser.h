// How the graph is drawn, in the bar above the canvas, and what that view says of itself on the canvas.
#pragma once

#include <QComboBox>
#include <QFrame>

class QLabel;

namespace weft::widgets {
class GraphView;
}

namespace weft::app {

class ActionRegistry;

/// Words of `graph.view` for an arrangement, "depth 2", and in the present language, "down to level 2".
QString arrangementWord(const widgets::GraphView& canvas);
/// The reverse: shows what these words say; returns why not, or nothing.
QString showArrangement(widgets::GraphView& canvas, const QStringList& words);

/// The list of views of a graph: by scope, by layer, by op type, by device, by depth, and as text beside the canvas. Choosing one gives its command.
class ViewChooser : public QComboBox {
  Q_OBJECT

 public:
  ViewChooser(widgets::GraphView* canvas, ActionRegistry& actions, QWidget* parent);

  /// Its entries in the present language, as deep as the graph goes.
  void fill();
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 private:
  void follow();
  void choose(int index);

  widgets::GraphView* canvas_;
  ActionRegistry& actions_;
  int levels_ = -1;
};

/// What a view other than that by scope found, in the lower left corner of the canvas, in one row with its buttons, with the way back.
class ViewNote : public QFrame {
  Q_OBJECT

 public:
  ViewNote(widgets::GraphView* canvas, ActionRegistry& actions);

  QString text() const;
  /// Into its corner, after the canvas changed its size.
  void place();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void say();
  QString words() const;

  widgets::GraphView* canvas_;
  ActionRegistry& actions_;
  QLabel* label_;
};

}  // namespace weft::app
