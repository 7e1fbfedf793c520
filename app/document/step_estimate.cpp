#include "document/step_estimate.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include "document/document.h"

namespace weft::app {

StepEstimate& StepEstimate::of(Document& document) {
  auto* estimate = document.findChild<StepEstimate*>(QString(), Qt::FindDirectChildrenOnly);
  return estimate ? *estimate : *new StepEstimate(document);
}

StepEstimate::StepEstimate(Document& document) : QObject(&document), document_(document) {
  connect(&document, &Document::contentsChanged, this, &StepEstimate::compute);
  compute();
}

int StepEstimate::batch() const {
  const int own = document_.contents()->training.batchSize;
  return asked_ > 0 ? asked_ : own > 0 ? own : 1;
}

void StepEstimate::setBatch(int batch) {
  asked_ = batch;
  compute();
}

void StepEstimate::compute() {
  again_ = running_;
  if (running_) return;
  running_ = true;
  QThreadPool::globalInstance()->start([guard = QPointer<StepEstimate>(this), contents = document_.contents(), batch = batch()] {
    auto costs = std::make_shared<const StepCosts>(*contents, batch);
    // The guard is looked at by the GUI thread alone.
    QMetaObject::invokeMethod(QCoreApplication::instance(), [guard, costs = std::move(costs)] {
      if (!guard) return;
      guard->running_ = false;
      guard->costs_ = costs;
      emit guard->changed();
      if (guard->again_) guard->compute();
    }, Qt::QueuedConnection);
  });
}

}  // namespace weft::app
