#include "weft/saved_model.h"

#include <google/protobuf/arena.h>

#include "graph/variable_ops.h"
#include "proto/convert.h"
#include "proto/meta_graph.pb.h"
#include "proto/text.h"
#include "weft/graph.h"
#include "weft/inspect.h"

namespace weft {
namespace {

namespace tf = ::tensorflow;

Status describe(const Graph& graph, const std::string& tensor, tf::TensorInfo* info) {
  WEFT_LET(const Output output, graph.findOutput(tensor));
  info->set_name(tensor);
  info->set_dtype(static_cast<tf::DataType>(baseType(graph.dtype(output))));
  shapeToProto(graph.shape(output), info->mutable_tensor_shape());
  return {};
}

Status addSignatures(const Graph& graph, const std::vector<ModelSignature>& signatures, tf::MetaGraphDef* meta) {
  for (const ModelSignature& s : signatures) {
    tf::SignatureDef def;
    def.set_method_name(s.method);
    for (const auto& [name, tensor] : s.inputs) WEFT_TRY(describe(graph, tensor, &(*def.mutable_inputs())[name]));
    for (const auto& [name, tensor] : s.outputs) WEFT_TRY(describe(graph, tensor, &(*def.mutable_outputs())[name]));
    (*meta->mutable_signature_def())[s.key] = def;
  }
  return {};
}

Status copyVariables(const CheckpointReader& from, const std::string& prefix, FileSystem& files) {
  WEFT_LET(auto writer, CheckpointWriter::create(prefix, &files));
  for (const CheckpointEntry& entry : from.tensors()) {
    for (const TensorSlice& slice : entry.slices) {
      WEFT_LET(const Tensor part, from.readSlice(entry.name, slice));
      WEFT_TRY(writer->addSlice(entry.name, entry.shape, slice, part));
    }
    if (!entry.slices.empty()) continue;
    WEFT_LET(const Tensor tensor, from.read(entry.name));
    WEFT_TRY(writer->add(entry.name, tensor));
  }
  WEFT_TRY(writer->finish());
  return syncCheckpoint(prefix, &files);  // before saved_model.pb exists, which makes the folder a model
}

}  // namespace

Status writeSavedModel(const std::string& folder, std::string_view metaGraph, const CheckpointReader* variables, const SavedModelOptions& options) {
  FileSystem& files = options.files ? *options.files : posixFileSystem();
  const std::string path = joinPath(folder, "saved_model.pb");
  if (files.exists(path) || files.exists(joinPath(folder, "saved_model.pbtxt"))) return alreadyExists("Export directory already exists: ", folder);
  WEFT_LET(const auto bytes, convertGraphBytes(metaGraph, "meta"));
  google::protobuf::Arena arena;
  auto& model = *google::protobuf::Arena::CreateMessage<tf::SavedModel>(&arena);
  model.set_saved_model_schema_version(1);
  tf::MetaGraphDef* meta = model.add_meta_graphs();
  WEFT_TRY(parseWire(bytes, meta));

  bool needsVariables = false;
  for (auto& node : *meta->mutable_graph_def()->mutable_node()) {
    needsVariables = needsVariables || isVariableOp(node.op());
    if (options.clearDevices) node.clear_device();
  }
  if (needsVariables && (!meta->has_saver_def() || meta->saver_def().version() != tf::SaverDef::V2))
    return failedPrecondition("the graph has variables but no saver of version 2 that could restore them");
  if (needsVariables && !variables) return failedPrecondition("the graph has variables, so a checkpoint with their values is needed");

  meta->mutable_meta_info_def()->clear_tags();
  for (const std::string& tag : options.tags) meta->mutable_meta_info_def()->add_tags(tag);
  if (!options.signatures.empty()) {
    WEFT_LET(const LoadedGraph loaded, loadGraphBytes(std::make_shared<const std::string>(bytes), folder));
    WEFT_TRY(addSignatures(loaded.meta.graph, options.signatures, meta));
  }
  if (!options.mainOp.empty()) {
    auto* list = (*meta->mutable_collection_def())["saved_model_main_op"].mutable_node_list();
    list->clear_value();
    list->add_value(options.mainOp);
  }
  WEFT_TRY(files.makeFolders(folder));
  if (needsVariables) WEFT_TRY(copyVariables(*variables, joinPath(folder, "variables/variables"), files));
  return files.writeAtomically(path, printWire(model));
}

}  // namespace weft
