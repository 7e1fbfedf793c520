#include <google/protobuf/arena.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/unknown_field_set.h>

#include "io/inspect/report.h"
#include "proto/config.pb.h"
#include "proto/meta_graph.pb.h"
#include "proto/text.h"

namespace weft {
namespace {

namespace tf = ::tensorflow;
using inspect::ProtoKind;

/// Places of fields that are not known here: "node[2].attr[0].value: field 61".
void findUnknownFields(const google::protobuf::Message& message, const std::string& place, std::vector<std::string>* out) {
  const auto* reflection = message.GetReflection();
  const auto& unknown = reflection->GetUnknownFields(message);
  for (int i = 0; i < unknown.field_count(); ++i) out->push_back(concat(place, place.empty() ? "" : ": ", "field ", unknown.field(i).number()));
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const auto* f : fields) {
    if (f->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const std::string below = concat(place, place.empty() ? "" : ".", f->name());
    if (!f->is_repeated()) {
      findUnknownFields(reflection->GetMessage(message, f), below, out);
      continue;
    }
    for (int i = 0; i < reflection->FieldSize(message, f); ++i)
      findUnknownFields(reflection->GetRepeatedMessage(message, f, i), concat(below, "[", i, "]"), out);
  }
}

std::string listed(const std::vector<std::string>& places) {
  constexpr size_t kNamed = 5;
  std::string out;
  for (size_t i = 0; i < places.size() && i < kNamed; ++i) out += (i ? ", " : "") + places[i];
  return places.size() > kNamed ? concat(out, " and ", places.size() - kNamed, " more") : out;
}

/// Prints messages in the form that is asked for.
class Writer {
 public:
  Writer(bool text, std::vector<std::string>* warnings) : text_(text), warnings_(warnings) {}

  Result<std::string> operator()(const google::protobuf::Message& message) const {
    if (!text_) return printWire(message);
    std::vector<std::string> unknown;
    findUnknownFields(message, "", &unknown);
    if (unknown.empty()) return printText(message);
    const std::string places = listed(unknown);
    if (!warnings_) return unimplemented("text format cannot hold the fields that are not known here: ", places);
    warnings_->push_back(concat("text format cannot hold the fields that are not known here; left out: ", places));
    google::protobuf::TextFormat::Printer printer;
    printer.SetHideUnknownFields(true);
    std::string out;
    printer.PrintToString(message, &out);
    return concat("# Without the fields that Weft does not know: ", places, "\n", out);
  }

 private:
  bool text_;
  std::vector<std::string>* warnings_;
};

}  // namespace

Result<std::string> convertGraphBytes(std::string_view bytes, std::string_view to, int metaGraph, std::vector<std::string>* warnings) {
  const bool fromText = inspect::looksLikeText(bytes);
  const ProtoKind kind = fromText ? inspect::classifyText(bytes) : inspect::classifyWire(bytes);
  const bool text = to.size() >= 5 && to.substr(to.size() - 5) == "pbtxt";
  const bool wantsMeta = to == "meta" || to == "meta.pbtxt", wantsGraph = to == "graph.pb" || to == "graph.pbtxt";
  if (!wantsMeta && !wantsGraph && to != "pb" && to != "pbtxt")
    return invalidArgument("format '", to, "' is none of pb, pbtxt, meta, meta.pbtxt, graph.pb, graph.pbtxt");
  const Writer print(text, warnings);
  google::protobuf::Arena arena;
  const auto parse = [&](google::protobuf::Message* message) { return fromText ? parseText(bytes, message) : parseWire(bytes, message); };
  if (kind == ProtoKind::Graph) {
    auto* graph = google::protobuf::Arena::CreateMessage<tf::GraphDef>(&arena);
    WEFT_TRY(parse(graph));
    if (!wantsMeta) return print(*graph);
    auto* meta = google::protobuf::Arena::CreateMessage<tf::MetaGraphDef>(&arena);
    meta->mutable_graph_def()->Swap(graph);
    meta->mutable_meta_info_def()->set_tensorflow_version("1.15.5");
    return print(*meta);
  }
  if (kind == ProtoKind::MetaGraph) {
    auto* meta = google::protobuf::Arena::CreateMessage<tf::MetaGraphDef>(&arena);
    WEFT_TRY(parse(meta));
    return wantsGraph ? print(meta->graph_def()) : print(*meta);
  }
  if (kind == ProtoKind::SavedModel) {
    auto* model = google::protobuf::Arena::CreateMessage<tf::SavedModel>(&arena);
    WEFT_TRY(parse(model));
    if (!wantsMeta && !wantsGraph) return print(*model);
    const int at = metaGraph < 0 && model->meta_graphs_size() == 1 ? 0 : metaGraph;
    if (at >= model->meta_graphs_size()) return outOfRange("the SavedModel has ", model->meta_graphs_size(), " meta graphs, not one of number ", at);
    if (at < 0) return invalidArgument("the SavedModel has ", model->meta_graphs_size(), " meta graphs; only one can be taken out without naming it");
    return wantsGraph ? print(model->meta_graphs(at).graph_def()) : print(model->meta_graphs(at));
  }
  if (kind == ProtoKind::RunMetadata && !wantsMeta && !wantsGraph) {
    auto* run = google::protobuf::Arena::CreateMessage<tf::RunMetadata>(&arena);
    WEFT_TRY(parse(run));
    return print(*run);
  }
  return invalidArgument("neither a graph, a meta graph, a SavedModel nor a RunMetadata that could become '", to, "'").ofKind("unrecognized");
}

}  // namespace weft
