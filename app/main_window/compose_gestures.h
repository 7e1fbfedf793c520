#pragma once

#include <QObject>
#include <QPointer>
#include <functional>
#include <memory>

#include "graph_view/graph_view.h"

namespace weft::widgets {
class AddMenu;
}

namespace weft::app {

struct GraphEdit;
struct HeatValues;
class ActionRegistry;
class Document;
class Workspace;

/// Translates mouse gestures on the canvas to commands with names as arguments, which can be undone and repeated in a script. A gesture of several commands is
/// one step of the history. GUI thread.
class ComposeGestures : public QObject {
  Q_OBJECT

 public:
  ComposeGestures(Document* document, widgets::GraphView* canvas, ActionRegistry& actions, Workspace& workspace);

  /// Opens the menu for adding by typing; with a port, it lists types that fit its wire, else all types.
  void openAddMenu(QPoint globalPos, widgets::Port port = {}, const QString& typed = {});
  /// Adds a type next to the selection and connected to it, else in the middle of the visible area. `more`: options of graph.add, and words typed after the
  /// name ("32", "3x3", "relu"). Returns an error, or empty.
  QString addHere(const QString& type, const QStringList& more = {});
  /// Forgets the positions of the selection (of everything, if nothing is selected), so that it is laid out again.
  void tidy();
  void toggleIsolated();
  void frame(const QString& title);
  void comment(const QString& text, const QString& at);
  /// "category", "device", "structure", "type", "compute", "memory", "gradient"; returns an error, or empty.
  QString colorBy(const QString& mode);
  QString colorMode() const;
  /// Colours by the values that `apply` gives the nodes, now and after each change of the graph; `textOf` gives the legend's text for a value of 0…1.
  /// `isSigned`: 0.5 is neutral, on a diverging ramp.
  void showValues(const QString& measure, std::function<void()> apply, std::function<QString(double)> textOf, bool isSigned = false);
  /// Text for the legend's entry `label`: converts a number of 0…1 to the quantity that it stands for.
  QString legendText(const QString& label) const;

 private:
  void connectPorts(widgets::Port from, widgets::Port to, int replaced);
  void cut(const QVector<int>& edges);
  void move(const QVector<widgets::Placement>& moved);
  void moveFrame(const QString& id, const widgets::CanvasPlace& place, const QVector<widgets::Placement>& moved);
  void insert(widgets::Item item, int edge);
  void rename(widgets::Item item, const QString& name);
  void dropType(const QString& type, QPointF screen, int edge);
  /// `there`: place it exactly there; else only use its scope, where the layout finds room.
  void add(const QString& type, const widgets::CanvasPlace& place, const QStringList& more, bool there = true);
  bool run(const char* action, const QStringList& arguments);
  void afterEdits(std::function<void()> then);
  /// Runs several commands as one step.
  void runTogether(const QString& text, const QVector<QStringList>& commands);
  QString nameOf(widgets::Item item) const;
  /// The first output of the only selected item; empty: none.
  QString selectedTensor() const;
  void apply(GraphEdit edit);
  /// Adds a frame or comment; opens its text for editing if `editText`.
  void addNote(GraphEdit edit, bool editText);
  void heat();
  void measureGradients();
  void showHeat(const std::shared_ptr<HeatValues>& values);
  /// A free place near `screen`.
  widgets::CanvasPlace freePlace(QPointF screen) const;

  Document* document_;
  widgets::GraphView* canvas_;
  ActionRegistry& actions_;
  Workspace& workspace_;
  QPointer<widgets::AddMenu> menu_;
  bool isolated_ = false;
  QString measure_;  // of the shown heat map; empty: none
  bool signed_ = false;
  int gradientTask_ = 0;
  std::function<QString(double)> heatText_;
  std::function<void()> applyHeat_;  // empty: the values follow from the graph itself
};

}  // namespace weft::app
