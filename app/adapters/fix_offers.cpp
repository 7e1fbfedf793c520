#include "adapters/fix_offers.h"

#include "adapters/engine_graph.h"
#include "adapters/problem_texts.h"
#include "weft/graph_problems.h"

namespace weft::app {

QString engineWords(const GraphContents& contents, const QString& node) {
  for (const Error& e : contents.engine->loaded.problems)
    if (!e.node.empty() && text(e.node) == node) return text(e.message);
  return {};
}

QVector<FixOffer> wireOffers(const GraphContents& contents, const QString& tensor, const QString& input) {
  QVector<FixOffer> out;
  for (const WireOffer& found : weft::wireOffers(contents.engine->loaded, tensor.toStdString(), input.toStdString())) {
    FixOffer offer{translated(found.text), text(found.type), {}, {}};
    for (const std::string& setting : found.settings) offer.settings << text(setting);
    shapeText(found.shape, &offer.result);
    out << offer;
  }
  return out;
}

}  // namespace weft::app
