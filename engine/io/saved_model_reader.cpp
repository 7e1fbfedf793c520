#include <google/protobuf/arena.h>

#include <algorithm>
#include <set>

#include "io/inspect/report.h"
#include "proto/meta_graph.pb.h"
#include "proto/text.h"
#include "weft/saved_model.h"

// A SavedModel: FOLDER/saved_model.pb (meta graphs distinguished by their tags), FOLDER/variables (one checkpoint for all of them) and FOLDER/assets.
// Collections of the meta graph tell a loader what to do: saved_model_main_op or legacy_init_op names an op to run after the variables are restored,
// saved_model_assets lists the files whose paths are fed to it. TensorFlow 2 models use fields and signatures instead.
namespace weft {
namespace {

namespace tf = ::tensorflow;

constexpr const char* kInitSignature = "__saved_model_init_op";

std::string modelFile(const std::string& folder, FileSystem& files) {
  for (const char* name : {"saved_model.pb", "saved_model.pbtxt"})
    if (const std::string path = joinPath(folder, name); files.exists(path)) return path;
  return {};
}

std::string tagsOf(const tf::MetaGraphDef& meta) {
  std::string out;
  for (const auto& tag : meta.meta_info_def().tags()) out += (out.empty() ? "" : ",") + tag;
  return "{" + out + "}";
}

/// The selected meta graph.
Result<const tf::MetaGraphDef*> choose(const tf::SavedModel& model, const std::vector<std::string>& tags) {
  const std::set<std::string> wanted(tags.begin(), tags.end());
  const tf::MetaGraphDef* serving = nullptr;
  std::string all;
  for (const tf::MetaGraphDef& meta : model.meta_graphs()) {
    const std::set<std::string> own(meta.meta_info_def().tags().begin(), meta.meta_info_def().tags().end());
    if (!tags.empty() && own == wanted) return &meta;
    if (own == std::set<std::string>{"serve"}) serving = &meta;
    all += (all.empty() ? "" : ", ") + tagsOf(meta);
  }
  if (tags.empty() && model.meta_graphs_size() == 1) return &model.meta_graphs(0);
  if (tags.empty() && serving) return serving;
  if (model.meta_graphs_size() == 0) return invalidArgument("the SavedModel has no meta graph");
  std::string asked;
  for (const std::string& tag : tags) asked += (asked.empty() ? "" : ",") + tag;
  if (tags.empty()) return invalidArgument("the SavedModel has several meta graphs; expected the tags of one of them: ", all);
  return invalidArgument("the SavedModel has no meta graph of the tags {", asked, "}; expected one of ", all);
}

std::string nodeOf(const tf::MetaGraphDef& meta, const char* collection) {
  const auto found = meta.collection_def().find(collection);
  return found != meta.collection_def().end() && found->second.node_list().value_size() > 0 ? found->second.node_list().value(0) : std::string();
}

std::string initOpOf(const tf::MetaGraphDef& meta) {
  if (const auto s = meta.signature_def().find(kInitSignature); s != meta.signature_def().end()) {
    // TensorFlow 2: a signature whose only output names the op.
    for (const auto& [key, info] : s->second.outputs())
      if (!info.name().empty()) return info.name().substr(0, info.name().find(':'));
  }
  for (const char* collection : {"saved_model_main_op", "legacy_init_op"})
    if (std::string op = nodeOf(meta, collection); !op.empty()) return op;
  return {};
}

Result<std::vector<std::pair<std::string, std::string>>> assetsOf(const tf::MetaGraphDef& meta, const std::string& folder) {
  std::vector<std::pair<std::string, std::string>> out;
  const auto add = [&](const tf::AssetFileDef& asset) { out.emplace_back(asset.tensor_info().name(), joinPath(folder, "assets/" + asset.filename())); };
  if (meta.asset_file_def_size() > 0) {
    for (const auto& asset : meta.asset_file_def()) add(asset);
    return out;
  }
  const auto listed = meta.collection_def().find("saved_model_assets");
  if (listed == meta.collection_def().end()) return out;
  for (const auto& any : listed->second.any_list().value()) {
    tf::AssetFileDef asset;
    WEFT_TRY(parseWire(any.value(), &asset));
    add(asset);
  }
  return out;
}

std::vector<ModelSignature> listedSignatures(const tf::MetaGraphDef& meta) {
  std::vector<ModelSignature> out;
  const auto listed = [](const auto& tensors) {
    std::vector<std::pair<std::string, std::string>> named;
    for (const auto& [name, info] : tensors) named.emplace_back(name, info.name());
    std::sort(named.begin(), named.end());
    return named;
  };
  for (const auto& [key, def] : meta.signature_def())
    if (key != kInitSignature) out.push_back({key, def.method_name(), listed(def.inputs()), listed(def.outputs())});
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  return out;
}

}  // namespace

const ModelSignature* SavedModelContents::signature(std::string_view key) const {
  for (const ModelSignature& s : signatures)
    if (s.key == key) return &s;
  return nullptr;
}

Result<std::vector<ModelSignature>> signaturesOf(std::string_view metaGraph) {
  tf::MetaGraphDef meta;
  WEFT_TRY(parseWire(metaGraph, &meta));
  return listedSignatures(meta);
}

bool isSavedModel(const std::string& folder, FileSystem* files) { return !modelFile(folder, files ? *files : posixFileSystem()).empty(); }

Result<SavedModelContents> readSavedModel(const std::string& folder, const std::vector<std::string>& tags, FileSystem* given) {
  FileSystem& files = given ? *given : posixFileSystem();
  const std::string path = modelFile(folder, files);
  if (path.empty()) return notFound("there is neither saved_model.pb nor saved_model.pbtxt").inFile(folder);
  WEFT_LET(const std::string bytes, files.readAll(path));
  google::protobuf::Arena arena;
  auto* model = google::protobuf::Arena::CreateMessage<tf::SavedModel>(&arena);
  const Status parsed = inspect::looksLikeText(bytes) ? parseText(bytes, model) : parseWire(bytes, model);
  if (!parsed.ok()) return Error(parsed.error()).inFile(path);
  const auto chosen = choose(*model, tags);
  if (!chosen.ok()) return Error(chosen.error()).inFile(path);
  const tf::MetaGraphDef& meta = **chosen;

  SavedModelContents out;
  WEFT_LET(auto loaded, loadGraphBytes(std::make_shared<const std::string>(printWire(meta)), path));
  out.meta = std::move(loaded.meta);
  out.signatures = listedSignatures(meta);
  out.initOp = initOpOf(meta);
  WEFT_LET(out.assets, assetsOf(meta, folder));
  if (const std::string prefix = joinPath(folder, "variables/variables"); checkpointExists(prefix, &files)) out.checkpoint = prefix;
  return out;
}

}  // namespace weft
