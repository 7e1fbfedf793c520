#include "graph_view/wire_refusals.h"

namespace weft::widgets {

WireRefusals& WireRefusals::of(GraphView& view) {
  auto* refusals = view.findChild<WireRefusals*>({}, Qt::FindDirectChildrenOnly);
  return refusals != nullptr ? *refusals : *new WireRefusals(view);
}

}  // namespace weft::widgets
