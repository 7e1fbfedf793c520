#include <algorithm>
#include <map>

#include "graph/wire.h"
#include "io/inspect/format.h"
#include "io/onnx/tensor_proto.h"
#include "proto/onnx.pb.h"
#include "proto/text.h"
#include "weft/onnx.h"

// ONNX models: a protobuf message. Tensors are counted but not read, so a model can be inspected without the files that hold its weights.

namespace weft::inspect {
namespace {

Json onnxShape(const ::onnx::TensorShapeProto& shape) {
  Json out = Json::array();
  for (const auto& dim : shape.dim()) {
    if (dim.has_dim_value()) out.push_back(dim.dim_value());
    else if (dim.has_dim_param() && !dim.dim_param().empty()) out.push_back(dim.dim_param());
    else out.push_back(-1);
  }
  return out;
}

/// {"dtype", "shape"} of a tensor; {"type": "sequence"} of anything else.
Json onnxType(const ::onnx::TypeProto& type) {
  if (type.has_tensor_type()) {
    const auto& t = type.tensor_type();
    return {{"dtype", onnx_io::onnxTypeName(t.elem_type())}, {"shape", t.has_shape() ? onnxShape(t.shape()) : Json(nullptr)}};
  }
  const char* what = type.has_sequence_type()        ? "sequence"
                     : type.has_map_type()           ? "map"
                     : type.has_optional_type()      ? "optional"
                     : type.has_sparse_tensor_type() ? "sparse"
                                                     : "unknown";
  return {{"type", what}};
}

Json onnxValues(const google::protobuf::RepeatedPtrField<::onnx::ValueInfoProto>& values) {
  Json out = Json::array();
  for (const auto& value : values) {
    Json one = {{"name", value.name()}};
    const Json type = onnxType(value.type());
    for (const auto& [key, item] : type.items()) one[key] = item;
    out.push_back(std::move(one));
  }
  return out;
}

struct Counted {
  std::map<std::string, int64_t> ops;
  int64_t nodes = 0, subgraphs = 0;
};

void countNodes(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes, Counted* counted) {
  for (const auto& node : nodes) {
    ++counted->nodes;
    const bool standard = node.domain().empty() || node.domain() == "ai.onnx";
    ++counted->ops[standard ? node.op_type() : node.domain() + "." + node.op_type()];
    for (const auto& attr : node.attribute()) {
      const auto count = [&](const ::onnx::GraphProto& graph) {
        ++counted->subgraphs;
        countNodes(graph.node(), counted);
      };
      if (attr.has_g()) count(attr.g());
      for (const auto& graph : attr.graphs()) count(graph);
    }
  }
}

Status reportOnnx(Report& r) {
  r.setKind("onnx");
  WEFT_LET(const std::string_view bytes, r.content());
  ::onnx::ModelProto model;
  WEFT_TRY(parseWire(bytes, &model));
  r.json["ir_version"] = model.ir_version();
  r.json["producer"] = model.producer_version().empty() ? model.producer_name() : model.producer_name() + " " + model.producer_version();
  r.json["domain"] = model.domain();
  r.json["model_version"] = model.model_version();
  r.json["opsets"] = Json::object();
  for (const auto& set : model.opset_import()) r.json["opsets"][set.domain().empty() ? "ai.onnx" : set.domain()] = set.version();
  if (!model.has_graph()) return bad("malformed", "the model has no graph");
  const auto& graph = model.graph();
  r.json["graph"] = graph.name();
  std::map<std::string, bool> isInitialized;
  int64_t tensorBytes = 0, external = 0;
  for (const auto& tensor : graph.initializer()) {
    isInitialized[tensor.name()] = true;
    const int64_t size = onnx_io::bytesOfOnnxTensor(tensor);
    if (size < 0 || __builtin_add_overflow(tensorBytes, size, &tensorBytes))
      return bad("invalid_tensor", "the initializer '", tensor.name(), "' has dimensions that are negative or too large");
    external += tensor.data_location() == 1;
  }
  // Before IR version 4, initializers are listed among the inputs too.
  google::protobuf::RepeatedPtrField<::onnx::ValueInfoProto> inputs;
  for (const auto& input : graph.input())
    if (!isInitialized.count(input.name())) *inputs.Add() = input;
  r.json["inputs"] = onnxValues(inputs);
  r.json["outputs"] = onnxValues(graph.output());
  Counted counted;
  countNodes(graph.node(), &counted);
  for (const auto& function : model.functions()) countNodes(function.node(), &counted);
  r.json["nodes"] = counted.nodes;
  r.json["ops"] = Json(counted.ops);
  r.json["subgraphs"] = counted.subgraphs;
  r.json["functions"] = model.functions_size();
  r.json["initializers"] = {{"tensors", graph.initializer_size()}, {"bytes", tensorBytes}, {"in_other_files", external}};
  r.json["metadata"] = Json::object();
  for (const auto& entry : model.metadata_props()) r.json["metadata"][entry.key()] = entry.value();
  return {};
}

bool isOnnx(Report& r) {
  if (!r.isFile() || r.isText()) return false;
  return r.ends(".onnx") || (r.starts("\x08") && looksLikeOnnx(r.bytes()));
}

Result<LoadedGraph> graphOfOnnx(Report& r, std::vector<std::string>* warnings) {
  WEFT_LET(const std::string_view bytes, r.content());
  const size_t slash = r.path.rfind('/');
  const std::string folder = slash == r.path.npos ? "." : r.path.substr(0, std::max<size_t>(slash, 1));
  return graphOfImport(r, onnxToGraph(bytes, folder, &r.files), warnings);
}

/// Whether bytes are a TensorProto: dimensions, one element type, and values or the file that has them.
bool looksLikeOnnxTensor(std::string_view bytes) {
  WireReader in(bytes);
  bool typed = false, values = false, empty = false;
  while (const auto f = in.next()) {
    const int n = f->number;
    if (n == 1 && f->type == 0) empty = empty || f->value == 0;
    else if (n == 2 && f->type == 0) typed = !typed && f->value >= 1 && f->value < 64;
    else if ((n >= 4 && n <= 7) || (n >= 9 && n <= 11) || n == 13) values = true;
    else if (!(n == 8 || n == 12 || n == 16) && !(n == 14 && f->type == 0)) return false;
    if (n == 2 && !typed) return false;
  }
  constexpr char kRawDataTag = 9 << 3 | 2;
  const bool cutInValues = in.cut() && in.position() < bytes.size() && bytes[in.position()] == kRawDataTag;
  return typed && ((in.ok() && (values || empty)) || cutInValues);
}

bool isOnnxTensor(Report& r) { return r.isFile() && r.ends(".pb") && !r.isText() && (r.starts("\x08") || r.starts("\x10")) && looksLikeOnnxTensor(r.bytes()); }

Result<std::vector<NamedTensor>> onnxTensorOf(Report& r) {
  WEFT_LET(const std::string_view bytes, r.content());
  ::onnx::TensorProto proto;
  WEFT_TRY(parseWire(bytes, &proto));
  WEFT_LET(Tensor value, (onnx_io::TensorReader{folderOf(r.path), r.files}.read(proto)));
  return std::vector<NamedTensor>{{"", std::move(value)}};
}

Status reportOnnxTensor(Report& r) {
  r.setKind("onnx_tensor");
  WEFT_LET(const std::string_view bytes, r.content());
  ::onnx::TensorProto proto;
  WEFT_TRY(parseWire(bytes, &proto));
  r.json["name"] = proto.name();
  r.json["dtype"] = onnx_io::onnxTypeName(proto.data_type());
  r.json["shape"] = std::vector<int64_t>(proto.dims().begin(), proto.dims().end());
  return onnxTensorOf(r).status();
}

}  // namespace

extern const Format kOnnxTensorFormat;
const Format kOnnxTensorFormat{arraysKind("onnx_tensor", WEFT_TRANSLATED("FileKinds", "ONNX tensor"),
                                          WEFT_TRANSLATED("FileKinds", "One array, as in the test data of ONNX models."), ".pb"),
                               isOnnxTensor,
                               reportOnnxTensor,
                               nullptr,
                               nullptr,
                               onnxTensorOf};

extern const Format kOnnxFormat;
const Format kOnnxFormat{
    {"onnx", WEFT_TRANSLATED("FileKinds", "ONNX model"), WEFT_TRANSLATED("FileKinds", "A network in the exchange format ONNX; it opens as a graph."), ".onnx",
     "application/x-onnx", false, true, true},
    isOnnx,
    reportOnnx,
    graphOfOnnx,
    [](std::string_view metaGraph, const ModelExport& what) { return graphToOnnx(metaGraph, what); }};

}  // namespace weft::inspect
