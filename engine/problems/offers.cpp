// Conversions that make a wire fit, and trials of fixes.
#include <algorithm>
#include <cmath>

#include "problems/search.h"

namespace weft {
namespace problems {
namespace {

constexpr int kMostWireTrials = 8;
constexpr size_t kMostOffers = 3;
constexpr int kLargestForWires = 20000;  // nodes

ProblemText offerText(const char* text, std::vector<std::string> words = {}) { return {"FixOffers", text, std::move(words)}; }

WireOffer reshapeTo(const std::vector<int64_t>& target) {
  std::string dims;
  for (const int64_t d : target) dims += concat(dims.empty() ? "" : ",", d);
  dims = "[" + dims + "]";
  return {offerText(WEFT_TRANSLATED("FixOffers", "Insert Reshape to %1"), {dims}), "reshape", {"target_shape=" + dims}};
}

/// Shape of the first output of a node or layer.
Shape shapeOf(const LoadedGraph& loaded, const std::string& name) {
  std::string tensor = name + ":0";
  for (const Recipe& r : recipesOf(loaded.meta))
    if (r.scope == name && !r.outputs.empty()) tensor = r.outputs[0];
  const auto output = loaded.meta.graph.findOutput(tensor);
  return output.ok() ? loaded.meta.graph.shape(*output) : Shape::unknown();
}

}  // namespace

std::vector<WireOffer> shapeOffers(const Shape& shape) {
  std::vector<WireOffer> out;
  if (!shape.hasRank()) return out;
  if (shape.rank() > 2) out.push_back({offerText(WEFT_TRANSLATED("FixOffers", "Insert Flatten")), "layers.flatten", {}});
  if (shape.rank() == 2 && shape[1] > 0) {
    for (const int64_t channels : {1, 3}) {
      const auto side = int64_t(std::llround(std::sqrt(double(shape[1]) / double(channels))));
      if (side > 1 && side * side * channels == shape[1]) out.push_back(reshapeTo({-1, side, side, channels}));
    }
  }
  if (shape.rank() == 3 && shape[1] > 0 && shape[2] > 0) out.push_back(reshapeTo({-1, shape[1], shape[2], 1}));
  if (shape.rank() == 2 && shape[1] > 1) out.push_back(reshapeTo({-1, 1, 1, shape[1]}));
  if (shape.rank() == 1) out.push_back(reshapeTo({-1, 1}));
  if (shape.rank() == 2 && shape[1] == 1) out.push_back(reshapeTo({-1}));
  if (shape.rank() == 2) out.push_back({offerText(WEFT_TRANSLATED("FixOffers", "Insert Transpose")), "transpose", {"perm=[1,0]"}});
  return out;
}

bool fixesNode(const LoadedGraph& loaded, const GraphCommand& command, const std::string& node, Shape* shape) {
  const auto outcome = runGraphCommand(loaded, command);
  if (!outcome.ok()) return false;
  const auto &before = loaded.problems, &after = outcome->graph.problems;
  if (shape && !outcome->made.empty()) *shape = shapeOf(outcome->graph, outcome->made[0]);
  const bool clean = std::none_of(after.begin(), after.end(), [&](const Error& e) { return e.node == node; });
  return after.size() < before.size() || (clean && after.size() <= before.size());
}

}  // namespace problems

std::vector<WireOffer> wireOffers(const LoadedGraph& loaded, const std::string& tensor, const std::string& input) {
  using namespace problems;
  const Graph& graph = loaded.meta.graph;
  if (graph.nodeCount() > kLargestForWires) return {};
  const auto from = graph.findOutput(tensor);
  if (!from.ok()) return {};
  std::vector<WireOffer> candidates = shapeOffers(graph.shape(*from));
  // Another type: try casts to the usual types.
  const DType given = baseType(graph.dtype(*from));
  if (given != DType::String && given != DType::Resource && given != DType::Variant)
    for (const DType want : {DType::Float, DType::Int32, DType::Int64, DType::Bool})
      if (want != given)
        candidates.push_back(
            {offerText(WEFT_TRANSLATED("FixOffers", "Insert Cast to %1"), {std::string(dtypeName(want))}), "Cast", {concat("DstT=", dtypeName(want))}});
  std::vector<WireOffer> out;
  int trials = 0;
  for (WireOffer& offer : candidates) {
    if (out.size() >= kMostOffers || ++trials > kMostWireTrials) break;
    GraphCommand command{"graph.add", {offer.type, "--from", tensor, "--to", input}};
    for (const std::string& setting : offer.settings) command.words.insert(command.words.end(), {"--set", setting});
    if (fixesNode(loaded, command, input.substr(0, input.find(':')), &offer.shape)) out.push_back(std::move(offer));
  }
  return out;
}

}  // namespace weft
