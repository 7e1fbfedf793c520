// Models that know how their graph was drawn, and where its loops and branches are.
#pragma once

#include <memory>

#include "graph_view/drawing.h"
#include "graph_view/memory_graph_model.h"

namespace weft::widgets {

/// Implemented by a GraphModel in addition: the drawing of the graph's current state when it was last shown.
class DrawnModel {
 public:
  virtual ~DrawnModel() = default;
  /// Null: unknown; the view uses its own memory.
  virtual std::shared_ptr<const Drawing> drawing() const = 0;
};

/// Implemented by a GraphModel in addition: known facts about its loops, branches and gradients, by node index.
class FlowModel {
 public:
  virtual ~FlowModel() = default;
  /// Null: unknown.
  virtual std::shared_ptr<const layout::FlowFacts> flow() const = 0;
};

/// A graph in arrays, with its drawing and control flow.
class DrawnGraph : public MemoryGraphModel, public DrawnModel, public FlowModel {
 public:
  using MemoryGraphModel::MemoryGraphModel;

  std::shared_ptr<const Drawing> drawn;
  std::shared_ptr<const layout::FlowFacts> facts;

  std::shared_ptr<const layout::FlowFacts> flow() const override { return facts; }
  std::shared_ptr<const Drawing> drawing() const override { return drawn; }
  std::shared_ptr<const GraphModel> snapshot() const override {
    auto copy = std::make_shared<DrawnGraph>();
    copy->nodes = nodes;
    copy->scopes = scopes;
    copy->edges = edges;
    copy->annotations = annotations;
    copy->facts = facts;
    copy->editable = editable;
    copy->signedHeat = signedHeat;
    copy->drawn = drawn;
    return copy;
  }
};

}  // namespace weft::widgets
