#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <vector>

#include "adapters/engine_graph.h"
#include "weft/recipes.h"
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
    const std::vector<Recipe> recipes = recipesOf(meta);
    // Removing layers also removes the training, until the loss is complete again.
    const bool waits = std::any_of(recipes.begin(), recipes.end(), [](const Recipe& r) { return r.trains() && r.nodes.empty(); });
    info.reason = settings.error().code != Code::NotFound ? errorText(settings.error())
                  : waits                                 ? TrainingText::tr("Training is added once the loss can be computed.")
                                                          : TrainingText::tr("This file does not say how it is trained.");
    return info;
  }
  info.present = true;
  info.steps = settings->steps;
  info.epochs = settings->epochs;
  info.rounds = settings->precision == ProductPrecision::BFloat16;
  for (const LiveScalar& l : settings->live) info.live << TrainingInfo::Live{text(l.name), text(l.tensor), l.value, l.minimum, l.maximum, l.logarithmic};
  const auto bindings = datasetBindingsOf(meta);
  if (!bindings.ok()) {
    info.reason = errorText(bindings.error());
  } else if (!bindings->empty()) {
    const DatasetBinding& first = bindings->front();
    info.data = first.builtin.empty() ? QFileInfo(QDir::cleanPath(text(first.path))).fileName() : text(first.builtin);
    info.batchSize = first.batchSize;
    info.seed = first.seed;
  }
  for (const std::string* name : {&settings->trainOp, &settings->initOp}) {
    if (!name->empty() && !meta.graph.find(*name)) info.reason = TrainingText::tr("Training needs the op %1, which is not in the graph.").arg(text(*name));
  }
  return info;
}

}  // namespace weft::app
