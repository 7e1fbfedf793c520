#include <QCoreApplication>
#include <QFileInfo>

#include "adapters/engine_graph.h"
#include "weft/train.h"

namespace weft::app {
namespace {
struct TrainingText {
  Q_DECLARE_TR_FUNCTIONS(TrainingText)
};
}  // namespace

TrainingInfo readTrainingInfo(const MetaGraph& meta) {
  TrainingInfo info;
  const auto settings = trainingSettingsOf(meta);
  if (!settings.ok()) {
    info.reason = settings.error().code == Code::NotFound ? TrainingText::tr("This file does not say how it is trained.") : errorText(settings.error());
    return info;
  }
  info.present = true;
  info.steps = settings->steps;
  info.epochs = settings->epochs;
  for (const LiveScalar& l : settings->live) info.live << TrainingInfo::Live{text(l.name), text(l.tensor), l.value, l.minimum, l.maximum, l.logarithmic};
  const auto bindings = datasetBindingsOf(meta);
  if (!bindings.ok()) {
    info.reason = errorText(bindings.error());
  } else if (!bindings->empty()) {
    const DatasetBinding& first = bindings->front();
    info.data = first.builtin.empty() ? QFileInfo(text(first.path)).fileName() : text(first.builtin);
    info.batchSize = first.batchSize;
    info.seed = first.seed;
  }
  for (const std::string* name : {&settings->trainOp, &settings->initOp}) {
    if (!name->empty() && !meta.graph.find(*name)) info.reason = TrainingText::tr("The training needs the op %1, which is not in the graph.").arg(text(*name));
  }
  return info;
}

}  // namespace weft::app
