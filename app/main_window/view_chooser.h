// The chooser for the arrangement of the graph, in the bar above the canvas, and the note on the present arrangement on the canvas.
#pragma once

#include <QComboBox>
#include <QFrame>

class QLabel;

namespace weft::widgets {
class GraphView;
}

namespace weft::app {

class ActionRegistry;

/// The arrangement as words of `graph.view`, "depth 2", and in the present language, "down to level 2".
QString arrangementWord(const widgets::GraphView& canvas);
/// Applies such words; returns an error, or empty.
QString showArrangement(widgets::GraphView& canvas, const QStringList& words);

/// The list of views of a graph: by scope, layer, op type, device or depth, and as text beside the canvas. Choosing one runs its command.
class ViewChooser : public QComboBox {
  Q_OBJECT

 public:
  ViewChooser(widgets::GraphView* canvas, ActionRegistry& actions, QWidget* parent);

  /// Fills in the entries in the present language, up to the graph's depth.
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

/// The result of a view other than by scope, in the lower-left corner of the canvas, in one row with buttons, one of which leads back.
class ViewNote : public QFrame {
  Q_OBJECT

 public:
  ViewNote(widgets::GraphView* canvas, ActionRegistry& actions);

  QString text() const;
  /// Moves it to its corner after the canvas was resized.
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
