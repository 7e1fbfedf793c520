// Models that know how their graph was drawn, and where it loops and branches.
#pragma once

#include <memory>

#include "graph_view/drawing.h"
#include "graph_view/memory_graph_model.h"

namespace weft::widgets {

/// Implemented by a GraphModel beside it: how the graph was drawn when it was last seen as it is now.
class DrawnModel {
 public:
  virtual ~DrawnModel() = default;
  /// Null: not known, what the view remembers counts.
  virtual std::shared_ptr<const Drawing> drawing() const = 0;
};

/// Implemented by a GraphModel beside it: what it knows of its loops, branches and gradients, by index of the nodes.
class FlowModel {
 public:
  virtual ~FlowModel() = default;
  /// Null: not known.
  virtual std::shared_ptr<const layout::FlowFacts> flow() const = 0;
};

/// A graph in arrays with its drawing and its control flow.
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
    copy->drawn = drawn;
    return copy;
  }
};

}  // namespace weft::widgets
