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

/// What the mouse asks for on the canvas, as commands with names as arguments, which can be undone and repeated in a script. What takes several
/// commands is one step of the history. GUI thread.
class ComposeGestures : public QObject {
  Q_OBJECT

 public:
  ComposeGestures(Document* document, widgets::GraphView* canvas, ActionRegistry& actions, Workspace& workspace);

  /// Opens the menu to add by typing; with a port what fits its wire, else everything.
  void openAddMenu(QPoint globalPos, widgets::Port port = {}, const QString& typed = {});
  /// Adds a type beside what is selected and fed by it, else in the middle of what is seen. `more`: options of graph.add, and words as people type them
  /// behind a name ("32", "3x3", "relu"). Returns an error, or nothing.
  QString addHere(const QString& type, const QStringList& more = {});
  /// Forgets the places of the selection (of everything, if nothing is selected) and lays it out anew.
  void tidy();
  void toggleIsolated();
  void frame(const QString& title);
  void comment(const QString& text, const QString& at);
  /// "category", "device", "structure", "type", "compute", "memory", "gradient"; an error, or nothing.
  QString colorBy(const QString& mode);
  QString colorMode() const;
  /// Colours by values that `apply` gives the nodes, now and whenever the graph has changed; `textOf` says in the legend what 0…1 stands for.
  void showValues(const QString& measure, std::function<void()> apply, std::function<QString(double)> textOf);
  /// What the legend's entry `label` says: a number of 0…1 as the quantity that it stands for.
  QString legendText(const QString& label) const;

 private:
  void connectPorts(widgets::Port from, widgets::Port to, int replaced);
  void cut(const QVector<int>& edges);
  void move(const QVector<widgets::Placement>& moved);
  void moveFrame(const QString& id, const widgets::CanvasPlace& place, const QVector<widgets::Placement>& moved);
  void insert(widgets::Item item, int edge);
  void rename(widgets::Item item, const QString& name);
  void dropType(const QString& type, QPointF screen, int edge);
  /// `there`: put exactly at the place; else only into its scope, where the layout finds room.
  void add(const QString& type, const widgets::CanvasPlace& place, const QStringList& more, bool there = true);
  bool run(const char* action, const QStringList& arguments);
  void afterEdits(std::function<void()> then);
  /// Commands that shall be one step.
  void runTogether(const QString& text, const QVector<QStringList>& commands);
  QString nameOf(widgets::Item item) const;
  /// The first output of what is selected alone; empty: there is none.
  QString selectedTensor() const;
  void apply(GraphEdit edit);
  /// A frame or comment; its text is being edited at once, unless it was given.
  void addNote(GraphEdit edit, bool editText);
  void heat();
  void measureGradients();
  void showHeat(const std::shared_ptr<HeatValues>& values);
  /// A place near `screen` where nothing lies.
  widgets::CanvasPlace freePlace(QPointF screen) const;

  Document* document_;
  widgets::GraphView* canvas_;
  ActionRegistry& actions_;
  Workspace& workspace_;
  QPointer<widgets::AddMenu> menu_;
  bool isolated_ = false;
  QString measure_;  // of the heat that is shown; empty: none
  int gradientTask_ = 0;
  std::function<QString(double)> heatText_;
  std::function<void()> applyHeat_;  // empty: the values are known from the graph itself
};

}  // namespace weft::app
