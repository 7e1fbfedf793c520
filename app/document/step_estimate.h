#pragma once

#include <QObject>

#include "adapters/step_costs.h"

namespace weft::app {

class Document;

/// The estimated cost of a document's step, at its own or another batch size. Recomputed on another thread when the contents or the batch change, once it was
/// first requested.
class StepEstimate : public QObject {
  Q_OBJECT

 public:
  /// The document's estimate, which lives as long as the document.
  static StepEstimate& of(Document& document);

  /// Null until the first result; shortly after an edit still those of the previous graph.
  const StepCostsPtr& costs() const { return costs_; }
  /// The batch set here, else the document's, else 1.
  int batch() const;
  /// 0: returns to the document's batch.
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
