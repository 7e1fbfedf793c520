#include <google/protobuf/arena.h>

#include <algorithm>

#include "io/inspect/format.h"
#include "proto/config.pb.h"
#include "proto/convert.h"
#include "proto/meta_graph.pb.h"
#include "proto/summary.pb.h"
#include "proto/text.h"
#include "weft/checkpoint.h"

namespace weft::inspect {
namespace {

namespace tf = ::tensorflow;

Json tensorInfo(const std::string& name, const tf::TensorInfo& info) {
  Json out{{"name", info.encoding_case() == tf::TensorInfo::kName ? info.name() : ""}, {"dtype", dtypeText(info.dtype())}};
  const auto shape = shapeFromProto(info.tensor_shape());
  out["shape"] = shape.ok() ? shapeJson(*shape) : Json(nullptr);
  if (info.has_coo_sparse())
    out["sparse"] = {{"values", info.coo_sparse().values_tensor_name()},
                     {"indices", info.coo_sparse().indices_tensor_name()},
                     {"dense_shape", info.coo_sparse().dense_shape_tensor_name()}};
  return out;
}

Json tensorInfos(const google::protobuf::Map<std::string, tf::TensorInfo>& infos) {
  Json out = Json::object();
  for (const auto& [name, info] : std::map<std::string, tf::TensorInfo>(infos.begin(), infos.end())) out[name] = tensorInfo(name, info);
  return out;
}

Json collection(const tf::CollectionDef& def) {
  switch (def.kind_case()) {
    case tf::CollectionDef::kNodeList: return {{"type", "node_list"}, {"count", def.node_list().value_size()}};
    case tf::CollectionDef::kBytesList: return {{"type", "bytes_list"}, {"count", def.bytes_list().value_size()}};
    case tf::CollectionDef::kInt64List: return {{"type", "int64_list"}, {"count", def.int64_list().value_size()}};
    case tf::CollectionDef::kFloatList: return {{"type", "float_list"}, {"count", def.float_list().value_size()}};
    case tf::CollectionDef::kAnyList: return {{"type", "any_list"}, {"count", def.any_list().value_size()}};
    default: return {{"type", "none"}, {"count", 0}};
  }
}

}  // namespace

Status metaBody(const tf::MetaGraphDef& meta, Json& out) {
  out["graph"] = Json::object();
  const Status graph = graphBody(meta.graph_def(), out["graph"]);
  const auto& info = meta.meta_info_def();
  out["tf_version"] = info.tensorflow_version();
  std::vector<std::string> tags(info.tags().begin(), info.tags().end());
  std::sort(tags.begin(), tags.end());
  out["tags"] = tags;
  out["stripped_ops"] = info.stripped_op_list().op_size();
  out["stripped_default_attrs"] = info.stripped_default_attrs();
  out["saver"] = nullptr;
  if (meta.has_saver_def()) {
    const auto& saver = meta.saver_def();
    out["saver"] = {{"filename_tensor", saver.filename_tensor_name()},
                    {"save_tensor", saver.save_tensor_name()},
                    {"restore_op", saver.restore_op_name()},
                    {"max_to_keep", saver.max_to_keep()},
                    {"sharded", saver.sharded()},
                    {"version", tf::SaverDef::CheckpointFormatVersion_Name(saver.version())}};
  }
  out["collections"] = Json::object();
  for (const auto& [key, def] : std::map<std::string, tf::CollectionDef>(meta.collection_def().begin(), meta.collection_def().end()))
    out["collections"][key] = collection(def);
  out["signatures"] = Json::object();
  for (const auto& [key, def] : std::map<std::string, tf::SignatureDef>(meta.signature_def().begin(), meta.signature_def().end()))
    out["signatures"][key] = {{"method", def.method_name()}, {"inputs", tensorInfos(def.inputs())}, {"outputs", tensorInfos(def.outputs())}};
  std::vector<std::string> assets;
  for (const auto& a : meta.asset_file_def()) assets.push_back(a.filename());
  std::sort(assets.begin(), assets.end());
  out["assets"] = assets;
  out["object_graph_nodes"] = meta.object_graph_def().nodes_size();
  return graph;
}

namespace {

/// Begins the report of a message and parses it.
template <typename Message>
Result<const Message*> beginMessage(Report& r, const char* kind, google::protobuf::Arena* arena) {
  WEFT_LET(const std::string_view bytes, r.content());
  r.setKind(kind);
  r.json["encoding"] = r.isText() ? "text" : "binary";
  auto* message = google::protobuf::Arena::CreateMessage<Message>(arena);
  WEFT_TRY(parseMessage(r.isText(), bytes, message));
  return message;
}

Status reportGraph(Report& r) {
  google::protobuf::Arena arena;
  WEFT_LET(const auto* graph, beginMessage<tf::GraphDef>(r, "graphdef", &arena));
  return graphBody(*graph, r.json["graph"]);
}

Status reportMetaGraph(Report& r) {
  google::protobuf::Arena arena;
  WEFT_LET(const auto* meta, beginMessage<tf::MetaGraphDef>(r, "metagraph", &arena));
  return metaBody(*meta, r.json);
}

/// The file with the graphs of a SavedModel: of a folder, the one in it; empty: there is none.
std::string savedModelFile(Report& r) {
  if (r.isFile()) return r.message() == ProtoKind::SavedModel ? r.path : std::string();
  if (!r.isFolder()) return {};
  for (const char* file : {"saved_model.pb", "saved_model.pbtxt"})
    if (const std::string path = joinPath(r.path, file); r.files.exists(path)) return path;
  return {};
}

Status reportSavedModel(Report& r) {
  const std::string file = savedModelFile(r);
  // A folder tells by the name, so that a damaged file is reported as a SavedModel too.
  const bool text = r.isFile() ? r.isText() : file.back() == 't';
  const std::string folder = folderOf(file);
  if (auto info = r.files.stat(file); info.ok()) r.json["bytes"] = info->bytes;
  r.setKind("savedmodel");
  r.json["encoding"] = text ? "text" : "binary";
  WEFT_LET(const std::string bytes, r.files.readAll(file));
  google::protobuf::Arena arena;
  auto* model = google::protobuf::Arena::CreateMessage<tf::SavedModel>(&arena);
  WEFT_TRY(parseMessage(text, bytes, model));
  r.json["schema_version"] = model->saved_model_schema_version();
  r.json["meta_graphs"] = Json::array();
  Status first;
  for (const auto& meta : model->meta_graphs()) {
    Json body = Json::object();
    Status status = metaBody(meta, body);
    addSavedObjects(r, meta, body);
    r.json["meta_graphs"].push_back(std::move(body));
    // The model counts as intact even if one of its graphs cannot be imported.
    if (!status.ok() && (status.error().kind == "invalid_graph" || status.error().kind == "invalid_tensor")) {
      r.problem(status.error().kind, status.error().message);
    } else if (first.ok()) {
      first = status;
    }
  }
  const std::string inside = joinPath(folder, "variables");
  std::string prefix = joinPath(inside, "variables");
  if (!checkpointExists(prefix, &r.files) && checkpointExists(joinPath(inside, "export"), &r.files)) prefix = joinPath(inside, "export");
  if (checkpointExists(prefix, &r.files)) {
    PartialJson variables = checkpointTensors(r, prefix);
    r.json["variables"] = std::move(variables.json);
    if (first.ok()) first = std::move(variables.status);
  }
  return first;
}

/// The meta graph that a SavedModel serves with, else its first one.
Result<LoadedGraph> savedModelGraph(Report& r, std::vector<std::string>*) {
  const std::string file = savedModelFile(r);
  WEFT_LET(const std::string bytes, r.files.readAll(file));
  google::protobuf::Arena arena;
  auto* model = google::protobuf::Arena::CreateMessage<tf::SavedModel>(&arena);
  WEFT_TRY(parseMessage(looksLikeText(bytes), bytes, model));
  if (model->meta_graphs_size() == 0) return bad("malformed", "the SavedModel has no graph");
  const auto serves = [](const tf::MetaGraphDef& meta) {
    const auto& tags = meta.meta_info_def().tags();
    return std::find(tags.begin(), tags.end(), "serve") != tags.end();
  };
  const auto& all = model->meta_graphs();
  const auto it = std::find_if(all.begin(), all.end(), serves);
  return openGraphBytes(std::make_shared<const std::string>(printWire(it == all.end() ? all.Get(0) : *it)), r.path);
}

Result<LoadedGraph> ownGraph(Report& r, std::vector<std::string>*) {
  WEFT_LET(const std::string_view bytes, r.content());
  return openGraphBytes(std::make_shared<const std::string>(bytes), r.path);
}

}  // namespace

extern const Format kGraphFormat;
const Format kGraphFormat{{"graphdef", WEFT_TRANSLATED("FileKinds", "TensorFlow graph"),
                           WEFT_TRANSLATED("FileKinds", "Ops and their inputs. Variables are not included, constants are."), ".pb .pbtxt",
                           "application/x-tensorflow-graph", false, true},
                          [](Report& r) { return r.message() == ProtoKind::Graph; },
                          reportGraph,
                          ownGraph};

extern const Format kMetaGraphFormat;
const Format kMetaGraphFormat{
    {"metagraph", WEFT_TRANSLATED("FileKinds", "TensorFlow MetaGraph"), WEFT_TRANSLATED("FileKinds", "A graph with its collections, signatures and Saver."),
     ".meta .weft", "application/x-tensorflow-metagraph", false, true},
    [](Report& r) { return r.message() == ProtoKind::MetaGraph; },
    reportMetaGraph,
    ownGraph};

extern const Format kSavedModelFormat;
const Format kSavedModelFormat{{"savedmodel", WEFT_TRANSLATED("FileKinds", "SavedModel"),
                                WEFT_TRANSLATED("FileKinds", "Graphs with signatures, variables and assets, for serving."), "", "", true, true},
                               [](Report& r) { return !savedModelFile(r).empty(); },
                               reportSavedModel,
                               savedModelGraph};

}  // namespace weft::inspect
