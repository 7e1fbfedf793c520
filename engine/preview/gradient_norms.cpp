#include "weft/op_traits.h"
#include "weft/preview.h"
#include "weft/tensor_statistics.h"

namespace weft {

Result<std::vector<GradientNorm>> measureGradientNorms(const MetaGraph& meta, const std::string& folder, const std::string& checkpoint) {
  std::vector<GradientNorm> out;
  std::vector<std::string> fetches;
  std::set<int> needs;
  for (const AppliedGradient& g : appliedGradients(meta.graph)) {
    fetches.push_back(g.tensor);
    out.push_back({g.variable, 0});
    needs.merge(nodesNeededBy(meta.graph, meta.graph.findOutput(g.tensor)->node));
  }
  if (fetches.empty()) return failedPrecondition("This graph has no gradients: add training first").ofKind("no_gradients");
  SessionOptions options;
  options.threads = 1;
  WEFT_LET(const auto session, Session::create(meta.graph, options));
  WEFT_LET(const auto batch, sampleRows(meta, folder, 0, kMeasuredRows));
  PreviewFeeds feeds;
  for (const int id : needs) {
    const Node* n = meta.graph.node(id);
    if (!n || !isPlaceholder(*n) || n->outputTypes.empty()) continue;
    const auto it = batch.find(n->name + ":0");
    feeds.emplace_back(n->name + ":0", it != batch.end() ? it->second : syntheticValue(baseType(n->outputTypes[0]), n->outputShapes[0]));
  }
  if (checkpoint.empty() || !restoreVariables(*session, meta, checkpoint).ok()) WEFT_TRY(session->run({}, {}, freshInitializers(meta, needs)).status());
  WEFT_LET(const auto values, session->run(feeds, fetches));
  for (size_t i = 0; i < values.size(); ++i) out[i].norm = statisticsOf(values[i]).norm;
  return out;
}

}  // namespace weft
