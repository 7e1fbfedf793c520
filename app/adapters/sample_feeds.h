// What a graph is fed with when it is looked at beside a training. Only sources of this folder include it.
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

/// Rows of the data that a graph is measured with beside a training.
inline constexpr int64_t kMeasuredRows = 64;

/// Everything that a node needs, itself included.
std::set<int> needed(const Graph& graph, int node);
/// Numbers that look like data: floats between 0 and 1 in a wave, integers 0.
Tensor madeUp(DType type, const Shape& shape);
/// What a training feeds to a placeholder that its data does not feed: a live scalar's value, the settings' word, else made-up numbers.
Tensor trainingValue(const GraphContents& contents, const Node& placeholder);
/// `count` rows of the document's data from row `sample` on (as many as the placeholder wants, if it says so), for each placeholder that it feeds.
/// `problem`: why the data cannot be read.
std::map<std::string, Tensor> sampleOf(const MetaGraph& meta, const std::string& folder, int64_t sample, int64_t count, QString* problem);
/// What gives fresh variables their values: the document's initializer, else the `Assign` that TensorFlow names after each variable.
std::vector<std::string> initializers(const MetaGraph& meta, const std::set<int>& needs);

}  // namespace weft::app
