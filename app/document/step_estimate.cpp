#include "document/step_estimate.h"

#include <memory>

#include "common/background.h"
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
  const auto costs = std::make_shared<StepCostsPtr>();
  widgets::inBackground(
      this, [costs, contents = document_.contents(), batch = batch()] { *costs = stepCosts(*contents, batch); },
      [this, costs] {
        running_ = false;
        costs_ = *costs;
        emit changed();
        if (again_) compute();
      });
}

}  // namespace weft::app
