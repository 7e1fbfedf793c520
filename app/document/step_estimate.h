#pragma once

#include <QObject>

#include "adapters/step_costs.h"

namespace weft::app {

class Document;

/// What a step of a document costs, at a batch that can be changed to see what another one would cost. Computed beside the GUI thread when its
/// contents or the batch change; begins when somebody first asks.
class StepEstimate : public QObject {
  Q_OBJECT

 public:
  /// The document's own; it goes with it.
  static StepEstimate& of(Document& document);

  /// Null until the first one is there; for a moment after an edit those of the graph before.
  const StepCostsPtr& costs() const { return costs_; }
  /// The document's batch, or what was asked for, or 1.
  int batch() const;
  /// 0: the document's again.
  void setBatch(int batch);

 signals:
  void changed();

 private:
  explicit StepEstimate(Document& document);
  void compute();

  Document& document_;
  StepCostsPtr costs_;
  int asked_ = 0;
  bool running_ = false, again_ = false;
};

}  // namespace weft::app
