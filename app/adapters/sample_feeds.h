// Feeds for computing parts of a graph outside a training. Only sources of this folder include it.
#pragma once

#include <QString>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "adapters/graph_contents.h"
#include "weft/graph.h"
#include "weft/tensor.h"

namespace weft::app {

/// Rows of data used for measurements beside a training.
inline constexpr int64_t kMeasuredRows = 64;

/// All nodes that a node depends on, including itself.
std::set<int> needed(const Graph& graph, int node);
/// Synthetic data: floats between 0 and 1 in a wave, integers 0.
Tensor syntheticValue(DType type, const Shape& shape);
/// The value that a training feeds to a placeholder without bound data: a live scalar's value, the settings' word, else synthetic numbers.
Tensor trainingValue(const GraphContents& contents, const Node& placeholder);
/// `count` rows of the document's data from row `sample` on (or as many as the placeholder's shape demands), for each placeholder bound to it. `problem`: why
/// the data cannot be read.
std::map<std::string, Tensor> sampleOf(const MetaGraph& meta, const std::string& folder, int64_t sample, int64_t count, QString* problem);
/// Nodes that initialize fresh variables: the document's initializer, else the `Assign` that TensorFlow names after each variable.
std::vector<std::string> initializers(const MetaGraph& meta, const std::set<int>& needs);

}  // namespace weft::app
