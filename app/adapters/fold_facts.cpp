#include "adapters/fold_facts.h"

#include "adapters/engine_graph.h"
#include "weft/fold.h"

namespace weft::app {

FoldOffers foldOffers(const GraphContents& contents) {
  FoldOffers out;
  const FoldReport report = findFolds(contents.engine->loaded.meta);
  for (const FoldProposal& p : report.proposals) {
    FoldOffer offer{text(p.scope), text(p.kind), {}, {}, int(p.moved.size()), int(p.instances.size())};
    QStringList parameters;
    for (const auto& [name, value] : p.parameters) parameters << text(name) + u' ' + text(value);
    offer.parameters = parameters.join(QStringLiteral(", "));
    for (const std::string& name : p.form == FoldProposal::Kind::Group ? p.instances : p.nodes) offer.nodes << text(name);
    out.offers << offer;
  }
  for (const FoldLeft& l : report.left) out.left << (l.node.empty() ? text(l.reason) : text(l.node) + QStringLiteral(": ") + text(l.reason));
  return out;
}

}  // namespace weft::app
