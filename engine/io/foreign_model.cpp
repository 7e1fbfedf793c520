#include "io/foreign_model.h"

#include <utility>

#include "device/cpu/move.h"
#include "proto/convert.h"
#include "proto/meta_graph.pb.h"

namespace weft {

Result<Tensor> permuted(const Tensor& t, const std::vector<int64_t>& order) {
  Shape shape;
  for (const int64_t d : order) shape.append(t.dim(int(d)));
  WEFT_LET(Tensor out, Tensor::allocate(t.dtype(), shape));
  const auto from = cpu::denseStrides(t.shape()), to = cpu::denseStrides(shape);
  cpu::BoxCopy box;
  for (size_t d = 0; d < order.size(); ++d) box.add(shape.dim(int(d)), from[size_t(order[d])], to[d]);
  cpu::copyBox(t.dtype(), std::move(box), t.raw(), out.mutableRaw());
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

ImportedModel servedModel(MetaGraph meta, const NamedOutputs& inputs, const NamedOutputs& outputs, std::vector<std::string> warnings) {
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
  return {std::move(meta), std::move(warnings)};
}

}  // namespace weft
