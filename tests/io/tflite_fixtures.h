// Models and small helpers that the tests of TensorFlow Lite share.
#pragma once

#include "weft/defects.h"
#include "weft/file_system.h"
#include "weft/session.h"
#include "weft/tflite.h"

namespace weft::tflite_fixtures {

inline const std::string kGolden = std::string(WEFT_SOURCE_DIR) + "/tests/golden/tflite/";
inline const std::string kFixture = kGolden + "op_conv.tflite";

inline std::string bytesOf(const std::string& path) {
  auto bytes = posixFileSystem().readAll(path);
  return bytes.ok() ? *bytes : std::string();
}

inline LoadedGraph graphOf(const std::string& metaGraph) {
  auto loaded = openGraphBytes(std::make_shared<const std::string>(metaGraph), "model");
  return loaded.ok() ? std::move(*loaded) : LoadedGraph{};
}

/// A tensor of a graph's dtype and shape with these numbers.
inline Tensor tensorLike(const Graph& graph, Output o, const std::vector<double>& numbers) {
  Shape shape = graph.shape(o);
  for (int d = 0; d < shape.rank(); ++d)
    if (shape.dim(d) < 0) shape.setDim(d, 1);
  Tensor out = Tensor::zeros(graph.dtype(o), shape);
  for (size_t i = 0; i < numbers.size() && int64_t(i) < out.elements(); ++i) {
    if (out.dtype() == DType::Float) out.mutableData<float>()[i] = float(numbers[i]);
    if (out.dtype() == DType::Int8) out.mutableData<int8_t>()[i] = int8_t(numbers[i]);
  }
  return out;
}

inline const Node* nodeOfTensor(const Graph& graph, int tensor, const char* op) {
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || (op && n->op != op)) continue;
    for (const int64_t t : n->attrs.integers("_tflite_tensor"))
      if (t == tensor) return n;
  }
  return nullptr;
}

/// Runs the model on its one input; the outputs in the order of the file.
inline Result<std::vector<Tensor>> runModel(const std::string& bytes, const std::vector<double>& input) {
  WEFT_LET(const ImportedModel model, tfliteToGraph(bytes));
  WEFT_LET(const TfliteTensors tensors, readTfliteTensors(bytes));
  const LoadedGraph loaded = graphOf(*model.serialized());
  const Graph& graph = loaded.meta.graph;
  const Node* in = nodeOfTensor(graph, tensors.inputs.at(0), "Placeholder");
  if (!in) return notFound("no placeholder for the input");
  std::vector<std::string> fetches;
  for (const int t : tensors.outputs) {
    const Node* out = nodeOfTensor(graph, t, nullptr);
    if (!out) return notFound("no node for output ", t);
    const auto all = out->attrs.integers("_tflite_tensor");
    fetches.push_back(out->name + ":" + std::to_string(std::find(all.begin(), all.end(), t) - all.begin()));
  }
  WEFT_LET(auto session, Session::create(graph, {}));
  return session->run({{in->name + ":0", tensorLike(graph, {in->id, 0}, input)}}, fetches, {});
}

}  // namespace weft::tflite_fixtures
