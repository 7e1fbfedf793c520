#pragma once

#include <QJsonObject>
#include <QWidget>
#include <functional>

#include "adapters/profile_plan.h"
#include "shell/view.h"

class QButtonGroup;
class QLabel;
class QStackedWidget;
class QTreeView;
class QTreeWidget;

namespace weft::widgets {
class ElidedLabel;
class EmptyState;
class MemoryMap;
}  // namespace weft::widgets

namespace weft::app {

class PlanGroups;
class PlanTable;
class ProfileStore;

/// The plan of the traced step: passes, fused groups, the memory map, nodes with their lower bounds. Filled when first shown.
class PlanPage : public QWidget {
  Q_OBJECT

 public:
  PlanPage(const ViewContext& context, QWidget* parent);
  /// {"why", "passes": [{"name", "did", "meaning"}], "groups": [{"node", "op", "merged", "moved_bytes"}], "blocks": [{"tensor", "offset", "bytes", "first", "last"}],
  /// "arena_bytes", "least_bytes", "calls", "nodes": [{"node", "us", "floor_us", "limit"}], "shown": {"group", "blocks", "node"}}, names as `weft profile --explain --json`
  /// has them. Nodes are there once the page was seen.
  QJsonObject report() const;
  /// `passes`, `groups`, `memory-map`, `floors`; `group N`, from 1 on, `block TENSOR`, `floor NODE` select.
  bool setOption(const QString& option);

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  enum Part { Passes, Groups, Memory, Floors, kParts };
  QWidget* buildPasses();
  QWidget* buildGroups();
  QWidget* buildMemory();
  QWidget* buildFloors();
  /// Selects the nodes of a line when it is clicked or becomes current; scrolls to them when it is activated.
  void followLines(QTreeView* view, const std::function<QStringList(int row)>& nodes);
  void retranslate();
  void refill();
  void fillPasses();
  void fillFloors();
  void showPart(int part);
  void updateSummary();
  void select(const QStringList& nodes);
  void jumpTo(const QStringList& nodes);
  /// Highlights the canvas's selection here.
  void followDocument();
  /// `block`: the only one highlighted in the map; -1: all of the nodes.
  void showSelected(const QStringList& nodes, int block = -1);

  ViewContext context_;
  ProfileStore& store_;
  ProfilePlanPtr plan_;
  QStackedWidget *stack_, *parts_, *memoryStack_;
  widgets::EmptyState *empty_, *noMemory_;
  QButtonGroup* kinds_;
  widgets::ElidedLabel* summary_;
  QTreeWidget* passes_;
  PlanGroups* groups_;
  QTreeView* groupView_;
  widgets::MemoryMap* map_;
  PlanTable* table_;
  QTreeView* floorView_;
  bool stale_ = true, following_ = false;
};

}  // namespace weft::app
