#include "io/foreign_model.h"

#include <cstring>

#include "proto/convert.h"
#include "proto/meta_graph.pb.h"

namespace weft {

Result<Tensor> permuted(const Tensor& t, const std::vector<int64_t>& order) {
  Shape shape;
  std::vector<int64_t> strides(order.size(), 1), steps;
  for (int d = t.rank() - 2; d >= 0; --d) strides[size_t(d)] = strides[size_t(d) + 1] * t.dim(d + 1);
  for (const int64_t d : order) {
    shape.append(t.dim(int(d)));
    steps.push_back(strides[size_t(d)]);
  }
  WEFT_LET(Tensor out, Tensor::allocate(t.dtype(), shape));
  const size_t width = sizeOf(t.dtype());
  const char* from = static_cast<const char*>(t.raw());
  char* to = static_cast<char*>(out.mutableRaw());
  std::vector<int64_t> at(order.size(), 0);
  int64_t source = 0;
  for (int64_t i = 0, n = shape.elements(); i < n; ++i) {
    std::memcpy(to + size_t(i) * width, from + size_t(source) * width, width);
    for (int d = int(order.size()) - 1; d >= 0; --d) {
      source += steps[size_t(d)];
      if (++at[size_t(d)] < shape.dim(d)) break;
      source -= steps[size_t(d)] * shape.dim(d);
      at[size_t(d)] = 0;
    }
  }
  return out;
}

std::string nodeNameFrom(std::string_view text, const std::string& otherwise) {
  std::string out;
  for (const char c : text) {
    // A name begins with a letter, a digit or a dot.
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
    const bool inside = c == '_' || c == '-' || (c == '/' && !out.empty() && out.back() != '/');
    if (out.empty() ? letter : letter || inside) {
      out += c;
    } else if (!out.empty() && out.back() != '_' && c != '/') {
      out += '_';
    }
  }
  while (!out.empty() && out.back() == '/') out.pop_back();
  return out.empty() ? otherwise : out;
}

Result<Output> endOfModel(const Graph& graph, const std::string& tensor) { return graph.findOutput(tensor.find(':') == tensor.npos ? tensor + ":0" : tensor); }

Result<ImportedModel> servedModel(MetaGraph& meta, const NamedOutputs& inputs, const NamedOutputs& outputs, std::vector<std::string> warnings) {
  tensorflow::MetaGraphDef rest;
  rest.mutable_meta_info_def()->add_tags("serve");
  rest.mutable_meta_info_def()->set_tensorflow_version("1.15.5");
  auto& signature = (*rest.mutable_signature_def())["serving_default"];
  signature.set_method_name("tensorflow/serving/predict");
  const auto fill = [&](const NamedOutputs& tensors, auto& map) {
    for (const auto& [name, o] : tensors) {
      std::string key = name;
      for (int i = 1; map.count(key); ++i) key = concat(name, "_", i);
      auto& info = map[key];
      info.set_name(meta.graph.tensorName(o));
      info.set_dtype(tensorflow::DataType(int(meta.graph.dtype(o))));
      shapeToProto(meta.graph.shape(o), info.mutable_tensor_shape());
    }
  };
  fill(inputs, *signature.mutable_inputs());
  fill(outputs, *signature.mutable_outputs());
  meta.rest = std::make_shared<const std::string>(rest.SerializeAsString());
  ImportedModel out;
  WEFT_LET(out.metaGraph, serializeGraph(meta, GraphFormat::MetaBinary));
  out.warnings = std::move(warnings);
  return out;
}

}  // namespace weft
