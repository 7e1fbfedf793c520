#include "graph_view/graph_model.h"

#include "common/format.h"

namespace weft::widgets {

QString opCategoryName(OpCategory category) {
  static const char* const names[kOpCategoryCount] = {"math", "nn", "array", "variable", "controlFlow", "ioSummary", "random", "gradientUpdate"};
  return QLatin1String(names[static_cast<size_t>(category)]);
}

layout::Part GraphModel::nodePart(int node) const { return nodeShape(node) == NodeShape::Annotation ? layout::Part::Summary : layout::Part::Network; }
QString GraphModel::nodeTitle(int node) const { return lastPart(nodeName(node)); }
QString GraphModel::scopeTitle(int scope) const { return lastPart(scopeName(scope)); }

}  // namespace weft::widgets
