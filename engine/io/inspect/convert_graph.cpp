#include <google/protobuf/arena.h>

#include "io/inspect/report.h"
#include "proto/config.pb.h"
#include "proto/meta_graph.pb.h"
#include "proto/text.h"

namespace weft {
namespace {

namespace tf = ::tensorflow;
using inspect::ProtoKind;

bool hasUnknownFields(const google::protobuf::Message& message) {
  const auto* reflection = message.GetReflection();
  if (!reflection->GetUnknownFields(message).empty()) return true;
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const auto* f : fields) {
    if (f->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!f->is_repeated()) {
      if (hasUnknownFields(reflection->GetMessage(message, f))) return true;
      continue;
    }
    for (int i = 0; i < reflection->FieldSize(message, f); ++i)
      if (hasUnknownFields(reflection->GetRepeatedMessage(message, f, i))) return true;
  }
  return false;
}

Result<std::string> print(const google::protobuf::Message& message, bool text) {
  if (!text) return printWire(message);
  if (hasUnknownFields(message)) return unimplemented("the file has fields that are not known here, and text format cannot hold them");
  return printText(message);
}

}  // namespace

Result<std::string> convertGraphBytes(std::string_view bytes, std::string_view to, int metaGraph) {
  const bool fromText = inspect::looksLikeText(bytes);
  const ProtoKind kind = fromText ? inspect::classifyText(bytes) : inspect::classifyWire(bytes);
  const bool text = to.size() >= 5 && to.substr(to.size() - 5) == "pbtxt";
  const bool wantsMeta = to == "meta" || to == "meta.pbtxt", wantsGraph = to == "graph.pb" || to == "graph.pbtxt";
  if (!wantsMeta && !wantsGraph && to != "pb" && to != "pbtxt")
    return invalidArgument("format '", to, "' is none of pb, pbtxt, meta, meta.pbtxt, graph.pb, graph.pbtxt");
  google::protobuf::Arena arena;
  const auto parse = [&](google::protobuf::Message* message) { return fromText ? parseText(bytes, message) : parseWire(bytes, message); };
  if (kind == ProtoKind::Graph) {
    auto* graph = google::protobuf::Arena::CreateMessage<tf::GraphDef>(&arena);
    WEFT_TRY(parse(graph));
    if (!wantsMeta) return print(*graph, text);
    auto* meta = google::protobuf::Arena::CreateMessage<tf::MetaGraphDef>(&arena);
    meta->mutable_graph_def()->Swap(graph);
    meta->mutable_meta_info_def()->set_tensorflow_version("1.15.5");
    return print(*meta, text);
  }
  if (kind == ProtoKind::MetaGraph) {
    auto* meta = google::protobuf::Arena::CreateMessage<tf::MetaGraphDef>(&arena);
    WEFT_TRY(parse(meta));
    return wantsGraph ? print(meta->graph_def(), text) : print(*meta, text);
  }
  if (kind == ProtoKind::SavedModel) {
    auto* model = google::protobuf::Arena::CreateMessage<tf::SavedModel>(&arena);
    WEFT_TRY(parse(model));
    if (!wantsMeta && !wantsGraph) return print(*model, text);
    const int at = metaGraph < 0 && model->meta_graphs_size() == 1 ? 0 : metaGraph;
    if (at >= model->meta_graphs_size()) return outOfRange("the SavedModel has ", model->meta_graphs_size(), " meta graphs, not one of number ", at);
    if (at < 0) return invalidArgument("the SavedModel has ", model->meta_graphs_size(), " meta graphs; only one can be taken out without naming it");
    return wantsGraph ? print(model->meta_graphs(at).graph_def(), text) : print(model->meta_graphs(at), text);
  }
  if (kind == ProtoKind::RunMetadata && !wantsMeta && !wantsGraph) {
    auto* run = google::protobuf::Arena::CreateMessage<tf::RunMetadata>(&arena);
    WEFT_TRY(parse(run));
    return print(*run, text);
  }
  return invalidArgument("neither a graph, a meta graph, a SavedModel nor a RunMetadata that could become '", to, "'").ofKind("unrecognized");
}

}  // namespace weft
